// SPDX-License-Identifier: MIT
#include "tests/tools/voxelize/garment/samples.h"
#include "tools/voxelize/grid_garment.h"

#include <string.h>

static void make(const samples *s, unsigned threads, slv_garment_builder *builder) {
    slv_error error = {0};
    *builder = (slv_garment_builder){0};
    assert_int_equal(slv_make_grid_garment(&s->index, threads, builder, &error), SLV_OK);
}

static void position_of(const slv_garment *garment, uint32_t stored, int64_t position[3]) {
    const uint32_t *cells = garment->grid->cells;
    const uint32_t cell = garment->cell[stored];
    position[0] = cell % cells[0];
    position[1] = cell / cells[0] % cells[1];
    position[2] = cell / cells[0] / cells[1];
}

// Compares every array with the definition, for all samples in own order.
static void check_particles(const samples *s, const slv_garment *garment) {
    uint32_t own = 0;
    const uint32_t *cells = s->lattice.cells;
    for (uint32_t k = 0; k < cells[2]; k++) {
        for (uint32_t j = 0; j < cells[1]; j++) {
            for (uint32_t i = 0; i < cells[0]; i++) {
                const int32_t found = slv_grid_index_find(&s->index, i, j, k);
                if (!samples_marked(s, i, j, k)) {
                    assert_int_equal(found, SLV_NO_NEIGHBOR);
                    continue;
                }
                const uint32_t stored = garment->stored_of_own[own];
                assert_int_equal(found, (int32_t)stored);
                assert_int_equal(garment->own_of_stored[stored], own);
                assert_int_equal(garment->cell[stored], i + cells[0] * (j + cells[1] * k));
                assert_true(garment->x[stored] ==
                            (float)(s->lattice.origin[0] + i * s->lattice.spacing));
                assert_true(garment->z[stored] ==
                            (float)(s->lattice.origin[2] + k * s->lattice.spacing));
                const bool red = (i + j + k) % 2 == 0;
                assert_int_equal(stored < s->index.color_count[0], red);
                own++;
            }
        }
    }
    assert_int_equal(own, garment->info.particle_count);
}

static uint64_t check_neighbors(const samples *s, const slv_garment *garment) {
    uint64_t pairs = 0;
    const size_t count = garment->info.particle_count;
    for (uint32_t stored = 0; stored < count; stored++) {
        int64_t p[3];
        position_of(garment, stored, p);
        for (size_t slot = 0; slot < SLV_SLOT_COUNT; slot++) {
            int64_t q[3] = {p[0], p[1], p[2]};
            q[slot / 2] += slot % 2 == 1 ? 1 : -1;
            const int32_t neighbor = garment->neighbors[slot * count + stored];
            assert_int_equal(neighbor, slv_grid_index_find(&s->index, q[0], q[1], q[2]));
            pairs += neighbor != SLV_NO_NEIGHBOR;
        }
    }
    return pairs / 2;
}

static void check_groups(const slv_garment *garment) {
    uint8_t *met = malloc(garment->info.particle_count);
    assert_non_null(met);
    uint64_t next = 0;
    for (uint32_t g = 0; g < garment->group_count; g++) {
        const slv_constraint_group *group = &garment->groups[g];
        assert_int_equal(group->kind, SLV_CONSTRAINT_DISTANCE);
        assert_int_equal(group->color, g);
        assert_true(group->first == next && group->count > 0);
        next += group->count;
        memset(met, 0, garment->info.particle_count);
        for (uint64_t n = group->first; n < next; n++) {
            const uint32_t a = garment->constraints[SLV_CONSTRAINT_DISTANCE].ends[0][n];
            const uint32_t b = garment->constraints[SLV_CONSTRAINT_DISTANCE].ends[1][n];
            int64_t p[3];
            int64_t q[3];
            position_of(garment, a, p);
            position_of(garment, b, q);
            assert_int_equal(llabs(p[0] - q[0]) + llabs(p[1] - q[1]) + llabs(p[2] - q[2]), 1);
            assert_int_equal((p[0] + p[1] + p[2]) % 2, 0); // the first end is red
            assert_false(met[a] || met[b]);
            met[a] = met[b] = 1;
            assert_true(n == group->first ||
                        a > garment->constraints[SLV_CONSTRAINT_DISTANCE].ends[0][n - 1]);
            assert_true(garment->constraints[SLV_CONSTRAINT_DISTANCE].rest[n] ==
                        garment->info.spacing);
        }
    }
    assert_true(next == garment->constraints[SLV_CONSTRAINT_DISTANCE].count);
    free(met);
}

static void check_garment(samples *s) {
    slv_garment_builder builder;
    samples_number(s);
    make(s, 2, &builder);
    check_particles(s, &builder.garment);
    assert_true(check_neighbors(s, &builder.garment) ==
                builder.garment.constraints[SLV_CONSTRAINT_DISTANCE].count);
    check_groups(&builder.garment);
    slv_builder_free(&builder);
}

