// SPDX-License-Identifier: MIT
// A GPU backend against the CPU: the same state, bit for bit, after every step, for every solver, with
// any change to the world between steps.
//     gpu_parity BACKEND STEPS[/STRIDE] [SCENE[/SOLVER]…]: each scene with every STRIDE-th solver; or only these scenes,
//     divergence (of fewer scenes for one step alone) and the count of kernels
#include "kernels/bins.h"
#include "runtime/world/world.h"
#include "tests/common/free_fall.h"
#include "tests/common/neighbor_feature/neighbor_feature.h"
#include "tests/gpu/parity_scenes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *backend = "opencl";
static uint32_t steps = 60;
static uint32_t solver_stride = 1; // 3: each scene with every third solver
static char **chosen;              // scenes
static int chosen_count;

static bool is_chosen(const parity_scene *scene, slv_solver solver) {
    const size_t number = (size_t)(scene - parity_scenes) + (size_t)solver;
    bool found = chosen_count == 0 && number % solver_stride == 0;
    for (int i = 0; i < chosen_count; i++) {
        const size_t length = strlen(scene->name);
        const char *rest = chosen[i] + length;
        found = found || (strncmp(chosen[i], scene->name, length) == 0 &&
                          (*rest == '\0' ||
                           (*rest == '/' && strcmp(rest + 1, slv_solver_get_name(solver)) == 0)));
    }
    return found;
}

// Whether only one step of some scenes is requested, as with slow devices.
static bool is_short_run(void) {
    return chosen_count > 0 && steps == 1;
}

static slv_world_def def_for(const char *name) {
    slv_world_def def = parity_def(name);
    if (is_short_run()) {
        def.parameters.outer_iterations = def.parameters.inner_iterations = 1;
    }
    return def;
}

// Kernels that were launched on the device so far.
static bool launched[SLV_KERNEL_COUNT];

static void note_launches(const slv_world *world, slv_stage stage) {
    slv_plan_cursor cursor = slv_plan_begin(&world->plan, stage);
    for (const slv_plan_launch *one; (one = slv_plan_next_once(&cursor)) != NULL;) {
        launched[one->kernel] = true;
    }
}

// Skips tests without a scene when single scenes are chosen.
static void skip_where_chosen(void) {
    if (chosen_count > 0) {
        skip();
    }
}

static void compare(const parity_scene *scene, slv_solver solver, bool damped) {
    slv_world_def here = def_for("cpu");
    slv_world_def there = def_for(backend);
    here.parameters.damped_jacobi = there.parameters.damped_jacobi = damped;
    here.parameters.speed_limit = there.parameters.speed_limit = 11.0f;
    here.parameters.pair_correction = there.parameters.pair_correction = 0.08f;
    slv_world *cpu = parity_open(scene, solver, &here);
    slv_world *gpu = parity_open(scene, solver, &there);
    bool moved = false;
    assert_string_equal(slv_world_get_device(gpu).backend, backend);
    for (uint32_t n = 0; n < steps; n++) {
        if (scene->disturb) {
            scene->disturb(cpu, n);
            scene->disturb(gpu, n);
        }
        must_step(cpu, 1);
        must_step(gpu, 1);
        moved = moved || (n == 9 && must_measure(cpu).kinetic_energy > 0.0); // later it may sleep
        if (must_hash(cpu) != must_hash(gpu)) {
            fail_msg("%s, %s: step %u differs from the CPU's", scene->name,
                     slv_solver_get_name(solver), n + 1);
        }
    }
    note_launches(gpu, SLV_STAGE_WAKE);
    note_launches(gpu, SLV_STAGE_INTEGRATE);
    note_launches(gpu, SLV_STAGE_SOLVE);
    note_launches(gpu, SLV_STAGE_CHECK);
    note_launches(gpu, SLV_STAGE_SLEEP);
    if (scene->disturb) { // moves a fixed particle
        note_launches(gpu, SLV_STAGE_MOVE);
    }
    assert_true(steps < 10 || moved); // something happened
    slv_world_destroy(cpu);
    slv_world_destroy(gpu);
}

static void every_step_of_every_scene_and_solver_has_the_bits_of_the_cpu(void **state) {
    (void)state;
    for (size_t s = 0; s < parity_scene_count; s++) {
        for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
            if (is_chosen(&parity_scenes[s], (slv_solver)solver)) {
                compare(&parity_scenes[s], (slv_solver)solver, s % 2 == 1);
            }
        }
    }
}

