// SPDX-License-Identifier: MIT
// A garment whose material was changed moves as one that was added with the new values. And the named sets of a
// garment.
#include "formats/fabric.h"
#include "runtime/base/parameter.h"
#include "tests/common/test_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static slv_world *make_world(slv_solver solver) {
    slv_world_def def = slv_default_world_def();
    slv_collider_def floor = slv_default_collider_def();
    def.threads = 1;
    def.parameters.solver = solver;
    def.parameters.wind[0] = 3.0f;
    soften_for_integrators(&def, 0.001f, 25.0f);
    slv_world *world = must_create(&def);
    floor.kind = SLV_COLLIDER_PLANE;
    floor.restitution = 0.0f;
    assert_int_equal(slv_world_add_collider(world, &floor, NULL), SLV_OK);
    return world;
}

static const slv_garment_material soft = {.particle_mass = 0.002f,
                                          .stretch_stiffness = 300.0f,
                                          .shear_stiffness = 20.0f,
                                          .bending_stiffness = 2.0f,
                                          .shape_stiffness = 1.0f,
                                          .thickness = 0.005f,
                                          .push_out_speed = 0.5f,
                                          .friction = 0.4f,
                                          .kinetic_friction = SLV_UNSET,
                                          .collision_radius = SLV_UNSET,
                                          .rest_speed = 0.02f,
                                          .strain_limit = SLV_UNSET};
static const slv_garment_material hard = {.particle_mass = 0.007f,
                                          .stretch_stiffness = 2000.0f,
                                          .shear_stiffness = 2000.0f,
                                          .bending_stiffness = 7.0f,
                                          .spring_damping = 0.003f,
                                          .shape_stiffness = 0.5f,
                                          .shape_deformation = 0.1f,
                                          .thickness = 0.02f,
                                          .push_out_speed = 0.2f,
                                          .friction = 0.9f,
                                          .kinetic_friction = 0.3f,
                                          .restitution = 0.5f,
                                          .collision_radius = 0.011f,
                                          .rest_speed = 0.0f,
                                          .drag = 0.7f,
                                          .wind_pressure = 0.6f,
                                          .strain_limit = 1.01f};

typedef enum shape { GRID, MESH, SHAPES } shape;

static slv_garment_id add(slv_world *world, shape kind, const slv_garment_material *material) {
    slv_garment_def def = slv_default_garment_def();
    def.particle_mass = material->particle_mass;
    def.position[1] = 0.05;
    def.self_collision = true;
    def.stretch_stiffness = material->stretch_stiffness;
    def.shear_stiffness = material->shear_stiffness;
    def.bending_stiffness = material->bending_stiffness;
    def.thickness = material->thickness;
    def.push_out_speed = material->push_out_speed;
    def.spring_damping = material->spring_damping;
    def.friction = material->friction;
    def.kinetic_friction = material->kinetic_friction;
    def.restitution = material->restitution;
    def.collision_radius = material->collision_radius;
    def.rest_speed = material->rest_speed;
    def.drag = kind == GRID ? material->drag : 0.0f;
    def.wind_pressure = kind == GRID ? material->wind_pressure : 0.0f;
    def.strain_limit = material->strain_limit;
    return must_add(
        world, kind == GRID ? make_grid(9, 1, 8, 0.02f, NULL) : make_cloth(9, 8, 0.02f, true), def);
}

static slv_garment_material for_shape(slv_garment_material material, shape kind) {
    material.drag = kind == GRID ? material.drag : 0.0f;
    material.wind_pressure = kind == GRID ? material.wind_pressure : 0.0f;
    return material;
}

static void a_changed_garment_equals_one_added_with_the_values(void **state) {
    (void)state;
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
        for (int kind = 0; kind < SHAPES; kind++) {
            slv_world *changed = make_world((slv_solver)solver);
            slv_world *known = make_world((slv_solver)solver);
            const slv_garment_id id = add(changed, (shape)kind, &soft);
            (void)add(known, (shape)kind, &hard);
            const slv_garment_material material = for_shape(hard, (shape)kind);
            slv_garment_material now;
            assert_int_equal(slv_garment_set_material(changed, id, &material), SLV_OK);
            assert_int_equal(slv_garment_get_material(changed, id, &now), SLV_OK);
            assert_memory_equal(&now, &material, sizeof now);
            must_step(changed, 120);
            must_step(known, 120);
            must_end_alike(changed, known);
        }
    }
}

