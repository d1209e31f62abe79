// SPDX-License-Identifier: MIT
// Calls that change a world between steps, degenerate garments, divergence, the surface, and the caller's hooks for
// memory and threads.
#include "tests/runtime/world/small_world.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- Degenerate garments -------------------------------------------------------------------------------

static void assert_finite(slv_world *world) {
    slv_measures measures = must_measure(world);
    assert_true(isfinite(measures.residual) && isfinite(measures.kinetic_energy) &&
                isfinite(measures.max_stretch));
}

static void degenerate_garments_stay_finite(void **state) {
    (void)state;
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
        slv_world *world = small_world((slv_solver)solver);
        must_step(world, 3); // an empty world
        slv_garment_def def = small_garment();
        (void)must_add(world, make_empty(), def);
        must_step(world, 3);
        generated_garment *together =
            make_chain(4, 0.0f); // all at one position, springs without length
        (void)must_add(world, together, def);
        // So small and so far away that all positions round to one, but their springs have a length.
        slv_garment_def crushed = def;
        crushed.stretch = 1e-6f;
        crushed.position[0] = crushed.position[1] = crushed.position[2] = 5000.0;
        (void)must_add(world, make_grid(5, 1, 5, 0.1f, NULL), crushed);
        slv_garment_def still = def;
        still.fixed = (const uint32_t[]){0, 1, 2};
        still.fixed_count = 3;
        slv_garment_id fixed = must_add(world, make_chain(3, 0.1f), still);
        (void)must_add(world, make_grid(1, 1, 1, 0.1f, NULL), def);
        (void)must_add(world, make_grid(1, 1, 17, 0.1f, NULL), def);
        (void)must_add(world, make_grid(33, 1, 1, 0.1f, NULL), def);
        float before[3];
        float after[3];
        must_position(world, fixed, 1, before);
        must_step(world, 50);
        must_position(world, fixed, 1, after);
        assert_memory_equal(before, after, sizeof before);
        assert_finite(world);
        slv_parameters parameters = slv_world_get_parameters(world);
        parameters.inner_iterations = 0;
        assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
        must_step(world, 5);
        parameters.outer_iterations = 0;
        assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
        must_step(world, 5);
        assert_finite(world);
        slv_world_destroy(world);
    }
}

static void divergence_is_reported_rolled_back_and_ends_with_a_reset(void **state) {
    (void)state;
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
        slv_world *world = small_world((slv_solver)solver);
        slv_garment_id id = add_hanging_cloth(world);
        uint64_t start = must_hash(world);
        must_step(world, 10);
        slv_parameters parameters = slv_world_get_parameters(world);
        slv_parameters wild = parameters;
        wild.gravity[1] = -1e6f;
        wild.damping = 0.0f;
        assert_int_equal(slv_garment_set_fixed(world, id, (const uint32_t[]){0, 7}, 2, false),
                         SLV_OK);
        assert_int_equal(slv_world_set_parameters(world, &wild), SLV_OK);
        slv_result status = SLV_OK;
        uint64_t before = 0;
        for (int n = 0; status == SLV_OK && n < 2000; n++) {
            before = must_hash(world);
            status = slv_world_step(world, 1);
        }
        assert_int_equal(status, SLV_ERROR_DIVERGED);
        assert_true(strstr(slv_world_get_message(world), "diverged") != NULL);
        assert_int_equal(must_hash(world), before);
        assert_int_equal(slv_world_step(world, 1), SLV_ERROR_DIVERGED);
        assert_int_equal(slv_world_reset(world), SLV_OK);
        assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
        assert_int_equal(must_hash(world), start);
        assert_int_equal(slv_world_get_step_count(world), 0);
        must_step(world, 10);
        slv_world_destroy(world);
    }
}

// --- Calls between steps ---------------------------------------------------------------------------

