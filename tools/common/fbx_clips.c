// SPDX-License-Identifier: MIT
#include "tools/common/fbx_reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REASON_SIZE = 320 };

static const char *const axes[3] = {"d|X", "d|Y", "d|Z"};

// Times closer than this count as one; s.
static const double SAME_TIME = 1e-6;

static void refuse(slv_fbx_reader *r, const char *format, ...) SLV_PRINTF(2, 3);

static void refuse(slv_fbx_reader *r, const char *format, ...) {
    char reason[REASON_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    slv_build_clip_refused(r->build, reason);
}

static slv_character_clip *current(const slv_fbx_reader *r) {
    return &r->build->character.clips[r->build->character.clip_count - 1];
}

// --- Layers -------------------------------------------------------------------------------------

// Whether a layer changes something: one of its curve nodes has a curve.
static bool is_live(const slv_fbx_scene *scene, uint32_t layer) {
    if (slv_fbx_property_number(scene, layer, "Mute", 0.0) != 0.0) {
        return false;
    }
    uint32_t at = 0;
    const slv_fbx_link *link = NULL;
    while ((link = slv_fbx_source(scene, layer, "AnimationCurveNode", &at)) != NULL) {
        uint32_t inner = 0;
        if (slv_fbx_source(scene, link->from, "AnimationCurve", &inner) != NULL) {
            return true;
        }
    }
    return false;
}

// Whether the clip can do without blending: the only layer that changes something counts in full, and overrides what is below.
static bool check_layer(slv_fbx_reader *r, uint32_t layer, bool lowest) {
    enum { ADDITIVE = 0 };
    char name[SLV_FBX_NAME_SIZE];
    slv_fbx_name(r->scene, layer, name, sizeof name);
    if (slv_fbx_property_number(r->scene, layer, "Weight", 100.0) != 100.0) {
        refuse(
            r,
            "has the animation layer '%.60s' with a weight other than 100, which is not supported",
            name);
        return false;
    }
    if (!lowest && slv_fbx_property_number(r->scene, layer, "BlendMode", ADDITIVE) == ADDITIVE) {
        refuse(r,
               "adds the animation layer '%.60s' to those below, which is not supported; merge its "
               "layers before exporting",
               name);
        return false;
    }
    return true;
}

// The one layer of a stack that changes something, else the lowest one; SLV_FBX_NONE where there is none or the clip is
// refused.
static uint32_t find_layer(slv_fbx_reader *r, uint32_t stack) {
    uint32_t lowest = SLV_FBX_NONE;
    uint32_t found = SLV_FBX_NONE;
    uint32_t count = 0;
    uint32_t at = 0;
    const slv_fbx_link *link = NULL;
    while ((link = slv_fbx_source(r->scene, stack, "AnimationLayer", &at)) != NULL) {
        lowest = lowest == SLV_FBX_NONE ? link->from : lowest;
        if (is_live(r->scene, link->from)) {
            found = link->from;
            count++;
        }
    }
    if (count > 1) {
        refuse(r,
               "blends %u animation layers, which is not supported; merge its layers before "
               "exporting",
               count);
        return SLV_FBX_NONE;
    }
    if (count == 0) {
        return lowest != SLV_FBX_NONE &&
                       slv_fbx_property_number(r->scene, lowest, "Mute", 0.0) == 0.0
                   ? lowest
                   : SLV_FBX_NONE;
    }
    return check_layer(r, found, found == lowest) ? found : SLV_FBX_NONE;
}

// --- Channels -----------------------------------------------------------------------------------

typedef struct target {
    uint32_t object; // Model or blend shape channel, for messages
    uint32_t node;   // of the character
    uint32_t kind;   // SLV_CHANNEL_…
    uint32_t component;
    double factor; // of the values
} target;

static slv_result add_keys(slv_fbx_reader *r, const target *t, uint32_t count, const double *times,
                           const double *fields, slv_error *error) {
    slv_character_channel *channel = slv_build_channel(r->build, t->kind, SLV_KEYS_EACH, 1, count);
    if (!channel) {
        return slv_no_memory(error);
    }
    channel->node = t->node;
    channel->component = t->component;
    const slv_character *c = &r->build->character;
    memcpy(c->times + channel->first_time, times, count * sizeof *times);
    memcpy(c->values + channel->first_value, fields,
           (size_t)count * SLV_KEY_FIELDS * sizeof *fields);
    return SLV_OK;
}

// A clip that goes beyond the keys of a curve needs to know how the curve goes on.
static bool is_covered(const slv_character_clip *clip, const slv_fbx_curve *curve) {
    return (curve->held_before || clip->start >= curve->times[0] - SAME_TIME) &&
           (curve->held_after || clip->end <= curve->times[curve->count - 1] + SAME_TIME);
}

static slv_result add_curve(slv_fbx_reader *r, uint32_t object, const target *t, slv_error *error) {
    slv_fbx_curve curve;
    slv_result result = slv_fbx_read_curve(r->scene, object, t->factor, &curve, error);
    if (result != SLV_OK) {
        return result;
    }
    char name[SLV_FBX_NAME_SIZE];
    slv_fbx_name(r->scene, t->object, name, sizeof name);
    if (curve.refused) {
        refuse(
            r,
            "moves '%.100s' by %s, which are not supported; resample its curves before exporting",
            name, curve.refused);
    } else if (curve.count > 1 && !is_covered(current(r), &curve)) {
        refuse(
            r,
            "goes beyond the keys of '%.100s' whose curve does not hold its value there, which is "
            "not supported; bake its keys before exporting",
            name);
    } else if (curve.count > 0) {
        result = add_keys(r, t, curve.count, curve.times, curve.fields, error);
    }
    slv_fbx_curve_free(&curve);
    return result;
}

// A component without a curve has the value of the curve node, if that has one.
static slv_result add_component(slv_fbx_reader *r, uint32_t curve_node, const char *component,
                                const target *t, slv_error *error) {
    uint32_t at = 0;
    const slv_fbx_link *link = NULL;
    while ((link = slv_fbx_source(r->scene, curve_node, "AnimationCurve", &at)) != NULL) {
        if (slv_fbx_link_is(link, component)) {
            return add_curve(r, link->from, t, error);
        }
    }
    double value = 0.0;
    if (!slv_fbx_property(r->scene, curve_node, component, &value, 1) || !isfinite(value)) {
        return SLV_OK;
    }
    const double time = 0.0;
    const double fields[SLV_KEY_FIELDS] = {t->factor * value};
    return add_keys(r, t, 1, &time, fields, error);
}

static bool has_curves(const slv_fbx_scene *scene, uint32_t curve_node) {
    uint32_t at = 0;
    return slv_fbx_source(scene, curve_node, "AnimationCurve", &at) != NULL;
}

// Properties that place a node and that a clip cannot animate here.
static bool is_other_transform(const slv_fbx_link *link) {
    static const char *const names[] = {
        "RotationOffset",       "RotationPivot",     "ScalingOffset",   "ScalingPivot",
        "PreRotation",          "PostRotation",      "RotationOrder",   "InheritType",
        "GeometricTranslation", "GeometricRotation", "GeometricScaling"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        found = found || slv_fbx_link_is(link, names[i]);
    }
    return found;
}

static slv_result animate_model(slv_fbx_reader *r, const slv_fbx_link *link, slv_error *error) {
    static const char *const names[3] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};
    char name[SLV_FBX_NAME_SIZE];
    slv_fbx_name(r->scene, link->to, name, sizeof name);
    if (is_other_transform(link) && has_curves(r->scene, link->from)) {
        refuse(
            r, "animates %.*s of node '%.100s', which is not supported; bake it before exporting",
            (int)(link->property_length < 40 ? link->property_length : 40), link->property, name);
        return SLV_OK;
    }
    uint32_t kind = 0;
    while (kind < 3 && !slv_fbx_link_is(link, names[kind])) {
        kind++;
    }
    if (kind == 3) {
        return SLV_OK; // does not change the shape
    }
    if (kind == SLV_CHANNEL_ROTATION && has_curves(r->scene, link->from) &&
        slv_fbx_property_number(r->scene, link->to, "QuaternionInterpolate", 0.0) != 0.0) {
        refuse(
            r,
            "turns node '%.100s' by quaternion interpolation, which is not supported; convert its "
            "curves to Euler angles before exporting",
            name);
        return SLV_OK;
    }
    slv_result result = SLV_OK;
    for (uint32_t k = 0; result == SLV_OK && k < 3; k++) {
        const target t = {link->to, r->node_of[link->to], kind, k, 1.0};
        result = add_component(r, link->from, axes[k], &t, error);
    }
    return result;
}