static void many_steps_in_one_call_are_the_same_as_one_by_one(void **state) {
    (void)state;
    skip_where_chosen();
    slv_world_def here = parity_def("cpu");
    slv_world_def there = parity_def(backend);
    there.keep_state = false; // only requested state is read back
    slv_world *cpu = parity_open(&parity_scenes[0], SLV_PD_RBGS, &here);
    slv_world *gpu = parity_open(&parity_scenes[0], SLV_PD_RBGS, &there);
    const uint32_t corner = 0;
    const float position[3] = {0.3f, 2.4f, 0.1f};
    for (int n = 0; n < 3; n++) {
        assert_int_equal(
            slv_garment_move_fixed(cpu, slv_world_get_garment(cpu, 0), &corner, 1, position, 9), 0);
        assert_int_equal(
            slv_garment_move_fixed(gpu, slv_world_get_garment(gpu, 0), &corner, 1, position, 9), 0);
        must_step(cpu, 301);
        must_step(gpu, 301);
        assert_true(must_hash(cpu) == must_hash(gpu));
    }
    slv_world_destroy(cpu);
    slv_world_destroy(gpu);
}

// Released and pulled upwards, where there are no obstacles: garments leave any bound within a few
// steps.
static slv_world *make_diverging_world(const char *name, const parity_scene *scene,
                                       bool keep_state) {
    static const uint32_t held[] = {0, 8};
    slv_world_def def = def_for(name);
    def.keep_state = keep_state;
    def.parameters.gravity[1] = 1e6f;
    def.time_step = is_short_run() ? 1.0 : 0.5; // in the first step already
    slv_world *world = parity_open(scene, SLV_PD_RBGS, &def);
    for (uint32_t i = 0; i < slv_world_get_garment_count(world); i++) {
        assert_int_equal(
            slv_garment_set_fixed(world, slv_world_get_garment(world, i), held, 2, false), 0);
    }
    return world;
}

static void a_diverged_step_is_rolled_back_to_the_same_step(void **state) {
    (void)state;
    static const char *const names[] = {"two cloths", "mesh", "contacts"};
    const bool short_run = is_short_run();
    const uint32_t ahead = short_run          ? 1
                           : chosen_count > 0 ? 4
                                              : 100; // chosen scenes are for slow devices
    const int stride = chosen_count > 0 ? 2 : 1;
    for (int n = short_run ? 5 : stride - 1; n < 6; n += stride) {
        const parity_scene *scene = parity_find(short_run ? "untouched" : names[n / 2]);
        slv_world *cpu = make_diverging_world("cpu", scene, true);
        slv_world *gpu = make_diverging_world(backend, scene, n % 2 == 1);
        assert_int_equal(slv_world_step(cpu, ahead), SLV_ERROR_DIVERGED);
        assert_int_equal(slv_world_step(gpu, ahead), SLV_ERROR_DIVERGED);
        note_launches(gpu, SLV_STAGE_ROLLBACK);
        assert_true(n / 2 > 0 ||
                    slv_world_get_step_count(cpu) > 0); // not the very first, of the cloths
        assert_int_equal(slv_world_get_step_count(cpu), slv_world_get_step_count(gpu));
        assert_string_equal(slv_world_get_message(cpu), slv_world_get_message(gpu));
        assert_true(must_hash(cpu) == must_hash(gpu));
        if (!short_run) {
            assert_int_equal(slv_world_step(gpu, 1), SLV_ERROR_DIVERGED); // and again
            assert_int_equal(slv_world_reset(cpu), SLV_OK);
            assert_int_equal(slv_world_reset(gpu), SLV_OK);
            (void)slv_world_step(cpu, 1);
            (void)slv_world_step(gpu, 1);
            assert_true(must_hash(cpu) == must_hash(gpu));
        }
        slv_world_destroy(cpu);
        slv_world_destroy(gpu);
    }
}

