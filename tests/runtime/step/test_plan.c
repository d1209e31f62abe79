// SPDX-License-Identifier: MIT
// Plans and backends: a world uses a backend only through runtime/backends/backend.h. The backend of this test has its
// own arrays, as one on a GPU has. It runs launches between two barriers in reverse order.
#include "runtime/backends/cpu/cpu_kernels.h"
#include "runtime/world/world.h"
#include "tests/common/test_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- A backend with its own memory ----------------------------------------------------------------------------

typedef struct mirror {
    slv_layout layout; // the world's
    slv_plan plan;
    float *state; // our own
    int *table;
    slv_body_layout *bodies;
    uint32_t done;
    slv_cpu_clusters clusters;
    slv_cpu_strain strain;
    size_t uploaded, downloaded; // numbers so far
    uint32_t loads;
    bool fails; // the next call does
} mirror;

static slv_result fail_if_requested(mirror *self, slv_error *error) {
    if (self->fails) {
        self->fails = false;
        (void)slv_fail(error, SLV_ERROR_MEMORY, "the device is lost");
        return SLV_ERROR_UNSUPPORTED;
    }
    return SLV_OK;
}

static void *copy(const void *from, size_t size) {
    void *to = malloc(size > 0 ? size : 1);
    assert_non_null(to);
    return size > 0 ? memcpy(to, from, size) : to;
}

static slv_result mirror_load(void *engine, const slv_layout *layout, const slv_plan *plan,
                              slv_error *error) {
    mirror *self = engine;
    slv_result status = fail_if_requested(self, error);
    if (status != SLV_OK) {
        return status;
    }
    self->loads++;
    self->plan = *plan;
    if (layout) {
        free(self->state);
        free(self->table);
        free(self->bodies);
        slv_cpu_clusters_destroy(&self->clusters);
        slv_cpu_strain_destroy(&self->strain);
        assert_true(slv_cpu_clusters_create(&self->clusters, layout, slv_default_allocator()));
        assert_true(slv_cpu_strain_create(&self->strain, layout, slv_default_allocator()));
        self->layout = *layout;
        self->state = copy(layout->state, layout->state_count * sizeof *layout->state);
        self->table = copy(layout->table, layout->table_count * sizeof *layout->table);
        self->bodies = copy(layout->bodies, (layout->body_count + 2) * sizeof *layout->bodies);
    }
    return SLV_OK;
}

static slv_result mirror_upload(void *engine, bool table, slv_extent extent, slv_error *error) {
    mirror *self = engine;
    self->uploaded += extent.count;
    if (table) {
        memcpy(self->table + extent.first, self->layout.table + extent.first,
               extent.count * sizeof *self->table);
    } else {
        memcpy(self->state + extent.first, self->layout.state + extent.first,
               extent.count * sizeof *self->state);
    }
    return fail_if_requested(self, error);
}

static slv_result mirror_download(void *engine, slv_extent extent, slv_error *error) {
    mirror *self = engine;
    self->downloaded += extent.count;
    memcpy(self->layout.state + extent.first, self->state + extent.first,
           extent.count * sizeof *self->state);
    return fail_if_requested(self, error);
}

enum { GROUP_LIMIT = 64 };

// Launches up to a barrier, the last one first.
static void play_group(mirror *self, slv_launch launch, const slv_plan_launch *const *group,
                       int count) {
    const slv_instruction_set *set = slv_find_instruction_set("baseline");
    for (int i = count - 1; i >= 0; i--) {
        const slv_plan_launch *one = group[i];
        if (self->state[self->bodies[one->body].asleep] > 0.0f) {
            continue;
        }
        slv_plan_set_launch(&launch, one);
        const slv_cpu_arrays arrays = {self->state, self->table, &self->clusters,
                                       slv_cpu_strain_tiles(&self->strain, one->body)};
        set->kernels[one->kernel](&arrays, &self->bodies[one->body], &launch, one->first, one->end);
    }
}

static void play(mirror *self, slv_launch launch, slv_stage stage) {
    const slv_plan_launch *group[GROUP_LIMIT];
    int count = 0;
    slv_plan_cursor cursor = slv_plan_begin(&self->plan, stage);
    for (const slv_plan_launch *next; (next = slv_plan_next(&cursor)) != NULL;) {
        assert_in_range(count, 0, GROUP_LIMIT - 1);
        group[count++] = next;
        if (next->barrier) {
            play_group(self, launch, group, count);
            count = 0;
        }
    }
    assert_int_equal(count, 0); // a stage ends with a barrier
}

