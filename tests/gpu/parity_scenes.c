// SPDX-License-Identifier: MIT
#include "tests/gpu/parity_scenes.h"

#include "tests/common/generated_body.h"
#include "tests/common/soft_shapes.h"
#include "tests/formats/sample_collider.h"
#if defined(SLV_HAS_COLORIZE)
#include "tools/colorize/colorize.h"
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static slv_garment_def hanging(uint32_t fixed_count) {
    static const uint32_t corners[] = {0, 8};
    slv_garment_def def = slv_default_garment_def();
    def.particle_mass = 0.01f;
    def.stretch_stiffness = 2000.0f;
    def.spring_damping = 0.002f;
    def.fixed = corners;
    def.fixed_count = fixed_count;
    def.position[1] = 2.0;
    return def;
}

// Two garments, one of them moving.
static void fill_cloths(slv_world *world) {
    slv_garment_def thrown = hanging(0);
    thrown.rotation[0] = 0.6f;
    thrown.rotation[3] = 0.8f;
    thrown.velocity[0] = 1.5f;
    (void)must_add(world, make_grid(9, 1, 11, 0.05f, NULL), hanging(2));
    (void)must_add(world, make_grid(19, 1, 5, 0.05f, NULL), thrown);
}

static bool has_hole(uint32_t i, uint32_t j, uint32_t k) {
    return !(i == 3 && j == 2) && !(i == 1 && k == 2);
}

static void fill_solid(slv_world *world) {
    (void)must_add(world, make_grid(5, 4, 4, 0.05f, has_hole), hanging(1));
}

static void fill_sheared(slv_world *world) {
    slv_garment_def def = hanging(2);
    def.shear_stiffness = 500.0f;
    def.bending_stiffness = 20.0f;
    (void)must_add(world, make_grid(9, 1, 8, 0.05f, NULL), def);
    def.position[0] = 1.0;
    def.bending_stiffness = 0.0f;
    (void)must_add(world, make_grid(19, 1, 21, 0.05f, NULL), def); // several coarse grids
    def.position[0] = 2.0;
    def.shear_stiffness = 0.0f;
    def.bending_stiffness = 20.0f;
    (void)must_add(world, make_cloth(29, 27, 0.05f, false), def); // several levels of aggregates
}

static void fill_mesh(slv_world *world) {
    slv_garment_def def = hanging(2);
    def.bending_stiffness = 50.0f;
    def.buckling_rigidity = 1e-4f;
    (void)must_add(world, make_cloth(9, 7, 0.05f, false), def);
}

// Flexures over edges along z of a cloth of nx by nz particles: every third column and every second row in a color, the
// others averaged.
static generated_garment *make_flexed_cloth(uint32_t nx, uint32_t nz) {
    generated_garment *made = make_cloth(nx, nz, 0.05f, false);
    slv_garment *garment = generated_view(made);
    const uint32_t most = nx * nz;
    uint32_t *ends = calloc(5 * (size_t)most, sizeof *ends);
    slv_constraint_group *groups = calloc(garment->group_count + 2u, sizeof *groups);
    assert_true(ends && groups);
    uint32_t counts[2] = {0, 0};
    uint32_t count = 0;
    for (int averaged = 0; averaged < 2; averaged++) {
        for (uint32_t k = 0; k + 1 < nz; k++) {
            for (uint32_t i = 1; i + 1 < nx; i++) {
                if ((i % 3 == 1 && k % 2 == 0) == (averaged == 0)) {
                    const uint32_t at = i + nx * k;
                    const uint32_t corners[4] = {at, at + nx, at - 1, at + 1};
                    for (size_t e = 0; e < 4; e++) {
                        ends[e * most + count] = corners[e];
                    }
                    count++;
                    counts[averaged]++;
                }
            }
        }
    }
    memcpy(groups, garment->groups, garment->group_count * sizeof *groups);
    for (uint32_t g = 0; g < 2; g++) {
        groups[garment->group_count++] = (slv_constraint_group){.kind = SLV_CONSTRAINT_FLEXURE,
                                                                .color = g == 0 ? 0 : SLV_UNCOLORED,
                                                                .first = g == 0 ? 0 : counts[0],
                                                                .count = counts[g]};
    }
    garment->groups = groups;
    garment->constraints[SLV_CONSTRAINT_FLEXURE] =
        (slv_constraints){count,
                          {ends, ends + most, ends + 2 * (size_t)most, ends + 3 * (size_t)most},
                          (float *)(ends + 4 * (size_t)most)};
    generated_keep(made, ends, groups);
    return made;
}

