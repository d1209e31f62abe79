// SPDX-License-Identifier: MIT
// What the library promises its callers: mistakes are refused by name and change nothing, strange
// garments are solved all the same, and a step allocates nothing.
#include "tests/common/test_world.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- Help -------------------------------------------------------------------------------------------

static slv_world *small_world(slv_solver solver) {
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = solver;
    def.threads = 2;
    return must_create(&def);
}

static slv_garment_def small_garment(void) {
    slv_garment_def def = slv_default_garment_def();
    def.particle_mass = 0.01f;
    def.stretch_stiffness = 1000.0f;
    return def;
}

static slv_garment_id add_cloth(slv_world *world) {
    static const uint32_t corners[] = {0, 7};
    slv_garment_def def = small_garment();
    def.fixed = corners;
    def.fixed_count = 2;
    return must_add(world, make_grid(8, 1, 9, 0.1f, NULL), def);
}

// The call must have been refused, by the name of what was wrong, and nothing be different.
static void assert_refused(slv_world *world, slv_result status, slv_result expected,
                           const char *name, uint64_t hash) {
    assert_int_equal(status, expected);
    if (!strstr(slv_world_get_message(world), name)) {
        fail_msg("'%s' should name %s", slv_world_get_message(world), name);
    }
    assert_int_equal(must_hash(world), hash);
}

static const float bad_floats[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f};
enum { BAD_FLOATS = sizeof bad_floats / sizeof *bad_floats };

// --- Mistakes ---------------------------------------------------------------------------------------

static void a_bad_world_definition_is_refused(void **state) {
    (void)state;
    typedef struct mistake {
        const char *name;
        slv_world_def def;
        slv_result status;
    } mistake;
    mistake mistakes[64];
    size_t count = 0;
    for (int i = 0; i < 4; i++) {
        const double steps[] = {0.0, -0.01, (double)NAN, 1e30};
        mistakes[count] = (mistake){"time_step", slv_default_world_def(), SLV_ERROR_ARGUMENT};
        mistakes[count++].def.time_step = steps[i];
    }
    for (int i = 0; i < BAD_FLOATS; i++) {
        mistakes[count] = (mistake){"relaxation", slv_default_world_def(), SLV_ERROR_ARGUMENT};
        mistakes[count++].def.parameters.relaxation = bad_floats[i];
        mistakes[count] = (mistake){"gravity[2]", slv_default_world_def(), SLV_ERROR_ARGUMENT};
        mistakes[count++].def.parameters.gravity[2] = bad_floats[i];
        mistakes[count] = (mistake){"damping", slv_default_world_def(), SLV_ERROR_ARGUMENT};
        mistakes[count++].def.parameters.damping = bad_floats[i];
    }
    mistakes[count] = (mistake){"relaxation", slv_default_world_def(), SLV_ERROR_ARGUMENT};
    mistakes[count++].def.parameters.relaxation = 2.0f;
    mistakes[count] = (mistake){"damping", slv_default_world_def(), SLV_ERROR_ARGUMENT};
    mistakes[count++].def.parameters.damping = -1.0f;
    mistakes[count] = (mistake){"outer_iterations", slv_default_world_def(), SLV_ERROR_ARGUMENT};
    mistakes[count++].def.parameters.outer_iterations = 10001;
    mistakes[count] = (mistake){"solver", slv_default_world_def(), SLV_ERROR_ARGUMENT};
    mistakes[count++].def.parameters.solver = SLV_SOLVER_COUNT;
    mistakes[count] = (mistake){"threads", slv_default_world_def(), SLV_ERROR_ARGUMENT};
    mistakes[count++].def.threads = 257;
    mistakes[count] = (mistake){"slv_default_world_def", {.time_step = 0.01}, SLV_ERROR_ARGUMENT};
    count++;
    mistakes[count] = (mistake){"backend", slv_default_world_def(), SLV_ERROR_ARGUMENT};
    mistakes[count++].def.backend = "abacus";
    mistakes[count] = (mistake){"instruction_set", slv_default_world_def(), SLV_ERROR_UNSUPPORTED};
    mistakes[count++].def.instruction_set = "mmx";
    for (size_t i = 0; i < count; i++) {
        char message[256];
        slv_world *world = NULL;
        slv_result status = slv_world_create(&mistakes[i].def, &world, message, sizeof message);
        assert_int_equal(status, mistakes[i].status);
        assert_null(world);
        if (!strstr(message, mistakes[i].name)) {
            fail_msg("'%s' should name %s", message, mistakes[i].name);
        }
    }
}