// After some steps: the other world gets the state by a snapshot.
static void a_garment_can_change_between_steps(void **state) {
    (void)state;
    for (int kind = 0; kind < SHAPES; kind++) {
        slv_world *changed = make_world(SLV_PD_RBGS);
        slv_world *known = make_world(SLV_PD_RBGS);
        const slv_garment_id id = add(changed, (shape)kind, &soft);
        (void)add(known, (shape)kind, &hard);
        must_step(changed, 60);
        const saved_world saved = must_save(changed);
        must_restore(known, &saved);
        const slv_garment_material material = for_shape(hard, (shape)kind);
        const uint64_t before = must_hash(changed);
        assert_int_equal(slv_garment_set_material(changed, id, &material), SLV_OK);
        assert_int_equal(must_hash(changed), before);
        must_step(changed, 60);
        must_step(known, 60);
        must_end_alike(changed, known);
        free(saved.bytes);
    }
}

// A world with a cloth that hangs by a corner under an own weight, whose strain limit is painted where `painted`.
static slv_garment_id hang(slv_world *world, float particle_mass, float strain_limit,
                           bool painted) {
    static const uint32_t corner = 0;
    uint8_t colors[9 * 8][4];
    slv_garment_def def = slv_default_garment_def();
    for (int p = 0; p < 9 * 8; p++) {
        memset(colors[p], 3 * p, sizeof colors[p]);
    }
    def.position[1] = 2.0;
    def.stretch_stiffness = 1.0f;
    def.particle_mass = particle_mass;
    def.strain_limit = strain_limit;
    def.fixed = &corner;
    def.fixed_count = 1;
    if (painted) {
        def.paint = (slv_paint_def){
            .strain_limit = SLV_CHANNEL_RED, .colors = &colors[0][0], .color_count = 9 * 8};
    }
    return must_add(world, make_grid(9, 1, 8, 0.02f, NULL), def);
}

static double stretch_after(slv_world *world, uint32_t steps) {
    must_step(world, steps);
    return must_measure(world).max_stretch;
}

