// SPDX-License-Identifier: MIT
#include "runtime/scene_keys.h"

#include <string.h>

// Lengths and speeds end at a million: beyond that a float cannot tell a millimetre from nothing.
#define FAR 1e6
#define STIFFEST 1e12

#define SCENE(field) offsetof(slv_scene_values, field)
#define OBJECT(field) offsetof(slv_scene_object, field)

// Keys that both a scene and each of its objects may have. GARMENT(field) is where they go.
#define GARMENT_KEYS(GARMENT)                                                                      \
    {.name = "stiffness",                                                                          \
     .kind = SLV_KEY_NUMBER,                                                                       \
     .offset = GARMENT(stretch_stiffness),                                                         \
     .max = STIFFEST,                                                                              \
     .min_open = true},                                                                            \
        {.name = "shearStiffness",                                                                 \
         .kind = SLV_KEY_NUMBER,                                                                   \
         .offset = GARMENT(shear_stiffness),                                                       \
         .max = STIFFEST},                                                                         \
        {.name = "bendingStiffness",                                                               \
         .kind = SLV_KEY_NUMBER,                                                                   \
         .offset = GARMENT(bending_stiffness),                                                     \
         .max = STIFFEST},                                                                         \
    {                                                                                              \
        .name = "particleMass", .kind = SLV_KEY_NUMBER, .offset = GARMENT(particle_mass),          \
        .max = 1e6, .min_open = true                                                               \
    }

#define SCENE_GARMENT(field) SCENE(garment.field)
#define OBJECT_GARMENT(field) OBJECT(garment.field)

static const slv_scene_key scene_keys[] = {
    {.name = "$schema", .kind = SLV_KEY_REMARK},
    {.name = "description", .kind = SLV_KEY_REMARK},
    {.name = "softObjects", .kind = SLV_KEY_OBJECTS, .required = true},
    {.name = "solver", .kind = SLV_KEY_SOLVER, .offset = SCENE(settings.parameters.solver)},
    {.name = "innerIterations",
     .kind = SLV_KEY_COUNT,
     .offset = SCENE(settings.parameters.inner_iterations),
     .max = 10000},
    {.name = "outerIterations",
     .kind = SLV_KEY_COUNT,
     .offset = SCENE(settings.parameters.outer_iterations),
     .max = 10000},
    {.name = "relaxation",
     .kind = SLV_KEY_NUMBER,
     .offset = SCENE(settings.parameters.relaxation),
     .max = 2,
     .min_open = true,
     .max_open = true},
    {.name = "dampedJacobi",
     .kind = SLV_KEY_SWITCH,
     .offset = SCENE(settings.parameters.damped_jacobi)},
    {.name = "integrate", .kind = SLV_KEY_SWITCH, .offset = SCENE(settings.parameters.integrate)},
    {.name = "timestep",
     .kind = SLV_KEY_SECONDS,
     .offset = SCENE(settings.time_step),
     .max = 1,
     .min_open = true},
    {.name = "stepsPerFrame",
     .kind = SLV_KEY_COUNT,
     .offset = SCENE(settings.steps_per_frame),
     .min = 1,
     .max = 10000},
    {.name = "gravity",
     .kind = SLV_KEY_GRAVITY,
     .offset = SCENE(settings.parameters.gravity),
     .min = -FAR,
     .max = FAR},
    {.name = "damping",
     .kind = SLV_KEY_NUMBER,
     .offset = SCENE(settings.parameters.damping),
     .max = 1e6},
    GARMENT_KEYS(SCENE_GARMENT),
    {.name = "cameraPos",
     .kind = SLV_KEY_VECTOR,
     .offset = SCENE(settings.camera_position),
     .min = -FAR,
     .max = FAR},
    {.name = "tearingThreshold",
     .kind = SLV_KEY_NUMBER,
     .offset = SCENE(settings.tearing_threshold),
     .min = 1,
     .max = 1e6,
     .min_open = true,
     .warning = "cloth does not tear in this version"},
    {.name = "modelPath",
     .kind = SLV_KEY_PATH,
     .offset = SCENE(settings.model_path),
     .warning = "this version shows no animated model"},
};

static const slv_scene_key object_keys[] = {
    {.name = "description", .kind = SLV_KEY_REMARK},
    {.name = "src", .kind = SLV_KEY_PATH, .offset = OBJECT(garment.pack_path), .required = true},
    {.name = "position",
     .kind = SLV_KEY_VECTOR,
     .offset = OBJECT(garment.position),
     .min = -FAR,
     .max = FAR},
    {.name = "rotation",
     .kind = SLV_KEY_ROTATION,
     .offset = OBJECT(garment.rotation),
     .min = -36000,
     .max = 36000},
    {.name = "scale",
     .kind = SLV_KEY_NUMBER,
     .offset = OBJECT(garment.scale),
     .max = FAR,
     .min_open = true},
    {.name = "stretch",
     .kind = SLV_KEY_NUMBER,
     .offset = OBJECT(garment.stretch),
     .max = FAR,
     .min_open = true},
    {.name = "velocity",
     .kind = SLV_KEY_VECTOR,
     .offset = OBJECT(garment.velocity),
     .min = -FAR,
     .max = FAR},
    {.name = "color", .kind = SLV_KEY_COLOR, .offset = OBJECT(color), .max = 255},
    {.name = "fixed", .kind = SLV_KEY_FIXED, .offset = OBJECT(garment), .max = 4294967294.0},
    {.name = "fixedSets", .kind = SLV_KEY_SETS, .offset = OBJECT(garment)},
    GARMENT_KEYS(OBJECT_GARMENT),
};

const slv_scene_key *slv_scene_keys(size_t *count) {
    *count = sizeof scene_keys / sizeof *scene_keys;
    return scene_keys;
}

const slv_scene_key *slv_scene_object_keys(size_t *count) {
    *count = sizeof object_keys / sizeof *object_keys;
    return object_keys;
}

const slv_scene_key *slv_find_scene_key(const slv_scene_key *keys, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(keys[i].name, name) == 0) {
            return &keys[i];
        }
    }
    return NULL;
}

// --- Guessing what was meant ---------------------------------------------------------------------

#define LONGEST_GUESS 40

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// Letters to insert, delete or replace (Levenshtein), capitals aside.
static size_t edit_distance(const char *a, const char *b, size_t b_length) {
    size_t row[LONGEST_GUESS + 1];
    for (size_t j = 0; j <= b_length; j++) {
        row[j] = j;
    }
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < b_length; j++) {
            const size_t replaced = diagonal + (lower(a[i]) != lower(b[j]) ? 1 : 0);
            const size_t fewer = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            diagonal = row[j + 1];
            row[j + 1] = replaced < fewer ? replaced : fewer;
        }
    }
    return row[b_length];
}

const slv_scene_key *slv_guess_scene_key(const slv_scene_key *keys, size_t count,
                                         const char *name) {
    const size_t length = strlen(name);
    const slv_scene_key *best = NULL;
    size_t best_distance = length / 3 + 2; // more than a third wrong is another word
    for (size_t i = 0; i < count && length <= LONGEST_GUESS; i++) {
        const size_t distance = edit_distance(keys[i].name, name, length);
        if (distance < best_distance) {
            best = &keys[i];
            best_distance = distance;
        }
    }
    return best;
}
