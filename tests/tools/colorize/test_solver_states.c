// SPDX-License-Identifier: MIT
// Every coloring with every solver that solves its constraints: tears, a change of the solver while a world runs, and snapshots.
#include "tests/common/soft_shapes.h"
#include "tests/common/test_world.h"
#include "tests/tools/colorize/colored_pack.h"
#include "tests/tools/common/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 4, LAYER = SIDE * SIDE, COLORINGS = 4, PATH = 256 };
enum { PACKS = 2 * COLORINGS }; // springs alone in every coloring, then with tetrahedra

static const char *const coloring_names[COLORINGS] = {"none", "greedy", "phantom", "hybrid"};
static const slv_scheme schemes[COLORINGS] = {SLV_SCHEME_GREEDY, SLV_SCHEME_GREEDY,
                                              SLV_SCHEME_PHANTOM, SLV_SCHEME_HYBRID};

// --- Packs ------------------------------------------------------------------------------------------

static bool has_tetrahedra(int pack) {
    return pack >= COLORINGS;
}

static bool solves(slv_solver solver, int pack) {
    return !has_tetrahedra(pack) || solver == SLV_PBD_JACOBI || solver == SLV_PBD_GS;
}

static const char *pack_name(int pack) {
    static char name[64];
    (void)snprintf(name, sizeof name, "%s-%s", has_tetrahedra(pack) ? "tetrahedra" : "springs",
                   coloring_names[pack % COLORINGS]);
    return name;
}

static const char *pack_path(char room[PATH], int pack) {
    char name[96];
    (void)snprintf(name, sizeof name, "block-%s.slv", pack_name(pack));
    return temporary_path(room, PATH, name);
}

// A block, which is no grid, in every coloring.
static int write_packs(void **unused) {
    (void)unused;
    for (int pack = 0; pack < PACKS; pack += COLORINGS) {
        char plain[PATH];
        soft_shape shape = soft_lattice(SIDE, SIDE, SIDE, 0.1f, NULL);
        shape.tetrahedron_count = has_tetrahedra(pack) ? shape.tetrahedron_count : 0;
        soft_write(&shape, 2.0f, pack_path(plain, pack));
        soft_free(&shape);
        for (int coloring = 1; coloring < COLORINGS; coloring++) {
            char path[PATH];
            write_colored(plain, pack_path(path, pack + coloring), schemes[coloring]);
        }
    }
    return 0;
}

static int remove_packs(void **unused) {
    (void)unused;
    for (int pack = 0; pack < PACKS; pack++) {
        char path[PATH];
        (void)remove(pack_path(path, pack));
    }
    return 0;
}

static slv_world *make_world(slv_solver solver, int pack, slv_garment_def def, float gravity) {
    char path[PATH];
    slv_world_def world_def = slv_default_world_def();
    world_def.parameters.solver = solver;
    world_def.parameters.gravity[1] = gravity;
    world_def.threads = 1;
    slv_world *world = must_create(&world_def);
    def.pack_path = pack_path(path, pack);
    if (slv_world_add_garment(world, &def, NULL) != SLV_OK) {
        fail_msg("%s", slv_world_get_message(world));
    }
    return world;
}

static uint32_t count_torn(slv_world *world, uint32_t *constraints) {
    slv_garment_structure structure;
    slv_garment_id id = slv_world_get_garment(world, 0);
    uint32_t torn = 0;
    assert_int_equal(slv_garment_get_torn_count(world, id, &torn), SLV_OK);
    assert_int_equal(slv_garment_get_structure(world, id, &structure), SLV_OK);
    *constraints = structure.constraint_count;
    return torn;
}

// Calls `each` for every pack and every solver of its constraints.
static void with_all(void (*each)(int pack, slv_solver solver)) {
    for (int pack = 0; pack < PACKS; pack++) {
        for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
            if (solves((slv_solver)solver, pack)) {
                each(pack, (slv_solver)solver);
            }
        }
    }
}

// --- Tears ------------------------------------------------------------------------------------------