// Other solvers than PBD_GS have no flexures.
static void fill_flexed(slv_world *world) {
    slv_garment_def def = hanging(2);
    def.flexural_rigidity = slv_world_get_solver(world) == SLV_PBD_GS ? 2e-3f : 0.0f;
    (void)must_add(world, make_grid(9, 1, 8, 0.05f, NULL), def);
    def.position[0] = 1.0;
    (void)must_add(world, make_flexed_cloth(9, 8), def);
}

static void fill_chains(slv_world *world) {
    slv_garment_def other = hanging(1);
    other.position[0] = 1.0;
    (void)must_add(world, make_chain(30, 0.03f), hanging(1));
    (void)must_add(world, make_chain(13, 0.05f), other);
}

// --- Soft bodies ------------------------------------------------------------------------------------

// Adds a block of tetrahedra, colored with a scheme where the tools are built.
static void add_block(slv_world *world, const char *path) {
    slv_garment_def def = hanging(1);
    slv_garment_id id;
    def.pack_path = path;
    slv_result status = slv_world_add_garment(world, &def, &id);
    (void)remove(path);
    if (status != SLV_OK) {
        fail_msg("%s", slv_world_get_message(world));
    }
}

// Without its tetrahedra for projective solvers, which do not solve them.
static const char *write_block(const slv_world *world, char *path, size_t size) {
    soft_shape shape = soft_lattice(4, 3, 3, 0.1f, NULL);
    const slv_solver solver = slv_world_get_solver(world);
    const bool solves = solver == SLV_PBD_JACOBI || solver == SLV_PBD_GS;
    shape.tetrahedron_count = solves ? shape.tetrahedron_count : 0;
    soft_write(&shape, 2.0f, temporary_path(path, size, "block.slv"));
    soft_free(&shape);
    return path;
}

#if defined(SLV_HAS_COLORIZE)
static void add_colored_block(slv_world *world, slv_scheme scheme) {
    char plain[256];
    char path[256];
    slv_colorize_options options = slv_default_colorize_options();
    slv_console console = {.program = "parity", .quiet = true};
    slv_colorize_report report;
    slv_output_files files = {0};
    slv_error error = {0};
    options.input = write_block(world, plain, sizeof plain);
    options.output = temporary_path(path, sizeof path, "colored.slv");
    options.scheme = scheme;
    assert_int_equal(slv_colorize(&options, &console, &report, &files, &error), SLV_OK);
    assert_int_equal(slv_output_files_publish(&files, &report.error_source, &error), SLV_OK);
    slv_colorize_report_free(&report);
    (void)remove(plain);
    add_block(world, path);
}
#endif

static void fill_soft(slv_world *world) {
    char path[256];
    add_block(world, write_block(world, path, sizeof path));
#if defined(SLV_HAS_COLORIZE)
    add_colored_block(world, SLV_SCHEME_PHANTOM);
    add_colored_block(world, SLV_SCHEME_HYBRID);
#endif
}

// Bodies that fall on a plane and on each other: rigid ones in small and large clusters, a soft one. Projective solvers
// do not solve clusters and have their particles alone.
static void add_body(slv_world *world, const uint32_t size[3], uint32_t side, double height) {
    const slv_solver solver = slv_world_get_solver(world);
    generated_garment *made = make_body(size[0], size[1], size[2], 0.1f, side, 1);
    slv_garment_def def = slv_default_garment_def();
    if (solver != SLV_PBD_JACOBI && solver != SLV_PBD_GS) {
        generated_view(made)->clusters = (slv_clusters){0};
    }
    def.position[1] = height;
    def.rotation[2] = 0.6f;
    def.rotation[3] = 0.8f;
    def.spin[0] = 3.0f;
    def.garment_collision = true;
    def.shape_deformation = side > 0 ? 0.3f : 0.0f;
    def.shape_stiffness = side > 0 ? 0.8f : 1.0f;
    (void)must_add(world, made, def);
}

