// SPDX-License-Identifier: MIT
// Every kernel of every instruction set, faster forms included, against the plain text of kernels/: the
// same bits everywhere in state.
#include "kernels/pairs.h"
#include "runtime/backends/cpu/cpu_kernels.h"
#include "runtime/layout/layout.h"
#include "runtime/step/feature.h"
#include "runtime/step/features/sleep.h"
#include "runtime/step/neighbor_search.h"
#include "tests/common/random.h"
#include "tests/common/soft_shapes.h"
#include "tests/common/test_world.h"
#include "tests/kernels/compared_worlds.h"
#include "tests/kernels/plain_layouts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- Comparing --------------------------------------------------------------------------------------

static int count_rows(const slv_layout *layout, const slv_body_layout *body_layout,
                      slv_domain domain, int color) {
    const int *table = layout->table;
    switch (domain) {
    case SLV_DOMAIN_GRID_COLUMNS:
    case SLV_DOMAIN_GRID_RANGES:
    case SLV_DOMAIN_GRID_COMPONENTS:
        return body_layout->rows * body_layout->layers;
    case SLV_DOMAIN_SLOTS:
    case SLV_DOMAIN_SLOT_RANGES:
        return body_layout->slots / SLV_BLOCK;
    case SLV_DOMAIN_SLICES:
        return table[body_layout->colors + body_layout->color_count];
    case SLV_DOMAIN_SPRINGS:
        return (table[body_layout->groups + 3 * color + 1] + SLV_LANES - 1) / SLV_LANES;
    case SLV_DOMAIN_MOVES:
        return body_layout->move_room / SLV_LANES;
    case SLV_DOMAIN_LANES: // lists that these garments do not have
        return 0;
    default:
        return 1;
    }
}

// Whether a kernel fits a body: by the layout, by the arrays of its solver and, on grids, by the number of axes.
static bool suits(const plain_kernel *kernel, const slv_body_layout *body_layout) {
    if (kernel->domain == SLV_DOMAIN_POINTS || kernel->domain == SLV_DOMAIN_ROWS ||
        strncmp(kernel->name, "bin_", 4) == 0) {
        return false; // whole steps of these are compared below
    }
    if (strncmp(kernel->name, "coarse_", 7) == 0) {
        return false; // test_multigrid_forms.c
    }
    if (strcmp(kernel->name, "average") == 0) {
        return body_layout->multipliers > 0;
    }
    if (strcmp(kernel->name, "spring_project") == 0) {
        return body_layout->tensions > 0;
    }
    if (strncmp(kernel->name, "springs_", 8) == 0) {
        return body_layout->stage_positions[0] > 0;
    }
    if (strncmp(kernel->name, "implicit_", 9) == 0 ||
        strncmp(kernel->name, "gradients_", 10) == 0 ||
        strncmp(kernel->name, "constant_", 9) == 0 || strncmp(kernel->name, "lagrange_", 9) == 0) {
        return false; // whole steps of these are compared below
    }
    bool grid = slv_body_is_grid(body_layout);
    if (body_layout->next == 0 &&
        (strstr(kernel->name, "jacobi") || strstr(kernel->name, "accept"))) {
        return false;
    }
    if (strstr(kernel->name, "_split") || strstr(kernel->name, "_joined")) {
        return (strstr(kernel->name, "_split") != NULL) == grid;
    }
    if (strncmp(kernel->name, "flat_", 5) == 0 || strncmp(kernel->name, "solid_", 6) == 0) {
        return grid && (kernel->name[0] == 's') == (body_layout->layers > 1);
    }
    return !grid || kernel->domain == SLV_DOMAIN_MOVES;
}

// Adds noise to positions and corrections where there are particles.
static void perturb(slv_layout *layout, uint32_t index, uint32_t *seed) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    for (int p = 0; p < body_layout->particles; p++) {
        int at = (int)layout->slots[index][p] * body_layout->stride;
        for (int d = 0; d < 3; d++) {
            int offset = at + d * body_layout->component;
            float noise = next_fraction(seed) - 0.5f;
            layout->state[body_layout->q + offset] += 0.02f * noise;
            layout->state[body_layout->u + offset] = 0.001f * noise;
            layout->state[body_layout->b + offset] = 0.002f * noise;
            layout->state[body_layout->predicted + offset] = 0.01f * noise;
            layout->state[body_layout->remainders + offset] =
                slv_pack_remainders((int)(20000.0f * noise), (int)(-3000.0f * noise));
        }
    }
    for (int g = 0; !slv_body_is_grid(body_layout) && g < body_layout->group_count; g++) {
        const int *group = layout->table + body_layout->groups + 3 * g;
        for (int s = group[0]; s < group[0] + group[1]; s++) {
            float noise = next_fraction(seed) - 0.5f;
            if (body_layout->tensions > 0) {
                layout->state[body_layout->tensions + s] = noise;
            }
            if (body_layout->multipliers > 0) {
                layout->state[body_layout->multipliers + 2 * s] = -noise; // a spring has two ends
            }
        }
    }
}