static void a_backend_says_whether_it_is_here_or_why_not(void **state) {
    (void)state;
    char message[512];
    assert_int_equal(slv_check_backend("cpu", message, sizeof message), SLV_OK);
    assert_string_equal(message, "");
    assert_int_equal(slv_check_backend("abacus", message, sizeof message), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(message, "abacus"));
    assert_int_equal(slv_check_backend(NULL, NULL, 0), SLV_ERROR_ARGUMENT);
    static const char *const backends[] = {"opencl", "cuda"};
    for (size_t i = 0; i < 2; i++) {
        const slv_result status = slv_check_backend(backends[i], message, sizeof message);
        assert_true(status == SLV_OK || status == SLV_ERROR_UNSUPPORTED);
        assert_true((status == SLV_OK) == (message[0] == '\0'));
    }
}

static void bad_parameters_are_refused_between_steps(void **state) {
    (void)state;
    slv_world *world = small_world(SLV_PD_RBGS);
    (void)add_cloth(world);
    must_step(world, 5);
    uint64_t hash = must_hash(world);
    for (int i = 0; i < BAD_FLOATS; i++) {
        slv_parameters parameters = slv_world_get_parameters(world);
        parameters.relaxation = bad_floats[i];
        assert_refused(world, slv_world_set_parameters(world, &parameters), SLV_ERROR_ARGUMENT,
                       "relaxation", hash);
    }
    assert_refused(world, slv_world_set_parameters(world, NULL), SLV_ERROR_ARGUMENT, "parameters",
                   hash);
    assert_true(slv_world_get_parameters(world).relaxation == 1.0f);
    slv_world_destroy(world);
}

static void bad_garment_values_are_refused(void **state) {
    (void)state;
    slv_world *world = small_world(SLV_PD_RBGS);
    (void)add_cloth(world);
    uint64_t hash = must_hash(world);
    char path[256];
    generated_write_and_free(make_chain(3, 0.1f), temporary_path(path, sizeof path, "bad.slv"));
    slv_garment_def good = slv_default_garment_def();
    good.pack_path = path;
    const struct {
        const char *name;
        size_t offset;
        bool below_zero_too, zero_too;
    } fields[] = {
        {"position[1]", offsetof(slv_garment_def, position) + 4, false, false},
        {"rotation[0]", offsetof(slv_garment_def, rotation), false, false},
        {"velocity[2]", offsetof(slv_garment_def, velocity) + 8, false, false},
        {"scale", offsetof(slv_garment_def, scale), true, true},
        {"stretch", offsetof(slv_garment_def, stretch), true, true},
        {"particle_mass", offsetof(slv_garment_def, particle_mass), true, true},
        {"stretch_stiffness", offsetof(slv_garment_def, stretch_stiffness), true, true},
        {"shear_stiffness", offsetof(slv_garment_def, shear_stiffness), true, false},
        {"bending_stiffness", offsetof(slv_garment_def, bending_stiffness), true, false},
        {"kinetic_friction", offsetof(slv_garment_def, kinetic_friction), true, false},
        {"collision_radius", offsetof(slv_garment_def, collision_radius), true, true},
        {"strain_limit", offsetof(slv_garment_def, strain_limit), true, false},
    };
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        float values[BAD_FLOATS + 2];
        size_t count = BAD_FLOATS;
        memcpy(values, bad_floats, sizeof bad_floats);
        if (fields[f].below_zero_too) {
            values[count++] = -2.0f; // -1 is SLV_UNSET
        }
        if (fields[f].zero_too) {
            values[count++] = 0.0f;
        }
        for (size_t v = 0; v < count; v++) {
            slv_garment_def def = good;
            memcpy((char *)&def + fields[f].offset, &values[v], sizeof values[v]);
            assert_refused(world, slv_world_add_garment(world, &def, NULL), SLV_ERROR_ARGUMENT,
                           fields[f].name, hash);
        }
    }
    slv_garment_def def = good;
    def.rotation[3] = 0.5f;
    assert_refused(world, slv_world_add_garment(world, &def, NULL), SLV_ERROR_ARGUMENT, "rotation",
                   hash);
    def = good;
    def.fixed = (const uint32_t[]){3};
    def.fixed_count = 1;
    assert_refused(world, slv_world_add_garment(world, &def, NULL), SLV_ERROR_ARGUMENT, "fixed[0]",
                   hash);
    def = good;
    def.fixed_sets = (const char *const[]){"hem"};
    def.fixed_set_count = 1;
    assert_refused(world, slv_world_add_garment(world, &def, NULL), SLV_ERROR_ARGUMENT, "hem",
                   hash);
    def = good;
    def.pack_path = "/nowhere/at/all.slv";
    assert_refused(world, slv_world_add_garment(world, &def, NULL), SLV_ERROR_FILE, "", hash);
    def.pack_path = NULL;
    assert_refused(world, slv_world_add_garment(world, &def, NULL), SLV_ERROR_ARGUMENT, "pack_path",
                   hash);
    assert_int_equal(slv_world_get_garment_count(world), 1);
    (void)remove(path);
    slv_world_destroy(world);
}

