// SPDX-License-Identifier: MIT
// Contacts of triangles with colliders: points between particles stay outside too. Depths are found here by formulas of
// the shapes, in double, at many points of each triangle.
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum {
    SIDE = 9,
    POINTS = 10
}; // particles along an edge of the cloth; points along an edge of a triangle

static const double spacing = 0.05;

typedef struct fall {
    slv_collider_def collider;
    bool triangles;
    uint32_t threads;
} fall;

static slv_collider_def make_shape(slv_collider_kind kind) {
    slv_collider_def def = slv_default_collider_def();
    def.kind = kind;
    def.radius = 0.02f;
    def.length = 0.2f;
    def.size[0] = def.size[1] = def.size[2] = 0.2f;
    def.position[0] = 0.017; // not below a particle
    def.position[2] = 0.009;
    return def;
}

// A quarter or half of a turn around z, and then some around x.
static void turn(slv_collider_def *def, double around_z, double around_x) {
    const double z = 0.5 * around_z;
    const double x = 0.5 * around_x;
    def->rotation[0] = (float)(sin(x) * cos(z));
    def->rotation[1] = (float)(-sin(x) * sin(z));
    def->rotation[2] = (float)(cos(x) * sin(z));
    def->rotation[3] = (float)(cos(x) * cos(z));
}

// --- Depth ------------------------------------------------------------------------------------------

static void to_local(const slv_collider_def *def, const double p[3], double local[3]) {
    const double axis[3] = {-(double)def->rotation[0], -(double)def->rotation[1],
                            -(double)def->rotation[2]};
    const double w = (double)def->rotation[3];
    double v[3];
    double t[3];
    for (int d = 0; d < 3; d++) {
        v[d] = p[d] - def->position[d];
    }
    for (int d = 0; d < 3; d++) {
        const int e = (d + 1) % 3;
        const int f = (d + 2) % 3;
        t[d] = 2.0 * (axis[e] * v[f] - axis[f] * v[e]);
    }
    for (int d = 0; d < 3; d++) {
        const int e = (d + 1) % 3;
        const int f = (d + 2) % 3;
        local[d] = v[d] + w * t[d] + axis[e] * t[f] - axis[f] * t[e];
    }
}

// How deep a point is in a shape; below 0 outside.
static double find_depth(const slv_collider_def *def, const double point[3]) {
    double p[3];
    to_local(def, point, p);
    const double half = 0.5 * (double)def->size[0];
    if (def->kind == SLV_COLLIDER_BOX) {
        return fmin(half - fabs(p[0]), fmin(half - fabs(p[1]), half - fabs(p[2])));
    }
    if (def->kind == SLV_COLLIDER_WEDGE) { // |x| <= y / 2 up to the top
        const double side = (0.5 * p[1] - fabs(p[0])) / sqrt(1.25);
        return fmin(side, fmin((double)def->size[1] - p[1], half - fabs(p[2])));
    }
    const double axis = def->kind == SLV_COLLIDER_CAPSULE ? 0.5 * (double)def->length : 0.0;
    const double beyond = p[1] - fmax(fmin(p[1], axis), -axis);
    return (double)def->radius - sqrt(p[0] * p[0] + beyond * beyond + p[2] * p[2]);
}

static void weigh(const float *a, const float *b, const float *c, int i, int j, double point[3]) {
    const double u = (double)i / POINTS;
    const double v = (double)j / POINTS;
    for (int d = 0; d < 3; d++) {
        point[d] = (1.0 - u - v) * (double)a[d] + u * (double)b[d] + v * (double)c[d];
    }
}

static double find_deepest(slv_world *world, slv_garment_id id, const slv_collider_def *def) {
    static float at[SIDE * SIDE][3];
    double deepest = -1.0;
    for (uint32_t p = 0; p < SIDE * SIDE; p++) {
        must_position(world, id, p, at[p]);
    }
    for (uint32_t n = 0; n < 2 * (SIDE - 1) * (SIDE - 1); n++) {
        const uint32_t a = n / 2 / (SIDE - 1) * SIDE + n / 2 % (SIDE - 1);
        const uint32_t b = n % 2 ? a + SIDE + 1 : a + 1;
        const uint32_t c = n % 2 ? a + SIDE : a + SIDE + 1;
        for (int i = 0; i <= POINTS; i++) {
            for (int j = 0; i + j <= POINTS; j++) {
                double point[3];
                weigh(at[a], at[b], at[c], i, j, point);
                deepest = fmax(deepest, find_depth(def, point));
            }
        }
    }
    return deepest;
}

// --- Cloth that falls -------------------------------------------------------------------------------

