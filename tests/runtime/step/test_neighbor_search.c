// SPDX-License-Identifier: MIT
// The neighbor search as a service: a feature without contacts requests lists, which must be those of a test of all
// pairs.
#include "kernels/neighbors.h"
#include "runtime/step/neighbor_search.h"
#include "runtime/world/world.h"
#include "tests/common/neighbor_feature/neighbor_feature.h"
#include "tests/common/random.h"
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 14, COUNT = SIDE * SIDE };
static const float box = 0.3f; // metres: edge of the box that particles are in
static const char *const sets[] = {"baseline", "avx2", "avx512"};

// Moves the particles of a body to random positions, at rest or with random displacements in the step to come.
static void scatter(slv_world *world, uint32_t index, float displacement, uint32_t *seed) {
    for (uint32_t p = 0; p < COUNT; p++) {
        float values[6];
        for (int d = 0; d < 3; d++) {
            values[d] = box * next_fraction(seed);
            values[3 + d] = values[d] - displacement * (next_fraction(seed) - 0.5f);
        }
        slv_layout_write(&world->layout, index, p, 1, values);
    }
}

// Two cloths of slack springs without gravity. They do not collide unless `contacts`.
static slv_world *make_world(const char *set, bool contacts, float displacement) {
    slv_world_def def = slv_default_world_def();
    def.parameters.outer_iterations = def.parameters.inner_iterations = 1;
    def.parameters.stiffness = 1e-6f;
    def.parameters.gravity[1] = 0.0f;
    def.instruction_set = set;
    def.threads = 1;
    slv_world *world = must_create(&def);
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.002f;
    garment.strain_limit = 0.0f;
    garment.self_collision = garment.garment_collision = contacts;
    garment.collision_radius = 0.004f;
    (void)must_add(world, make_grid(SIDE, 1, SIDE, 0.01f, NULL), garment);
    (void)must_add(world, make_cloth(SIDE, SIDE, 0.01f, false), garment);
    uint32_t seed = 5;
    scatter(world, 0, displacement, &seed);
    scatter(world, 1, displacement, &seed);
    return world;
}

static bool has_set(const char *name) {
    slv_world_def def = slv_default_world_def();
    slv_world *world = NULL;
    char message[256];
    def.instruction_set = name;
    const bool has = slv_world_create(&def, &world, message, sizeof message) == SLV_OK;
    slv_world_destroy(world);
    return has;
}

// The arrays of the search in a layout, and the lists of the test's feature.
typedef struct view {
    const int *table, *counts, *offset_of, *body_of;
    const float *starts, *now, *rests;
    int lists, points;
    float slack;
} view;

static view look(const slv_world *world) {
    const slv_layout *layout = &world->layout;
    const uint32_t request = slv_feature_get_number(&slv_feature_neighbors_of_test);
    const int *bins = layout->table + layout->neighbors->block;
    const int *lists = layout->table + layout->neighbors->requests[request].lists;
    return (view){
        .table = layout->table,
        .counts = layout->table + lists[SLV_LISTS_COUNTS],
        .offset_of = layout->table + bins[SLV_BINS_OFFSET_OF],
        .body_of = layout->table + bins[SLV_BINS_BODY_OF],
        .starts = layout->state + bins[SLV_BINS_STARTS],
        .now = layout->state + bins[SLV_BINS_NOW],
        .rests = layout->state + lists[SLV_LISTS_RESTS],
        .lists = layout->neighbors->requests[request].lists,
        .points = layout->neighbors->points,
        .slack = layout->state[bins[SLV_BINS_SCALE] + SLV_SCALE_SLACK],
    };
}

static bool counts_as_pair(const view *v, int a, int b) {
    const slv_neighbor_request *request = &neighbor_feature_request;
    if (v->body_of[a / SLV_BLOCK] != v->body_of[b / SLV_BLOCK]) {
        return request->with_others;
    }
    double square = 0.0;
    for (int d = 0; d < 3; d++) {
        const double away = (double)v->rests[4 * a + d] - (double)v->rests[4 * b + d];
        square += away * away;
    }
    return request->own == SLV_OWN_PAIRS_ALL ||
           (request->own == SLV_OWN_PAIRS_APART &&
            square > 4.008004 * (double)request->reach * (double)request->reach);
}

