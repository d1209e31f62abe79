// SPDX-License-Identifier: MIT
#include "runtime/scene/scene_keys.h"

#include <string.h>

// Lengths and speeds end at a million: beyond that a float cannot tell a millimetre from nothing.
#define FAR 1e6
#define STIFFEST 1e12 // N/m
#define HEAVIEST 1e6  // kg

#define SCENE(text, type, field)                                                                   \
    .name = (text), .kind = SLV_KEY_##type, .offset = offsetof(slv_scene_values, field)
#define OBJECT(text, type, field)                                                                  \
    .name = (text), .kind = SLV_KEY_##type, .offset = offsetof(slv_scene_object, field)

#define COLLIDER(text, type, field)                                                                \
    .name = (text), .kind = SLV_KEY_##type, .offset = offsetof(slv_scene_collider, field)

#define PAINT(text, field)                                                                         \
    .name = (text), .kind = SLV_KEY_CHANNEL, .offset = offsetof(slv_paint_def, field)

static const slv_scene_key scene_keys[] = {
    {.name = "$schema", .kind = SLV_KEY_REMARK},
    {.name = "description", .kind = SLV_KEY_REMARK},
    {.name = "softObjects", .kind = SLV_KEY_OBJECTS, .required = true},
    {.name = "colliders", .kind = SLV_KEY_COLLIDERS},
    {SCENE("solver", SOLVER, settings.parameters.solver)},
    {SCENE("innerIterations", COUNT, settings.parameters.inner_iterations), .max = 10000},
    {SCENE("outerIterations", COUNT, settings.parameters.outer_iterations), .max = 10000},
    {SCENE("relaxation", NUMBER, settings.parameters.relaxation), .max = 2, .min_open = true,
     .max_open = true},
    {SCENE("dampedJacobi", SWITCH, settings.parameters.damped_jacobi)},
    {SCENE("integrate", SWITCH, settings.parameters.integrate)},
    {SCENE("timestep", SECONDS, settings.time_step), .max = 1, .min_open = true},
    {SCENE("stepsPerFrame", COUNT, settings.steps_per_frame), .min = 1, .max = 10000},
    {SCENE("gravity", GRAVITY, settings.parameters.gravity), .min = -FAR, .max = FAR},
    {SCENE("damping", NUMBER, settings.parameters.damping), .max = 1e6},
    {SCENE("stiffness", NUMBER, garment.stretch_stiffness), .max = STIFFEST, .min_open = true},
    {SCENE("shearStiffness", NUMBER, garment.shear_stiffness), .max = STIFFEST},
    {SCENE("bendingStiffness", NUMBER, garment.bending_stiffness), .max = STIFFEST},
    {SCENE("particleMass", NUMBER, garment.particle_mass), .max = HEAVIEST, .min_open = true},
    {SCENE("thickness", NUMBER, garment.thickness), .max = 1000},
    {SCENE("friction", NUMBER, garment.friction), .max = 1000},
    {SCENE("kineticFriction", NUMBER, garment.kinetic_friction), .max = 1000},
    {SCENE("restitution", NUMBER, garment.restitution), .max = 1},
    {SCENE("collisionRadius", NUMBER, garment.collision_radius), .max = 1000, .min_open = true},
    {SCENE("restSpeed", NUMBER, garment.rest_speed), .max = 1000},
    {SCENE("sleepSpeed", NUMBER, garment.sleep_speed), .max = 1000},
    {SCENE("sleepDelay", NUMBER, garment.sleep_delay), .min = 0.01, .max = 3600},
    {SCENE("collides", SWITCH, garment.collides)},
    {SCENE("selfCollision", SWITCH, garment.self_collision)},
    {SCENE("garmentCollision", SWITCH, garment.garment_collision)},
    {SCENE("wind", VECTOR, settings.parameters.wind), .min = -10000, .max = 10000},
    {SCENE("drag", NUMBER, garment.drag), .max = 1000},
    {SCENE("strainLimit", NUMBER, garment.strain_limit), .min = 1, .max = FAR},
    {SCENE("tetherSlack", NUMBER, garment.tether_slack), .min = 1, .max = 10},
    {SCENE("cameraPos", VECTOR, settings.camera_position), .min = -FAR, .max = FAR},
    {SCENE("cameraTarget", VECTOR, settings.camera_target), .min = -FAR, .max = FAR},
    {SCENE("tearingThreshold", NUMBER, garment.tearing_threshold), .min = 1, .max = 1e6,
     .min_open = true},
    {SCENE("modelPath", PATH, settings.model_path)},
    {SCENE("modelPosition", VECTOR, settings.model.position), .min = -FAR, .max = FAR},
    {SCENE("modelRotation", ROTATION, settings.model.rotation), .min = -36000, .max = 36000},
    {SCENE("modelScale", NUMBER, settings.model.scale), .max = FAR, .min_open = true},
    {SCENE("modelTime", SECONDS, settings.model.time), .min = -1e9, .max = 1e9},
    {SCENE("modelSpeed", SECONDS, settings.model.speed), .min = -1000, .max = 1000},
    {SCENE("modelLoop", SWITCH, settings.model.loop)},
    {SCENE("modelLoopFrom", SECONDS, settings.model.loop_from), .max = 1e9},
    {SCENE("modelSolid", SWITCH, settings.model.solid)},
    {SCENE("modelFriction", NUMBER, settings.model.friction), .max = 1000},
};