// The middle of the cloth is above the origin at a height, without its thickness.
static slv_world *begin(const fall *scene, double height, slv_garment_id *id) {
    slv_world_def def = slv_default_world_def();
    slv_garment_def garment = slv_default_garment_def();
    def.parameters.solver = SLV_PBD_GS;
    def.threads = scene->threads;
    slv_world *world = must_create(&def);
    slv_collider_id collider;
    assert_int_equal(slv_world_add_collider(world, &scene->collider, &collider), SLV_OK);
    garment.particle_mass = 0.001f;
    garment.triangle_collision = scene->triangles;
    garment.position[0] = garment.position[2] = -0.5 * (SIDE - 1) * spacing;
    garment.position[1] = height;
    *id = must_add(world, make_grid(SIDE, 1, SIDE, (float)spacing, NULL), garment);
    return world;
}

// The depth of the deepest point of the cloth in any step.
static double fall_on(const fall *scene, double height, uint32_t steps) {
    slv_garment_id id;
    slv_world *world = begin(scene, height, &id);
    double deepest = -1.0;
    for (uint32_t n = 0; n < steps; n++) {
        must_step(world, 1);
        deepest = fmax(deepest, find_deepest(world, id, &scene->collider));
    }
    slv_world_destroy(world);
    return deepest;
}

static void check_shape(slv_collider_def collider, double top) {
    const fall with = {.collider = collider, .triangles = true, .threads = 1};
    const fall without = {.collider = collider, .triangles = false, .threads = 1};
    const double deepest = fall_on(&with, top + 0.03, 200);
    if (deepest > 0.0) {
        fail_msg("kind %d reaches %g mm into the cloth", collider.kind, 1000.0 * deepest);
    }
    assert_true(fall_on(&without, top + 0.03, 200) > 0.001); // the particles alone do not see it
}

static void nothing_reaches_through_cloth_between_its_particles(void **state) {
    (void)state;
    slv_collider_def box = make_shape(SLV_COLLIDER_BOX);
    slv_collider_def wedge = make_shape(SLV_COLLIDER_WEDGE);
    check_shape(make_shape(SLV_COLLIDER_SPHERE), 0.02);
    check_shape(make_shape(SLV_COLLIDER_CAPSULE), 0.12);
    turn(&box, 0.7853981634, 0.0); // an edge upwards
    check_shape(box, 0.1 * sqrt(2.0));
    turn(&box, 0.7853981634, 0.6154797087); // a corner
    check_shape(box, 0.1 * sqrt(3.0));
    turn(&wedge, 3.1415926536, 0.0);
    check_shape(wedge, 0.0);
}

// --- Starts inside ----------------------------------------------------------------------------------

// A sphere around which no particle is. Its surface is push_out_speed away from the cloth in a second.
static void cloth_that_starts_around_a_sphere_is_not_launched(void **state) {
    (void)state;
    fall scene = {.collider = make_shape(SLV_COLLIDER_SPHERE), .triangles = true, .threads = 1};
    slv_garment_id id;
    slv_world *world = begin(&scene, 0.005, &id);
    float before[3];
    float after[3];
    double fastest = 0.0;
    for (uint32_t n = 0; n < 100; n++) {
        must_position(world, id, SIDE * SIDE / 2, before);
        must_step(world, 1);
        must_position(world, id, SIDE * SIDE / 2, after);
        fastest = fmax(fastest, (double)(after[1] - before[1]) / 0.002);
    }
    assert_true(fastest > 0.2); // it is pushed out
    assert_true(fastest < 1.0); // corners of a triangle move by more than its points
    assert_true(find_deepest(world, id, &scene.collider) < 0.0);
    slv_world_destroy(world);
}

// --- Faces ------------------------------------------------------------------------------------------

static uint64_t hash_after(const fall *scene, double height, uint32_t steps) {
    slv_garment_id id;
    slv_world *world = begin(scene, height, &id);
    must_step(world, steps);
    const uint64_t hash = must_hash(world);
    slv_world_destroy(world);
    return hash;
}

static void cloth_on_a_face_is_left_to_its_particles(void **state) {
    (void)state;
    fall scene = {.collider = make_shape(SLV_COLLIDER_BOX), .threads = 1};
    scene.collider.size[0] = scene.collider.size[1] = scene.collider.size[2] = 2.0f;
    const uint64_t plain = hash_after(&scene, 1.02, 150);
    scene.triangles = true;
    assert_true(hash_after(&scene, 1.02, 150) == plain);
    scene.collider.kind = SLV_COLLIDER_PLANE;
    const uint64_t with = hash_after(&scene, 0.02, 150);
    scene.triangles = false;
    assert_true(hash_after(&scene, 0.02, 150) == with);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    fall scene = {.collider = make_shape(SLV_COLLIDER_BOX), .triangles = true, .threads = 1};
    turn(&scene.collider, 0.6, 0.4);
    const uint64_t one = hash_after(&scene, 0.2, 200);
    scene.threads = 3;
    assert_true(hash_after(&scene, 0.2, 200) == one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_reaches_through_cloth_between_its_particles),
        cmocka_unit_test(cloth_that_starts_around_a_sphere_is_not_launched),
        cmocka_unit_test(cloth_on_a_face_is_left_to_its_particles),
        cmocka_unit_test(threads_do_not_change_a_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