// The response of particles depends on the springs that are left, a number that only the device has then.
static void a_garment_that_tore_on_the_device_can_be_released(void **state) {
    (void)state;
    skip_where_chosen();
    const uint32_t corner = 0;
    slv_world_def here = parity_def("cpu");
    slv_world_def there = parity_def(backend);
    there.keep_state = false;
    slv_world *worlds[2] = {parity_open(parity_find("contacts"), SLV_PBD_GS, &here),
                            parity_open(parity_find("contacts"), SLV_PBD_GS, &there)};
    for (int n = 0; n < 2; n++) {
        uint32_t torn = 0;
        must_step(worlds[n], 25);
        assert_int_equal(slv_garment_set_fixed(worlds[n], slv_world_get_garment(worlds[n], 1),
                                               &corner, 1, false),
                         0);
        must_step(worlds[n], 10);
        assert_int_equal(
            slv_garment_get_torn_count(worlds[n], slv_world_get_garment(worlds[n], 1), &torn), 0);
        assert_true(torn > 0);
    }
    assert_true(must_hash(worlds[0]) == must_hash(worlds[1]));
    slv_world_destroy(worlds[0]);
    slv_world_destroy(worlds[1]);
}

// Runs after the scenes and the divergence tests.
// A feature without kernels requests lists; the lengths that occurred are compared.
static void neighbor_lists_of_a_feature_are_as_long_as_on_the_cpu(void **state) {
    (void)state;
    neighbor_feature_request =
        (slv_neighbor_request){.reach = 0.05f, .own = SLV_OWN_PAIRS_ALL, .with_others = true};
    slv_world_def here = def_for("cpu");
    slv_world_def there = def_for(backend);
    slv_world *cpu = parity_open(&parity_scenes[0], SLV_PD_RBGS, &here);
    slv_world *gpu = parity_open(&parity_scenes[0], SLV_PD_RBGS, &there);
    // Lists of full length do not grow: the flags are those of the last step, not of a new layout.
    assert_int_equal(slv_world_reserve(cpu, SLV_LIST_LIMIT), SLV_OK);
    assert_int_equal(slv_world_reserve(gpu, SLV_LIST_LIMIT), SLV_OK);
    must_step(cpu, 2);
    must_step(gpu, 2);
    note_launches(gpu, SLV_STAGE_SOLVE);
    slv_contact_report cpu_report;
    slv_contact_report gpu_report; // brings the flags of lists
    assert_int_equal(slv_world_get_contact_report(cpu, &cpu_report), SLV_OK);
    assert_int_equal(slv_world_get_contact_report(gpu, &gpu_report), SLV_OK);
    assert_true(cpu_report.neighbor_count > 1);
    assert_int_equal(cpu_report.neighbor_count, gpu_report.neighbor_count);
    const slv_extent flags = cpu->layout.neighbors->flags;
    assert_memory_equal(cpu->layout.state + flags.first, gpu->layout.state + flags.first,
                        flags.count * sizeof(float));
    slv_world_destroy(cpu);
    slv_world_destroy(gpu);
    neighbor_feature_request = (slv_neighbor_request){.reach = 0.0f};
}

static void every_kernel_was_launched(void **state) {
    (void)state;
    if (solver_stride > 1) {
        skip();
    }
    for (int k = 0; k < SLV_KERNEL_COUNT; k++) {
        if (!launched[k]) {
            fail_msg("no scene launches %s", slv_kernel_infos[k].name);
        }
    }
}

// More than SLV_LANES blocks of slots: their sums are added in levels.
static void a_large_cloth_has_the_bits_of_the_cpu_with_implicit_euler(void **state) {
    (void)state;
    slv_world *worlds[2];
    for (int n = 0; n < 2; n++) {
        slv_world_def def = def_for(n == 0 ? "cpu" : backend);
        def.parameters.solver = SLV_MS_IMPLICIT_EULER;
        def.parameters.outer_iterations = 2; // the second linearization has a launch of its own
        slv_garment_def garment = slv_default_garment_def();
        garment.spring_damping = 0.01f;
        garment.stretch = 1.2f;
        garment.fixed = (const uint32_t[]){0};
        garment.fixed_count = 1;
        worlds[n] = must_create(&def);
        (void)must_add(worlds[n], make_cloth(24, 23, 0.05f, false), garment);
        must_step(worlds[n], is_short_run() ? 1 : 20);
    }
    note_launches(worlds[1], SLV_STAGE_SOLVE);
    must_end_alike(worlds[0], worlds[1]);
}