static void fill_bodies(slv_world *world) {
    static const uint32_t sizes[3][3] = {{4, 3, 3}, {7, 4, 4}, {6, 3, 3}};
    slv_collider_def floor = slv_default_collider_def();
    floor.kind = SLV_COLLIDER_PLANE;
    (void)slv_world_add_collider(world, &floor, NULL);
    add_body(world, sizes[0], 0, 0.15);
    add_body(world, sizes[1], 0, 0.6);
    add_body(world, sizes[2], 2, 1.2);
}

static void fill_mixture(slv_world *world) {
    fill_solid(world);
    fill_cloths(world);
    fill_mesh(world);
}

// Cloth that falls on every shape, on itself and on other cloth, tears, and is moved by wind, limits
// and tethers.
static void fill_meeting(slv_world *world, int colliders, uint32_t columns, uint32_t rows) {
    for (int n = 0; n < colliders; n++) {
        slv_collider_def collider = collider_of_every_shape(n);
        collider.position[0] = (double)(0.1f * (float)n);
        collider.position[1] = collider.kind == SLV_COLLIDER_PLANE ? 1.6 : 1.85;
        collider.position[2] = (double)(0.1f * (float)(n % 4));
        collider.restitution = n == 2 ? 0.5f : 0.0f;
        collider.velocity[1] = n == 7 ? 20.0f : 0.0f;
        collider.angular_velocity[1] = n == 9 ? 8.0f : 0.0f;
        (void)slv_world_add_collider(world, &collider, NULL);
    }
    slv_garment_def def = hanging(2);
    def.self_collision = def.garment_collision = true;
    def.sleep_speed = colliders < 12 ? 0.2f : 0.0f; // with so many nothing comes to rest
    def.drag = 1.0f;
    def.wind_pressure = 0.5f;
    def.strain_limit = 1.1f;
    def.tether_slack = 1.2f;
    (void)must_add(world, make_grid(columns, 1, rows, 0.05f, NULL), def);
    def.drag = def.wind_pressure = def.strain_limit = 0.0f;
    def.position[1] = 2.04;
    def.velocity[1] = -12.0f;
    def.tearing_threshold = 1.3f;
    (void)must_add(world, make_cloth(columns / 2, rows - 2, 0.05f, false), def);
}

static void fill_contacts(slv_world *world) {
    fill_meeting(world, 12, 19, 9);
}

// Surfaces of a held grid, of a mesh that falls onto it fast and of a grid that stands in both. There are colliders too.
static void fill_surfaces(slv_world *world) {
    slv_collider_def floor = slv_default_collider_def();
    slv_garment_def def = hanging(2);
    floor.kind = SLV_COLLIDER_PLANE;
    floor.position[1] = 1.95;
    assert_int_equal(slv_world_add_collider(world, &floor, NULL), SLV_OK);
    def.contact = SLV_CONTACT_SURFACES;
    def.self_collision = def.garment_collision = true;
    (void)must_add(world, make_grid(9, 1, 11, 0.05f, NULL), def);
    def.fixed_count = 0;
    def.position[0] = 0.03;
    def.position[1] = 2.04;
    def.velocity[1] = -12.0f;
    (void)must_add(world, make_cloth(7, 6, 0.05f, false), def);
    def.position[1] = 1.98;
    def.position[2] = 0.21;
    def.rotation[2] = 0.6f;
    def.rotation[3] = 0.8f;
    (void)must_add(world, make_grid(6, 1, 5, 0.05f, NULL), def);
}