// Channels for one weight, at every node with that geometry.
static slv_result animate_geometry(slv_fbx_reader *r, const slv_fbx_link *link, uint32_t geometry,
                                   slv_error *error) {
    slv_fbx_channels channels = {0};
    uint32_t channel = 0;
    double full_weight = 0.0;
    slv_result result = slv_fbx_read_full_weight(r->scene, link->to, &full_weight, error);
    for (uint32_t k = 0;
         result == SLV_OK && slv_fbx_next_channel(r->scene, geometry, &channels, &channel); k++) {
        uint32_t at = 0;
        const slv_fbx_link *holder = NULL;
        while (result == SLV_OK && channel == link->to &&
               (holder = slv_fbx_target(r->scene, geometry, "Model", &at)) != NULL) {
            const target t = {link->to, r->node_of[holder->to], SLV_CHANNEL_WEIGHTS, k,
                              1.0 / full_weight};
            result = add_component(r, link->from, "d|DeformPercent", &t, error);
        }
    }
    return result;
}

static slv_result animate_shape(slv_fbx_reader *r, const slv_fbx_link *link, slv_error *error) {
    slv_result result = SLV_OK;
    uint32_t at = 0;
    const slv_fbx_link *deformer = NULL;
    while (result == SLV_OK &&
           (deformer = slv_fbx_target(r->scene, link->to, "Deformer", &at)) != NULL) {
        uint32_t inner = 0;
        const slv_fbx_link *geometry = NULL;
        while (result == SLV_OK &&
               (geometry = slv_fbx_target(r->scene, deformer->to, "Geometry", &inner)) != NULL) {
            result = animate_geometry(r, link, geometry->to, error);
        }
    }
    return result;
}