static const slv_scene_key object_keys[] = {
    {.name = "description", .kind = SLV_KEY_REMARK},
    {OBJECT("src", PATH, garment.pack_path), .required = true},
    {OBJECT("position", VECTOR, garment.position), .min = -FAR, .max = FAR},
    {OBJECT("rotation", ROTATION, garment.rotation), .min = -36000, .max = 36000},
    {OBJECT("scale", NUMBER, garment.scale), .max = FAR, .min_open = true},
    {OBJECT("stretch", NUMBER, garment.stretch), .max = FAR, .min_open = true},
    {OBJECT("velocity", VECTOR, garment.velocity), .min = -FAR, .max = FAR},
    {OBJECT("color", COLOR, color), .max = 255},
    {OBJECT("texture", PATH, texture_path)},
    {OBJECT("fixed", FIXED, garment), .max = 4294967294.0},
    {OBJECT("fixedSets", SETS, garment)},
    {OBJECT("attachedTo", NAMES, attachments)},
    {OBJECT("stiffness", NUMBER, garment.stretch_stiffness), .max = STIFFEST, .min_open = true},
    {OBJECT("shearStiffness", NUMBER, garment.shear_stiffness), .max = STIFFEST},
    {OBJECT("bendingStiffness", NUMBER, garment.bending_stiffness), .max = STIFFEST},
    {OBJECT("particleMass", NUMBER, garment.particle_mass), .max = HEAVIEST, .min_open = true},
    {OBJECT("thickness", NUMBER, garment.thickness), .max = 1000},
    {OBJECT("friction", NUMBER, garment.friction), .max = 1000},
    {OBJECT("kineticFriction", NUMBER, garment.kinetic_friction), .max = 1000},
    {OBJECT("restitution", NUMBER, garment.restitution), .max = 1},
    {OBJECT("collisionRadius", NUMBER, garment.collision_radius), .max = 1000, .min_open = true},
    {OBJECT("restSpeed", NUMBER, garment.rest_speed), .max = 1000},
    {OBJECT("sleepSpeed", NUMBER, garment.sleep_speed), .max = 1000},
    {OBJECT("sleepDelay", NUMBER, garment.sleep_delay), .min = 0.01, .max = 3600},
    {OBJECT("collides", SWITCH, garment.collides)},
    {OBJECT("selfCollision", SWITCH, garment.self_collision)},
    {OBJECT("garmentCollision", SWITCH, garment.garment_collision)},
    {OBJECT("tearingThreshold", NUMBER, garment.tearing_threshold), .min = 1, .max = 1e6,
     .min_open = true},
    {OBJECT("drag", NUMBER, garment.drag), .max = 1000},
    {OBJECT("strainLimit", NUMBER, garment.strain_limit), .min = 1, .max = FAR},
    {OBJECT("tetherSlack", NUMBER, garment.tether_slack), .min = 1, .max = 10},
    {OBJECT("limits", LIMITS, garment), .min = -1, .max = FAR},
    {OBJECT("paint", PAINT, garment.paint)},
};