static void reset_restores_the_start(void **state) {
    (void)state;
    slv_world *world = small_world(SLV_PD_RBGS);
    slv_garment_id id = add_hanging_cloth(world);
    uint64_t start = must_hash(world);
    must_step(world, 100);
    uint64_t later = must_hash(world);
    const float target[3] = {5.0f, 1.0f, 0.0f};
    assert_int_equal(slv_garment_move_fixed(world, id, (const uint32_t[]){0}, 1, target, 50),
                     SLV_OK);
    assert_int_equal(slv_garment_set_fixed(world, id, (const uint32_t[]){7}, 1, false), SLV_OK);
    must_step(world, 20);
    assert_int_equal(slv_world_reset(world), SLV_OK);
    assert_int_equal(must_hash(world), start);
    must_step(world, 100);
    assert_int_equal(must_hash(world), later);
    slv_world_destroy(world);
}

static void a_teleport_keeps_velocities_and_stretch(void **state) {
    (void)state;
    slv_world *world = small_world(SLV_PD_RBGS);
    slv_garment_id id = add_hanging_cloth(world);
    must_step(world, 200);
    slv_measures before = must_measure(world);
    const double position[3] = {8.0, 4.0, -2.0};
    const float turn[4] = {0.0f, sqrtf(0.5f), 0.0f, sqrtf(0.5f)};
    assert_int_equal(slv_garment_teleport(world, id, position, turn), SLV_OK);
    slv_measures after = must_measure(world);
    assert_near(after.kinetic_energy, before.kinetic_energy, 0.01 * before.kinetic_energy + 1e-6);
    assert_near(after.max_stretch, before.max_stretch, 1e-4);
    float corner[3];
    must_position(world, id, 0, corner); // the origin of the garment
    for (int d = 0; d < 3; d++) {
        assert_near((double)corner[d], (double)position[d], 1e-5);
    }
    must_step(world, 1);
    slv_measures next = must_measure(world);
    assert_near(next.kinetic_energy, before.kinetic_energy, 0.2 * before.kinetic_energy + 1e-4);
    slv_world_destroy(world);
}

static void fixed_particles_move_to_their_targets_in_equal_steps(void **state) {
    (void)state;
    slv_world *world = small_world(SLV_PD_RBGS);
    slv_garment_id id = add_hanging_cloth(world);
    const uint32_t corner = 0;
    const float target[3] = {0.1f, 0.2f, -0.4f};
    float position[3];
    assert_int_equal(slv_garment_move_fixed(world, id, &corner, 1, target, 4), SLV_OK);
    must_step(world, 1);
    must_position(world, id, corner, position);
    assert_near((double)position[2], -0.1, 1e-7);
    must_step(world, 3);
    must_position(world, id, corner, position);
    assert_memory_equal(position, target, sizeof target);
    must_step(world, 10);
    must_position(world, id, corner, position);
    assert_memory_equal(position, target, sizeof target);
    slv_world_destroy(world);
}

static void a_released_particle_falls(void **state) {
    (void)state;
    slv_world *world = small_world(SLV_PBD_GS);
    slv_garment_id id = add_hanging_cloth(world);
    float before[3];
    float after[3];
    must_position(world, id, 0, before);
    must_step(world, 10);
    must_position(world, id, 0, after);
    assert_memory_equal(before, after, sizeof before);
    assert_int_equal(slv_garment_set_fixed(world, id, (const uint32_t[]){0}, 1, false), SLV_OK);
    must_step(world, 50);
    must_position(world, id, 0, after);
    assert_true(after[1] < before[1] - 0.01f);
    slv_world_destroy(world);
}