// Triangles of a grid and of a mesh that fall on every shape, between their particles.
static void fill_triangles(slv_world *world) {
    for (int n = 0; n < 6; n++) {
        slv_collider_def collider = collider_of_every_shape(n);
        collider.position[0] = 0.07 + 0.13 * (double)(n % 3);
        collider.position[1] = collider.kind == SLV_COLLIDER_PLANE ? 1.7 : 1.9;
        const int row = n / 3;
        collider.position[2] = 0.11 + 0.2 * (double)row;
        collider.velocity[1] = n == 4 ? 2.0f : 0.0f;
        collider.angular_velocity[1] = n == 3 ? 5.0f : 0.0f;
        (void)slv_world_add_collider(world, &collider, NULL);
    }
    slv_garment_def def = hanging(0);
    def.triangle_collision = true;
    (void)must_add(world, make_grid(9, 1, 9, 0.05f, NULL), def);
    def.position[0] = 0.02;
    def.position[1] = 2.1;
    (void)must_add(world, make_cloth(7, 6, 0.05f, false), def);
}

// Limits of every kind that differ between particles, in a grid and in a mesh.
static void fill_painted(slv_world *world) {
    enum { SIDE = 9, ROWS = 7 };
    static uint8_t colors[SIDE * ROWS][4];
    const slv_limit_def limit = {NULL, 0.25f, 0.2f};
    for (uint32_t p = 0; p < SIDE * ROWS; p++) {
        colors[p][0] = (uint8_t)(p % SIDE * 31);
        colors[p][1] = (uint8_t)(255 - p / SIDE * 20);
        colors[p][2] = p == 3 || p == 5 ? 0 : 255;
        colors[p][3] = (uint8_t)(p * 53);
    }
    slv_garment_def def = hanging(1);
    def.stretch_stiffness = 20.0f;
    def.strain_limit = 1.2f;
    def.tether_slack = 1.2f;
    def.limits = &limit;
    def.limit_count = 1;
    def.paint = (slv_paint_def){.max_distance = SLV_CHANNEL_RED,
                                .backstop = SLV_CHANNEL_GREEN,
                                .tether_slack = SLV_CHANNEL_GREEN,
                                .strain_limit = SLV_CHANNEL_ALPHA,
                                .fixed = SLV_CHANNEL_BLUE,
                                .colors = &colors[0][0],
                                .color_count = SIDE * ROWS};
    (void)must_add(world, make_grid(SIDE, 1, ROWS, 0.05f, NULL), def);
    (void)must_add(world, make_cloth(SIDE, ROWS, 0.05f, false), def);
}

static void disturb_painted(slv_world *world, uint32_t step) {
    float distances[63];
    for (uint32_t p = 0; p < 63; p++) {
        distances[p] = 0.004f * (float)((p + step) % 63);
    }
    if (step % 20 == 10) {
        (void)slv_garment_set_limits(world, slv_world_get_garment(world, step / 20 % 2), distances,
                                     NULL);
    }
}

// The smallest scene, for slow devices.
static void fill_few_contacts(slv_world *world) {
    fill_meeting(world, 6, 6, 5);
}

// Cloth that passes near a collider: a grid, and a patch, of which only the patch may touch it.
static void fill_untouched(slv_world *world) {
    slv_collider_def collider = slv_default_collider_def();
    slv_garment_def def = hanging(2);
    collider.kind = SLV_COLLIDER_PLANE;
    collider.position[1] = -1.0;
    collider.restitution = 0.5f;
    (void)slv_world_add_collider(world, &collider, NULL);
    (void)must_add(world, make_cloth(3, 3, 0.05f, false), def);
    def.collides = false;
    (void)must_add(world, make_grid(6, 1, 5, 0.05f, NULL), def);
}

// Cloths that start inside colliders of every shape, some of which overlap and move.
static void fill_inside(slv_world *world) {
    slv_garment_def def = hanging(0);
    for (int n = 0; n < 9; n++) {
        slv_collider_def collider = collider_of_every_shape(n);
        collider.position[0] = (double)(0.09f * (float)(n % 5));
        collider.position[1] = collider.kind == SLV_COLLIDER_FUNNEL ? 1.0 : 2.02;
        collider.position[2] = n < 5 ? 0.0 : (double)0.1f;
        collider.radius = 0.06f;
        collider.velocity[0] = n == 4 ? 1.0f : 0.0f;
        collider.angular_velocity[2] = n == 3 ? 2.0f : 0.0f;
        collider.restitution = n == 1 ? 0.5f : 0.0f;
        (void)slv_world_add_collider(world, &collider, NULL);
    }
    (void)must_add(world, make_grid(11, 1, 9, 0.05f, NULL), def);
    def.position[1] = 1.95;
    (void)must_add(world, make_cloth(9, 7, 0.05f, false), def);
}