static const slv_scene_key collider_keys[] = {
    {.name = "description", .kind = SLV_KEY_REMARK},
    {COLLIDER("type", SHAPE, def.kind), .required = true},
    {COLLIDER("center", VECTOR, def.position), .min = -FAR, .max = FAR},
    {COLLIDER("rotation", ROTATION, def.rotation), .min = -36000, .max = 36000},
    {COLLIDER("velocity", VECTOR, def.velocity), .min = -FAR, .max = FAR},
    {COLLIDER("angularVelocity", VECTOR, def.angular_velocity), .min = -FAR, .max = FAR},
    {COLLIDER("radius", NUMBER, def.radius), .max = FAR},
    {COLLIDER("length", NUMBER, def.length), .max = FAR},
    {COLLIDER("size", VECTOR, def.size), .max = FAR},
    {COLLIDER("min", VECTOR, low), .min = -FAR, .max = FAR},
    {COLLIDER("max", VECTOR, high), .min = -FAR, .max = FAR},
    {COLLIDER("normal", VECTOR, normal), .min = -FAR, .max = FAR},
    {COLLIDER("offset", NUMBER, offset), .min = -FAR, .max = FAR},
    {COLLIDER("steepness", NUMBER, def.steepness), .min = 0.001, .max = FAR},
    {COLLIDER("low", NUMBER, def.low), .min = -FAR, .max = FAR},
    {COLLIDER("high", NUMBER, def.high), .min = -FAR, .max = FAR},
    {COLLIDER("wall", NUMBER, def.wall), .max = FAR},
    {COLLIDER("src", PATH, def.pack_path)},
    {COLLIDER("friction", NUMBER, def.friction), .max = 1000},
    {COLLIDER("kineticFriction", NUMBER, def.kinetic_friction), .max = 1000},
    {COLLIDER("restitution", NUMBER, def.restitution), .max = 1},
};

static const slv_scene_key paint_keys[] = {
    {PAINT("maxDistance", max_distance)},
    {PAINT("backstop", backstop)},
    {PAINT("tetherSlack", tether_slack)},
    {PAINT("strainLimit", strain_limit)},
    {PAINT("fixed", fixed)},
};

static const char *const channel_names[] = {
    [SLV_CHANNEL_NONE] = "",     [SLV_CHANNEL_RED] = "red",     [SLV_CHANNEL_GREEN] = "green",
    [SLV_CHANNEL_BLUE] = "blue", [SLV_CHANNEL_ALPHA] = "alpha",
};

static const char *const shape_names[] = {
    [SLV_COLLIDER_PLANE] = "plane",     [SLV_COLLIDER_SPHERE] = "sphere",
    [SLV_COLLIDER_CAPSULE] = "capsule", [SLV_COLLIDER_BOX] = "box",
    [SLV_COLLIDER_WEDGE] = "wedge",     [SLV_COLLIDER_FUNNEL] = "funnel",
    [SLV_COLLIDER_FIELD] = "field",
};

const slv_scene_key *slv_scene_keys(size_t *count) {
    *count = sizeof scene_keys / sizeof *scene_keys;
    return scene_keys;
}

const slv_scene_key *slv_scene_object_keys(size_t *count) {
    *count = sizeof object_keys / sizeof *object_keys;
    return object_keys;
}

const slv_scene_key *slv_scene_collider_keys(size_t *count) {
    *count = sizeof collider_keys / sizeof *collider_keys;
    return collider_keys;
}

const slv_scene_key *slv_scene_paint_keys(size_t *count) {
    *count = sizeof paint_keys / sizeof *paint_keys;
    return paint_keys;
}

slv_channel slv_channel_from_name(const char *name) {
    int channel = SLV_CHANNEL_ALPHA;
    while (channel > SLV_CHANNEL_NONE && strcmp(channel_names[channel], name) != 0) {
        channel--;
    }
    return (slv_channel)channel;
}

const char *slv_shape_name(slv_collider_kind kind) {
    return (size_t)kind < sizeof shape_names / sizeof *shape_names ? shape_names[kind] : NULL;
}

slv_collider_kind slv_shape_from_name(const char *name) {
    for (size_t i = 1; i < sizeof shape_names / sizeof *shape_names; i++) {
        if (strcmp(shape_names[i], name) == 0) {
            return (slv_collider_kind)i;
        }
    }
    return (slv_collider_kind)0;
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