// Short steps have few launches.
static void a_cloth_falls_as_far_as_in_exact_arithmetic_anywhere(void **state) {
    (void)state;
    static const slv_solver solvers[] = {SLV_PD_RBGS, SLV_PBD_GS, SLV_MS_VERLET};
    static const struct {
        double time_step, from_origin, origin;
    } cases[] = {{0.0001, 2.0, 0.0},
                 {0.016, 0.0, 0.0},
                 {0.016, 0.0, 100.0},
                 {0.016, 0.0, 5000.0},
                 {0.016, 0.0, 100000.0}};
    skip_where_chosen();
    for (size_t n = 0; n < 3 * sizeof cases / sizeof *cases; n++) {
        slv_world_def def = plain_world(solvers[n % 3], cases[n / 3].time_step);
        def.parameters.outer_iterations = def.parameters.inner_iterations = n < 3 ? 1 : 3;
        def.origin[0] = def.origin[1] = cases[n / 3].origin;
        const free_fall here = must_fall(def, cases[n / 3].from_origin);
        def.backend = backend;
        def.fallback = false;
        const free_fall there = must_fall(def, cases[n / 3].from_origin);
        if (!(there.error < 1e-4) || here.hash != there.hash) {
            fail_msg("%s, case %zu: off by %g", slv_solver_get_name(solvers[n % 3]), n / 3,
                     there.error);
        }
    }
}

// A chain of which the first particle is fixed, and the factor of its matrix, which is tridiagonal: three columns a block.
enum { LINKS = 21, BLOCK_COLUMNS = 3, BLOCKS = LINKS / BLOCK_COLUMNS };

typedef struct chain_factor {
    uint32_t number[LINKS], column_end[BLOCKS], row_end[BLOCKS], row[BLOCKS];
    float mass[LINKS], diagonal[LINKS], pivot[LINKS], value[BLOCKS * 6];
} chain_factor;

static slv_factor factor_chain(chain_factor *chain, double time_step, double mass,
                               double stiffness) {
    const double s = stiffness * time_step * time_step;
    double pivot = 1.0;
    uint32_t values = 0;
    double l = 0.0; // beside the pivot of a column, in the row below
    for (uint32_t i = 0; i < LINKS; i++) {
        const double diagonal = i == 0 ? 1.0 : mass + s * (i + 1 < LINKS ? 2.0 : 1.0);
        pivot = diagonal - l * l * pivot;
        chain->number[i] = i;
        chain->mass[i] = i == 0 ? 0.0f : (float)mass;
        chain->diagonal[i] = (float)diagonal;
        chain->pivot[i] = (float)pivot;
        if (i % BLOCK_COLUMNS == 2) { // (2, 0)
            chain->value[values++] = 0.0f;
        }
        if (i % BLOCK_COLUMNS > 0) {
            chain->value[values++] = (float)l;
        }
        l = i == 0 ? 0.0 : -s / pivot;
        if (i % BLOCK_COLUMNS == 2 && i + 1 < LINKS) { // the row of the next block's first column
            chain->row[i / BLOCK_COLUMNS] = i + 1;
            chain->value[values++] = 0.0f;
            chain->value[values++] = 0.0f;
            chain->value[values++] = (float)l;
        }
        chain->column_end[i / BLOCK_COLUMNS] = i + 1;
        chain->row_end[i / BLOCK_COLUMNS] =
            i / BLOCK_COLUMNS + (i / BLOCK_COLUMNS + 1 < BLOCKS ? 1 : 0);
    }
    return (slv_factor){
        time_step,      BLOCKS,      BLOCKS - 1,      values,       chain->number,
        chain->number,  chain->mass, chain->diagonal, chain->pivot, chain->column_end,
        chain->row_end, chain->row,  chain->value};
}

static void a_factored_chain_has_the_bits_of_the_cpu(void **state) {
    (void)state;
    static chain_factor chain;
    slv_world *worlds[2];
    for (int n = 0; n < 2; n++) {
        slv_world_def def = def_for(n == 0 ? "cpu" : backend);
        generated_garment *made = make_chain(LINKS, 0.03f);
        slv_garment_def garment = slv_default_garment_def();
        def.parameters.solver = SLV_MS_LOCAL_GLOBAL;
        def.parameters.outer_iterations = 3;
        garment.particle_mass = 0.01f;
        garment.stretch_stiffness = 2000.0f;
        garment.stretch = 1.2f;
        garment.fixed = (const uint32_t[]){0};
        garment.fixed_count = 1;
        generated_view(made)->factor = factor_chain(&chain, def.time_step, 0.01, 2000.0);
        worlds[n] = must_create(&def);
        (void)must_add(worlds[n], made, garment);
        assert_int_equal(worlds[n]->layout.bodies[0].factor_fits, 1);
        must_step(worlds[n], is_short_run() ? 1 : 40);
    }
    assert_true(is_short_run() || must_measure(worlds[0]).max_stretch < 1.2);
    note_launches(worlds[1], SLV_STAGE_SOLVE);
    must_end_alike(worlds[0], worlds[1]);
}