// Each of them alone has an effect that can be seen; and a mass that is not given is that of the pack.
static void mass_and_strain_limit_can_change_while_a_garment_moves(void **state) {
    (void)state;
    static const struct {
        float mass[2], strain[2];
        bool painted;
    } cases[] = {
        {{0.001f, 0.01f}, {0.0f, 0.0f}, false},     {{SLV_UNSET, 0.003f}, {0.0f, 0.0f}, false},
        {{0.003f, SLV_UNSET}, {0.0f, 0.0f}, false}, {{0.01f, 0.01f}, {0.0f, 1.1f}, false},
        {{0.01f, 0.01f}, {1.5f, 1.1f}, false},      {{0.01f, 0.01f}, {1.1f, SLV_UNSET}, false},
        {{0.01f, 0.01f}, {2.0f, 1.2f}, true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        slv_world *worlds[3]; // that changes, made with the new values, that does not change
        slv_garment_id id = {0};
        slv_garment_material material;
        for (int w = 2; w >= 0; w--) {
            worlds[w] = make_world(SLV_PD_RBGS);
            id = hang(worlds[w], cases[c].mass[w == 1], cases[c].strain[w == 1], cases[c].painted);
        }
        must_step(worlds[0], 50);
        const saved_world saved = must_save(worlds[0]);
        must_restore(worlds[1], &saved);
        must_restore(worlds[2], &saved);
        free(saved.bytes);
        assert_int_equal(slv_garment_get_material(worlds[0], id, &material), SLV_OK);
        material.particle_mass = cases[c].mass[1];
        material.strain_limit = cases[c].strain[1];
        assert_int_equal(slv_garment_set_material(worlds[0], id, &material), SLV_OK);
        const double changed = stretch_after(worlds[0], 50);
        const double known = stretch_after(worlds[1], 50);
        const double unchanged = stretch_after(worlds[2], 50);
        if (changed != known || changed == unchanged) {
            fail_msg("case %zu: %g, should be %g and not %g", c, changed, known, unchanged);
        }
        slv_world_destroy(worlds[2]);
        must_end_alike(worlds[0], worlds[1]);
    }
}

static void a_painted_strain_limit_must_stay_given(void **state) {
    (void)state;
    slv_world *world = make_world(SLV_PD_RBGS);
    const slv_garment_id id = hang(world, 0.01f, 1.5f, true);
    slv_garment_material material;
    assert_int_equal(slv_garment_get_material(world, id, &material), SLV_OK);
    material.strain_limit = SLV_UNSET;
    assert_int_equal(slv_garment_set_material(world, id, &material), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(slv_world_get_message(world), "strain_limit is painted"));
    assert_int_equal(slv_garment_get_material(world, id, &material), SLV_OK);
    assert_true(material.strain_limit == 1.5f);
    slv_world_destroy(world);
}

static void a_bad_material_is_refused(void **state) {
    (void)state;
    slv_world *world = make_world(SLV_PD_RBGS);
    const slv_garment_id id = add(world, GRID, &soft);
    const uint64_t hash = must_hash(world);
    slv_garment_material bad = soft;
    bad.friction = -3.0f;
    assert_int_equal(slv_garment_set_material(world, id, &bad), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(slv_world_get_message(world), "friction"));
    bad = soft;
    bad.shear_stiffness = 0.0f;
    assert_int_equal(slv_garment_set_material(world, id, &bad), SLV_ERROR_UNSUPPORTED);
    assert_non_null(strstr(slv_world_get_message(world), "shear_stiffness"));
    assert_int_equal(slv_garment_set_material(world, id, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_garment_set_material(world, (slv_garment_id){0}, &soft),
                     SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_garment_get_material(world, id, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(must_hash(world), hash);
    slv_world_destroy(world);
}

// At every allocation that may fail.
static void without_memory_the_material_is_unchanged(void **state) {
    (void)state;
    slv_world *known = make_world(SLV_PD_RBGS);
    (void)add(known, GRID, &soft);
    must_step(known, 20);
    const uint64_t unchanged = must_hash(known);
    slv_world_destroy(known);
    bool enough = false;
    for (size_t left = 0; !enough && left < 200; left++) {
        counting_memory memory = unlimited_memory();
        const slv_allocator allocator = counting_allocator(&memory);
        slv_world_def def = slv_default_world_def();
        slv_collider_def floor = slv_default_collider_def();
        def.threads = 1;
        def.allocator = &allocator;
        def.parameters.solver = SLV_PD_RBGS;
        def.parameters.wind[0] = 3.0f;
        slv_world *world = must_create(&def);
        floor.kind = SLV_COLLIDER_PLANE;
        assert_int_equal(slv_world_add_collider(world, &floor, NULL), SLV_OK);
        const slv_garment_id id = add(world, GRID, &soft);
        slv_garment_material now;
        memory.left = left;
        const slv_result status = slv_garment_set_material(world, id, &hard);
        memory.left = SIZE_MAX;
        enough = status == SLV_OK;
        assert_true(enough || status == SLV_ERROR_MEMORY);
        assert_int_equal(slv_garment_get_material(world, id, &now), SLV_OK);
        assert_memory_equal(&now, enough ? &hard : &soft, sizeof now);
        must_step(world, 20);
        assert_true((must_hash(world) == unchanged) == !enough);
        slv_world_destroy(world);
        assert_int_equal(memory.bytes, 0);
    }
    assert_true(enough);
}

// --- Which material is in force ---------------------------------------------------------------------

static slv_value_source source_of(slv_world *world, slv_garment_id id, const char *field) {
    slv_value_source source = SLV_SOURCE_DEFAULT;
    assert_int_equal(slv_garment_get_material_source(world, id, field, &source), SLV_OK);
    return source;
}

// A cloth whose pack gives these values of a material.
static slv_garment_id add_given(slv_world *world, uint32_t given, slv_garment_def def) {
    static slv_material material;
    generated_garment *made = make_grid(5, 1, 4, 0.02f, NULL);
    material = (slv_material){.name = "canvas",
                              .stretch_stiffness = 800.0f,
                              .shear_stiffness = 90.0f,
                              .bending_stiffness = 3.0f,
                              .static_friction = 0.8f,
                              .kinetic_friction = 0.7f,
                              .restitution = 0.2f,
                              .thickness = 0.003f,
                              .given = given};
    generated_view(made)->materials = &material;
    return must_add(world, made, def);
}

static void values_come_from_definition_then_pack_then_defaults(void **state) {
    (void)state;
    slv_world *world = make_world(SLV_PD_RBGS);
    slv_garment_material now;
    slv_garment_def def = slv_default_garment_def();
    slv_garment_id id = add_given(world, 0, def); // the pack gives the stretch stiffness alone
    assert_int_equal(slv_garment_get_material(world, id, &now), SLV_OK);
    assert_true(now.stretch_stiffness < 0.0f && now.shear_stiffness == 0.0f);
    assert_true(now.friction == 0.4f && now.restitution == 0.0f && now.thickness == 0.005f);
    assert_int_equal(source_of(world, id, "stretch_stiffness"), SLV_SOURCE_PACK);
    assert_int_equal(source_of(world, id, "friction"), SLV_SOURCE_DEFAULT);
    def.friction = 0.1f;
    def.shear_stiffness = 0.0f;
    id = add_given(world, SLV_GIVEN_ALL, def);
    assert_int_equal(slv_garment_get_material(world, id, &now), SLV_OK);
    assert_true(now.friction == 0.1f && now.shear_stiffness == 0.0f);
    assert_true(now.kinetic_friction < 0.0f); // follows the friction that was given
    assert_true(now.bending_stiffness == 3.0f && now.restitution == 0.2f);
    assert_true(now.thickness == 0.003f);
    assert_int_equal(source_of(world, id, "friction"), SLV_SOURCE_DEFINITION);
    assert_int_equal(source_of(world, id, "shear_stiffness"), SLV_SOURCE_DEFINITION);
    assert_int_equal(source_of(world, id, "thickness"), SLV_SOURCE_PACK);
    now.thickness = 0.009f;
    assert_int_equal(slv_garment_set_material(world, id, &now), SLV_OK);
    assert_int_equal(source_of(world, id, "thickness"), SLV_SOURCE_DEFINITION);
    assert_int_equal(source_of(world, id, "restitution"), SLV_SOURCE_PACK);
    slv_value_source source;
    assert_int_equal(slv_garment_get_material_source(world, id, "wind", &source),
                     SLV_ERROR_ARGUMENT);
    slv_world_destroy(world);
}

// The pack's values move a garment as the same values of a definition do.
static void values_of_the_pack_are_used(void **state) {
    (void)state;
    slv_world *packed = make_world(SLV_PD_RBGS);
    slv_world *given = make_world(SLV_PD_RBGS);
    slv_garment_def def = slv_default_garment_def();
    def.position[1] = 0.05;
    (void)add_given(packed, SLV_GIVEN_ALL, def);
    def.shear_stiffness = 90.0f;
    def.bending_stiffness = 3.0f;
    def.friction = 0.8f;
    def.kinetic_friction = 0.7f;
    def.restitution = 0.2f;
    def.thickness = 0.003f;
    (void)add_given(given, 0, def);
    must_step(packed, 200);
    must_step(given, 200);
    must_end_alike(packed, given);
}

static void a_fabric_gives_what_the_definition_does_not(void **state) {
    (void)state;
    slv_world *world = make_world(SLV_SOLVER_AUTO);
    slv_garment_material now;
    slv_garment_def def = slv_default_garment_def();
    def.fabric = SLV_FABRIC_DENIM;
    def.friction = 0.2f;
    const slv_garment_id id = add_given(world, SLV_GIVEN_ALL, def);
    const slv_fabric_preset *denim = slv_fabric_find("denim");
    assert_int_equal(slv_garment_get_material(world, id, &now), SLV_OK);
    assert_true(now.flexural_rigidity == denim->flexural_rigidity);
    assert_true(now.shear_stiffness == denim->shear && now.bending_stiffness == 0.0f);
    assert_true(now.stretch_stiffness == denim->stretch - denim->shear);
    assert_true(now.friction == 0.2f);
    assert_int_equal(source_of(world, id, "flexural_rigidity"), SLV_SOURCE_FABRIC);
    assert_int_equal(source_of(world, id, "particle_mass"), SLV_SOURCE_FABRIC);
    assert_int_equal(source_of(world, id, "friction"), SLV_SOURCE_DEFINITION);
    assert_int_equal(slv_world_get_solver(world), SLV_PBD_GS);
    // Mass of 4 x 3 squares of 2 cm, by the energy of a known velocity.
    slv_world_destroy(world);
    world = make_world(SLV_SOLVER_AUTO);
    def.velocity[0] = 2.0f;
    (void)add_given(world, 0, def);
    const double mass = (double)denim->density * 12.0 * 0.02 * 0.02;
    assert_near(must_measure(world).kinetic_energy, 0.5 * mass * 4.0, 1e-3 * mass);
    slv_world_destroy(world);
}

static void fabrics_have_the_same_names_everywhere(void **state) {
    (void)state;
    for (int i = 0; i < SLV_FABRIC_PRESET_COUNT; i++) {
        assert_string_equal(slv_fabric_presets[i].name, slv_fabric_names[i + 1]);
    }
    assert_null(slv_fabric_names[SLV_FABRIC_PRESET_COUNT + 1]);
    assert_int_equal(SLV_FABRIC_FELT, SLV_FABRIC_PRESET_COUNT);
}

// --- Sets -------------------------------------------------------------------------------------------

static void sets_are_listed_and_found_by_name(void **state) {
    (void)state;
    static const uint32_t members[] = {0, 2, 3};
    static const slv_particle_set sets[] = {
        {.name_offset = 0, .name_length = 3, .first = 0, .count = 2},
        {.name_offset = 3, .name_length = 4, .first = 2, .count = 1}};
    slv_world *world = make_world(SLV_PD_RBGS);
    generated_garment *made = make_chain(4, 0.1f);
    slv_garment *view = generated_view(made);
    view->set_count = 2;
    view->sets = sets;
    view->set_particles = members;
    view->set_names = "hembelt";
    const slv_garment_id id = must_add(world, made, slv_default_garment_def());
    slv_particle_set_view set;
    uint32_t count = 0;
    assert_int_equal(slv_garment_get_particle_set_count(world, id, &count), SLV_OK);
    assert_int_equal(count, 2);
    assert_int_equal(slv_garment_get_particle_set(world, id, 0, &set), SLV_OK);
    assert_string_equal(set.name, "hem");
    assert_int_equal(set.particle_count, 2);
    assert_int_equal(set.particles[1], 2);
    assert_int_equal(slv_garment_find_particle_set(world, id, "belt", &set), SLV_OK);
    assert_int_equal(set.particle_count, 1);
    assert_int_equal(set.particles[0], 3);
    assert_int_equal(slv_garment_find_particle_set(world, id, "bel", &set), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_garment_find_particle_set(world, id, NULL, &set), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_garment_get_particle_set(world, id, 2, &set), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_garment_get_particle_set(world, id, 0, NULL), SLV_ERROR_ARGUMENT);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_changed_garment_equals_one_added_with_the_values),
        cmocka_unit_test(a_garment_can_change_between_steps),
        cmocka_unit_test(mass_and_strain_limit_can_change_while_a_garment_moves),
        cmocka_unit_test(a_painted_strain_limit_must_stay_given),
        cmocka_unit_test(a_bad_material_is_refused),
        cmocka_unit_test(without_memory_the_material_is_unchanged),
        cmocka_unit_test(values_come_from_definition_then_pack_then_defaults),
        cmocka_unit_test(values_of_the_pack_are_used),
        cmocka_unit_test(a_fabric_gives_what_the_definition_does_not),
        cmocka_unit_test(fabrics_have_the_same_names_everywhere),
        cmocka_unit_test(sets_are_listed_and_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
