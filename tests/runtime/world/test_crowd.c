// SPDX-License-Identifier: MIT
// Many garments in one world: each has the bits that it has in a world of its own, whatever is added, removed and moved
// around it. Layouts are made once for all changes between two steps.
#include "kernels/contact.h"
#include "runtime/step/feature.h"
#include "runtime/step/features/contacts.h"
#include "runtime/world/world.h"
#include "tests/common/generated_body.h"
#include "tests/common/random.h"
#include "tests/common/test_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { KINDS = 4, ROUNDS = 16, GARMENTS = 1000, PARTICLES = 36 };

static char paths[KINDS][64];

static int write_packs(void **state) {
    (void)state;
    generated_garment *made[KINDS] = {
        make_grid(5, 1, 5, 0.02f, NULL), make_grid(3, 2, 4, 0.02f, NULL),
        make_cloth(6, 6, 0.02f, true), make_body(3, 3, 3, 0.02f, 0, 1)};
    for (int kind = 0; kind < KINDS; kind++) {
        char name[16];
        (void)snprintf(name, sizeof name, "crowd-%d.slv", kind);
        (void)temporary_path(paths[kind], sizeof paths[kind], name);
        generated_write_and_free(made[kind], paths[kind]);
    }
    return 0;
}

static int remove_packs(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        (void)remove(paths[kind]);
    }
    return 0;
}

static slv_world *make_world_with(slv_solver solver) {
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = solver;
    def.threads = 2;
    def.time_step = 0.01;
    slv_world *world = must_create(&def);
    slv_collider_def ball = slv_default_collider_def();
    ball.radius = 0.1f;
    ball.position[1] = -0.12;
    assert_int_equal(slv_world_add_collider(world, &ball, NULL), SLV_OK);
    return world;
}

static slv_world *make_world(void) {
    return make_world_with(SLV_PBD_GS); // solves all kinds
}

static slv_garment_id add(slv_world *world, int kind) {
    slv_garment_id id;
    slv_garment_def def = slv_default_garment_def();
    def.pack_path = paths[kind];
    def.velocity[0] = 0.1f;
    assert_int_equal(slv_world_add_garment(world, &def, &id), SLV_OK);
    return id;
}

static void read_positions(slv_world *world, slv_garment_id id, float positions[PARTICLES][3]) {
    slv_particle_view view;
    assert_int_equal(slv_garment_get_positions(world, id, &view), SLV_OK);
    assert_in_range(view.count, 1, PARTICLES);
    memset(positions, 0, sizeof(float[PARTICLES][3]));
    for (uint32_t p = 0; p < view.count; p++) {
        slv_particle_view_get(&view, p, positions[p]);
    }
}

// Positions of a garment alone, by kind and age in steps.
static float alone[KINDS][ROUNDS + 1][PARTICLES][3];

static void record_alone(void) {
    for (int kind = 0; kind < KINDS; kind++) {
        slv_world *world = make_world();
        const slv_garment_id id = add(world, kind);
        for (int age = 0; age <= ROUNDS; age++) {
            read_positions(world, id, alone[kind][age]);
            must_step(world, 1);
        }
        slv_world_destroy(world);
    }
}

// --- Any order --------------------------------------------------------------------------------------

typedef struct member {
    slv_garment_id id;
    int kind;
    int born; // round
} member;

static void garments_have_the_bits_of_worlds_of_their_own(void **state) {
    (void)state;
    record_alone();
    slv_world *world = make_world();
    member *members = calloc(GARMENTS, sizeof *members);
    assert_non_null(members);
    uint32_t count = 0;
    uint32_t seed = 1;
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t n = next_random(&seed) % (3 * GARMENTS / ROUNDS); n > 0; n--) {
            const uint32_t victim = count > 0 ? next_random(&seed) % count : 0;
            if (count > 0 && (next_random(&seed) % 3 == 0 || count == GARMENTS)) {
                assert_int_equal(slv_world_remove_garment(world, members[victim].id), SLV_OK);
                members[victim] = members[--count];
            } else {
                const int kind = (int)(next_random(&seed) % KINDS);
                members[count++] = (member){add(world, kind), kind, round};
            }
        }
        must_step(world, 1);
    }
    assert_int_equal(slv_world_get_garment_count(world), count);
    assert_true(count > GARMENTS / 4);
    for (uint32_t i = 0; i < count; i++) {
        float positions[PARTICLES][3];
        read_positions(world, members[i].id, positions);
        assert_memory_equal(positions, alone[members[i].kind][ROUNDS - members[i].born],
                            sizeof positions);
    }
    free(members);
    slv_world_destroy(world);
}

enum { VARIANTS = 7 };