static slv_result add_layer(slv_fbx_reader *r, uint32_t layer, slv_error *error) {
    slv_result result = SLV_OK;
    uint32_t at = 0;
    const slv_fbx_link *link = NULL;
    while (result == SLV_OK &&
           (link = slv_fbx_source(r->scene, layer, "AnimationCurveNode", &at)) != NULL) {
        uint32_t inner = 0;
        const slv_fbx_link *moved = NULL;
        while (result == SLV_OK &&
               (moved = slv_fbx_target(r->scene, link->from, NULL, &inner)) != NULL) {
            if (slv_fbx_is(r->scene, moved->to, "Model")) {
                result = animate_model(r, moved, error);
            } else if (slv_fbx_is(r->scene, moved->to, "Deformer") &&
                       slv_fbx_link_is(moved, "DeformPercent")) {
                result = animate_shape(r, moved, error);
            } else if (slv_fbx_is(r->scene, moved->to, "AnimationLayer") &&
                       slv_fbx_link_is(moved, "Weight") && has_curves(r->scene, moved->from)) {
                refuse(
                    r,
                    "animates the weight of an animation layer, which is not supported; merge its "
                    "layers before exporting");
            }
        }
    }
    return result;
}

// --- Stacks -------------------------------------------------------------------------------------

// Where the stack says; false where it says nothing.
static bool read_span(const slv_fbx_scene *scene, uint32_t stack, slv_character_clip *clip) {
    static const char *const names[2][2] = {{"LocalStart", "LocalStop"},
                                            {"ReferenceStart", "ReferenceStop"}};
    for (int i = 0; i < 2; i++) {
        const double start = slv_fbx_property_number(scene, stack, names[i][0], 0.0);
        const double end = slv_fbx_property_number(scene, stack, names[i][1], 0.0);
        if (end > start) {
            clip->start = start / scene->ticks;
            clip->end = end / scene->ticks;
            return true;
        }
    }
    return false;
}

// From the first key to the last one. A channel of one key does not move.
static void span_keys(slv_character *c, slv_character_clip *clip) {
    bool any = false;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const slv_character_channel *channel = &c->channels[clip->first_channel + i];
        const double *times = c->times + channel->first_time;
        if (channel->time_count > 1) {
            clip->start = any ? fmin(clip->start, times[0]) : times[0];
            clip->end = any ? fmax(clip->end, times[channel->time_count - 1])
                            : times[channel->time_count - 1];
            any = true;
        }
    }
}

static slv_result add_clip(slv_fbx_reader *r, uint32_t stack, slv_error *error) {
    char text[REASON_SIZE > SLV_FBX_NAME_SIZE ? REASON_SIZE : SLV_FBX_NAME_SIZE];
    slv_fbx_name(r->scene, stack, text, sizeof text);
    if (!slv_build_clip(r->build, text)) {
        return slv_no_memory(error);
    }
    const bool stated = read_span(r->scene, stack, current(r));
    const uint32_t layer = find_layer(r, stack);
    const slv_result result = layer == SLV_FBX_NONE ? SLV_OK : add_layer(r, layer, error);
    if (result == SLV_OK && !stated) {
        span_keys(&r->build->character, current(r));
    }
    if (result == SLV_OK && slv_fbx_is_constrained(r, current(r), text, sizeof text)) {
        refuse(r, "%s", text);
    }
    return result;
}

slv_result slv_fbx_add_clips(slv_fbx_reader *r, slv_error *error) {
    slv_result result = SLV_OK;
    for (uint32_t o = 0; result == SLV_OK && o < r->scene->object_count; o++) {
        if (slv_fbx_is(r->scene, o, "AnimationStack")) {
            result = add_clip(r, o, error);
        }
    }
    return result;
}