// Each state has an allocation of its own, so that a sanitizer sees accesses out of bounds.
static void compare_kernel(const slv_instruction_set *set, const plain_kernel *kernel,
                           const slv_layout *layout, const slv_body_layout *body_layout,
                           slv_launch launch, float *const rooms[2]) {
    size_t floats = layout->state_count;
    slv_cpu_kernel *fast = set->kernels[kernel - plain_kernels];
    int rows = count_rows(layout, body_layout, kernel->domain, launch.index);
    float *expected = rooms[0];
    float *found = rooms[1];
    const slv_cpu_arrays arrays = {found, layout->table, NULL, NULL};
    memcpy(expected, layout->state, floats * sizeof *expected);
    memcpy(found, layout->state, floats * sizeof *found);
    if (kernel->domain == SLV_DOMAIN_SLICES) { // only the slices of one color may run at once
        int first = layout->table[body_layout->colors + launch.index];
        int end = layout->table[body_layout->colors + launch.index + 1];
        kernel->run(expected, layout->table, body_layout, &launch, first, end);
        fast(&arrays, body_layout, &launch, first, end);
    } else {
        kernel->run(expected, layout->table, body_layout, &launch, 0, rows);
        fast(&arrays, body_layout, &launch, 0, rows / 3);
        fast(&arrays, body_layout, &launch, rows / 3, rows);
    }
    if (memcmp(expected, found, floats * sizeof *found) != 0) {
        fail_msg("%s differs with %s", kernel->name, set->name);
    }
}

static void compare_layout(const slv_instruction_set *set, slv_world *world) {
    uint32_t seed = 12345;
    slv_layout *layout = &world->layout;
    float *rooms[2] = {malloc(layout->state_count * sizeof **rooms),
                       malloc(layout->state_count * sizeof **rooms)};
    assert_true(rooms[0] && rooms[1]);
    for (uint32_t i = 0; i < layout->body_count; i++) {
        perturb(layout, i, &seed);
    }
    for (uint32_t i = 0; i < layout->body_count; i++) {
        const slv_body_layout *body_layout = &layout->bodies[i];
        for (size_t k = 0; k < SLV_KERNEL_COUNT; k++) {
            const plain_kernel *kernel = &plain_kernels[k];
            int colors = kernel->domain == SLV_DOMAIN_SPRINGS ? body_layout->group_count
                                                              : body_layout->color_count;
            for (int c = 0; suits(kernel, body_layout) && c < 4 * colors; c++) {
                slv_launch launch = {
                    .index = c % colors,
                    .flags = (c & 1) != 0 ? SLV_FROM_NEXT | SLV_TO_POSITIONS | SLV_LAST_PASS : 0,
                    .parity = c & 1,
                    .first = c / colors == 1,
                    .damped = c / colors == 2,
                    .relaxation = 1.3f,
                    .velocity_factor = 0.99f,
                    .gravity_step = {1e-4f, -2e-4f, 0.0f, 0.0f},
                    .limit = 10.0f,
                    .overlap_step = 0.1f,
                    .speed_limit = 1e-3f};
                compare_kernel(set, kernel, layout, body_layout, launch, rooms);
            }
        }
    }
    free(rooms[0]);
    free(rooms[1]);
}