// Definitions that differ in what is computed once for all instances of a pack, and in what is not.
static slv_garment_def make_variant(int variant, int kind) {
    static const uint32_t corner = 0;
    slv_garment_def def = slv_default_garment_def();
    def.pack_path = paths[kind];
    def.scale = variant == 1 ? 1.5f : 1.0f;
    def.stretch_stiffness = variant == 2 ? 500.0f : SLV_UNSET;
    def.shear_stiffness = variant == 3 && kind == 0 ? 50.0f : 0.0f;
    def.fixed = &corner;
    def.fixed_count = variant == 4 ? 1 : 0;
    def.velocity[1] = variant == 5 ? 1.0f : 0.0f;
    def.position[0] = variant == 6 ? 0.05 : 0.0;
    return def;
}

static bool can_solve(slv_solver solver, int kind) {
    return kind != KINDS - 1 || solver == SLV_PBD_JACOBI || solver == SLV_PBD_GS;
}

static void compare_instances(slv_solver solver) {
    for (int kind = 0; kind < KINDS && can_solve(solver, kind); kind++) {
        slv_world *together = make_world_with(solver);
        slv_garment_id ids[2 * VARIANTS];
        for (int n = 0; n < 2 * VARIANTS; n++) {
            const slv_garment_def def = make_variant(n / 2, kind);
            assert_int_equal(slv_world_add_garment(together, &def, &ids[n]), SLV_OK);
        }
        must_step(together, 10);
        for (int n = 0; n < 2 * VARIANTS; n++) {
            float one[PARTICLES][3];
            float other[PARTICLES][3];
            slv_garment_id id;
            slv_world *world = make_world_with(solver);
            const slv_garment_def def = make_variant(n / 2, kind);
            assert_int_equal(slv_world_add_garment(world, &def, &id), SLV_OK);
            must_step(world, 10);
            read_positions(together, ids[n], one);
            read_positions(world, id, other);
            assert_memory_equal(one, other, sizeof one);
            slv_world_destroy(world);
        }
        slv_world_destroy(together);
    }
}

static void instances_of_a_pack_are_as_they_are_alone(void **state) {
    (void)state;
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
        if (solver < SLV_MS_EXPLICIT_EULER || solver >= SLV_MS_IMPLICIT_EULER) {
            compare_instances((slv_solver)solver);
        }
    }
}

// A pack is kept by its bytes: another file of the same name is another garment.
static void a_pack_that_was_replaced_is_read_again(void **state) {
    (void)state;
    char path[64];
    slv_world *world = make_world();
    slv_garment_def def = slv_default_garment_def();
    def.pack_path = temporary_path(path, sizeof path, "replaced.slv");
    for (int n = 1; n < 4; n++) {
        slv_garment_id id;
        float position[3];
        generated_write_and_free(make_grid(4, 1, 4, 0.01f * (float)n, NULL), path);
        assert_int_equal(slv_world_add_garment(world, &def, &id), SLV_OK);
        must_position(world, id, 3, position);
        assert_near((double)position[0], 0.03 * n, 1e-6);
    }
    (void)remove(path);
    slv_world_destroy(world);
}

static void one_layout_is_made_for_all_changes_between_two_steps(void **state) {
    (void)state;
    slv_world *world = make_world();
    const slv_garment_id first = add(world, 0);
    must_step(world, 1);
    const float *before = world->layout.state;
    for (int i = 0; i < 10; i++) {
        (void)add(world, i % KINDS);
    }
    assert_int_equal(slv_world_remove_garment(world, first), SLV_OK);
    assert_ptr_equal(world->layout.state, before);
    assert_int_equal(world->layout.body_count, 1);
    assert_int_equal(slv_world_get_garment_count(world), 10);
    must_step(world, 0);
    assert_int_equal(world->layout.body_count, 10);
    slv_world_destroy(world);
}

static void a_world_without_memory_for_its_layout_goes_on_once_garments_are_removed(void **state) {
    (void)state;
    counting_memory memory = unlimited_memory();
    const slv_allocator allocator = counting_allocator(&memory);
    slv_world_def def = slv_default_world_def();
    def.threads = 1;
    def.allocator = &allocator;
    slv_world *world = must_create(&def);
    const slv_garment_id kept = add(world, 0);
    must_step(world, 3);
    const uint64_t hash = must_hash(world);
    const slv_garment_id last = add(world, 1);
    memory.left = 0;
    assert_int_equal(slv_world_step(world, 1), SLV_ERROR_MEMORY);
    assert_int_equal(slv_world_step(world, 1), SLV_ERROR_MEMORY);
    assert_int_equal(slv_world_get_step_count(world), 3);
    memory = unlimited_memory();
    assert_int_equal(slv_world_remove_garment(world, last), SLV_OK);
    assert_int_equal(must_hash(world), hash);
    must_step(world, 1);
    assert_true(slv_garment_is_valid(world, kept));
    slv_world_destroy(world);
}

// --- Colliders --------------------------------------------------------------------------------------

