// SPDX-License-Identifier: MIT
// The same bits for any number of threads, instruction set, compiler and optimization: each scene must end in the
// hash given here, in every build.
#include "runtime/backends/cpu/cpu_kernels.h"
#include "runtime/world/world.h"
#include "tests/common/test_world.h"

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    STEPS = 1000,
    FRAME = 8, // steps between two hashes
    PART = 41 * FRAME,
    OUTER = 1,
    INNER = 2
};

// --- Scenes -----------------------------------------------------------------------------------------

typedef struct scene {
    const char *name;
    slv_solver solver;
    float relaxation;
    void (*fill)(slv_world *world);
    uint64_t golden; // the states after each frame, hashed together
} scene;

static slv_garment_def hanging(void) {
    static const uint32_t corners[] = {0, 15};
    slv_garment_def def = slv_default_garment_def();
    def.particle_mass = 0.01f;
    def.stretch_stiffness = 2000.0f;
    def.fixed = corners;
    def.fixed_count = 2;
    def.position[1] = 2.0;
    return def;
}

static void fill_cloth(slv_world *world) {
    (void)must_add(world, make_grid(16, 1, 18, 0.05f, NULL), hanging());
    slv_garment_def thrown = hanging(); // two garments, one turned and on its way
    thrown.fixed_count = 0;
    thrown.rotation[0] = 0.6f;
    thrown.rotation[3] = 0.8f;
    thrown.velocity[0] = 1.5f;
    (void)must_add(world, make_grid(7, 1, 9, 0.05f, NULL), thrown);
}

static bool has_hole(uint32_t i, uint32_t j, uint32_t k) {
    return !(i == 3 && j == 3) && !(i == 1 && k == 2) && !(i == 5 && j == 0 && k == 4);
}

static void fill_solid(slv_world *world) {
    slv_garment_def def = hanging();
    def.fixed_count = 1;
    (void)must_add(world, make_grid(7, 6, 5, 0.05f, has_hole), def);
}

static void fill_sheared(slv_world *world) {
    slv_garment_def def = hanging();
    def.shear_stiffness = 700.0f;
    def.bending_stiffness = 90.0f;
    (void)must_add(world, make_grid(16, 1, 12, 0.05f, NULL), def);
}

static void fill_mesh(slv_world *world) {
    slv_garment_def def = hanging();
    def.bending_stiffness = 50.0f;
    (void)must_add(world, make_cloth(16, 13, 0.05f, false), def);
}

static const scene scenes[] = {
    {"cloth, red-black", SLV_PD_RBGS, 1.7f, fill_cloth, UINT64_C(0x81b3f8a021f2d390)},
    {"cloth, in order", SLV_PD_GS, 1.0f, fill_cloth, UINT64_C(0xf3c89680be9b1d40)},
    {"cloth, Jacobi", SLV_PD_JACOBI, 0.9f, fill_cloth, UINT64_C(0x5282b5a30432a247)},
    {"solid with holes, red-black", SLV_PD_RBGS, 1.2f, fill_solid, UINT64_C(0x3f511832bcceccd6)},
    {"grid with shear and bending", SLV_PD_RBGS, 1.0f, fill_sheared, UINT64_C(0x401897ad8faa08e8)},
    {"mesh, eight colors", SLV_PD_RBGS, 1.5f, fill_mesh, UINT64_C(0x55ba013258629062)},
    {"mesh, in order", SLV_PD_GS, 1.0f, fill_mesh, UINT64_C(0x70dad14df8fcae06)},
    {"mesh, position based", SLV_PBD_GS, 1.0f, fill_mesh, UINT64_C(0xce6e5f0b5130895e)},
    {"solid, position based, averaged", SLV_PBD_JACOBI, 1.5f, fill_solid,
     UINT64_C(0x0f7836072a85d46c)},
    {"cloth, multigrid", SLV_PD_MULTIGRID, 1.0f, fill_cloth, UINT64_C(0x2a0a02392d1c487e)},
    {"grid with shear and bending, multigrid", SLV_PD_MULTIGRID, 1.0f, fill_sheared,
     UINT64_C(0x41eaf30e944ec50a)},
};

static slv_world *open_scene(const scene *chosen, uint32_t threads, const char *set) {
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = chosen->solver;
    def.parameters.relaxation = chosen->relaxation;
    def.parameters.outer_iterations = OUTER;
    def.parameters.inner_iterations = INNER;
    def.threads = threads;
    def.instruction_set = set;
    slv_world *world = must_create(&def);
    chosen->fill(world);
    return world;
}