static void scattered_samples_match_the_definition(void **state) {
    (void)state;
    const uint32_t sizes[][3] = {{1, 1, 1},   {63, 3, 2},  {64, 2, 3}, {65, 5, 4},
                                 {130, 4, 9}, {2, 50, 17}, {3, 1, 40}, {1, 7, 1}};
    const uint32_t percents[] = {100, 5, 50, 95};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        for (size_t p = 0; p < sizeof percents / sizeof *percents; p++) {
            samples s = samples_make(sizes[n][0], sizes[n][1], sizes[n][2], 0.125);
            s.lattice.origin[0] = -3;
            s.lattice.origin[2] = 0.3;
            samples_scatter(&s, percents[p], 7 * n + p);
            samples_mark(&s, 0, 0, 0); // at least one
            check_garment(&s);
            samples_free(&s);
        }
    }
}

static void a_single_black_particle_gives_one_color_and_no_group(void **state) {
    (void)state;
    samples s = samples_make(4, 4, 4, 1);
    samples_mark(&s, 1, 0, 0);
    samples_number(&s);
    slv_garment_builder builder;
    make(&s, 1, &builder);
    assert_int_equal(builder.garment.color_count, 1);
    assert_int_equal(builder.garment.colors[0].color, 0);
    assert_int_equal(builder.garment.colors[0].count, 1);
    assert_int_equal(builder.garment.group_count, 0);
    slv_builder_free(&builder);
    samples_free(&s);
}

static void a_full_block_has_the_counts_of_the_formula(void **state) {
    (void)state;
    const uint64_t nx = 17;
    const uint64_t ny = 11;
    const uint64_t nz = 23;
    samples s = samples_make_full(17, 11, 23, 1);
    slv_garment_builder builder;
    make(&s, 3, &builder);
    const uint64_t expected = (nx - 1) * ny * nz + nx * (ny - 1) * nz + nx * ny * (nz - 1);
    assert_true(builder.garment.constraints[SLV_CONSTRAINT_DISTANCE].count == expected);
    assert_int_equal(builder.garment.group_count, 6);
    assert_int_equal(builder.garment.info.particle_count, nx * ny * nz);
    assert_true(builder.garment.info.bounds_max[0] == 16 &&
                builder.garment.info.bounds_max[2] == 22);
    slv_builder_free(&builder);
    samples_free(&s);
}

static void any_number_of_threads_gives_the_same_garment(void **state) {
    (void)state;
    samples s = samples_make(70, 30, 50, 0.1);
    samples_scatter(&s, 60, 3);
    samples_number(&s);
    slv_garment_builder one;
    slv_garment_builder many;
    make(&s, 1, &one);
    for (unsigned threads = 2; threads < 9; threads += 3) {
        make(&s, threads, &many);
        const size_t n = one.garment.info.particle_count;
        const size_t m = (size_t)one.garment.constraints[SLV_CONSTRAINT_DISTANCE].count;
        assert_memory_equal(one.garment.neighbors, many.garment.neighbors, 24 * n);
        assert_memory_equal(one.garment.own_of_stored, many.garment.own_of_stored, 4 * n);
        assert_memory_equal(one.garment.constraints[SLV_CONSTRAINT_DISTANCE].ends[0],
                            many.garment.constraints[SLV_CONSTRAINT_DISTANCE].ends[0], 4 * m);
        assert_memory_equal(one.garment.constraints[SLV_CONSTRAINT_DISTANCE].ends[1],
                            many.garment.constraints[SLV_CONSTRAINT_DISTANCE].ends[1], 4 * m);
        slv_builder_free(&many);
    }
    slv_builder_free(&one);
    samples_free(&s);
}

static void mass_is_distributed_and_conserved(void **state) {
    (void)state;
    samples s = samples_make_full(10, 10, 1, 1);
    slv_garment_builder builder;
    slv_error error = {0};
    make(&s, 1, &builder);
    assert_int_equal(slv_builder_distribute_mass(&builder, 5, NULL, &error), SLV_OK);
    double sum = 0;
    for (uint32_t n = 0; n < 100; n++) {
        sum += 1 / (double)builder.garment.inverse_mass[n];
    }
    assert_true(sum > 4.99999 && sum < 5.00001);
    assert_true(builder.garment.info.mass == 5);
    assert_int_equal(slv_builder_distribute_mass(&builder, 1e-40, NULL, &error),
                     SLV_ERROR_ARGUMENT);
    slv_builder_free(&builder);
    samples_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scattered_samples_match_the_definition),
        cmocka_unit_test(a_single_black_particle_gives_one_color_and_no_group),
        cmocka_unit_test(a_full_block_has_the_counts_of_the_formula),
        cmocka_unit_test(any_number_of_threads_gives_the_same_garment),
        cmocka_unit_test(mass_is_distributed_and_conserved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