static void nonsense_about_particles_is_refused(void **state) {
    (void)state;
    slv_world *world = small_world(SLV_PD_RBGS);
    slv_garment_id id = add_cloth(world);
    slv_garment_id none = {0};
    uint64_t hash = must_hash(world);
    const uint32_t corner = 0;
    const uint32_t outside = 72;
    const uint32_t loose = 1;
    const float target[3] = {0.0f, 1.0f, 0.0f};
    const float turn[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    assert_refused(world, slv_garment_move_fixed(world, none, &corner, 1, target, 5),
                   SLV_ERROR_ARGUMENT, "id", hash);
    assert_refused(world, slv_garment_move_fixed(world, id, &outside, 1, target, 5),
                   SLV_ERROR_ARGUMENT, "particles[0]", hash);
    assert_refused(world, slv_garment_move_fixed(world, id, &loose, 1, target, 5),
                   SLV_ERROR_ARGUMENT, "not fixed", hash);
    assert_refused(world, slv_garment_move_fixed(world, id, &corner, 1, target, 0),
                   SLV_ERROR_ARGUMENT, "steps", hash);
    assert_refused(world, slv_garment_set_fixed(world, id, &outside, 1, true), SLV_ERROR_ARGUMENT,
                   "particles[0]", hash);
    for (int i = 0; i < BAD_FLOATS; i++) {
        const float bad[4] = {0.0f, bad_floats[i], 0.0f, 1.0f};
        assert_refused(world, slv_garment_move_fixed(world, id, &corner, 1, bad, 5),
                       SLV_ERROR_ARGUMENT, "targets[1]", hash);
        assert_refused(world, slv_garment_teleport(world, id, bad, turn), SLV_ERROR_ARGUMENT,
                       "position[1]", hash);
        assert_refused(world, slv_garment_teleport(world, id, target, bad), SLV_ERROR_ARGUMENT,
                       "rotation[1]", hash);
        assert_refused(world, slv_world_advance(world, (double)bad_floats[i], NULL),
                       SLV_ERROR_ARGUMENT, "seconds", hash);
    }
    assert_refused(world, slv_world_advance(world, -0.1, NULL), SLV_ERROR_ARGUMENT, "seconds",
                   hash);
    slv_world_destroy(world);
}

static void no_world_is_no_crash(void **state) {
    (void)state;
    slv_garment_id id = {0};
    slv_measures measures;
    slv_particle_view view;
    uint64_t hash = 0;
    assert_int_equal(slv_world_create(NULL, NULL, NULL, 0), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_step(NULL, 1), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_reset(NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_add_garment(NULL, NULL, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_get_measures(NULL, &measures), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_get_hash(NULL, &hash), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_garment_get_positions(NULL, id, &view), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_get_garment_count(NULL), 0);
    slv_world_destroy(NULL);
    slv_world *world = small_world(SLV_PD_RBGS);
    assert_int_equal(slv_world_add_garment(world, NULL, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_get_measures(world, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_garment_get_positions(world, id, &view), SLV_ERROR_ARGUMENT);
    slv_world_destroy(world);
}

static void a_foreign_or_damaged_snapshot_is_refused(void **state) {
    (void)state;
    slv_world *world = small_world(SLV_PD_RBGS);
    slv_world *other = small_world(SLV_PD_RBGS);
    slv_garment_id id = add_cloth(world);
    const float target[3] = {0.0f, 1.0f, 0.0f};
    assert_int_equal(slv_garment_move_fixed(world, id, (const uint32_t[]){0}, 1, target, 9),
                     SLV_OK);
    must_step(world, 3);
    uint64_t hash = must_hash(world);
    size_t size = slv_world_get_snapshot_size(world);
    unsigned char *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(slv_world_save_snapshot(world, bytes, size - 1), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_save_snapshot(world, bytes, size), SLV_OK);
    assert_int_equal(slv_world_restore_snapshot(other, bytes, size), SLV_ERROR_CONTENT);
    for (size_t length = 0; length < size; length += 13) {
        assert_int_not_equal(slv_world_restore_snapshot(world, bytes, length), SLV_OK);
    }
    for (size_t i = 64; i < size; i += 7) {
        bytes[i] ^= 0x40;
        (void)slv_world_restore_snapshot(world, bytes, size);
        bytes[i] ^= 0x40;
    }
    assert_int_equal(slv_world_restore_snapshot(world, bytes, size), SLV_OK);
    assert_int_equal(must_hash(world), hash);
    free(bytes);
    slv_world_destroy(world);
    slv_world_destroy(other);
}

// --- Strange garments -------------------------------------------------------------------------------

static void assert_finite(slv_world *world) {
    slv_measures measures = must_measure(world);
    assert_true(isfinite(measures.residual) && isfinite(measures.kinetic_energy) &&
                isfinite(measures.max_stretch));
}

static void strange_garments_are_solved_and_finite(void **state) {
    (void)state;
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
        slv_world *world = small_world((slv_solver)solver);
        must_step(world, 3); // a world with nothing in it
        slv_garment_def def = small_garment();
        (void)must_add(world, make_empty(), def);
        must_step(world, 3);
        generated_garment *together =
            make_chain(4, 0.0f); // all in one place, springs without length
        (void)must_add(world, together, def);
        // So small and so far away that all are in one place, but their springs have length.
        slv_garment_def crushed = def;
        crushed.stretch = 1e-6f;
        crushed.position[0] = crushed.position[1] = crushed.position[2] = 5000.0f;
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

static void a_blow_up_is_seen_taken_back_and_reset_works(void **state) {
    (void)state;
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
        slv_world *world = small_world((slv_solver)solver);
        slv_garment_id id = add_cloth(world);
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

// --- What a caller may do ---------------------------------------------------------------------------

static void reset_brings_back_the_start(void **state) {
    (void)state;
    slv_world *world = small_world(SLV_PD_RBGS);
    slv_garment_id id = add_cloth(world);
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

static void a_teleport_keeps_the_motion_and_makes_no_spike(void **state) {
    (void)state;
    slv_world *world = small_world(SLV_PD_RBGS);
    slv_garment_id id = add_cloth(world);
    must_step(world, 200);
    slv_measures before = must_measure(world);
    const float place[3] = {8.0f, 4.0f, -2.0f};
    const float turn[4] = {0.0f, sqrtf(0.5f), 0.0f, sqrtf(0.5f)};
    assert_int_equal(slv_garment_teleport(world, id, place, turn), SLV_OK);
    slv_measures after = must_measure(world);
    assert_near(after.kinetic_energy, before.kinetic_energy, 0.01 * before.kinetic_energy + 1e-6);
    assert_near(after.max_stretch, before.max_stretch, 1e-4);
    float corner[3];
    must_position(world, id, 0, corner); // it was at the origin of its frame
    for (int d = 0; d < 3; d++) {
        assert_near((double)corner[d], (double)place[d], 1e-5);
    }
    must_step(world, 1);
    slv_measures next = must_measure(world);
    assert_near(next.kinetic_energy, before.kinetic_energy, 0.2 * before.kinetic_energy + 1e-4);
    slv_world_destroy(world);
}

static void fixed_particles_go_where_they_are_told_in_equal_steps(void **state) {
    (void)state;
    slv_world *world = small_world(SLV_PD_RBGS);
    slv_garment_id id = add_cloth(world);
    const uint32_t corner = 0;
    const float target[3] = {0.1f, 0.2f, -0.4f};
    float place[3];
    assert_int_equal(slv_garment_move_fixed(world, id, &corner, 1, target, 4), SLV_OK);
    must_step(world, 1);
    must_position(world, id, corner, place);
    assert_near((double)place[2], -0.1, 1e-7);
    must_step(world, 3);
    must_position(world, id, corner, place);
    assert_memory_equal(place, target, sizeof target);
    must_step(world, 10);
    must_position(world, id, corner, place);
    assert_memory_equal(place, target, sizeof target);
    slv_world_destroy(world);
}

static void a_freed_particle_falls(void **state) {
    (void)state;
    slv_world *world = small_world(SLV_PBD_GS);
    slv_garment_id id = add_cloth(world);
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

static void without_integration_only_the_solver_moves(void **state) {
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
    float place[3];
    must_position(world, id, 40, place);
    assert_true(place[1] == 0.0f); // no gravity acted
    parameters.integrate = true;
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
    assert_true(must_measure(world).kinetic_energy == 0.0); // and nothing shoots off afterwards
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
    def.position[1] = 10.0f;
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

static void a_step_allocates_nothing_and_a_world_gives_all_back(void **state) {
    (void)state;
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
        counting_memory memory = unlimited_memory();
        slv_allocator allocator = counting_allocator(&memory);
        slv_world_def def = slv_default_world_def();
        def.parameters.solver = (slv_solver)solver;
        def.allocator = &allocator;
        slv_world *world = must_create(&def);
        (void)add_cloth(world);
        size_t before = memory.calls;
        must_step(world, 20);
        (void)must_hash(world);
        (void)must_measure(world);
        assert_int_equal(memory.calls, before);
        slv_world_destroy(world);
        assert_int_equal(memory.bytes, 0);
    }
}

static void a_lack_of_memory_is_an_error_at_every_point(void **state) {
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

typedef struct lent_task {
    void (*task)(void *argument, uint32_t worker);
    void *argument;
    uint32_t worker;
} lent_task;

static void *lend(void *context) {
    lent_task *lent = context;
    lent->task(lent->argument, lent->worker);
    return NULL;
}

static void lend_threads(void *context, uint32_t count,
                         void (*task)(void *argument, uint32_t worker), void *argument) {
    pthread_t threads[8];
    lent_task tasks[8];
    *(uint32_t *)context += 1;
    for (uint32_t i = 0; i < count; i++) {
        tasks[i] = (lent_task){task, argument, i};
        assert_int_equal(pthread_create(&threads[i], NULL, lend, &tasks[i]), 0);
    }
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
}

static void a_host_may_lend_its_threads(void **state) {
    (void)state;
    uint32_t runs = 0;
    slv_task_hooks tasks = {lend_threads, &runs};
    slv_world_def def = slv_default_world_def();
    def.threads = 3;
    slv_world *own = must_create(&def);
    def.tasks = &tasks;
    slv_world *lent = must_create(&def);
    (void)add_cloth(own);
    (void)add_cloth(lent);
    must_step(own, 50);
    must_step(lent, 50);
    assert_int_equal(runs, 1);
    assert_int_equal(must_hash(own), must_hash(lent));
    slv_world_destroy(own);
    slv_world_destroy(lent);
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
        cmocka_unit_test(a_bad_world_definition_is_refused),
        cmocka_unit_test(a_backend_says_whether_it_is_here_or_why_not),
        cmocka_unit_test(bad_parameters_are_refused_between_steps),
        cmocka_unit_test(bad_garment_values_are_refused),
        cmocka_unit_test(nonsense_about_particles_is_refused),
        cmocka_unit_test(no_world_is_no_crash),
        cmocka_unit_test(a_foreign_or_damaged_snapshot_is_refused),
        cmocka_unit_test(strange_garments_are_solved_and_finite),
        cmocka_unit_test(a_blow_up_is_seen_taken_back_and_reset_works),
        cmocka_unit_test(reset_brings_back_the_start),
        cmocka_unit_test(a_teleport_keeps_the_motion_and_makes_no_spike),
        cmocka_unit_test(fixed_particles_go_where_they_are_told_in_equal_steps),
        cmocka_unit_test(a_freed_particle_falls),
        cmocka_unit_test(without_integration_only_the_solver_moves),
        cmocka_unit_test(the_surface_follows_the_particles),
        cmocka_unit_test(a_step_allocates_nothing_and_a_world_gives_all_back),
        cmocka_unit_test(a_lack_of_memory_is_an_error_at_every_point),
        cmocka_unit_test(a_host_may_lend_its_threads),
        cmocka_unit_test(the_version_is_that_of_the_project),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