static void compare_set(const char *name) {
    const slv_instruction_set *set = find_set(name);
    if (!set) {
        return;
    }
    static const slv_solver solvers[] = {SLV_PD_RBGS, SLV_PD_JACOBI, SLV_PBD_JACOBI, SLV_PBD_GS,
                                         SLV_MS_RK4};
    for (size_t n = 0; n < sizeof solvers / sizeof *solvers; n++) {
        slv_world_def def = slv_default_world_def();
        def.parameters.solver = solvers[n];
        def.threads = 1;
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = 0.01f;
        garment.fixed = (const uint32_t[]){2};
        garment.fixed_count = 1;
        (void)must_add(world, make_grid(37, 1, 11, 0.05f, NULL), garment);
        (void)must_add(world, make_grid(9, 7, 8, 0.05f, NULL), garment);
        garment.bending_stiffness = 30.0f;
        (void)must_add(world, make_cloth(13, 11, 0.05f, false), garment);
        compare_layout(set, world);
        slv_world_destroy(world);
    }
}

// --- Whole steps ------------------------------------------------------------------------------------

// Cloth falls on every shape, on itself and on other cloth.
static slv_world *make_crowd(const char *set, slv_solver solver) {
    slv_world *world = make_single(set, solver, 2, 4);
    world->list_room = 64; // large enough not to grow
    for (int n = 0; n < 12; n++) {
        slv_collider_def collider = collider_of_every_shape(n);
        collider.position[0] = (double)(0.13f * (float)n);
        collider.position[1] = collider.kind == SLV_COLLIDER_PLANE ? -0.4 : -0.12;
        collider.position[2] = (double)(0.1f * (float)(n % 5));
        collider.restitution = n == 3 ? 0.5f : 0.0f;
        collider.velocity[0] = n == 7 ? 30.0f : 0.0f;
        collider.angular_velocity[1] = n == 9 ? 8.0f : 0.0f;
        assert_int_equal(slv_world_add_collider(world, &collider, NULL), SLV_OK);
    }
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.002f;
    garment.self_collision = garment.garment_collision = true;
    garment.fixed = (const uint32_t[]){2};
    garment.fixed_count = 1;
    (void)must_add(world, make_grid(37, 1, 11, 0.04f, NULL), garment);
    garment.position[1] = 0.05;
    garment.velocity[1] = -20.0f;
    (void)must_add(world, make_cloth(13, 11, 0.04f, false), garment);
    garment.self_collision = false;
    garment.position[1] = 0.1;
    (void)must_add(world, make_grid(5, 4, 6, 0.04f, NULL), garment);
    return world;
}

static void contacts_of_every_set_equal_the_plain_kernels(void **state) {
    (void)state;
    compare_steps(make_crowd, SLV_PD_RBGS, 60);
    compare_steps(make_crowd, SLV_PBD_GS, 30); // the same contacts after other constraints
}

// The least number of passes.
static slv_world *make_bare(const char *set, slv_solver solver) {
    return make_single(set, solver, 1, 4);
}

// Cloth on more colliders, and with more tiles, than the faster forms take at a time. One of them is so
// fast that particles near it are swept, and all of the cloth touches the plane.
static slv_world *make_drape(const char *set, slv_solver solver) {
    slv_world *world = make_bare(set, solver);
    for (int n = 0; n < 72; n++) {
        slv_collider_def collider = slv_default_collider_def();
        const int row = n / 8;
        collider.kind = n == 71 ? SLV_COLLIDER_PLANE : (slv_collider_kind)(2 + n % 3);
        collider.position[0] = (double)(0.2f * (float)(n % 8));
        // Cloth starts inside those of one row only: the search for the way out takes the plain kernel long.
        static const double heights[] = {0.1, 0.2, 0.075}; // of a sphere, a capsule and a box
        const double top = row == 4 ? 0.02 : 0.0;
        collider.position[1] = n == 71 ? 0.0 : top - heights[n % 3];
        collider.position[2] = (double)(0.15f * (float)row);
        collider.radius = 0.1f;
        collider.length = 0.2f;
        collider.size[0] = collider.size[1] = collider.size[2] = 0.15f;
        collider.velocity[0] = n == 20 ? 30.0f : 0.0f;
        collider.angular_velocity[1] = n % 7 == 0 ? 3.0f : 0.0f;
        assert_int_equal(slv_world_add_collider(world, &collider, NULL), SLV_OK);
    }
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.002f;
    garment.fixed = (const uint32_t[]){300, 301};
    garment.fixed_count = 2;
    (void)must_add(world, make_grid(80, 1, 60, 0.02f, NULL), garment);
    garment.position[1] = 0.01;
    (void)must_add(world, make_cloth(20, 19, 0.05f, false), garment);
    return world;
}