static void stay_whole(int pack, slv_solver solver) {
    slv_garment_def def = slv_default_garment_def();
    uint32_t constraints = 0;
    def.tearing_threshold = 1.3f;
    slv_world *world = make_world(solver, pack, def, 0.0f);
    must_step(world, 10);
    const uint32_t torn = count_torn(world, &constraints);
    if (torn > 0) {
        fail_msg("%s, %s: %u of %u springs tore at rest", slv_solver_get_name(solver),
                 pack_name(pack), torn, constraints);
    }
    slv_world_destroy(world);
}

static void nothing_tears_at_rest(void **unused) {
    (void)unused;
    with_all(stay_whole);
}

static void tear_all(int pack, slv_solver solver) {
    slv_garment_def def = slv_default_garment_def();
    uint32_t constraints = 0;
    def.tearing_threshold = 1.1f;
    def.stretch = 1.2f;
    slv_world *world = make_world(solver, pack, def, 0.0f);
    must_step(world, 1);
    const uint32_t torn = count_torn(world, &constraints);
    assert_int_equal(torn, constraints);
    slv_world_destroy(world);
}

static void springs_beyond_the_threshold_tear(void **unused) {
    (void)unused;
    with_all(tear_all);
}

// --- Changing the solver ----------------------------------------------------------------------------

static void set_solver(slv_world *world, slv_solver solver) {
    slv_parameters parameters = slv_world_get_parameters(world);
    parameters.solver = solver;
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
}

static void change_solver(int pack, slv_solver solver) {
    slv_garment_def def = slv_default_garment_def();
    def.stretch = 1.1f;
    slv_world *made = make_world(solver, pack, def, -9.81f);
    must_step(made, 10);
    const uint64_t expected = must_hash(made);
    for (int first = 0; first < SLV_SOLVER_COUNT; first++) {
        if (!solves((slv_solver)first, pack)) {
            continue;
        }
        slv_world *changed = make_world((slv_solver)first, pack, def, -9.81f);
        set_solver(changed, solver);
        must_step(changed, 10);
        if (must_hash(changed) != expected) {
            fail_msg("%s: %s changed to %s is not %s", pack_name(pack),
                     slv_solver_get_name((slv_solver)first), slv_solver_get_name(solver),
                     slv_solver_get_name(solver));
        }
        slv_world_destroy(changed);
    }
    slv_world_destroy(made);
}

static void a_changed_solver_equals_one_set_at_the_start(void **unused) {
    (void)unused;
    with_all(change_solver);
}

// --- Snapshots --------------------------------------------------------------------------------------

// One face is fixed and the rest falls under a strong gravity: some springs tear, before the snapshot and
// after it. Lagrange multipliers hold springs at their rest length, so that none tears.
static slv_world *make_falling(int pack, slv_solver solver) {
    uint32_t fixed[LAYER];
    slv_garment_def def = slv_default_garment_def();
    for (uint32_t i = 0; i < LAYER; i++) {
        fixed[i] = i * SIDE;
    }
    def.fixed = fixed;
    def.fixed_count = LAYER;
    def.tearing_threshold = 1.05f;
    return make_world(solver, pack, def, -2000.0f);
}

static void save_and_restore(int pack, slv_solver solver) {
    uint32_t constraints = 0;
    slv_world *world = make_falling(pack, solver);
    must_step(world, 4);
    const uint32_t before = count_torn(world, &constraints);
    const saved_world saved = must_save(world);
    must_step(world, 4);
    const uint64_t hash = must_hash(world);
    const uint32_t after = count_torn(world, &constraints);
    assert_true((after > 0 || solver == SLV_MS_LAGRANGE) && after < constraints && after >= before);
    slv_world *other = make_falling(pack, solver);
    slv_world *const worlds[] = {world, other};
    for (int i = 0; i < 2; i++) {
        must_restore(worlds[i], &saved);
        assert_int_equal(count_torn(worlds[i], &constraints), before);
        must_step(worlds[i], 4);
        assert_int_equal(must_hash(worlds[i]), hash);
        assert_int_equal(count_torn(worlds[i], &constraints), after);
    }
    free(saved.bytes);
    slv_world_destroy(world);
    slv_world_destroy(other);
}

static void snapshots_with_tears_continue_with_the_same_bits(void **unused) {
    (void)unused;
    with_all(save_and_restore);
}

// --- Changing the solver in the middle of a run -------------------------------------------------------