static slv_collider_id add_ball(slv_world *world, double x, double y, float radius) {
    slv_collider_id id;
    slv_collider_def ball = slv_default_collider_def();
    ball.radius = radius;
    ball.position[0] = x;
    ball.position[1] = y;
    assert_int_equal(slv_world_add_collider(world, &ball, &id), SLV_OK);
    return id;
}

static void far_colliders_change_no_bit(void **state) {
    (void)state;
    float few[PARTICLES][3];
    float many[PARTICLES][3];
    for (int kind = 0; kind < KINDS; kind++) {
        for (int with = 0; with < 2; with++) {
            slv_world *world = make_world();
            for (int n = 0; with && n < 300; n++) {
                (void)add_ball(world, 3.0 + 0.5 * n, 0.0, 0.2f);
            }
            const slv_garment_id id = add(world, kind);
            must_step(world, 20);
            read_positions(world, id, with ? many : few);
            slv_world_destroy(world);
        }
        assert_memory_equal(few, many, sizeof few);
    }
}

// A bed of 256 balls, closer to each other than particles are: a list has room for fewer than are near a tile.
static void a_tile_near_more_colliders_than_its_list_holds_touches_all(void **state) {
    (void)state;
    static const char *const sets[] = {"baseline", NULL};
    uint64_t hashes[2];
    for (int s = 0; s < 2; s++) {
        slv_world_def def = slv_default_world_def();
        def.threads = 1;
        def.time_step = 0.01;
        def.instruction_set = sets[s];
        slv_world *world = must_create(&def);
        for (int n = 0; n < 256; n++) {
            slv_collider_def ball = slv_default_collider_def();
            const int row = n / 16;
            ball.radius = 0.006f;
            ball.position[0] = 0.01 * (n % 16);
            ball.position[1] = -0.01;
            ball.position[2] = 0.01 * row;
            assert_int_equal(slv_world_add_collider(world, &ball, NULL), SLV_OK);
        }
        slv_garment_def garment = slv_default_garment_def();
        garment.thickness = 0.002f;
        const slv_garment_id id = must_add(world, make_grid(8, 1, 8, 0.02f, NULL), garment);
        must_step(world, 30);
        const slv_contact_layout *contact = slv_contacts_get_layout(&world->layout);
        const int *block = world->layout.table + contact->block;
        assert_true(world->layout.table[world->layout.bodies[0].lists] >
                    block[SLV_CONTACT_LIST_ROOM]);
        for (uint32_t p = 0; p < 64; p++) {
            float position[3];
            must_position(world, id, p, position);
            assert_true(position[1] > -0.0065f); // it cannot fall between four balls
        }
        hashes[s] = must_hash(world);
        slv_world_destroy(world);
    }
    assert_int_equal(hashes[0], hashes[1]);
}

static void moving_a_collider_writes_its_record_only(void **state) {
    (void)state;
    const double target[3] = {0.0, 1.0, 0.0};
    const float upright[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    slv_world *world = make_world();
    (void)add(world, 0);
    slv_collider_id ids[3];
    for (int n = 0; n < 3; n++) {
        ids[n] = add_ball(world, n, 2.0, 0.1f);
    }
    must_step(world, 2);
    const slv_contact_layout *contact = slv_contacts_get_layout(&world->layout);
    const size_t floats = contact->records.count;
    const float *records = world->layout.state + contact->records.first;
    uint32_t *before = malloc(floats * sizeof *before);
    uint32_t *after = malloc(floats * sizeof *after);
    assert_non_null(before);
    assert_non_null(after);
    memcpy(before, records, floats * sizeof *before);
    assert_int_equal(slv_collider_move(world, ids[1], target, upright, 5), SLV_OK);
    memcpy(after, records, floats * sizeof *after);
    for (size_t i = 0; i < floats; i++) {
        const bool own = i / SLV_COLLIDER_FLOATS == 2; // the world has another before
        assert_true(own || before[i] == after[i]);
    }
    const unsigned written = world->layout.extents[slv_layout_common_body(&world->layout)].written;
    assert_int_equal(written & 1u << SLV_ASPECT_fields, 0);
    assert_true(written & 1u << SLV_ASPECT_contacts);
    free(before);
    free(after);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(garments_have_the_bits_of_worlds_of_their_own),
        cmocka_unit_test(instances_of_a_pack_are_as_they_are_alone),
        cmocka_unit_test(a_pack_that_was_replaced_is_read_again),
        cmocka_unit_test(one_layout_is_made_for_all_changes_between_two_steps),
        cmocka_unit_test(a_world_without_memory_for_its_layout_goes_on_once_garments_are_removed),
        cmocka_unit_test(far_colliders_change_no_bit),
        cmocka_unit_test(a_tile_near_more_colliders_than_its_list_holds_touches_all),
        cmocka_unit_test(moving_a_collider_writes_its_record_only),
    };
    return cmocka_run_group_tests(tests, write_packs, remove_packs);
}