static void disturb_contacts(slv_world *world, uint32_t step) {
    const float target[3] = {0.3f, 2.2f, 0.2f};
    const double position[3] = {0.3, 2.2, 0.2};
    const float turn[4] = {0.6f, 0.0f, 0.0f, 0.8f};
    const uint32_t corner = 0;
    if (step == 0) {
        (void)slv_garment_move_fixed(world, slv_world_get_garment(world, 0), &corner, 1, target,
                                     17);
    }
    if (step == 30) { // of the garment that tears
        (void)slv_garment_set_fixed(world, slv_world_get_garment(world, 1), &corner, 1, false);
    }
    if (step == 15) {
        (void)slv_collider_move(world, slv_world_get_collider(world, 1), position, turn, 20);
    }
    if (step == 22) {
        const double origin[3] = {-40.0, 0.5, 3.0};
        assert_int_equal(slv_world_set_origin(world, origin), SLV_OK);
    }
    if (step == 25) {
        (void)slv_world_remove_collider(world, slv_world_get_collider(world, 3));
    }
}

// Cloths that fall asleep soon: one is hit by a falling cloth, one by a sphere, one has its corner
// moved, and one is left alone.
static void fill_sleeping(slv_world *world) {
    slv_collider_def collider = slv_default_collider_def();
    collider.kind = SLV_COLLIDER_PLANE;
    collider.position[1] = 1.99;
    (void)slv_world_add_collider(world, &collider, NULL);
    collider.kind = SLV_COLLIDER_SPHERE;
    collider.radius = 0.1f;
    collider.position[0] = 1.2;
    collider.position[1] = 2.2;
    collider.position[2] = 0.2;
    (void)slv_world_add_collider(world, &collider, NULL);
    slv_garment_def def = hanging(0);
    def.garment_collision = true;
    def.sleep_speed = 0.2f;
    def.sleep_delay = 0.01f;
    for (int n = 0; n < 4; n++) {
        def.position[0] = (double)(float)n;
        def.fixed_count = n == 2 ? 1 : 0;
        (void)must_add(
            world, n % 2 ? make_cloth(7, 6, 0.05f, false) : make_grid(9, 1, 7, 0.05f, NULL), def);
    }
    def.position[0] = 0.1;
    def.position[1] = 2.1;
    def.velocity[1] = -2.0f;
    def.fixed_count = 0;
    (void)must_add(world, make_cloth(7, 6, 0.05f, false), def);
}

static void disturb_sleeping(slv_world *world, uint32_t step) {
    const uint32_t corner = 0;
    const float position[3] = {2.0f, 2.1f, 0.1f};
    const float still[3] = {0.0f, 0.0f, 0.0f};
    const float down[3] = {0.0f, -10.0f, 0.0f};
    if (step % 30 == 6) {
        (void)slv_collider_set_velocity(world, slv_world_get_collider(world, 1), down, still);
    }
    if (step % 30 == 9) {
        (void)slv_garment_move_fixed(world, slv_world_get_garment(world, 2), &corner, 1, position,
                                     7);
    }
    if (step % 30 == 16) {
        (void)slv_collider_set_velocity(world, slv_world_get_collider(world, 1), still, still);
    }
}

static void add_lock(slv_world *world, uint32_t object, uint32_t particle, uint32_t other_object,
                     uint32_t other_particle, bool slack) {
    slv_lock_def def = slv_default_lock_def();
    def.garment = slv_world_get_garment(world, object);
    def.particle = particle;
    def.other_garment = slv_world_get_garment(world, other_object);
    def.other_particle = other_particle;
    def.slack = slack;
    def.length = slack ? 0.1f : SLV_UNSET;
    assert_int_equal(slv_world_add_lock(world, &def, NULL), SLV_OK);
}