static void drapes_of_every_set_equal_the_plain_kernels(void **state) {
    (void)state;
    compare_steps(make_drape, SLV_PD_RBGS, 8);
}

// --- Clusters ---------------------------------------------------------------------------------------

// A cloth with slack springs some of whose particles are at random positions in a box, so that clusters of
// points (runtime/backends/cpu/cpu_clusters.inl) are wider or denser than those of real cloth.
typedef struct scatter {
    uint32_t side;
    uint32_t every;              // one of so many particles is moved
    float low, high;             // metres along x and z
    bool wide, overflows, sorts; // the expected outcome, as checked below
} scatter;

static slv_world *make_scattered(const char *set, scatter how) {
    slv_world_def def = slv_default_world_def();
    def.parameters.outer_iterations = 1;
    def.parameters.stiffness = 1e-6f;
    def.instruction_set = set;
    def.threads = 1;
    slv_world *world = must_create(&def);
    world->list_room = SLV_LIST_LIMIT;
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.002f;
    garment.self_collision = true;
    garment.strain_limit = 0.0f;
    garment.collision_radius = 0.012f;
    (void)must_add(world, make_grid(how.side, 1, how.side, 0.02f, NULL), garment);
    slv_layout *layout = &world->layout;
    const slv_body_layout *body_layout = &layout->bodies[0];
    uint32_t seed = 7;
    for (uint32_t p = 0; p < how.side * how.side; p += how.every) {
        for (int d = 0; d < 3; d++) {
            const int at =
                (int)layout->slots[0][p] * body_layout->stride + d * body_layout->component;
            const float fraction = next_fraction(&seed);
            const float coordinate =
                d == 1 ? 0.04f * fraction - 0.02f : how.low + fraction * (how.high - how.low);
            layout->state[body_layout->q + at] = coordinate;
            layout->state[body_layout->prev[0] + at] = layout->state[body_layout->prev[1] + at] =
                coordinate;
        }
    }
    return world;
}

extern const slv_feature slv_feature_contacts;

static uint32_t request_of_contacts(void) {
    return slv_feature_get_number(&slv_feature_contacts);
}

// Whether a step of a world led to the case that was meant.
static void clusters_are_as_meant(const slv_world *world, scatter how) {
    const slv_layout *layout = &world->layout;
    const int *bins = layout->table + layout->neighbors->block;
    const slv_cpu_clusters *clusters = slv_cpu_get_clusters(world->engine);
    const bool sorts = clusters->sorts;
    const int wide = clusters->heads[2 * clusters->head_count + 1];
    int overflows = 0;
    int met = 0;
    const int *lists = layout->table + layout->neighbors->requests[request_of_contacts()].lists;
    for (int n = 0; n < bins[SLV_BINS_POINTS]; n++) {
        overflows += !sorts && clusters->near[n / SLV_CLUSTER * (SLV_NEAR_ROOM + 1)] < 0;
        met += layout->table[lists[SLV_LISTS_COUNTS] + n] > 0;
    }
    assert_int_equal(sorts, how.sorts);
    assert_int_equal(!sorts && wide > 0, how.wide);
    assert_int_equal(overflows > 0, how.overflows);
    assert_true(met > 0);
}

static void clusters_of_any_width_and_number_find_what_the_plain_search_finds(void **state) {
    (void)state;
    const scatter hows[] = {
        {.side = 24, .every = 61, .low = -0.3f, .high = 0.8f, .wide = true},
        {.side = 40, .every = 19, .low = 0.0f, .high = 1.5f, .wide = true, .overflows = true},
        {.side = 36, .every = 1, .low = -0.4f, .high = 0.4f, .overflows = true},
        {.side = 64, .every = 1, .low = 0.0f, .high = 1.2f, .sorts = true}, // too many in one cell
        {.side = 64, .every = 41, .low = -1.0f, .high = 2.0f, .sorts = true}, // too many wide ones
    };
    for (size_t h = 0; h < sizeof hows / sizeof *hows; h++) {
        slv_world *plain = make_scattered(compared_sets[0], hows[h]);
        play_plainly(plain, 8);
        for (size_t n = 0; n < COMPARED_SETS; n++) {
            if (find_set(compared_sets[n])) {
                slv_world *fast = make_scattered(compared_sets[n], hows[h]);
                must_step(fast, 1);
                clusters_are_as_meant(fast, hows[h]);
                must_step(fast, 7);
                assert_true(must_hash(fast) == must_hash(plain));
                slv_world_destroy(fast);
            }
        }
        slv_world_destroy(plain);
    }
}