static void without_integration_only_the_solver_moves_particles(void **state) {
    (void)state;
    slv_world *world = small_world(SLV_PD_RBGS);
    slv_parameters parameters = slv_world_get_parameters(world);
    parameters.integrate = false;
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
    slv_garment_def def = small_garment();
    def.stretch = 5.0f;
    slv_garment_id id = must_add(world, make_grid(9, 1, 9, 0.1f, NULL), def);
    double last = must_measure(world).residual;
    assert_near(must_measure(world).max_stretch, 5.0, 1e-4);
    for (int n = 0; n < 100; n++) {
        must_step(world, 1);
        double residual = must_measure(world).residual;
        assert_true(residual < last);
        last = residual;
    }
    float position[3];
    must_position(world, id, 40, position);
    assert_true(position[1] == 0.0f); // no gravity
    parameters.integrate = true;
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
    assert_true(must_measure(world).kinetic_energy == 0.0); // the solver left no velocity
    slv_world_destroy(world);
}

// --- The surface ------------------------------------------------------------------------------------

static void the_surface_follows_the_particles(void **state) {
    (void)state;
    enum { V = 3 };
    slv_world *world = small_world(SLV_PD_RBGS);
    generated_garment *made = make_grid(2, 1, 2, 1.0f, NULL);
    const uint32_t *stored = generated_view(made)->stored_of_own;
    const uint32_t corners[4] = {stored[0], stored[1], stored[2], stored[3]};
    uint32_t particles[V * 4];
    float weights[V * 4] = {1, 0, 0, 0, 0, 1, 0, 0, 0.25f, 0.25f, 0.25f, 0.25f};
    const float positions[V * 3] = {0, 0, 0, 1, 0, 0, 0.5f, 0.0f, 0.5f};
    const float normals[V * 3] = {0, 1, 0, 0, 1, 0, 0, 1, 0};
    const float offsets[V * 3] = {0, 0, 0, 0, 0, 0, 0, 0, -0.5f}; // x to 1, z across 2: -y
    const uint32_t triangles[3] = {0, 2, 1};
    for (size_t v = 0; v < V; v++) {
        memcpy(particles + 4 * v, corners, sizeof corners);
    }
    generated_view(made)->render = (slv_render_mesh){.vertex_count = V,
                                                     .triangle_count = 1,
                                                     .positions = positions,
                                                     .normals = normals,
                                                     .triangles = triangles,
                                                     .influences = 4,
                                                     .particles = particles,
                                                     .weights = weights,
                                                     .offsets = offsets};
    slv_garment_def def = small_garment();
    def.scale = 2.0f;
    def.position[1] = 10.0;
    slv_garment_id id = must_add(world, made, def);
    slv_surface_view view;
    assert_int_equal(slv_garment_get_surface(world, id, &view), SLV_OK);
    assert_int_equal(view.vertex_count, V);
    assert_null(view.uvs);
    assert_near((double)view.positions[3], 2.0, 1e-6);
    assert_near((double)view.positions[6], 1.0, 1e-6);
    assert_near((double)view.positions[7], 11.0, 1e-6); // the offset turns with its frame
    assert_near((double)view.positions[8], 1.0, 1e-6);
    double length = 0.0;
    for (int d = 0; d < 3; d++) {
        length += (double)view.normals[d] * (double)view.normals[d];
    }
    assert_near(length, 1.0, 1e-6);
    must_step(world, 100);
    float corner[3];
    must_position(world, id, 0, corner);
    assert_int_equal(slv_garment_get_surface(world, id, &view), SLV_OK);
    assert_memory_equal(corner, view.positions, sizeof corner);
    assert_true(corner[1] < 9.9f);
    slv_world_destroy(world);
}

// --- Hooks ------------------------------------------------------------------------------------------

static void a_step_allocates_nothing_and_a_destroyed_world_frees_everything(void **state) {
    (void)state;
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
        counting_memory memory = unlimited_memory();
        slv_allocator allocator = counting_allocator(&memory);
        slv_world_def def = slv_default_world_def();
        def.parameters.solver = (slv_solver)solver;
        def.allocator = &allocator;
        slv_world *world = must_create(&def);
        (void)add_hanging_cloth(world);
        size_t before = memory.calls;
        must_step(world, 20);
        (void)must_hash(world);
        (void)must_measure(world);
        assert_int_equal(memory.calls, before);
        slv_world_destroy(world);
        assert_int_equal(memory.bytes, 0);
    }
}