static uint64_t mix(uint64_t sum, uint64_t hash) {
    return (sum ^ hash) * UINT64_C(0x9E3779B97F4A7C15);
}

// steps is a whole number of frames.
static uint64_t run(slv_world *world, uint32_t steps, uint64_t sum) {
    for (uint32_t n = 0; n < steps; n += FRAME) {
        must_step(world, FRAME);
        sum = mix(sum, must_hash(world));
    }
    return sum;
}

static uint64_t run_scene(const scene *chosen, uint32_t threads, const char *set) {
    slv_world *world = open_scene(chosen, threads, set);
    uint64_t sum = run(world, STEPS, 0);
    assert_true(must_measure(world).kinetic_energy > 0.0); // something happened
    slv_world_destroy(world);
    return sum;
}

static const size_t scene_count = sizeof scenes / sizeof *scenes;

static void compare(const scene *chosen, uint64_t sum, const char *how) {
    if (sum != chosen->golden) {
        fail_msg("%s, %s: 0x%016llx, should be 0x%016llx", chosen->name, how,
                 (unsigned long long)sum, (unsigned long long)chosen->golden);
    }
}

// --- Equal states ---------------------------------------------------------------------------------------

static void every_build_gives_the_known_states(void **state) {
    (void)state;
    for (size_t s = 0; s < scene_count; s++) {
        compare(&scenes[s], run_scene(&scenes[s], 1, NULL), "one thread");
    }
}

static void any_number_of_threads_gives_the_same_states(void **state) {
    (void)state;
    static const uint32_t threads[] = {2, 3, 4, 8};
    static const size_t chosen[] = {0, 3, 5, 7, 9, 10}; // one of each kind of loop
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
            const scene *one = &scenes[chosen[i]];
            compare(one, run_scene(one, threads[t], NULL), "several threads");
        }
    }
}

static void every_instruction_set_gives_the_same_states(void **state) {
    (void)state;
    static const char *const sets[] = {"baseline", "avx2", "avx512"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (!slv_find_instruction_set(sets[i])) {
            print_message("skipped: this processor has no %s\n", sets[i]);
            continue;
        }
        for (size_t s = 0; s < scene_count; s++) {
            compare(&scenes[s], run_scene(&scenes[s], 1, sets[i]), sets[i]);
        }
    }
}

static void a_snapshot_resumed_in_another_world_gives_the_same_states(void **state) {
    (void)state;
    for (size_t s = 0; s < scene_count; s++) {
        slv_world *first = open_scene(&scenes[s], 1, NULL);
        uint64_t sum = run(first, PART, 0);
        const saved_world saved = must_save(first);
        slv_world_destroy(first);
        slv_world *second = open_scene(&scenes[s], 2, "baseline");
        must_step(second, 7); // another state
        must_restore(second, &saved);
        assert_int_equal(slv_world_get_step_count(second), PART);
        compare(&scenes[s], run(second, STEPS - PART, sum), "resumed");
        slv_world_destroy(second);
        free(saved.bytes);
    }
}

static void states_do_not_depend_on_the_number_of_calls(void **state) {
    (void)state;
    slv_world *one = open_scene(&scenes[0], 2, NULL);
    slv_world *many = open_scene(&scenes[0], 2, NULL);
    must_step(one, 304);
    (void)run(many, 304, 0);
    must_end_alike(one, many);
}

static void states_do_not_depend_on_the_callers_floating_point_modes(void **state) {
    (void)state;
    fenv_t modes;
    slv_world *upward = open_scene(&scenes[3], 2, NULL);
    slv_world *nearest = open_scene(&scenes[3], 2, NULL);
    assert_int_equal(fegetenv(&modes), 0);
    assert_int_equal(fesetround(FE_UPWARD), 0);
    slv_result status = slv_world_step(upward, 100);
    int rounding = fegetround();
    assert_int_equal(fesetenv(&modes), 0);
    assert_int_equal(status, SLV_OK);
    assert_int_equal(rounding, FE_UPWARD); // and they are left as they were
    must_step(nearest, 100);
    must_end_alike(upward, nearest);
}

// --- One method, several forms ----------------------------------------------------------------------

