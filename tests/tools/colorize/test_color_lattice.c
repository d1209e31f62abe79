// SPDX-License-Identifier: MIT
// Regular lattices need no more colors than constraints share a particle; other constraints are
// unchanged.
#include "tests/common/random.h"
#include "tests/common/soft_shapes.h"
#include "tests/tools/colorize/proper.h"
#include "tests/tools/common/cmocka_all.h"
#include "tools/colorize/lattice.h"

#include <stdlib.h>

// A set of constraints as the tool has it.
typedef struct constraints {
    uint32_t arity, count, particles;
    uint32_t *ends[4];
    uint32_t *order;
    float *axes[3];
} constraints;

static constraints take(const soft_shape *shape, uint32_t arity) {
    constraints made = {.arity = arity,
                        .count = arity == 2 ? shape->spring_count : shape->tetrahedron_count,
                        .particles = shape->particle_count};
    made.order = calloc((size_t)made.particles + 1, 4);
    assert_non_null(made.order);
    for (uint32_t e = 0; e < arity; e++) {
        made.ends[e] = calloc((size_t)made.count + 1, 4);
        assert_non_null(made.ends[e]);
        for (uint32_t i = 0; i < made.count; i++) {
            made.ends[e][i] = arity == 2 ? shape->springs[i][e] : shape->corners[i][e];
        }
    }
    for (int d = 0; d < 3; d++) {
        made.axes[d] = calloc((size_t)made.particles + 1, sizeof(float));
        assert_non_null(made.axes[d]);
        for (uint32_t p = 0; p < made.particles; p++) {
            made.axes[d][made.particles - 1 - p] = shape->positions[p][d];
            made.order[p] = made.particles - 1 - p; // stored the other way round
        }
    }
    return made;
}

static void release(constraints *made) {
    for (int n = 0; n < 4; n++) {
        free(made->ends[n]);
    }
    for (int d = 0; d < 3; d++) {
        free(made->axes[d]);
    }
    free(made->order);
}

static slv_coloring color_lattice(const constraints *made) {
    slv_coloring coloring;
    const float *const axes[3] = {made->axes[0], made->axes[1], made->axes[2]};
    assert_true(slv_color_lattice(axes, made->order, (const uint32_t *const *)made->ends,
                                  made->arity, made->count, &coloring));
    return coloring;
}

static bool is_round(double x, double y, double z) {
    return x * x + y * y + 2 * z * z < 30;
}

static void check_shape(soft_shape shape) {
    for (uint32_t arity = 2; arity <= 4; arity += 2) {
        constraints made = take(&shape, arity);
        slv_conflicts conflicts;
        assert_true(slv_conflicts_create((const uint32_t *const *)made.ends, arity, made.count,
                                         made.particles, &conflicts));
        slv_coloring coloring = color_lattice(&made);
        assert_non_null(coloring.color);
        assert_true(is_proper(&conflicts, &coloring));
        assert_int_equal(coloring.color_count, slv_conflicts_largest_hyperedge(&conflicts));
        slv_coloring_destroy(&coloring);
        slv_conflicts_destroy(&conflicts);
        release(&made);
    }
    soft_free(&shape);
}

static void lattices_get_the_minimum_number_of_colors(void **state) {
    (void)state;
    check_shape(soft_lattice(6, 7, 8, 0.013f, NULL));
    check_shape(soft_lattice(12, 12, 12, 3.7f, is_round));
    check_shape(soft_lattice(40, 5, 5, 1e-4f, NULL));
}

// Cells need not be cubes, nor lie near the origin.
static void cells_may_have_any_size_and_position(void **state) {
    (void)state;
    soft_shape shape = soft_lattice(9, 6, 5, 0.1f, NULL);
    for (uint32_t p = 0; p < shape.particle_count; p++) {
        shape.positions[p][0] = 0.31f * shape.positions[p][0] - 7.0f;
        shape.positions[p][1] = 2.5f * shape.positions[p][1] + 11.0f;
    }
    check_shape(shape);
}

static void irregular_constraints_get_no_lattice_colors(void **state) {
    (void)state;
    soft_shape shapes[3] = {soft_lattice(6, 6, 6, 0.1f, NULL), soft_ball(1, 2, 3, 2),
                            soft_tori(1, 12)};
    uint32_t seed = 1;
    for (uint32_t p = 0; p < shapes[0].particle_count; p++) {
        shapes[0].positions[p][1] += 0.03f * (next_fraction(&seed) - 0.5f);
    }
    for (int n = 0; n < 3; n++) {
        constraints made = take(&shapes[n], 4);
        slv_coloring coloring = color_lattice(&made);
        assert_null(coloring.color);
        release(&made);
        soft_free(&shapes[n]);
    }
}

static void no_constraints_give_no_colors(void **state) {
    (void)state;
    constraints made = {.arity = 2};
    slv_coloring coloring = color_lattice(&made);
    assert_int_equal(coloring.color_count, 0);
    slv_coloring_destroy(&coloring);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattices_get_the_minimum_number_of_colors),
        cmocka_unit_test(cells_may_have_any_size_and_position),
        cmocka_unit_test(irregular_constraints_get_no_lattice_colors),
        cmocka_unit_test(no_constraints_give_no_colors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