static void every_failed_allocation_is_an_error_without_leaks(void **state) {
    (void)state;
    char path[256];
    generated_write_and_free(make_cloth(6, 5, 0.1f, false),
                             temporary_path(path, sizeof path, "memory.slv"));
    bool enough = false;
    for (size_t room = 0; !enough && room < 200; room++) {
        counting_memory memory = unlimited_memory();
        memory.left = room;
        slv_allocator allocator = counting_allocator(&memory);
        slv_world_def def = slv_default_world_def();
        def.allocator = &allocator;
        slv_world *world = NULL;
        slv_result status = slv_world_create(&def, &world, NULL, 0);
        if (status == SLV_OK) {
            slv_garment_def garment = small_garment();
            garment.pack_path = path;
            garment.bending_stiffness = 1.0f;
            status = slv_world_add_garment(world, &garment, NULL);
            assert_int_equal(slv_world_get_garment_count(world), status == SLV_OK ? 1 : 0);
            enough = status == SLV_OK;
        }
        assert_true(enough || status == SLV_ERROR_MEMORY);
        slv_world_destroy(world);
        assert_int_equal(memory.bytes, 0);
    }
    assert_true(enough);
    (void)remove(path);
}

typedef struct host_task {
    void (*task)(void *argument, uint32_t worker);
    void *argument;
    uint32_t worker;
} host_task;

static void *run_task(void *context) {
    host_task *host = context;
    host->task(host->argument, host->worker);
    return NULL;
}

static void run_on_host_threads(void *context, uint32_t count,
                                void (*task)(void *argument, uint32_t worker), void *argument) {
    pthread_t threads[8];
    host_task tasks[8];
    *(uint32_t *)context += 1;
    for (uint32_t i = 0; i < count; i++) {
        tasks[i] = (host_task){task, argument, i};
        assert_int_equal(pthread_create(&threads[i], NULL, run_task, &tasks[i]), 0);
    }
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
}

static void threads_of_the_host_give_the_same_state(void **state) {
    (void)state;
    uint32_t runs = 0;
    slv_task_hooks tasks = {run_on_host_threads, &runs};
    slv_world_def def = slv_default_world_def();
    def.threads = 3;
    slv_world *own = must_create(&def);
    def.tasks = &tasks;
    slv_world *host = must_create(&def);
    (void)add_hanging_cloth(own);
    (void)add_hanging_cloth(host);
    must_step(own, 50);
    must_step(host, 50);
    assert_int_equal(runs, 1);
    must_end_alike(own, host);
}

static void the_version_is_that_of_the_project(void **state) {
    (void)state;
    const slv_version version = slv_get_version();
    char text[64];
    (void)snprintf(text, sizeof text, "%u.%u.%u", version.major, version.minor, version.patch);
    assert_string_equal(text, SLV_VERSION);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(degenerate_garments_stay_finite),
        cmocka_unit_test(divergence_is_reported_rolled_back_and_ends_with_a_reset),
        cmocka_unit_test(reset_restores_the_start),
        cmocka_unit_test(a_teleport_keeps_velocities_and_stretch),
        cmocka_unit_test(fixed_particles_move_to_their_targets_in_equal_steps),
        cmocka_unit_test(a_released_particle_falls),
        cmocka_unit_test(without_integration_only_the_solver_moves_particles),
        cmocka_unit_test(the_surface_follows_the_particles),
        cmocka_unit_test(a_step_allocates_nothing_and_a_destroyed_world_frees_everything),
        cmocka_unit_test(every_failed_allocation_is_an_error_without_leaks),
        cmocka_unit_test(threads_of_the_host_give_the_same_state),
        cmocka_unit_test(the_version_is_that_of_the_project),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