static void grid_and_graph_layouts_give_the_same_states(void **state) {
    (void)state;
    static const size_t grids[] = {0, 1, 2, 3};
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        slv_world_def def = slv_default_world_def();
        def.parameters.solver = scenes[grids[i]].solver;
        def.parameters.relaxation = scenes[grids[i]].relaxation;
        def.parameters.outer_iterations = OUTER;
        def.parameters.inner_iterations = INNER;
        slv_world *world = must_create(&def);
        world->indexed = true;
        scenes[grids[i]].fill(world);
        assert_int_equal(world->layout.bodies[0].stride, 4);
        compare(&scenes[grids[i]], run(world, STEPS, 0), "index tables");
        slv_world_destroy(world);
    }
}

static void changing_the_solver_and_back_changes_no_state(void **state) {
    (void)state;
    slv_world *world = open_scene(&scenes[0], 1, NULL);
    uint64_t sum = run(world, PART, 0);
    slv_parameters parameters = slv_world_get_parameters(world);
    slv_parameters other = parameters;
    other.solver = SLV_PBD_GS;
    uint64_t before = must_hash(world);
    assert_int_equal(slv_world_set_parameters(world, &other), SLV_OK);
    assert_int_equal(must_hash(world), before);
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
    compare(&scenes[0], run(world, STEPS - PART, sum), "solver changed and back");
    slv_world_destroy(world);
}

// Gauss-Seidel as the paper has it, plainly: one particle after another, all red ones, then all black.
enum { NX = 13, NZ = 11, COUNT = NX * NZ };

typedef struct plain {
    float q[COUNT][3], u[COUNT][3], prev[COUNT][3], predicted[COUNT][3], b[COUNT][3];
    int remainder[COUNT][3]; // of prev, in units
    float weight[COUNT], anchor[COUNT];
} plain;

static int neighbor(int p, int direction) {
    static const int steps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    int i = p % NX + steps[direction][0];
    int k = p / NX + steps[direction][1];
    return i >= 0 && i < NX && k >= 0 && k < NZ ? i + NX * k : -1;
}

static void plain_project(plain *cloth, int p, float rest) {
    float sum[3] = {0.0f, 0.0f, 0.0f};
    for (int n = 0; n < 4; n++) {
        int other = neighbor(p, n);
        if (other < 0) {
            continue;
        }
        float d[3];
        float fine[3];
        for (int c = 0; c < 3; c++) {
            fine[c] = cloth->u[p][c] - cloth->u[other][c];
            d[c] = cloth->q[p][c] - cloth->q[other][c] + fine[c];
        }
        float length = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int c = 0; c < 3; c++) {
            sum[c] += (rest / length + 2.0f - 3.0f) * d[c] + fine[c];
        }
    }
    for (int c = 0; c < 3; c++) {
        float moved = cloth->q[p][c] - cloth->prev[p][c];
        cloth->b[p][c] =
            cloth->weight[p] * sum[c] + cloth->anchor[p] * (cloth->predicted[p][c] - moved);
    }
}

static void plain_relax(plain *cloth, int p, float relaxation) {
    for (int c = 0; c < 3; c++) {
        float sum = 0.0f;
        for (int n = 0; n < 4; n += 2) {
            int one = neighbor(p, n);
            int two = neighbor(p, n + 1);
            sum += (one < 0 ? 0.0f : cloth->u[one][c]) + (two < 0 ? 0.0f : cloth->u[two][c]);
        }
        float target = cloth->weight[p] * sum + cloth->b[p][c];
        cloth->u[p][c] += relaxation * (target - cloth->u[p][c]);
    }
}

// The unit of remainders: 2^-15 of the last place of a position, which has 24 bits; of 1/1024 m at least.
static float plain_unit(float q) {
    int exponent = 0;
    (void)frexpf(q, &exponent);
    return ldexpf(1.0f, (q != 0.0f && exponent > -9 ? exponent : -9) - 24 - 15);
}

static float plain_add(float a, float b, float *error) {
    const float sum = a + b;
    *error = b - (sum - a);
    return sum;
}

static void plain_integrate(plain *cloth, int p, int c, float loss, float drift) {
    const float q = cloth->q[p][c];
    const float old = cloth->prev[p][c];
    const int units = (int)(cloth->u[p][c] / plain_unit(q) + 32768.5f) - 32768;
    const float remainder = (float)units * plain_unit(q);
    const float fine = remainder - (float)cloth->remainder[p][c] * plain_unit(old);
    const float small = fine + loss * (q - old + fine) + (remainder + drift);
    float lost[2];
    cloth->prev[p][c] = q;
    if (cloth->weight[p] > 0.0f) {
        cloth->remainder[p][c] = units;
        cloth->predicted[p][c] = plain_add(q - old, small, &lost[0]);
        cloth->q[p][c] = plain_add(q, cloth->predicted[p][c], &lost[1]);
        cloth->u[p][c] = lost[1] + lost[0];
    }
}

