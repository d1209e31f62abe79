// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700
#include "runtime/include/selvage/selvage.h"
#include "tests/formats/sample_garment.h"
#include "tests/formats/scratch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

static const char *write_text(scratch *temporary, const char *name, const char *text) {
    const char *path = scratch_path(temporary, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
    return path;
}

// A flat cloth of 4 x 3 particles in the x-z plane.
static void write_pack(scratch *temporary, const char *name) {
    sample_garment sample;
    sample_grid(&sample, 4, 1, 3);
    assert_int_equal(sample_write(&sample.garment, NULL, scratch_path(temporary, name), NULL),
                     SLV_OK);
    sample_free(&sample);
}

static slv_scene *load(scratch *temporary, const char *text) {
    slv_scene *scene = NULL;
    char message[512] = "";
    if (slv_scene_load(write_text(temporary, "scene.json", text), &scene, message,
                       sizeof message) != SLV_OK) {
        fail_msg("%s", message);
    }
    assert_string_equal(message, "");
    return scene;
}

static void assert_near_double(double value, double expected) {
    assert_true(fabs(value - expected) < 1e-9);
}

// --- Values --------------------------------------------------------------------------------------

static void the_listing_of_the_paper_is_read(void **state) {
    slv_scene *scene = load(*state, "{\n"
                                    "  \"softObjects\": [\n"
                                    "    {\n"
                                    "      \"src\": \"100cloth\",\n"
                                    "      \"position\": [0, 0, 0],\n"
                                    "      \"color\": [255, 94, 85],\n"
                                    "      \"fixed\": [0, 99]\n"
                                    "    }\n"
                                    "  ],\n"
                                    "  \"solver\": \"PD_RBGS\",\n"
                                    "  \"innerIterations\": 4,\n"
                                    "  \"outerIterations\": 4,\n"
                                    "  \"timestep\": 0.002,\n"
                                    "  \"stiffness\": 1000000,\n"
                                    "  \"gravity\": 9.82,\n"
                                    "  \"cameraPos\": [0, 0, -3],\n"
                                    "  \"tearingThreshold\": 3,\n"
                                    "  \"modelPath\": \"model/sitting/sitting\"\n"
                                    "}\n");
    const slv_scene_settings settings = slv_scene_get_settings(scene);
    assert_int_equal(settings.parameters.solver, SLV_PD_RBGS);
    assert_true(settings.time_step == 0.002);
    assert_true(settings.parameters.gravity[1] == -9.82f);
    assert_true(settings.camera_position[2] == -3.0);
    assert_false(settings.has_camera_target);
    assert_true(settings.tearing_threshold == 3.0f);
    assert_int_equal(settings.object_count, 1);
    slv_scene_object object;
    assert_int_equal(slv_scene_get_object(scene, 0, &object), SLV_OK);
    assert_int_equal(object.color[1], 94);
    assert_int_equal(object.garment.fixed_count, 2);
    assert_int_equal(object.garment.fixed[1], 99);
    assert_true(object.garment.stretch_stiffness == 1e6f);
    // Paths count from the scene's folder.
    char expected[640];
    (void)snprintf(expected, sizeof expected, "%s/100cloth", ((scratch *)*state)->folder);
    assert_string_equal(object.garment.pack_path, expected);
    (void)snprintf(expected, sizeof expected, "%s/model/sitting/sitting",
                   ((scratch *)*state)->folder);
    assert_string_equal(settings.model_path, expected);
    // A model that is no collider pack gives a warning.
    assert_int_equal(settings.warning_count, 1);
    assert_non_null(strstr(slv_scene_get_warning(scene, 0), "scene.json:18: modelPath: "));
    assert_null(slv_scene_get_warning(scene, 1));
    slv_scene_destroy(scene);
}

static void garments_of_a_scene_with_a_model_collide_unless_told_otherwise(void **state) {
    static const struct {
        const char *text;
        bool collide[2];
    } cases[] = {
        {"{\"softObjects\": [{\"src\": \"a.slv\"}, {\"src\": \"b.slv\"}]}", {false, false}},
        {"{\"softObjects\": [{\"src\": \"a.slv\"}, {\"src\": \"b.slv\"}], \"modelPath\": \"m.slv\"}",
         {true, true}},
        {"{\"softObjects\": [{\"src\": \"a.slv\", \"garmentCollision\": false}, {\"src\": \"b.slv\"}],"
         " \"modelPath\": \"m.slv\"}",
         {false, true}},
        {"{\"softObjects\": [{\"src\": \"a.slv\"}, {\"src\": \"b.slv\", \"garmentCollision\": true}],"
         " \"garmentCollision\": false, \"modelPath\": \"m.slv\"}",
         {false, true}},
        {"{\"softObjects\": [{\"src\": \"a.slv\"}, {\"src\": \"b.slv\"}], \"modelPath\": \"folder\"}",
         {false, false}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        slv_scene *scene = load(*state, cases[c].text);
        for (uint32_t i = 0; i < 2; i++) {
            slv_scene_object object;
            assert_int_equal(slv_scene_get_object(scene, i, &object), SLV_OK);
            assert_int_equal(object.garment.garment_collision, cases[c].collide[i]);
            assert_false(object.garment.self_collision);
        }
        slv_scene_destroy(scene);
    }
}

static void missing_keys_keep_their_default(void **state) {
    slv_scene *scene = load(*state, "{\"softObjects\": [{\"src\": \"a.slv\"}]}");
    const slv_scene_settings settings = slv_scene_get_settings(scene);
    const slv_world_def defaults = slv_default_world_def();
    assert_int_equal(settings.parameters.solver, defaults.parameters.solver);
    assert_int_equal(settings.parameters.inner_iterations, defaults.parameters.inner_iterations);
    assert_true(settings.parameters.gravity[1] == defaults.parameters.gravity[1]);
    assert_true(settings.time_step == defaults.time_step);
    assert_int_equal(settings.steps_per_frame, 8);
    assert_int_equal(settings.warning_count, 0);
    slv_scene_object object;
    assert_int_equal(slv_scene_get_object(scene, 0, &object), SLV_OK);
    assert_int_equal(object.garment.cookie, slv_default_garment_def().cookie);
    assert_true(object.garment.scale == 1.0f && object.garment.stretch == 1.0f);
    assert_true(object.garment.rotation[3] == 1.0f);
    assert_int_equal(object.garment.fixed_count, 0);
    assert_int_equal(slv_scene_get_object(scene, 1, &object), SLV_ERROR_ARGUMENT);
    slv_scene_destroy(scene);
}

// The defaults of a scene hold for all its objects, also where they follow the objects in the file.
static void an_object_overrides_its_scene(void **state) {
    slv_scene *scene =
        load(*state, "{\"softObjects\": [{\"src\": \"a\"}, {\"src\": \"b\", "
                     "\"stiffness\": 7, \"particleMass\": 2, \"shearStiffness\": 0, "
                     "\"bendingStiffness\": 5}],"
                     "\"stiffness\": 9, \"particleMass\": 3, \"shearStiffness\": 4}");
    slv_scene_object a, b;
    assert_int_equal(slv_scene_get_object(scene, 0, &a), SLV_OK);
    assert_int_equal(slv_scene_get_object(scene, 1, &b), SLV_OK);
    assert_true(a.garment.stretch_stiffness == 9 && b.garment.stretch_stiffness == 7);
    assert_true(a.garment.particle_mass == 3 && b.garment.particle_mass == 2);
    assert_true(a.garment.shear_stiffness == 4 && b.garment.shear_stiffness == 0);
    assert_true(a.garment.bending_stiffness == SLV_UNSET);
    assert_true(b.garment.bending_stiffness == 5);
    assert_string_equal(b.garment.pack_path + strlen(b.garment.pack_path) - 2, "/b");
    slv_scene_destroy(scene);
}

static void paths_lead_out_of_the_folder_only_where_that_is_allowed(void **state) {
    char message[512] = "";
    slv_scene *scene = NULL;
    slv_scene_object object;
    slv_scene_def def = slv_default_scene_def();
    def.path = write_text(*state, "scene.json", "{\"softObjects\": [{\"src\": \"/b\"}]}");
    assert_int_equal(slv_scene_load_def(&def, &scene, message, sizeof message), SLV_ERROR_CONTENT);
    assert_null(scene);
    assert_non_null(strstr(message, ":1: softObjects[0].src: '/b' is absolute or leads out"));
    def.allow_paths = true;
    assert_int_equal(slv_scene_load_def(&def, &scene, message, sizeof message), SLV_OK);
    assert_int_equal(slv_scene_get_object(scene, 0, &object), SLV_OK);
    assert_string_equal(object.garment.pack_path, "/b");
    slv_scene_destroy(scene);
    def.cookie = 0;
    assert_int_equal(slv_scene_load_def(&def, &scene, message, sizeof message), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_scene_load_def(NULL, &scene, message, sizeof message), SLV_ERROR_ARGUMENT);
}

static void a_negative_limit_is_no_limit(void **state) {
    slv_scene *scene = load(*state, "{\"softObjects\": [{\"src\": \"a\", \"limits\": "
                                    "{\"*\": [-0.5, 0.02], \"hem\": [0, -1]}}]}");
    slv_scene_object object;
    assert_int_equal(slv_scene_get_object(scene, 0, &object), SLV_OK);
    const slv_limit_def *limits = object.garment.limits;
    assert_int_equal(object.garment.limit_count, 2);
    assert_true(limits[0].set == NULL && limits[0].max_distance == SLV_UNSET);
    assert_true(limits[0].backstop == 0.02f);
    assert_string_equal(limits[1].set, "hem");
    assert_true(limits[1].max_distance == 0.0f && limits[1].backstop == SLV_UNSET);
    slv_scene_destroy(scene);
}

static void gravity_may_have_any_direction(void **state) {
    slv_scene *scene = load(*state, "{\"softObjects\": [], \"gravity\": [1, 2, -3]}");
    const float *gravity = slv_scene_get_settings(scene).parameters.gravity;
    assert_true(gravity[0] == 1 && gravity[1] == 2 && gravity[2] == -3);
    slv_scene_destroy(scene);
    scene = load(*state, "{\"softObjects\": [], \"gravity\": 0}");
    const slv_scene_settings settings = slv_scene_get_settings(scene);
    const float zero = 0;
    assert_memory_equal(&settings.parameters.gravity[1], &zero, sizeof zero);
    slv_scene_destroy(scene);
}

static void check_rotation(scratch *temporary, const char *written, const float expected[4]) {
    char text[256];
    (void)snprintf(text, sizeof text, "{\"softObjects\": [{\"src\": \"a\", \"rotation\": %s}]}",
                   written);
    slv_scene *scene = load(temporary, text);
    slv_scene_object object;
    assert_int_equal(slv_scene_get_object(scene, 0, &object), SLV_OK);
    for (int i = 0; i < 4; i++) {
        assert_float_equal(object.garment.rotation[i], expected[i], 1e-7f);
    }
    slv_scene_destroy(scene);
}

static void rotations_are_angles_or_quaternions(void **state) {
    const float h = 0.70710678f;
    check_rotation(*state, "[0, 0, 0]", (const float[]){0, 0, 0, 1});
    check_rotation(*state, "[90, 0, 0]", (const float[]){h, 0, 0, h});
    check_rotation(*state, "[0, -90, 0]", (const float[]){0, -h, 0, h});
    check_rotation(*state, "[0, 0, 180]", (const float[]){0, 0, 1, 0});
    check_rotation(*state, "[0, 360, 0]", (const float[]){0, 0, 0, -1});
    check_rotation(*state, "[0, 0, 60]", (const float[]){0, 0, 0.5f, 0.8660254f});
    check_rotation(*state, "[0, 0, -1234.5]", (const float[]){0, 0, 0.97534232f, -0.22069744f});
    // x first, then y: the x axis of the cloth ends along -z.
    check_rotation(*state, "[90, 90, 0]", (const float[]){0.5f, 0.5f, -0.5f, 0.5f});
    check_rotation(*state, "[0, 0, 3, 4]", (const float[]){0, 0, 0.6f, 0.8f});
}

// --- Errors --------------------------------------------------------------------------------------

typedef struct wrong_scene {
    const char *text;    // line 1 is "{"
    const char *message; // after "scene.json:"
} wrong_scene;

static void refuse(scratch *temporary, const char *text, const char *expected) {
    slv_scene *scene = (slv_scene *)temporary; // must be cleared
    char message[512] = "";
    const slv_result status =
        slv_scene_load(write_text(temporary, "scene.json", text), &scene, message, sizeof message);
    const char *said = strstr(message, "scene.json:");
    if (status != SLV_ERROR_CONTENT || said == NULL ||
        strcmp(said + strlen("scene.json:"), expected) != 0) {
        fail_msg("%s\nsaid:     %s\nexpected: …%s", text, message, expected);
    }
    assert_null(scene);
}

#define ONE "{\n\"softObjects\": [{\"src\": \"a\"}],\n"
#define OBJECT "{\"softObjects\": [{\"src\": \"a\"},\n{\"src\": \"b\",\n"

static void wrong_scenes_name_the_key_and_its_line(void **state) {
    static const wrong_scene cases[] = {
        {"[]", "1: a scene is an object in braces, not a list"},
        {"{\n}", "1: softObjects: this key is missing"},
        {ONE "\"solvr\": 1}", "3: solvr: unknown key; did you mean solver?"},
        {ONE "\"time_step\": 1}", "3: time_step: unknown key; did you mean timestep?"},
        {ONE "\"Gravity\": 1}", "3: Gravity: unknown key; did you mean gravity?"},
        {ONE "\"weather\": 1}", "3: weather: unknown key; docs/SCENES.md lists all keys"},
        {ONE "\"colliders\": [{\"type\": \"ball\"}]}",
         "3: colliders[0].type: \"ball\" is none of the values there are: plane, "
         "sphere, capsule, box, wedge, funnel, field"},
        {ONE "\"colliders\": [{\"type\": \"sphere\"}]}",
         "3: colliders[0].radius: a sphere needs this key"},
        {ONE "\"colliders\": [{\"type\": \"plane\", \"radius\": 1}]}",
         "3: colliders[0].radius: a plane has no such key"},
        {ONE "\"colliders\": [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [1, -1, 1]}]}",
         "3: colliders[0].min: a box has both min and max, and no coordinate of min is above that of max"},
        {ONE "\"locks\": [7]}", "3: locks[0]: expected an object, not a number"},
        {ONE "\"locks\": [{\"object\": 0, \"particle\": 0, \"otherObject\": 0}]}",
         "3: locks[0].otherParticle: this key is missing"},
        {ONE
         "\"locks\": [{\"object\": 0, \"particle\": 0, \"otherObject\": 1, \"otherParticle\": 0}]}",
         "3: locks[0].otherObject: 1 is out of range; the scene has 1 objects, counted from 0"},
        {ONE "\"colliders\": [{\"type\": \"plane\", \"normal\": [0, 0, 0]}]}",
         "3: colliders[0].normal: a normal of length 0 has no direction"},
        {ONE "\"solver\": \"PD_SOR\"}",
         "3: solver: \"PD_SOR\" is none of the values there are: AUTO, PD_GS, PD_JACOBI, "
         "PD_RBGS, PBD_JACOBI, PBD_GS, PD_MULTIGRID, MS_EXPLICIT_EULER, MS_SYMPLECTIC_EULER, MS_MIDPOINT, MS_RK4, "
         "MS_VERLET, MS_IMPLICIT_EULER, MS_CONSTANT_MATRIX, MS_LOCAL_GLOBAL, MS_LAGRANGE"},
        {ONE "\"solver\": 2}", "3: solver: expected a string, not a number"},
        {ONE "\"timestep\": \"fast\"}", "3: timestep: expected a number, not a string"},
        {ONE "\"timestep\": 0}",
         "3: timestep: 0 is out of range; it must be a number from 1e-06 to 1"},
        {ONE "\"timestep\": -0.002}",
         "3: timestep: -0.002 is out of range; it must be a number from 1e-06 to 1"},
        {ONE "\"timestep\": 1e30}",
         "3: timestep: 1e30 is out of range; it must be a number from 1e-06 to 1"},
        {ONE "\"timestep\": NaN}", "3:13: expected a value (number, string, true, false, null, "
                                   "array or object), not 'N'"},
        {ONE "\"timestep\": 1e999}", "3:13: 1e999 is too large; numbers end at 1.79e308"},
        {ONE "\"relaxation\": 2}",
         "3: relaxation: 2 is out of range; it must be a number from 0.001 to 1.999"},
        {ONE "\"relaxation\": 1e-60}", // zero as a float
         "3: relaxation: 1e-60 is out of range; it must be a number from 0.001 to 1.999"},
        {ONE "\"relaxation\": 1.99999999999}", // two as a float
         "3: relaxation: 1.99999999999 is out of range; it must be a number from 0.001 to 1.999"},
        {ONE "\"innerIterations\": 2.5}",
         "3: innerIterations: 2.5 is no whole number; it must be one from 0 to 10000"},
        {ONE "\"outerIterations\": -1}",
         "3: outerIterations: -1 is out of range; it must be a whole number from 0 to 10000"},
        {ONE "\"stepsPerFrame\": 0}",
         "3: stepsPerFrame: 0 is out of range; it must be a whole number from 1 to 10000"},
        {ONE "\"stiffness\": 0}",
         "3: stiffness: 0 is out of range; it must be a number from 1e-06 to 1e+12"},
        {ONE "\"particleMass\": -1}",
         "3: particleMass: -1 is out of range; it must be a number from 1e-09 to 1000000000"},
        {ONE "\"damping\": -1}",
         "3: damping: -1 is out of range; it must be a number from 0 to 1000000"},
        {ONE "\"integrate\": 1}", "3: integrate: expected true or false, not a number"},
        {ONE "\"gravity\": true}",
         "3: gravity: expected a number (downwards) or a list of three, not true or false"},
        {ONE "\"gravity\": [0, 1]}",
         "3: gravity: expected 3 numbers, not 2: write it like [0, 1.5, 0]"},
        {ONE "\"gravity\": [0,\n0, 1e30]}",
         "4: gravity[2]: 1e30 is out of range; it must be a number from -1000000 to 1000000"},
        {ONE "\"cameraPos\": [0, 0, null]}", "3: cameraPos[2]: expected a number, not null"},
        {ONE "\"tearingThreshold\": 1}",
         "3: tearingThreshold: 1 is out of range; it must be a number from 1.0001 to 1000000"},
        {ONE "\"modelPath\": \"\"}", "3: modelPath: this text is empty"},
        {ONE "\"timestep\": 0.1,\n\"timestep\": 0.1}",
         "4:1: the key \"timestep\" is given twice; first in line 3"},
        {"{\"softObjects\": {}}", "1: softObjects: expected a list, not an object"},
        {"{\"softObjects\": [\n7]}", "2: softObjects[0]: expected an object, not a number"},
        {"{\"softObjects\": [\n{}]}", "2: softObjects[0].src: this key is missing"},
        {"{\"softObjects\": [{\"src\": 5}]}",
         "1: softObjects[0].src: expected a string, not a number"},
        {"{\"softObjects\": [{\"src\": \"a\\u0000b\"}]}",
         "1: softObjects[0].src: \\u0000 may not stand in this text"},
        {OBJECT "\"fixed\": [-3]}]}",
         "3: softObjects[1].fixed[0]: -3 is out of range; it must be a whole number from 0 to "
         "4294967294"},
        {OBJECT "\"fixed\": [0,\n1,\n\"2\"]}]}",
         "5: softObjects[1].fixed[2]: expected a number, not a string"},
        {OBJECT "\"fixed\": 3}]}", "3: softObjects[1].fixed: expected a list, not a number"},
        {OBJECT "\"fixedSets\": [\"top\", 1]}]}",
         "3: softObjects[1].fixedSets[1]: expected a string, not a number"},
        {OBJECT "\"colour\": [1, 2, 3]}]}",
         "3: softObjects[1].colour: unknown key; did you mean color?"},
        {OBJECT "\"color\": [1, 2, 256]}]}",
         "3: softObjects[1].color[2]: 256 is out of range; it must be a whole number from 0 to "
         "255"},
        {OBJECT "\"color\": \"red\"}]}", "3: softObjects[1].color: expected a list, not a string"},
        {OBJECT "\"rotation\": [1, 2]}]}",
         "3: softObjects[1].rotation: expected three angles in degrees, like [90, 0, 0], or a "
         "quaternion x, y, z, w of four numbers, not 2"},
        {OBJECT "\"rotation\": [0, 0, 0, 0]}]}",
         "3: softObjects[1].rotation: a quaternion of length 0 is no rotation; [0, 0, 0, 1] is "
         "none"},
        {OBJECT "\"scale\": 0}]}",
         "3: softObjects[1].scale: 0 is out of range; it must be a number from 1e-06 to "
         "1000000"},
        {OBJECT "\"stretch\": -5}]}",
         "3: softObjects[1].stretch: -5 is out of range; it must be a number from 1e-06 to "
         "1000000"},
        {OBJECT "\"velocity\": 3}]}", "3: softObjects[1].velocity: expected a list, not a number"},
        {OBJECT "\"shearStiffness\": -1}]}",
         "3: softObjects[1].shearStiffness: -1 is out of range; it must be 0 or a number from 1e-06 "
         "to 1e+12"},
        {OBJECT "\"gravity\": 3}]}", "3: softObjects[1].gravity: unknown key; docs/SCENES.md lists "
                                     "all keys"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        refuse(*state, cases[i].text, cases[i].message);
    }
}

static void an_unreadable_scene_is_an_error(void **state) {
    slv_scene *scene = NULL;
    char message[512];
    assert_int_equal(
        slv_scene_load(scratch_path(*state, "absent.json"), &scene, message, sizeof message),
        SLV_ERROR_FILE);
    assert_non_null(strstr(message, "absent.json: cannot open: "));
    assert_int_equal(slv_scene_load(((scratch *)*state)->folder, &scene, message, sizeof message),
                     SLV_ERROR_FILE);
    assert_int_equal(slv_scene_load(NULL, &scene, message, sizeof message), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_scene_load("x", NULL, NULL, 0), SLV_ERROR_ARGUMENT);
    slv_scene_destroy(NULL);
}

// A sparse file of 3 GB takes no room on the disk. Reading it whole would take 3 GB of memory.
static void a_scene_file_of_three_gigabytes_is_refused_unread(void **state) {
    const char *path = write_text(*state, "large.json", "{");
    assert_int_equal(truncate(path, (off_t)3 << 30), 0);
    struct rusage before, after;
    assert_int_equal(getrusage(RUSAGE_SELF, &before), 0);
    slv_scene *scene = NULL;
    char message[512];
    assert_int_equal(slv_scene_load(path, &scene, message, sizeof message), SLV_ERROR_CONTENT);
    assert_int_equal(getrusage(RUSAGE_SELF, &after), 0);
    assert_null(scene);
    assert_non_null(strstr(message, "large.json: has 3221225472 bytes, a scene file has at most "));
    assert_true(after.ru_maxrss - before.ru_maxrss < 64 * 1024); // KB
}

// --- Worlds --------------------------------------------------------------------------------------

static slv_world *make_world(const slv_scene *scene, const slv_world_def *def) {
    slv_world *world = NULL;
    char message[512] = "";
    if (slv_scene_create_world(scene, def, &world, message, sizeof message) != SLV_OK) {
        fail_msg("%s", message);
    }
    return world;
}

static void get_position(slv_world *world, uint32_t garment, uint32_t particle, float position[3]) {
    slv_particle_view view;
    assert_int_equal(slv_garment_get_positions(world, slv_world_get_garment(world, garment), &view),
                     SLV_OK);
    assert_true(particle < view.count);
    slv_particle_view_get(&view, particle, position);
}

static void fixed_numbers_are_in_own_order(void **state) {
    write_pack(*state, "cloth.slv");
    slv_scene *scene =
        load(*state, "{\"softObjects\": [{\"src\": \"cloth.slv\", \"fixed\": [1, 6]}]}");
    slv_world *world = make_world(scene, NULL);
    slv_particle_view view;
    assert_int_equal(slv_garment_get_positions(world, slv_world_get_garment(world, 0), &view),
                     SLV_OK);
    assert_int_equal(view.count, 12);
    float before[12][3];
    for (uint32_t p = 0; p < 12; p++) {
        get_position(world, 0, p, before[p]);
    }
    // Own order: x fastest. Particle 1 is the second along x, 6 the third of the second row.
    assert_true(before[1][0] > before[0][0] && before[1][2] == before[0][2]);
    assert_true(before[6][0] == before[2][0] && before[6][2] > before[2][2]);
    assert_int_equal(slv_world_step(world, 20), SLV_OK);
    for (uint32_t p = 0; p < 12; p++) {
        float after[3];
        get_position(world, 0, p, after);
        const bool held = p == 1 || p == 6 || p == 0; // 0 by the pack itself
        assert_true((after[1] == before[p][1]) == held);
    }
    slv_world_destroy(world);
    slv_scene_destroy(scene);
}

static void objects_start_at_the_pose_of_the_scene(void **state) {
    write_pack(*state, "cloth.slv");
    slv_scene *scene =
        load(*state, "{\"softObjects\": [{\"src\": \"cloth.slv\"}, {\"src\": \"cloth.slv\", "
                     "\"position\": [1, 2, 3], \"rotation\": [0, 0, 90], \"scale\": 2, "
                     "\"stretch\": 3}]}");
    slv_world *world = make_world(scene, NULL);
    assert_int_equal(slv_world_get_garment_count(world), 2);
    for (uint32_t p = 0; p < 12; p++) {
        float plain[3], transformed[3];
        get_position(world, 0, p, plain);
        get_position(world, 1, p, transformed);
        assert_float_equal(transformed[0], 1 - 6 * plain[1], 1e-5f); // x turns towards y
        assert_float_equal(transformed[1], 2 + 6 * plain[0], 1e-5f);
        assert_float_equal(transformed[2], 3 + 6 * plain[2], 1e-5f);
    }
    slv_world_destroy(world);
    slv_scene_destroy(scene);
}

static void a_changed_definition_overrides_the_scene(void **state) {
    write_pack(*state, "cloth.slv");
    slv_scene *scene = load(*state, "{\"softObjects\": [{\"src\": \"cloth.slv\"}], "
                                    "\"solver\": \"PD_GS\", \"innerIterations\": 3}");
    slv_world_def def = slv_scene_get_world_def(scene);
    assert_int_equal(def.parameters.solver, SLV_PD_GS);
    def.parameters.solver = SLV_PBD_GS;
    slv_world *world = make_world(scene, &def);
    const slv_parameters parameters = slv_world_get_parameters(world);
    assert_int_equal(parameters.solver, SLV_PBD_GS);
    assert_int_equal(parameters.inner_iterations, 3);
    slv_world_destroy(world);
    slv_scene_destroy(scene);
}

static void refuse_world(scratch *temporary, const char *text, slv_result status,
                         const char *expected) {
    slv_scene *scene = load(temporary, text);
    slv_world *world = NULL;
    char message[512] = "";
    assert_int_equal(slv_scene_create_world(scene, NULL, &world, message, sizeof message), status);
    assert_null(world);
    if (strstr(message, expected) == NULL) {
        fail_msg("said \"%s\", expected \"…%s…\"", message, expected);
    }
    slv_scene_destroy(scene);
}

static void a_lock_joins_particles_of_two_objects(void **state) {
    write_pack(*state, "cloth.slv");
    slv_scene *scene = load(*state, "{\"softObjects\": [{\"src\": \"cloth.slv\", \"instances\":\n"
                                    "[[0, 0, 0], [0, 0.5, 0]]}, {\"src\": \"cloth.slv\"}],\n"
                                    "\"locks\": [{\"object\": 2, \"particle\": 4, \"otherObject\": "
                                    "1, \"otherParticle\": 4},\n{\"object\": 0, \"particle\": 11, "
                                    "\"otherObject\": 0, \"otherParticle\": 3, \"length\": 0.2, "
                                    "\"slack\": true}]}");
    assert_int_equal(slv_scene_get_settings(scene).lock_count, 2);
    slv_scene_lock lock;
    assert_int_equal(slv_scene_get_lock(scene, 1, &lock), SLV_OK);
    assert_true(lock.def.slack && lock.def.length == 0.2f && lock.def.particle == 11);
    assert_int_equal(slv_scene_get_lock(scene, 2, &lock), SLV_ERROR_ARGUMENT);
    slv_world *world = make_world(scene, NULL);
    slv_lock_def def;
    assert_int_equal(slv_world_get_lock_count(world), 2);
    assert_int_equal(slv_lock_get_def(world, slv_world_get_lock(world, 0), &def), SLV_OK);
    assert_int_equal(slv_garment_get_index(world, def.garment), 2);
    assert_int_equal(slv_garment_get_index(world, def.other_garment), 1);
    assert_true(def.length == 0.5f);
    slv_world_destroy(world);
    slv_scene_destroy(scene);
    refuse_world(*state,
                 "{\"softObjects\": [{\"src\": \"cloth.slv\"}], \"locks\": [\n{\"object\": 0, "
                 "\"particle\": 0, \"otherObject\": 0, \"otherParticle\": 12}]}",
                 SLV_ERROR_CONTENT,
                 "scene.json:2: locks[0]: other_particle is 12; the garment has 12 particles, "
                 "counted from 0");
}

static void a_missing_set_is_named_with_its_line(void **state) {
    write_pack(*state, "cloth.slv");
    refuse_world(*state, "{\"softObjects\": [{\"src\": \"cloth.slv\", \"fixed\": [11,\n12]}]}",
                 SLV_ERROR_CONTENT,
                 "scene.json:2: softObjects[0].fixed[1]: 12 is out of range; the pack has 12 "
                 "particles, counted from 0");
    refuse_world(*state,
                 "{\"softObjects\": [{\"src\": \"cloth.slv\"},{\"src\": \"cloth.slv\",\n"
                 "\"fixedSets\": [\"no such set\"]}]}",
                 SLV_ERROR_CONTENT,
                 "scene.json:2: softObjects[1].fixedSets[0]: the pack has no set \"no such set\"");
    refuse_world(*state, "{\"softObjects\": [\n{\n\"src\": \"none.slv\"}]}", SLV_ERROR_FILE,
                 "scene.json:3: softObjects[0].src: ");
    (void)write_text(*state, "bad.slv", "this is no pack, whatever its name says");
    refuse_world(*state, "{\"softObjects\": [\n{\n\"src\": \"bad.slv\"}]}", SLV_ERROR_CONTENT,
                 "scene.json:3: softObjects[0].src: ");
}

// --- Far away ------------------------------------------------------------------------------------

// Hash after 100 steps of a scene whose positions are moved by x, y and -x.
static uint64_t play_at(scratch *temporary, double x, double y) {
    char text[1000];
    char message[512] = "";
    double origin[3];
    slv_world *world = NULL;
    uint64_t hash = 0;
    (void)snprintf(
        text, sizeof text,
        "{\"softObjects\": [{\"src\": \"cloth.slv\", \"position\": [%.10g, %.10g, %.10g]},\n"
        "{\"src\": \"cloth.slv\", \"position\": [%.10g, %.10g, %.10g]}],\n"
        "\"colliders\": [{\"type\": \"plane\", \"offset\": %.10g},\n"
        "{\"type\": \"box\", \"min\": [%.10g, %.10g, %.10g], \"max\": [%.10g, %.10g, %.10g]},\n"
        "{\"type\": \"sphere\", \"radius\": 0.3, \"center\": [%.10g, %.10g, %.10g]}]}",
        x + 0.1, y + 1.3, 0.0 - x, x - 0.7, y + 1.1, 0.4 - x, y - 0.2, x - 1.2, y - 0.1, -x - 0.6,
        x + 0.3, y + 0.7, 0.9 - x, x + 0.3, y + 0.6, 0.2 - x);
    slv_scene *scene = load(temporary, text);
    assert_near_double(slv_scene_get_settings(scene).camera_position[0], x);
    if (slv_scene_create_world(scene, NULL, &world, message, sizeof message) != SLV_OK) {
        fail_msg("%s", message);
    }
    slv_world_get_origin(world, origin);
    assert_near_double(origin[0], x);
    assert_near_double(origin[2], -x);
    assert_int_equal(slv_world_step(world, 100), SLV_OK);
    assert_int_equal(slv_world_get_hash(world, &hash), SLV_OK);
    slv_world_destroy(world);
    slv_scene_destroy(scene);
    return hash;
}

static void a_scene_plays_the_same_anywhere(void **state) {
    write_pack(*state, "cloth.slv");
    const uint64_t here = play_at(*state, 0.0, 0.0);
    assert_true(play_at(*state, 10000.0, 0.0) == here);
    assert_true(play_at(*state, -100000.0, 304.0) == here);
}

static void a_scene_may_choose_its_origin(void **state) {
    slv_scene *scene = load(*state, "{\"origin\": [1, 2.5, -3], \"softObjects\": "
                                    "[{\"src\": \"a\", \"position\": [5000, 0, 0]}]}");
    const slv_world_def def = slv_scene_get_world_def(scene);
    assert_near_double(def.origin[0], 1.0);
    assert_near_double(def.origin[1], 2.5);
    slv_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_listing_of_the_paper_is_read),
        cmocka_unit_test(missing_keys_keep_their_default),
        cmocka_unit_test(garments_of_a_scene_with_a_model_collide_unless_told_otherwise),
        cmocka_unit_test(an_object_overrides_its_scene),
        cmocka_unit_test(paths_lead_out_of_the_folder_only_where_that_is_allowed),
        cmocka_unit_test(a_negative_limit_is_no_limit),
        cmocka_unit_test(gravity_may_have_any_direction),
        cmocka_unit_test(rotations_are_angles_or_quaternions),
        cmocka_unit_test(wrong_scenes_name_the_key_and_its_line),
        cmocka_unit_test(an_unreadable_scene_is_an_error),
        cmocka_unit_test(a_scene_file_of_three_gigabytes_is_refused_unread),
        cmocka_unit_test(fixed_numbers_are_in_own_order),
        cmocka_unit_test(objects_start_at_the_pose_of_the_scene),
        cmocka_unit_test(a_changed_definition_overrides_the_scene),
        cmocka_unit_test(a_lock_joins_particles_of_two_objects),
        cmocka_unit_test(a_missing_set_is_named_with_its_line),
        cmocka_unit_test(a_scene_plays_the_same_anywhere),
        cmocka_unit_test(a_scene_may_choose_its_origin),
    };
    return cmocka_run_group_tests(tests, scratch_set_up, scratch_tear_down);
}