// Cloths and a chain on a floor, tied to each other; some locks share particles.
static void fill_locked(slv_world *world) {
    slv_collider_def floor = slv_default_collider_def();
    slv_garment_def def = hanging(1);
    floor.kind = SLV_COLLIDER_PLANE;
    floor.position[1] = 1.97;
    (void)slv_world_add_collider(world, &floor, NULL);
    def.sleep_speed = 0.2f;
    def.sleep_delay = 0.01f;
    (void)must_add(world, make_grid(9, 1, 7, 0.05f, NULL), def);
    def.fixed_count = 0;
    def.position[0] = 0.5;
    (void)must_add(world, make_cloth(9, 7, 0.05f, false), def);
    def.position[1] = 2.1;
    (void)must_add(world, make_chain(12, 0.05f), def);
    for (uint32_t n = 0; n < 20; n++) {
        add_lock(world, 0, 2 + 3 * n, 1, n * 11 % 63, n % 4 == 3);
    }
    add_lock(world, 1, 5, 2, 0, true);
    add_lock(world, 2, 11, 0, 62, false);
    add_lock(world, 0, 8, 0, 54, false);
    add_lock(world, 0, 0, 2, 6, true);
}

static void disturb_locked(slv_world *world, uint32_t step) {
    if (step == 20) {
        assert_int_equal(slv_world_remove_lock(world, slv_world_get_lock(world, 3)), SLV_OK);
    }
    if (step == 40) {
        assert_int_equal(slv_garment_wake(world, slv_world_get_garment(world, 2)), SLV_OK);
    }
}

// An animated character, with cloth on it and cloth attached to it. The file may be removed after it
// was read.
static void fill_clip(slv_world *world) {
    char path[256];
    slv_error error = {.code = SLV_OK};
    const sample_collider sample = {.particles = 40, .frames = 41, .more = true, .error = 1e-4};
    slv_garment_def held = hanging(0);
    slv_garment_def lying = hanging(0);
    slv_clip_def def = slv_default_clip_def();
    slv_clip_id clip;
    held.position[1] = 1.0;
    lying.position[1] = 1.2;
    lying.garment_collision = true;
    const slv_garment_id cloth = must_add(world, make_grid(9, 1, 11, 0.05f, NULL), held);
    (void)must_add(world, make_cloth(9, 7, 0.05f, false), lying);
    def.pack_path = temporary_path(path, sizeof path, "clip.slv");
    def.copy = true;
    def.speed = 3.0;
    def.scale = 1.5f;
    def.rotation[1] = 0.6f;
    def.rotation[3] = 0.8f;
    assert_int_equal(sample_collider_write(&sample, path, &error), SLV_OK);
    assert_int_equal(slv_world_add_clip(world, &def, &clip), SLV_OK);
    assert_int_equal(slv_clip_attach(world, clip, "belt", cloth), SLV_OK);
    (void)remove(path);
}

static void disturb_clip(slv_world *world, uint32_t step) {
    const slv_clip_id clip = slv_world_get_clip(world, 0);
    if (step % 40 == 12) {
        (void)slv_clip_seek(world, clip, 0.3 + 0.01 * (step % 3));
    }
    if (step % 40 == 25) {
        (void)slv_clip_set_speed(world, clip, step % 80 == 25 ? -2.0 : 40.0);
    }
    const double position[3] = {0.1, 0.05 * (step / 40 % 3), 0.0};
    const float turn[4] = {0.0f, 0.8f, 0.0f, 0.6f};
    if (step % 40 == 5) {
        assert_int_equal(slv_clip_lead(world, clip, position, turn, 0.031), SLV_OK);
    }
    if (step % 40 == 30) {
        const double origin[3] = {step % 80 == 30 ? 11.0 : -2.0, 0.0, 0.25};
        assert_int_equal(slv_world_set_origin(world, origin), SLV_OK);
    }
    if (step % 40 == 35) {
        assert_int_equal(slv_clip_set_pose(world, clip, position, turn), SLV_OK);
    }
    if (step == 50) { // garments of another index from here on
        assert_int_equal(slv_world_remove_garment(world, slv_world_get_garment(world, 1)), SLV_OK);
    }
}