// Two cloths; one falls on the other at an angle and slides over it.
static slv_world *make_sliding(const char *set) {
    slv_world *world = make_bare(set, SLV_PD_RBGS);
    world->list_room = SLV_LIST_LIMIT;
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.002f;
    garment.self_collision = garment.garment_collision = true;
    garment.collision_radius = 0.012f;
    (void)must_add(world, make_grid(24, 1, 24, 0.02f, NULL), garment);
    garment.position[1] = 0.06;
    garment.collision_radius = 0.008f;
    garment.velocity[0] = 1.5f;
    garment.velocity[1] = -1.0f;
    garment.velocity[2] = 0.7f;
    (void)must_add(world, make_grid(20, 1, 20, 0.02f, NULL), garment);
    return world;
}

// Compares every list of two worlds; returns the number of neighbors in them.
static int lists_are_equal(const slv_world *one, const slv_world *other) {
    const int lists = one->layout.neighbors->requests[request_of_contacts()].lists;
    const int counts_at = one->layout.table[lists + SLV_LISTS_COUNTS];
    const int *counts = one->layout.table + counts_at;
    const int *other_counts = other->layout.table + counts_at;
    int listed = 0;
    for (int p = 0; p < one->layout.neighbors->points; p++) {
        assert_int_equal(counts[p], other_counts[p]);
        for (int n = 0; n < counts[p]; n++) {
            const int at = slv_find_list(one->layout.table, lists, p);
            assert_int_equal(one->layout.table[at + SLV_LANES * n],
                             other->layout.table[at + SLV_LANES * n]);
        }
        listed += counts[p];
    }
    return listed;
}

static bool keeps_candidates(const slv_world *world) {
    const slv_cpu_clusters *clusters = slv_cpu_get_clusters(world->engine);
    bool any = false;
    for (int n = 0; n < clusters->count; n++) {
        any = any || clusters->margins[request_of_contacts()][2 * n + 1] > 0.0f;
    }
    return any;
}

static void candidates_kept_over_steps_are_those_of_the_plain_search(void **state) {
    (void)state;
    slv_world *plain = make_sliding(compared_sets[0]);
    slv_world *fast[COMPARED_SETS] = {0};
    int listed[COMPARED_SETS] = {0};
    for (size_t n = 0; n < COMPARED_SETS; n++) {
        fast[n] = find_set(compared_sets[n]) ? make_sliding(compared_sets[n]) : NULL;
    }
    for (int step = 0; step < 60; step++) {
        play_plainly(plain, 1);
        for (size_t n = 0; n < COMPARED_SETS; n++) {
            if (fast[n]) {
                must_step(fast[n], 1);
                listed[n] += lists_are_equal(fast[n], plain);
            }
        }
    }
    for (size_t n = 0; n < COMPARED_SETS; n++) {
        if (fast[n]) {
            assert_true(listed[n] > 1000);
            assert_true(keeps_candidates(fast[n]));
            slv_world_destroy(fast[n]);
        }
    }
    slv_world_destroy(plain);
}

// Without gravity: a cloth that has fallen asleep, and one that flies into it.
static slv_world *make_woken(const char *set, slv_solver solver) {
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = solver;
    memset(def.parameters.gravity, 0, sizeof def.parameters.gravity);
    def.instruction_set = set;
    def.threads = 1;
    slv_world *world = must_create(&def);
    world->list_room = SLV_LIST_LIMIT;
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.002f;
    garment.self_collision = garment.garment_collision = true;
    garment.sleep_speed = 0.1f;
    garment.sleep_delay = 0.01f;
    (void)must_add(world, make_grid(24, 1, 24, 0.02f, NULL), garment);
    garment.position[1] = 0.3;
    garment.velocity[1] = -8.0f;
    (void)must_add(world, make_grid(20, 1, 20, 0.02f, NULL), garment);
    return world;
}