static void a_snapshot_goes_from_one_backend_to_the_other(void **state) {
    (void)state;
    skip_where_chosen();
    slv_world_def here = parity_def("cpu");
    slv_world_def there = parity_def(backend);
    slv_world *cpu = parity_open(&parity_scenes[3], SLV_PBD_GS, &here);
    slv_world *gpu = parity_open(&parity_scenes[3], SLV_PD_RBGS, &there);
    must_step(cpu, 20);
    const saved_world saved = must_save(cpu);
    must_restore(gpu, &saved);
    must_step(cpu, 10);
    must_step(gpu, 10);
    must_end_alike(cpu, gpu);
    free(saved.bytes);
}

static void a_world_reports_the_cost_of_its_steps(void **state) {
    (void)state;
    skip_where_chosen();
    slv_world_def def = parity_def(backend);
    slv_timing timing;
    def.timing = true;
    slv_world *timed = parity_open(&parity_scenes[0], SLV_PD_RBGS, &def);
    def.timing = false;
    slv_world *plain = parity_open(&parity_scenes[0], SLV_PD_RBGS, &def);
    must_step(timed, 5);
    must_step(plain, 5);
    assert_true(must_hash(timed) == must_hash(plain));
    assert_int_equal(slv_world_get_timing(timed, &timing), SLV_OK);
    assert_int_equal(timing.steps, 5);
    // For each of two garments: integrate, twice (directions, twice two colors), apply, divergence
    // check; and the end of the step.
    assert_int_equal(timing.launches, 5 * (2 * (1 + 2 * (1 + 2 * 2) + 1 + 1) + 1));
    for (uint32_t i = 0; i < timing.stage_count; i++) {
        if (timing.stages[i].launches > 0) {
            assert_true(timing.stages[i].seconds > 0.0);
        }
    }
    assert_int_equal(slv_world_get_timing(timed, &timing), SLV_OK);
    assert_int_equal(timing.launches, 0); // counted from zero again
    slv_world_destroy(timed);
    slv_world_destroy(plain);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_of_every_scene_and_solver_has_the_bits_of_the_cpu),
        cmocka_unit_test(many_steps_in_one_call_are_the_same_as_one_by_one),
        cmocka_unit_test(a_diverged_step_is_rolled_back_to_the_same_step),
        cmocka_unit_test(neighbor_lists_of_a_feature_are_as_long_as_on_the_cpu),
        cmocka_unit_test(a_large_cloth_has_the_bits_of_the_cpu_with_implicit_euler),
        cmocka_unit_test(a_factored_chain_has_the_bits_of_the_cpu),
        cmocka_unit_test(every_kernel_was_launched),
        cmocka_unit_test(a_garment_that_tore_on_the_device_can_be_released),
        cmocka_unit_test(a_cloth_falls_as_far_as_in_exact_arithmetic_anywhere),
        cmocka_unit_test(a_snapshot_goes_from_one_backend_to_the_other),
        cmocka_unit_test(a_world_reports_the_cost_of_its_steps),
    };
    backend = argc > 1 ? argv[1] : backend;
    if (argc > 2) {
        char *rest;
        steps = (uint32_t)strtoul(argv[2], &rest, 10);
        solver_stride = *rest == '/' ? (uint32_t)strtoul(rest + 1, NULL, 10) : 1;
    }
    chosen = argv + 3;
    chosen_count = argc > 3 ? argc - 3 : 0;
    slv_world_def def = parity_def(backend);
    slv_world *world = NULL;
    char message[512];
    if (slv_world_create(&def, &world, message, sizeof message) != SLV_OK) {
        (void)printf("skipped: no %s device (%s)\n",
                     strcmp(backend, "cuda") == 0 ? "CUDA" : "OpenCL", message);
        return 77;
    }
    slv_world_destroy(world);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