// Everything that a caller may do between steps.
static void disturb(slv_world *world, uint32_t step) {
    const slv_garment_id first = slv_world_get_garment(world, 0);
    const uint32_t corner = 0;
    const float places[2][3] = {{0.3f, 2.4f, 0.1f}, {-0.2f, 2.1f, 0.0f}};
    slv_parameters parameters = slv_world_get_parameters(world);
    if (step % 40 == 5) {
        (void)slv_garment_move_fixed(world, first, &corner, 1, places[step / 40 % 2], 17);
    }
    if (step % 50 == 20) {
        parameters.relaxation = step % 100 == 20 ? 1.1f : 0.9f;
        parameters.gravity[0] = step % 100 == 20 ? 1.0f : -1.0f;
        (void)slv_world_set_parameters(world, &parameters);
    }
    if (step % 60 == 45) {
        const uint32_t held = 3;
        (void)slv_garment_set_fixed(world, first, &held, 1, step % 120 == 45);
    }
    if (step % 70 == 33) {
        const double position[3] = {0.1 * (step / 70 % 3), 0.2, 0.0};
        const float turn[4] = {0.0f, 0.6f, 0.0f, 0.8f};
        (void)slv_garment_teleport(world, first, position, turn);
    }
    if (step % 90 == 38) {
        const double origin[3] = {step % 180 == 38 ? 7.0 : 0.0, -0.5, 3.0};
        assert_int_equal(slv_world_set_origin(world, origin), SLV_OK);
    }
    if (step % 50 == 30) {
        slv_garment_material material;
        assert_int_equal(slv_garment_get_material(world, first, &material), SLV_OK);
        material.stretch_stiffness = step % 100 == 30 ? 700.0f : 900.0f;
        material.thickness = 0.01f;
        assert_int_equal(slv_garment_set_material(world, first, &material), SLV_OK);
    }
    if (step % 80 == 64) {
        parameters.inner_iterations = 1 + step / 80 % 3;
        (void)slv_world_set_parameters(world, &parameters);
    }
}

const parity_scene parity_scenes[] = {
    {"two cloths", fill_cloths, NULL},
    {"solid with holes", fill_solid, NULL},
    {"shear and bending", fill_sheared, NULL},
    {"mesh", fill_mesh, NULL},
    {"chains", fill_chains, NULL},
    {"mixture", fill_mixture, NULL},
    {"soft", fill_soft, NULL},
    {"bodies", fill_bodies, NULL},
    {"disturbed bodies", fill_bodies, disturb},
    {"disturbed cloth", fill_cloths, disturb},
    {"disturbed mesh", fill_mesh, disturb},
    {"contacts", fill_contacts, disturb_contacts},
    {"few contacts", fill_few_contacts, disturb_contacts},
    {"painted", fill_painted, disturb_painted},
    {"inside", fill_inside, NULL},
    {"untouched", fill_untouched, NULL},
    {"clip", fill_clip, disturb_clip},
    {"sleeping", fill_sleeping, disturb_sleeping},
    {"surfaces", fill_surfaces, NULL},
    {"triangles", fill_triangles, NULL},
    {"flexed", fill_flexed, disturb},
    {"locked", fill_locked, disturb_locked},
};
const size_t parity_scene_count = sizeof parity_scenes / sizeof *parity_scenes;

const parity_scene *parity_find(const char *name) {
    size_t s = 0;
    while (strcmp(parity_scenes[s].name, name) != 0) {
        s++;
    }
    return &parity_scenes[s];
}

slv_world_def parity_def(const char *backend) {
    slv_world_def def = slv_default_world_def();
    def.parameters.outer_iterations = 2;
    def.parameters.inner_iterations = 2;
    def.backend = backend;
    def.fallback = false;
    def.deterministic = strcmp(backend, "cpu") != 0;
    def.threads = 1;
    return def;
}

slv_world *parity_open(const parity_scene *scene, slv_solver solver, const slv_world_def *def) {
    slv_world_def own = *def;
    own.parameters.solver = solver;
    soften_for_integrators(&own, 0.002f, 25.0f);
    slv_world *world = must_create(&own);
    scene->fill(world);
    return world;
}