static slv_result mirror_run(void *engine, const slv_run *run, slv_error *error) {
    mirror *self = engine;
    slv_launch launch = run->launch;
    slv_result status = fail_if_requested(self, error);
    self->done = 0;
    while (status == SLV_OK && self->done < run->count) {
        launch.parity = (run->launch.parity + (int)self->done) & 1;
        launch.step = run->launch.step + (int)self->done;
        play(self, launch, SLV_STAGE_WAKE);
        play(self, launch, SLV_STAGE_INTEGRATE);
        play(self, launch, SLV_STAGE_MOVE); // whether there are moves or not
        play(self, launch, SLV_STAGE_SOLVE);
        play(self, launch, SLV_STAGE_CHECK);
        if (self->state[SLV_DIVERGED] > 0.0f) {
            play(self, launch, SLV_STAGE_ROLLBACK);
            self->state[SLV_DIVERGED] = 0.0f;
            break;
        }
        play(self, launch, SLV_STAGE_SLEEP);
        self->done++;
    }
    return status;
}

static slv_result mirror_finish(void *engine, slv_outcome *outcome, slv_error *error) {
    (void)error;
    outcome->done = ((mirror *)engine)->done;
    return SLV_OK;
}

static void mirror_destroy(void *engine) {
    mirror *self = engine;
    slv_cpu_clusters_destroy(&self->clusters);
    slv_cpu_strain_destroy(&self->strain);
    free(self->state);
    free(self->table);
    free(self->bodies);
    free(self);
}

static const slv_backend mirror_backend = {
    .name = "mirror",
    .destroy = mirror_destroy,
    .load = mirror_load,
    .upload = mirror_upload,
    .download = mirror_download,
    .run = mirror_run,
    .finish = mirror_finish,
};

// A world on the mirror backend.
static slv_world *create_on_mirror(const slv_world_def *def) {
    slv_world *world = must_create(def);
    mirror *engine = calloc(1, sizeof *engine);
    assert_non_null(engine);
    world->backend->destroy(world->engine);
    world->backend = &mirror_backend;
    world->engine = engine;
    assert_int_equal(mirror_load(engine, &world->layout, &world->plan, &world->error), SLV_OK);
    return world;
}

// --- Every call ----------------------------------------------------------------------

typedef slv_world *creator(const slv_world_def *def);

static slv_world *open_world(creator *create, slv_solver solver) {
    static const uint32_t corners[] = {0, 11};
    slv_world_def def = slv_default_world_def();
    def.threads = 2;
    def.parameters.solver = solver;
    def.parameters.outer_iterations = 2;
    def.parameters.inner_iterations = 3;
    soften_for_integrators(&def, 0.002f, 25.0f);
    slv_world *world = create(&def);
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.01f;
    garment.stretch_stiffness = 2000.0f;
    garment.fixed = corners;
    garment.fixed_count = 2;
    (void)must_add(world, make_grid(12, 1, 9, 0.05f, NULL), garment);
    (void)must_add(world, make_grid(12, 4, 3, 0.05f, NULL), garment);
    garment.bending_stiffness = 40.0f;
    (void)must_add(world, make_cloth(12, 7, 0.05f, false), garment);
    return world;
}

static void record(slv_world *world, uint64_t *hashes, int *count) {
    hashes[(*count)++] = must_hash(world);
}

enum { RECORDS = 13 };