static void a_cloth_woken_by_touch_has_the_lists_of_the_plain_search(void **state) {
    (void)state;
    for (size_t n = 0; n < COMPARED_SETS; n++) {
        if (!find_set(compared_sets[n])) {
            continue;
        }
        slv_world *plain = make_woken(compared_sets[0], SLV_PD_RBGS);
        slv_world *fast = make_woken(compared_sets[n], SLV_PD_RBGS);
        bool slept = false;
        bool woke = false;
        for (int step = 0; step < 40; step++) {
            play_plainly(plain, 1);
            must_step(fast, 1);
            (void)lists_are_equal(fast, plain);
            const bool asleep = slv_sleep_is_asleep(&fast->layout, 0);
            woke = woke || (slept && !asleep);
            slept = slept || asleep;
        }
        assert_true(slept && woke);
        assert_true(must_hash(fast) == must_hash(plain));
        slv_world_destroy(fast);
        slv_world_destroy(plain);
    }
}

// Blocks of tetrahedra fixed at a few particles, whole faces of tetrahedra among them.
static slv_world *make_soft(const char *set, slv_solver solver) {
    char path[256];
    slv_garment_id id;
    slv_world *world = make_single(set, solver, 2, 3);
    slv_garment_def garment = slv_default_garment_def();
    garment.fixed = (const uint32_t[]){0, 1, 4, 5, 16, 17, 20, 21};
    garment.fixed_count = 8;
    for (uint32_t n = 0; n < 2; n++) {
        soft_shape shape = soft_lattice(4 + n, 4, 3, 0.1f, NULL);
        soft_write(&shape, 2.0f, temporary_path(path, sizeof path, "soft.slv"));
        soft_free(&shape);
        garment.pack_path = path;
        garment.stretch = 1.0f + 0.2f * (float)n;
        assert_int_equal(slv_world_add_garment(world, &garment, &id), SLV_OK);
        (void)remove(path);
    }
    return world;
}

static void tetrahedra_of_every_set_equal_the_plain_kernels(void **state) {
    (void)state;
    compare_steps(make_soft, SLV_PBD_JACOBI, 40);
    compare_steps(make_soft, SLV_PBD_GS, 40);
}

static void bodies_of_every_set_equal_the_plain_kernels(void **state) {
    (void)state;
    compare_steps(make_body_world, SLV_PBD_GS, 60);
    compare_steps(make_body_world, SLV_PBD_JACOBI, 60);
}

static void baseline_kernels_equal_the_plain_kernels(void **state) {
    (void)state;
    compare_set(compared_sets[0]);
}

static void avx2_kernels_equal_the_plain_kernels(void **state) {
    (void)state;
    compare_set(compared_sets[1]);
}

static void avx512_kernels_equal_the_plain_kernels(void **state) {
    (void)state;
    compare_set(compared_sets[2]);
}

static slv_world *make_sprung(const char *set, slv_solver solver) {
    slv_world *world = make_single(set, solver, 2, 4);
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.01f;
    garment.stretch_stiffness = 60.0f;
    garment.bending_stiffness = 3.0f;
    garment.shear_stiffness = 20.0f;
    garment.fixed = (const uint32_t[]){2};
    garment.fixed_count = 1;
    garment.stretch = 1.1f;
    (void)must_add(world, make_grid(13, 1, 11, 0.05f, NULL), garment);
    garment.spring_damping = 0.005f;
    garment.buckling_rigidity = 1e-5f;
    (void)must_add(world, make_cloth(13, 11, 0.05f, false), garment);
    return world;
}

static void steps_of_integrators_have_the_bits_of_the_plain_kernels(void **state) {
    (void)state;
    for (int solver = SLV_MS_EXPLICIT_EULER; solver <= SLV_MS_LAGRANGE; solver++) {
        compare_steps(make_sprung, (slv_solver)solver, 30);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_integrators_have_the_bits_of_the_plain_kernels),
        cmocka_unit_test(baseline_kernels_equal_the_plain_kernels),
        cmocka_unit_test(avx2_kernels_equal_the_plain_kernels),
        cmocka_unit_test(avx512_kernels_equal_the_plain_kernels),
        cmocka_unit_test(bodies_of_every_set_equal_the_plain_kernels),
        cmocka_unit_test(tetrahedra_of_every_set_equal_the_plain_kernels),
        cmocka_unit_test(contacts_of_every_set_equal_the_plain_kernels),
        cmocka_unit_test(drapes_of_every_set_equal_the_plain_kernels),
        cmocka_unit_test(clusters_of_any_width_and_number_find_what_the_plain_search_finds),
        cmocka_unit_test(candidates_kept_over_steps_are_those_of_the_plain_search),
        cmocka_unit_test(a_cloth_woken_by_touch_has_the_lists_of_the_plain_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
