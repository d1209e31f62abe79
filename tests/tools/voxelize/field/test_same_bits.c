// SPDX-License-Identifier: MIT
// The same bits for any number of threads and any instruction set.
#include "surfaces.h"

#include "tools/voxelize/distance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double origin[3] = {0.0, 0.0, 0.0};

static slv_mesh make_subject(int which) {
    slv_mesh mesh = which == 0   ? make_sphere(origin, 1.0, 30)
                    : which == 1 ? make_soup(8, 100, 2.0, 8.0)
                                 : make_torus(2.0, 0.5, 30);
    if (which == 2) {
        remove_triangle(&mesh, 40);
        remove_triangle(&mesh, 500);
    }
    return mesh;
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    static const unsigned threads[] = {2, 3, 7};
    for (int which = 0; which < 3; which++) {
        slv_mesh mesh = make_subject(which);
        const slv_lattice lattice = lattice_round(&mesh, 25);
        const size_t words = slv_row_words(&lattice) * lattice.cells[1] * lattice.cells[2];
        field one = measure_field(&mesh, &lattice, 1);
        for (int t = 0; t < 3; t++) {
            field more = measure_field(&mesh, &lattice, threads[t]);
            assert_memory_equal(one.values, more.values,
                                slv_lattice_count(&lattice) * sizeof *one.values);
            assert_memory_equal(one.inside, more.inside, words * sizeof *one.inside);
            assert_memory_equal(one.cover, more.cover, words * sizeof *one.cover);
            free_field(&more);
        }
        free_field(&one);
        slv_mesh_free(&mesh);
    }
}

// One block of distances with the given lanes; false where the processor does not support them.
static bool measure_with(const slv_snapped *snapped, const slv_bvh *bvh, const slv_lattice *lattice,
                         slv_lanes lanes, float *values) {
    slv_distance distance;
    slv_error error;
    const slv_result made = slv_distance_create(snapped, bvh, lanes, 1, &distance, &error);
    if (made == SLV_ERROR_UNSUPPORTED) {
        return false;
    }
    assert_int_equal(made, SLV_OK);
    slv_distance_query query = {.distance = &distance,
                                .first_layer = 0,
                                .layers = lattice->cells[2],
                                .unit = lattice->spacing};
    query.values = values;
    memcpy(query.cells, lattice->cells, sizeof query.cells);
    query.candidates = malloc(bvh->leaf_count * sizeof *query.candidates);
    assert_non_null(query.candidates);
    slv_distance_layers(&query);
    free(query.candidates);
    slv_distance_free(&distance);
    return true;
}

static void every_instruction_set_gives_the_same_bits(void **state) {
    (void)state;
    for (int which = 0; which < 3; which++) {
        slv_mesh mesh = make_subject(which);
        slv_lattice lattice = lattice_round(&mesh, 31);
        slv_snapped snapped;
        slv_bvh bvh;
        slv_error error;
        assert_int_equal(slv_snapped_create(&mesh, &lattice, &snapped, &error), SLV_OK);
        assert_int_equal(slv_bvh_create(&snapped, 1, &bvh, &error), SLV_OK);
        const size_t bytes = slv_lattice_count(&lattice) * sizeof(float);
        float *baseline = malloc(bytes);
        float *other = malloc(bytes);
        assert_non_null(baseline);
        assert_non_null(other);
        assert_true(measure_with(&snapped, &bvh, &lattice, SLV_LANES_BASELINE, baseline));
        if (measure_with(&snapped, &bvh, &lattice, SLV_LANES_AVX2, other)) {
            assert_memory_equal(baseline, other, bytes);
        } else {
            print_message("skipped: no AVX2 here\n");
        }
        free(baseline);
        free(other);
        slv_bvh_free(&bvh);
        slv_snapped_free(&snapped);
        slv_mesh_free(&mesh);
    }
}

// Reference hash, recorded with gcc; every compiler and optimization level must give it.
static void the_bits_equal_the_reference_of_all_compilers(void **state) {
    (void)state;
    slv_mesh mesh = make_soup(21, 60, 3.0, 8.0); // needs no libm
    const slv_lattice lattice = lattice_of(29, 27, 25, 0.1, 0.33);
    field f = measure_field(&mesh, &lattice, 2);
    uint64_t hash = 1469598103934665603u;
    for (size_t s = 0; s < slv_lattice_count(&lattice); s++) {
        uint32_t bits;
        memcpy(&bits, &f.values[s], sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    const size_t words = slv_row_words(&lattice) * lattice.cells[1] * lattice.cells[2];
    for (size_t w = 0; w < words; w++) {
        hash = (hash ^ f.inside[w]) * 1099511628211u;
        hash = (hash ^ f.cover[w]) * 1099511628211u;
    }
    assert_int_equal(hash, UINT64_C(0xb28cd1d862749257));
    free_field(&f);
    slv_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
        cmocka_unit_test(the_bits_equal_the_reference_of_all_compilers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