// Calls every function that changes or reads a world, with the state's hash after each.
static void call_everything(slv_world *world, uint64_t hashes[RECORDS]) {
    static const uint32_t corner[] = {0};
    static const float target[] = {0.2f, 0.1f, -0.1f};
    static const double position[] = {1.0, 2.0, 3.0};
    static const double origin[] = {100.0, 0.5, -3.0};
    static const double zero[] = {0.0, 0.0, 0.0};
    static const float turn[] = {0.6f, 0.0f, 0.0f, 0.8f};
    static const uint32_t inner[] = {30, 0, 11};
    slv_garment_id first = slv_world_get_garment(world, 0);
    slv_garment_id last = slv_world_get_garment(world, 2);
    int count = 0;
    must_step(world, 5);
    record(world, hashes, &count);
    assert_int_equal(slv_garment_move_fixed(world, first, corner, 1, target, 7), SLV_OK);
    assert_int_equal(slv_garment_move_fixed(world, last, corner, 1, target, 4), SLV_OK);
    must_step(world, 3);
    record(world, hashes, &count);
    assert_int_equal(slv_garment_set_fixed(world, last, inner, 1, true), SLV_OK);
    must_step(world, 10);
    record(world, hashes, &count);
    assert_int_equal(slv_garment_teleport(world, first, position, turn), SLV_OK);
    must_step(world, 1);
    record(world, hashes, &count);
    assert_int_equal(slv_world_set_origin(world, origin), SLV_OK);
    must_step(world, 2);
    record(world, hashes, &count);
    const saved_world saved = must_save(world);
    slv_parameters parameters = slv_world_get_parameters(world);
    const slv_parameters before = parameters;
    parameters.solver = SLV_PBD_GS; // solves with index tables only
    parameters.gravity[0] = 3.0f;
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
    must_step(world, 4);
    record(world, hashes, &count);
    parameters = before;
    parameters.integrate = false;
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
    must_step(world, 2);
    record(world, hashes, &count);
    assert_int_equal(slv_world_set_parameters(world, &before), SLV_OK);
    must_step(world, 3);
    record(world, hashes, &count);
    must_restore(world, &saved);
    record(world, hashes, &count);
    must_step(world, 6);
    record(world, hashes, &count);
    assert_int_equal(slv_world_set_origin(world, zero), SLV_OK); // the reset leaves it there
    parameters.integrate = true;
    parameters.damping = 0.1f;
    parameters.gravity[1] = 9e5f; // free particles leave the range of positions
    assert_int_equal(slv_garment_set_fixed(world, last, inner, 3, false), SLV_OK);
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
    assert_int_equal(slv_world_step(world, 2000), SLV_ERROR_DIVERGED);
    assert_true(slv_world_get_step_count(world) > 100);
    record(world, hashes, &count);
    assert_int_equal(slv_world_reset(world), SLV_OK);
    assert_int_equal(slv_world_set_parameters(world, &before), SLV_OK);
    record(world, hashes, &count);
    must_step(world, 5);
    record(world, hashes, &count);
    assert_int_equal(count, RECORDS);
    assert_int_equal(hashes[RECORDS - 1], hashes[0]); // after a reset
    free(saved.bytes);
}

// --- Tests ---------------------------------------------------------------------------------------

static void a_backend_with_its_own_memory_gives_the_same_states(void **state) {
    (void)state;
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
        uint64_t here[RECORDS];
        uint64_t there[RECORDS];
        slv_world *one = open_world(must_create, (slv_solver)solver);
        slv_world *other = open_world(create_on_mirror, (slv_solver)solver);
        call_everything(one, here);
        call_everything(other, there);
        assert_memory_equal(here, there, sizeof here);
        slv_world_destroy(one);
        slv_world_destroy(other);
    }
}

static void only_changes_are_uploaded_and_only_requests_downloaded(void **state) {
    (void)state;
    static const uint32_t corner[] = {0};
    static const float target[] = {0.2f, 0.1f, -0.1f};
    slv_world *world = open_world(create_on_mirror, SLV_PD_RBGS);
    world->keep_state = false;
    mirror *engine = world->engine;
    uint32_t loads = engine->loads;
    size_t uploaded = engine->uploaded;
    must_step(world, 3);
    assert_int_equal(engine->uploaded, uploaded);
    assert_int_equal(engine->downloaded, 0);
    slv_parameters parameters = slv_world_get_parameters(world);
    parameters.gravity[0] = 2.0f; // changed gravity uploads nothing
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
    assert_int_equal(engine->loads, loads);
    assert_int_equal(
        slv_garment_move_fixed(world, slv_world_get_garment(world, 0), corner, 1, target, 3),
        SLV_OK);
    size_t positions = engine->downloaded;
    assert_true(positions > 0);
    must_step(world, 3);
    assert_in_range(engine->uploaded - uploaded, 1, 3 * 9 * 80); // moves, nothing else
    slv_particle_view view;
    for (uint32_t i = 0; i < 3; i++) { // once for all
        assert_int_equal(slv_garment_get_positions(world, slv_world_get_garment(world, i), &view),
                         SLV_OK);
    }
    assert_int_equal(engine->downloaded, 2 * positions);
    assert_int_equal(engine->loads, loads);
    slv_world_destroy(world);
}

static void a_failing_backend_fails_the_call_and_the_world_stays_usable(void **state) {
    (void)state;
    slv_world *world = open_world(create_on_mirror, SLV_PD_RBGS);
    world->fallback = false;
    mirror *engine = world->engine;
    must_step(world, 2);
    uint64_t hash = must_hash(world);
    slv_parameters parameters = slv_world_get_parameters(world);
    parameters.solver = SLV_PBD_GS;
    engine->fails = true;
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_ERROR_UNSUPPORTED);
    assert_string_equal(slv_world_get_message(world), "the device is lost");
    assert_int_equal(slv_world_get_parameters(world).solver, SLV_PD_RBGS);
    assert_int_equal(must_hash(world), hash);
    engine->fails = true;
    assert_int_equal(slv_world_step(world, 1), SLV_ERROR_UNSUPPORTED);
    assert_int_equal(slv_world_get_step_count(world), 2);
    world->keep_state = false;
    must_step(world, 1);
    engine->fails = true;
    slv_particle_view view;
    assert_int_equal(slv_garment_get_positions(world, slv_world_get_garment(world, 0), &view),
                     SLV_ERROR_UNSUPPORTED);
    assert_int_equal(slv_garment_get_positions(world, slv_world_get_garment(world, 0), &view),
                     SLV_OK);
    slv_world_destroy(world);
}