static double measure(const view *v, int a, int b, bool closing) {
    double square = 0.0;
    for (int d = 0; d < 3; d++) {
        const double start = (double)v->starts[4 * a + d] - (double)v->starts[4 * b + d];
        const double now = (double)v->now[4 * a + d] - (double)v->now[4 * b + d];
        square += closing ? (now - start) * (now - start) : start * start;
    }
    return sqrt(square);
}

static bool is_listed(const view *v, int a, int b) {
    const int list = slv_find_list(v->table, v->lists, a);
    bool listed = false;
    for (int n = 0; n < v->counts[a]; n++) {
        listed = listed || v->table[list + SLV_LANES * n] == 2 * b;
    }
    return listed;
}

// Every pair is in both lists where it may come within reach in the step, and in none elsewhere; pairs at the very
// limit may be either. Returns the number of entries.
static int lists_are_complete(const view *v) {
    const double reaches = 2.0 * (double)neighbor_feature_request.reach;
    int entries = 0;
    int expected = 0;
    for (int a = 0; a < v->points; a++) {
        for (int b = 0; v->offset_of[a] >= 0 && b < v->points; b++) {
            if (b == a || v->offset_of[b] < 0) {
                continue;
            }
            const double apart = measure(v, a, b, false);
            const double far = 1.1 * reaches + measure(v, a, b, true);
            const double limit = fmin(far, reaches + (double)v->slack);
            const bool listed = is_listed(v, a, b);
            if (fabs(apart - limit) > 1e-5 * limit) {
                assert_int_equal(listed, counts_as_pair(v, a, b) && apart < limit);
            }
            expected += listed;
        }
        entries += v->offset_of[a] >= 0 ? v->counts[a] : 0;
    }
    assert_int_equal(entries, expected); // none twice, no others
    return entries;
}

static void lists_of_every_set_are_those_of_all_pairs(void **state) {
    (void)state;
    const slv_neighbor_request requests[] = {
        {.reach = 0.012f, .own = SLV_OWN_PAIRS_ALL, .with_others = true},
        {.reach = 0.012f, .own = SLV_OWN_PAIRS_APART, .with_others = true},
        {.reach = 0.012f, .own = SLV_OWN_PAIRS_ALL},
        {.reach = 0.012f, .with_others = true},
    };
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        for (size_t n = 0; has_set(sets[s]) && n < sizeof requests / sizeof *requests; n++) {
            neighbor_feature_request = requests[n];
            slv_world *world = make_world(sets[s], n % 2 == 1, n > 1 ? 0.01f : 0.0f);
            for (int step = 0; step < 4; step++) {
                must_step(world, 1);
                const view v = look(world);
                assert_true(lists_are_complete(&v) > COUNT / 2);
            }
            slv_world_destroy(world);
        }
    }
}

// All particles within reach of dozens of others: lists grow until they hold all of them.
static void lists_that_are_too_short_grow(void **state) {
    (void)state;
    neighbor_feature_request =
        (slv_neighbor_request){.reach = 0.024f, .own = SLV_OWN_PAIRS_ALL, .with_others = true};
    slv_world *world = make_world(NULL, false, 0.0f);
    const uint32_t request = slv_feature_get_number(&slv_feature_neighbors_of_test);
    assert_int_equal(world->layout.neighbors->requests[request].capacity, 16);
    for (uint32_t before = 0; before < world->layout.neighbors->requests[request].capacity;) {
        before = world->layout.neighbors->requests[request].capacity;
        must_step(world, 1); // longer lists are made after it and empty until the next step
    }
    assert_true(world->layout.neighbors->requests[request].capacity > 16);
    const view v = look(world);
    assert_true(lists_are_complete(&v) > COUNT);
    slv_world_destroy(world);
}

static void nothing_is_searched_without_a_request(void **state) {
    (void)state;
    neighbor_feature_request = (slv_neighbor_request){.reach = 0.0f};
    slv_world *world = make_world(NULL, false, 0.0f);
    assert_int_equal(world->layout.neighbors->points, 0);
    must_step(world, 1);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_of_every_set_are_those_of_all_pairs),
        cmocka_unit_test(lists_that_are_too_short_grow),
        cmocka_unit_test(nothing_is_searched_without_a_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
