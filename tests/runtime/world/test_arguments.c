// SPDX-License-Identifier: MIT
// Invalid arguments of the public functions: each call fails, its message names the argument, and the state of the
// world stays the same.
#include "tests/runtime/world/small_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The call must have failed, with the name of the argument in the message and the state unchanged.
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

// --- Definitions and parameters ---------------------------------------------------------------------------------------

static void a_bad_world_definition_is_refused(void **state) {
    (void)state;
    typedef struct bad_world {
        const char *name;
        slv_world_def def;
        slv_result status;
    } bad_world;
    bad_world cases[64];
    size_t count = 0;
    for (int i = 0; i < 4; i++) {
        const double steps[] = {0.0, -0.01, (double)NAN, 1e30};
        cases[count] = (bad_world){"time_step", slv_default_world_def(), SLV_ERROR_ARGUMENT};
        cases[count++].def.time_step = steps[i];
    }
    for (int i = 0; i < BAD_FLOATS; i++) {
        cases[count] = (bad_world){"relaxation", slv_default_world_def(), SLV_ERROR_ARGUMENT};
        cases[count++].def.parameters.relaxation = bad_floats[i];
        cases[count] = (bad_world){"gravity[2]", slv_default_world_def(), SLV_ERROR_ARGUMENT};
        cases[count++].def.parameters.gravity[2] = bad_floats[i];
        cases[count] = (bad_world){"damping", slv_default_world_def(), SLV_ERROR_ARGUMENT};
        cases[count++].def.parameters.damping = bad_floats[i];
    }
    cases[count] = (bad_world){"relaxation", slv_default_world_def(), SLV_ERROR_ARGUMENT};
    cases[count++].def.parameters.relaxation = 2.0f;
    cases[count] = (bad_world){"damping", slv_default_world_def(), SLV_ERROR_ARGUMENT};
    cases[count++].def.parameters.damping = -1.0f;
    cases[count] = (bad_world){"outer_iterations", slv_default_world_def(), SLV_ERROR_ARGUMENT};
    cases[count++].def.parameters.outer_iterations = 10001;
    cases[count] = (bad_world){"solver", slv_default_world_def(), SLV_ERROR_ARGUMENT};
    cases[count++].def.parameters.solver = SLV_SOLVER_COUNT;
    cases[count] = (bad_world){"threads", slv_default_world_def(), SLV_ERROR_ARGUMENT};
    cases[count++].def.threads = 257;
    cases[count] = (bad_world){"slv_default_world_def", {.time_step = 0.01}, SLV_ERROR_ARGUMENT};
    count++;
    cases[count] = (bad_world){"backend", slv_default_world_def(), SLV_ERROR_ARGUMENT};
    cases[count++].def.backend = "abacus";
    cases[count] = (bad_world){"instruction_set", slv_default_world_def(), SLV_ERROR_UNSUPPORTED};
    cases[count++].def.instruction_set = "mmx";
    for (size_t i = 0; i < count; i++) {
        char message[256];
        slv_world *world = NULL;
        slv_result status = slv_world_create(&cases[i].def, &world, message, sizeof message);
        assert_int_equal(status, cases[i].status);
        assert_null(world);
        if (!strstr(message, cases[i].name)) {
            fail_msg("'%s' should name %s", message, cases[i].name);
        }
    }
}

static void a_missing_backend_gives_its_reason(void **state) {
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
    (void)add_hanging_cloth(world);
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
    (void)add_hanging_cloth(world);
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
        {"rotation[0]", offsetof(slv_garment_def, rotation), false, false},
        {"velocity[2]", offsetof(slv_garment_def, velocity) + 8, false, false},
        {"scale", offsetof(slv_garment_def, scale), true, true},
        {"stretch", offsetof(slv_garment_def, stretch), true, true},
        {"particle_mass", offsetof(slv_garment_def, particle_mass), true, true},
        {"stretch_stiffness", offsetof(slv_garment_def, stretch_stiffness), true, true},
        {"shear_stiffness", offsetof(slv_garment_def, shear_stiffness), true, false},
        {"bending_stiffness", offsetof(slv_garment_def, bending_stiffness), true, false},
        {"flexural_rigidity", offsetof(slv_garment_def, flexural_rigidity), true, false},
        {"friction", offsetof(slv_garment_def, friction), true, false},
        {"density", offsetof(slv_garment_def, density), true, true},
        {"kinetic_friction", offsetof(slv_garment_def, kinetic_friction), true, false},
        {"collision_radius", offsetof(slv_garment_def, collision_radius), true, true},
        {"strain_limit", offsetof(slv_garment_def, strain_limit), true, false},
    };
    for (int v = 0; v < BAD_FLOATS; v++) {
        slv_garment_def def = good;
        def.position[1] = (double)bad_floats[v];
        assert_refused(world, slv_world_add_garment(world, &def, NULL), SLV_ERROR_ARGUMENT,
                       "position[1]", hash);
    }
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

static void invalid_particles_and_targets_are_refused(void **state) {
    (void)state;
    slv_world *world = small_world(SLV_PD_RBGS);
    slv_garment_id id = add_hanging_cloth(world);
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
        const double wrong[3] = {0.0, (double)bad_floats[i], 0.0};
        const double right[3] = {0.0, 0.0, 0.0};
        assert_refused(world, slv_garment_teleport(world, id, wrong, turn), SLV_ERROR_ARGUMENT,
                       "position[1]", hash);
        assert_refused(world, slv_garment_teleport(world, id, right, bad), SLV_ERROR_ARGUMENT,
                       "rotation[1]", hash);
        assert_refused(world, slv_world_advance(world, (double)bad_floats[i], NULL),
                       SLV_ERROR_ARGUMENT, "seconds", hash);
    }
    assert_refused(world, slv_world_advance(world, -0.1, NULL), SLV_ERROR_ARGUMENT, "seconds",
                   hash);
    slv_world_destroy(world);
}

static void null_arguments_are_refused(void **state) {
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
    slv_inside_report inside;
    assert_int_equal(slv_world_find_inside(NULL, &inside), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_get_hash(NULL, &hash), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_garment_get_positions(NULL, id, &view), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_get_garment_count(NULL), 0);
    slv_world_destroy(NULL);
    slv_world *world = small_world(SLV_PD_RBGS);
    assert_int_equal(slv_world_add_garment(world, NULL, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_get_measures(world, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_find_inside(world, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_garment_get_positions(world, id, &view), SLV_ERROR_ARGUMENT);
    slv_world_destroy(world);
}

static void a_snapshot_of_another_world_or_a_damaged_one_is_refused(void **state) {
    (void)state;
    slv_world *world = small_world(SLV_PD_RBGS);
    slv_world *other = small_world(SLV_PD_RBGS);
    slv_garment_id id = add_hanging_cloth(world);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bad_world_definition_is_refused),
        cmocka_unit_test(a_missing_backend_gives_its_reason),
        cmocka_unit_test(bad_parameters_are_refused_between_steps),
        cmocka_unit_test(bad_garment_values_are_refused),
        cmocka_unit_test(invalid_particles_and_targets_are_refused),
        cmocka_unit_test(null_arguments_are_refused),
        cmocka_unit_test(a_snapshot_of_another_world_or_a_damaged_one_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