// Grids large enough to give every thread rows of a wavefront.
static uint64_t play_grids(creator *create, slv_solver solver, uint32_t threads) {
    static const uint32_t corner[] = {0};
    slv_world_def def = slv_default_world_def();
    def.threads = threads;
    def.parameters.solver = solver;
    def.parameters.outer_iterations = 3;
    def.parameters.inner_iterations = 3;
    slv_world *world = create(&def);
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.01f;
    garment.velocity[0] = 1.0f;
    garment.fixed = corner;
    garment.fixed_count = 1;
    (void)must_add(world, make_grid(21, 1, 150, 0.05f, NULL), garment);
    (void)must_add(world, make_grid(6, 5, 70, 0.05f, NULL), garment);
    must_step(world, 12);
    uint64_t hash = must_hash(world);
    slv_world_destroy(world);
    return hash;
}

static void wavefronts_give_the_states_of_single_launches(void **state) {
    (void)state;
    static const slv_solver solvers[] = {SLV_PD_RBGS, SLV_PD_JACOBI};
    static const uint32_t threads[] = {1, 2, 3, 4, 8};
    for (size_t s = 0; s < 2; s++) {
        uint64_t known = play_grids(create_on_mirror, solvers[s], 1);
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            assert_int_equal(play_grids(must_create, solvers[s], threads[t]), known);
        }
    }
}

// How often each kernel is launched in a stage.
static void count_launches(const slv_world *world, slv_stage stage, uint64_t counts[]) {
    memset(counts, 0, SLV_KERNEL_COUNT * sizeof *counts);
    slv_plan_cursor cursor = slv_plan_begin(&world->plan, stage);
    for (const slv_plan_launch *next; (next = slv_plan_next(&cursor)) != NULL;) {
        counts[next->kernel]++;
    }
}

static void a_plan_unrolls_to_the_requested_iterations(void **state) {
    (void)state;
    static const uint32_t rounds[] = {0, 1, 2, 7};
    uint64_t counts[SLV_KERNEL_COUNT];
    slv_world *world = open_world(must_create, SLV_PD_RBGS);
    slv_parameters parameters = slv_world_get_parameters(world);
    for (size_t i = 0; i < 16; i++) {
        parameters.outer_iterations = rounds[i / 4];
        parameters.inner_iterations = rounds[i % 4];
        assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
        uint64_t outer = rounds[i / 4];
        uint64_t inner = outer * rounds[i % 4];
        count_launches(world, SLV_STAGE_SOLVE, counts);
        assert_int_equal(counts[SLV_ID_flat_project], outer);
        assert_int_equal(counts[SLV_ID_flat_relax], 2 * inner);
        assert_int_equal(counts[SLV_ID_solid_relax], 2 * inner);
        const uint64_t applied =
            outer > 0 ? 1 : 0; // after the last: no feature reads positions before
        assert_int_equal(counts[SLV_ID_apply_split], 2 * applied);
        assert_int_equal(counts[SLV_ID_apply_joined], applied);
        count_launches(world, SLV_STAGE_INTEGRATE, counts);
        assert_int_equal(counts[SLV_ID_integrate_split], 2);
    }
    slv_world_destroy(world);
}

static void the_size_of_a_plan_does_not_grow_with_iterations(void **state) {
    (void)state;
    slv_world *world = open_world(must_create, SLV_PBD_GS);
    slv_parameters parameters = slv_world_get_parameters(world);
    parameters.outer_iterations = 10000;
    parameters.inner_iterations = 10000;
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
    assert_in_range(world->plan.count, 1, 200);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_backend_with_its_own_memory_gives_the_same_states),
        cmocka_unit_test(only_changes_are_uploaded_and_only_requests_downloaded),
        cmocka_unit_test(a_failing_backend_fails_the_call_and_the_world_stays_usable),
        cmocka_unit_test(wavefronts_give_the_states_of_single_launches),
        cmocka_unit_test(a_plan_unrolls_to_the_requested_iterations),
        cmocka_unit_test(the_size_of_a_plan_does_not_grow_with_iterations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