static void plain_step(plain *cloth, const slv_parameters *parameters, double h, float rest) {
    float keep = (float)(1.0 / (1.0 + (double)parameters->damping * h));
    for (int p = 0; p < COUNT; p++) {
        for (int c = 0; c < 3; c++) {
            plain_integrate(cloth, p, c, keep - 1.0f,
                            (float)((double)parameters->gravity[c] * h * h));
        }
    }
    for (uint32_t outer = 0; outer < parameters->outer_iterations; outer++) {
        for (int p = 0; p < COUNT; p++) {
            plain_project(cloth, p, rest);
        }
        for (uint32_t inner = 0; inner < parameters->inner_iterations; inner++) {
            for (int color = 0; color < 2; color++) {
                for (int p = 0; p < COUNT; p++) {
                    if ((p % NX + p / NX) % 2 == color) {
                        plain_relax(cloth, p, parameters->relaxation);
                    }
                }
            }
        }
    }
    for (int p = 0; p < COUNT; p++) {
        for (int c = 0; c < 3; c++) {
            cloth->q[p][c] = plain_add(cloth->q[p][c], cloth->u[p][c], &cloth->u[p][c]);
        }
    }
}

static void begin_plain(plain *cloth, double mass, double stiffness, double h) {
    for (int p = 0; p < COUNT; p++) {
        int springs = 0;
        for (int n = 0; n < 4; n++) {
            springs += neighbor(p, n) >= 0;
        }
        bool fixed = p == 0 || p == NX - 1;
        double inertia = mass / (h * h);
        double diagonal = inertia + springs * stiffness;
        cloth->weight[p] = fixed ? 0.0f : (float)(stiffness / diagonal);
        cloth->anchor[p] = fixed ? 1.0f : (float)(inertia / diagonal);
        int i = p % NX;
        int k = p / NX;
        const float position[3] = {0.05f * (float)i, 0.0f, 0.05f * (float)k};
        memcpy(cloth->q[p], position, sizeof position);
        memcpy(cloth->prev[p], position, sizeof position);
    }
}

static void red_black_is_gauss_seidel_on_reds_then_blacks(void **state) {
    (void)state;
    static plain cloth;
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = SLV_PD_RBGS;
    def.parameters.relaxation = 1.6f;
    def.threads = 1;
    slv_world *world = must_create(&def);
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.0125f;
    garment.stretch_stiffness = 1500.0f;
    garment.fixed = (const uint32_t[]){0, NX - 1};
    garment.fixed_count = 2;
    slv_garment_id id = must_add(world, make_grid(NX, 1, NZ, 0.05f, NULL), garment);
    begin_plain(&cloth, (double)garment.particle_mass, (double)garment.stretch_stiffness,
                def.time_step);
    for (int n = 0; n < 500; n++) {
        must_step(world, 1);
        plain_step(&cloth, &def.parameters, def.time_step, 0.05f);
        for (uint32_t p = 0; p < COUNT; p++) {
            float position[3];
            must_position(world, id, p, position);
            assert_memory_equal(position, cloth.q[p], sizeof position);
        }
    }
    slv_world_destroy(world);
}

int main(int count, char **arguments) {
    if (count > 1 && strcmp(arguments[1], "--print") == 0) { // what to write into the table
        for (size_t s = 0; s < scene_count; s++) {
            print_message("%s: 0x%016llx\n", scenes[s].name,
                          (unsigned long long)run_scene(&scenes[s], 1, NULL));
        }
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_build_gives_the_known_states),
        cmocka_unit_test(any_number_of_threads_gives_the_same_states),
        cmocka_unit_test(every_instruction_set_gives_the_same_states),
        cmocka_unit_test(a_snapshot_resumed_in_another_world_gives_the_same_states),
        cmocka_unit_test(states_do_not_depend_on_the_number_of_calls),
        cmocka_unit_test(states_do_not_depend_on_the_callers_floating_point_modes),
        cmocka_unit_test(grid_and_graph_layouts_give_the_same_states),
        cmocka_unit_test(changing_the_solver_and_back_changes_no_state),
        cmocka_unit_test(red_black_is_gauss_seidel_on_reds_then_blacks),
    };
#ifdef ONLY // only tests whose name matches: the thread sanitizer is slow
    cmocka_set_test_filter(ONLY);
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