// Makes `to` what `from` is.
static void copy_state(slv_world *from, slv_world *to) {
    const size_t size = slv_world_get_snapshot_size(from);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(slv_world_save_snapshot(from, bytes, size), SLV_OK);
    assert_int_equal(slv_world_restore_snapshot(to, bytes, size), SLV_OK);
    free(bytes);
}

static slv_world *make_moving(int pack, slv_solver solver, bool tears) {
    slv_garment_def def = slv_default_garment_def();
    def.stretch = 1.1f;
    return tears ? make_falling(pack, solver) : make_world(solver, pack, def, -9.81f);
}

// `changed` has moved with another solver. From the change on it moves as `made`, which has had no other solver and
// gets its state, tears included.
static void change_in_motion(slv_world *changed, slv_world *made, slv_solver solver, bool tears) {
    uint32_t constraints = 0;
    must_step(changed, 4);
    const uint64_t before = must_hash(changed);
    const uint32_t torn = count_torn(changed, &constraints);
    set_solver(changed, solver);
    assert_int_equal(must_hash(changed), before);
    copy_state(changed, made);
    assert_int_equal(must_hash(made), before);
    must_step(changed, 4);
    must_step(made, 4);
    const uint32_t torn_after = count_torn(changed, &constraints);
    assert_int_equal(count_torn(made, &constraints), torn_after);
    if (torn_after < torn || ((torn_after > 0) != tears && solver != SLV_MS_LAGRANGE)) {
        fail_msg("%s: %u torn, then %u", slv_solver_get_name(solver), torn, torn_after);
    }
    assert_true(must_hash(changed) != before);
    assert_int_equal(must_hash(changed), must_hash(made));
}

static void change_to(int pack, slv_solver solver) {
    for (int tears = 0; tears < 2; tears++) {
        slv_world *made = make_moving(pack, solver, tears == 1);
        for (int first = 0; first < SLV_SOLVER_COUNT; first++) {
            if (!solves((slv_solver)first, pack)) {
                continue;
            }
            slv_world *changed = make_moving(pack, (slv_solver)first, tears == 1);
            change_in_motion(changed, made, solver, tears == 1);
            slv_world_destroy(changed);
        }
        slv_world_destroy(made);
    }
}

static void a_solver_changed_in_motion_continues_from_the_same_state(void **unused) {
    (void)unused;
    with_all(change_to);
}

// --- Cuts -------------------------------------------------------------------------------------------

// A snapshot from before a cut, and one with the cut, fit a garment that has no tears by itself.
static void snapshots_from_before_and_after_a_cut_are_restored(void **unused) {
    (void)unused;
    const uint32_t cut[] = {0, 1, 2, 3};
    uint32_t constraints = 0;
    slv_world *world = make_world(SLV_PBD_GS, COLORINGS + 2, slv_default_garment_def(), -9.81f);
    slv_world *other = make_world(SLV_PBD_GS, COLORINGS + 2, slv_default_garment_def(), -9.81f);
    const saved_world whole = must_save(world);
    assert_int_equal(slv_garment_cut(world, slv_world_get_garment(world, 0), cut, 4), SLV_OK);
    const saved_world cut_state = must_save(world);
    must_step(world, 5);
    const uint64_t hash = must_hash(world);
    must_restore(other, &cut_state);
    assert_int_equal(count_torn(other, &constraints), 4);
    must_step(other, 5);
    assert_int_equal(must_hash(other), hash);
    must_restore(world, &whole);
    assert_int_equal(count_torn(world, &constraints), 0);
    free(whole.bytes);
    free(cut_state.bytes);
    slv_world_destroy(world);
    slv_world_destroy(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_tears_at_rest),
        cmocka_unit_test(springs_beyond_the_threshold_tear),
        cmocka_unit_test(a_changed_solver_equals_one_set_at_the_start),
        cmocka_unit_test(snapshots_with_tears_continue_with_the_same_bits),
        cmocka_unit_test(a_solver_changed_in_motion_continues_from_the_same_state),
        cmocka_unit_test(snapshots_from_before_and_after_a_cut_are_restored),
    };
    return cmocka_run_group_tests(tests, write_packs, remove_packs);
}
