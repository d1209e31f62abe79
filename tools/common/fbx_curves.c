// SPDX-License-Identifier: MIT
#include "tools/common/fbx_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A key's flags, and four floats: slope behind the key, slope before the next key, two weights in the third (in ten
// thousandths, 16 bits each), two velocities in the fourth. Flags and floats are shared by runs of keys.
enum {
    CONSTANT = 0x2,
    CUBIC = 0x8,
    TCB = 0x200,  // tangents by tension, continuity and bias
    USER = 0x400, // slopes as stored; without it automatic
    NEXT = 0x100, // of constant keys
    CLAMP = 0x1000,
    TIME_INDEPENDENT = 0x2000,
    CLAMP_PROGRESSIVE = 0x4000,
    WEIGHTED_OUT = 0x1000000,
    WEIGHTED_IN = 0x2000000,
    VELOCITY = 0x30000000,
    FLOATS = 4
};

static const double UNWEIGHTED = 1.0 / 3.0;
// A clamped key is flat where a neighbor has nearly its value. Applications differ in what that is: the same value, or up to
// this distance.
static const double NEARLY_SAME = 0.05;
// A slope moves a cubic curve by at most 4/27 of slope times time: up to this distance it does not matter whether it is flat.
static const double BEND = 4.0 / 27.0;
static const double UNSEEN = 1e-3;
// Automatic slopes are stored as 0; other numbers bend them in ways that are not documented.
static const double NO_BIAS = 1e-4;

typedef struct stored_keys {
    void *times, *values, *flags, *floats, *runs;
    uint32_t count, value_count, flag_count, float_count, run_count;
} stored_keys;

typedef struct one_key {
    double time, value;
    uint32_t flags;
    double slope, slope_in, weight, weight_in;
} one_key;

static void free_stored(stored_keys *stored) {
    free(stored->times);
    free(stored->values);
    free(stored->flags);
    free(stored->floats);
    free(stored->runs);
}

static slv_result read_stored(const slv_fbx *file, uint32_t record, stored_keys *s,
                              slv_error *error) {
    const struct {
        const char *name;
        int type;
        void **values;
        uint32_t *count;
    } arrays[] = {{"KeyTime", SLV_FBX_INT64, &s->times, &s->count},
                  {"KeyValueFloat", SLV_FBX_DOUBLE, &s->values, &s->value_count},
                  {"KeyAttrFlags", SLV_FBX_INT32, &s->flags, &s->flag_count},
                  {"KeyAttrDataFloat", SLV_FBX_BITS, &s->floats, &s->float_count},
                  {"KeyAttrRefCount", SLV_FBX_INT32, &s->runs, &s->run_count}};
    slv_result result = SLV_OK;
    for (size_t i = 0; result == SLV_OK && i < sizeof arrays / sizeof *arrays; i++) {
        result = slv_fbx_read_array(file, slv_fbx_child(file, record, arrays[i].name),
                                    arrays[i].type, arrays[i].values, arrays[i].count, error);
    }
    const bool plain = s->flag_count == 0 && s->run_count == 0; // straight lines
    if (result == SLV_OK &&
        (s->count != s->value_count ||
         (!plain && (s->flag_count != s->run_count || s->float_count / FLOATS != s->run_count)))) {
        result =
            slv_fail(error, SLV_ERROR_CONTENT, "has an animation curve whose arrays do not fit");
    }
    return result;
}

// Numbers of a run of keys.
static void set_run(const stored_keys *s, uint32_t run, one_key *key) {
    const float *floats = (const float *)s->floats + (size_t)FLOATS * run;
    uint32_t weights;
    memcpy(&weights, floats + 2, sizeof weights);
    key->flags = (uint32_t)((const int32_t *)s->flags)[run];
    key->slope = (double)floats[0];
    key->slope_in = (double)floats[1];
    key->weight = key->flags & WEIGHTED_OUT ? (double)(weights & 0xffff) / 1e4 : UNWEIGHTED;
    key->weight_in = key->flags & WEIGHTED_IN ? (double)(weights >> 16) / 1e4 : UNWEIGHTED;
}

static const char *reason_against(const stored_keys *s, uint32_t run) {
    const float *floats = (const float *)s->floats + (size_t)FLOATS * run;
    const uint32_t flags = (uint32_t)((const int32_t *)s->flags)[run];
    if (!(flags & CUBIC) || (flags & CONSTANT)) {
        return NULL;
    }
    if (flags & TCB) {
        return "keys with tension, continuity and bias (TCB)";
    }
    if (!isfinite(floats[0]) || !isfinite(floats[1])) {
        return "keys with tangents that are not finite";
    }
    if ((flags & VELOCITY) && floats[3] != 0.0f) {
        return "keys with velocities";
    }
    return NULL;
}

// Spreads the runs over the keys.
static slv_result spread(const slv_fbx_scene *scene, const stored_keys *s, one_key *keys,
                         const char **refused, slv_error *error) {
    uint32_t run = 0;
    int32_t left = s->run_count > 0 ? ((const int32_t *)s->runs)[0] : 0;
    for (uint32_t k = 0; k < s->count; k++) {
        keys[k] = (one_key){.time = (double)((const int64_t *)s->times)[k] / scene->ticks,
                            .value = ((const double *)s->values)[k]};
        if (k > 0 && keys[k].time < keys[k - 1].time) {
            return slv_fail(error, SLV_ERROR_CONTENT,
                            "has an animation curve whose times do not ascend");
        }
        while (s->run_count > 0 && left <= 0 && run + 1 < s->run_count) {
            left = ((const int32_t *)s->runs)[++run];
        }
        if (s->run_count > 0 && left-- <= 0) {
            return slv_fail(error, SLV_ERROR_CONTENT,
                            "has an animation curve with too few attributes for its keys");
        }
        if (s->run_count > 0) {
            set_run(s, run, &keys[k]);
            *refused = *refused ? *refused : reason_against(s, run);
        }
    }
    return SLV_OK;
}

// --- Automatic slopes ---------------------------------------------------------------------------

static bool is_cubic(const one_key *key) {
    return (key->flags & CUBIC) && !(key->flags & CONSTANT);
}

static bool is_automatic(const one_key *key) {
    return is_cubic(key) && !(key->flags & USER);
}

// Where a slope is automatic, the number stored in its place bends it, unless it is time-independent.
static bool has_bias(const one_key *keys, uint32_t count) {
    bool biased = false;
    for (uint32_t k = 0; k < count; k++) {
        const bool before = k > 0 && is_cubic(&keys[k - 1]);
        biased =
            biased ||
            (is_automatic(&keys[k]) && !(keys[k].flags & TIME_INDEPENDENT) &&
             (fabs(keys[k].slope) > NO_BIAS || (before && fabs(keys[k - 1].slope_in) > NO_BIAS)));
    }
    return biased;
}

static double slope_between(const one_key *a, const one_key *b) {
    return (b->value - a->value) / (b->time - a->time);
}

static double clamp_slope(double slope, const one_key *before, const one_key *key,
                          const one_key *after) {
    const double sign = slope < 0.0 ? -1.0 : 1.0;
    const double most_in =
        sign * slope_between(before, key) / (before->weight_in > 0.0 ? before->weight_in : 1.0);
    const double most_out =
        sign * slope_between(key, after) / (key->weight > 0.0 ? key->weight : 1.0);
    const double most = fmax(fmin(most_in, most_out), 0.0);
    return sign * fmin(sign * slope, most);
}

// Between two neighbors: the mean of the slope from one to the other and of the slopes on both sides, each weighted by
// the time on the other side; where that is time-independent, only the former.
static double slope_inside(const one_key *before, const one_key *key, const one_key *after) {
    double slope = slope_between(before, after);
    if (!(key->flags & TIME_INDEPENDENT)) {
        const double fraction = (key->time - before->time) / (after->time - before->time);
        slope = 0.5 * slope + 0.5 * ((1.0 - fraction) * slope_between(before, key) +
                                     fraction * slope_between(key, after));
    }
    return key->flags & CLAMP_PROGRESSIVE ? clamp_slope(slope, before, key, after) : slope;
}

// The slope without the clamp of nearly equal values; neighbors may be missing.
static double automatic_slope(const one_key *before, const one_key *key, const one_key *after) {
    if (before && after) {
        return slope_inside(before, key, after);
    }
    const one_key *neighbor = before ? before : after;
    return neighbor && !(key->flags & CLAMP_PROGRESSIVE) ? slope_between(key, neighbor) : 0.0;
}

static bool is_clamped(const one_key *before, const one_key *key, const one_key *after) {
    return (key->flags & CLAMP) && ((before && fabs(before->value - key->value) <= NEARLY_SAME) ||
                                    (after && fabs(after->value - key->value) <= NEARLY_SAME));
}

// Whether it is not known if the key is flat, and that can be seen.
static bool is_doubtful(const one_key *before, const one_key *key, const one_key *after,
                        double slope) {
    const bool same =
        (before && before->value == key->value) || (after && after->value == key->value);
    const double longest =
        fmax(before ? key->time - before->time : 0.0, after ? after->time - key->time : 0.0);
    return !same && BEND * fabs(slope) * longest > UNSEEN;
}

// Sets the slopes on both sides of keys that have automatic ones. False where one is doubtful.
static bool set_slopes(one_key *keys, uint32_t count) {
    bool sure = true;
    for (uint32_t k = 0; k < count; k++) {
        one_key *key = &keys[k];
        const one_key *before = k > 0 && keys[k - 1].time < key->time ? key - 1 : NULL;
        const one_key *after = k + 1 < count && keys[k + 1].time > key->time ? key + 1 : NULL;
        if (!is_automatic(key)) {
            continue;
        }
        key->slope = automatic_slope(before, key, after);
        if (is_clamped(before, key, after)) {
            sure = sure && !is_doubtful(before, key, after, key->slope);
            key->slope = 0.0;
        }
        if (k > 0) {
            keys[k - 1].slope_in = key->slope;
        }
    }
    return sure;
}

static void set_fields(const one_key *key, double factor, double *fields) {
    const bool weighted = (key->flags & (WEIGHTED_OUT | WEIGHTED_IN)) != 0;
    const bool cubic = is_cubic(key); // the slopes of others may be anything
    fields[SLV_KEY_VALUE] = factor * key->value;
    fields[SLV_KEY_SLOPE] = cubic ? factor * key->slope : 0.0;
    fields[SLV_KEY_SLOPE_IN] = cubic ? factor * key->slope_in : 0.0;
    fields[SLV_KEY_WEIGHT] = fmin(key->weight, 1.0);
    fields[SLV_KEY_WEIGHT_IN] = fmin(key->weight_in, 1.0);
    fields[SLV_KEY_SHAPE] = key->flags & CONSTANT
                                ? (key->flags & NEXT ? SLV_SHAPE_NEXT : SLV_SHAPE_HOLD)
                            : !cubic   ? SLV_SHAPE_LINE
                            : weighted ? SLV_SHAPE_WEIGHTED
                                       : SLV_SHAPE_CUBIC;
}

// --- All ----------------------------------------------------------------------------------------

// A record with a type as a letter or its code: 'C' holds the value outside the keys.
static bool is_held(const slv_fbx *file, uint32_t record, const char *name) {
    const uint32_t extrapolation = slv_fbx_child(file, record, name);
    slv_fbx_value type;
    if (!slv_fbx_value_at(file, slv_fbx_child(file, extrapolation, "Type"), 0, &type)) {
        return true;
    }
    return type.kind == SLV_FBX_TEXT ? type.length == 1 && type.text[0] == 'C'
                                     : type.integer == 'C';
}

static slv_result make_fields(const slv_fbx_scene *scene, const stored_keys *stored, double factor,
                              slv_fbx_curve *curve, slv_error *error) {
    one_key *keys = calloc((size_t)stored->count + 1, sizeof *keys);
    curve->times = malloc(((size_t)stored->count + 1) * sizeof *curve->times);
    curve->fields = malloc(((size_t)stored->count + 1) * SLV_KEY_FIELDS * sizeof *curve->fields);
    slv_result result = keys && curve->times && curve->fields
                            ? spread(scene, stored, keys, &curve->refused, error)
                            : slv_no_memory(error);
    if (result == SLV_OK) {
        const bool biased = has_bias(keys, stored->count);
        const bool sure = set_slopes(keys, stored->count);
        curve->refused = curve->refused ? curve->refused
                         : biased       ? "automatic keys with a bias"
                         : sure         ? NULL
                                        : "clamped keys that nearly equal their neighbors";
        for (uint32_t k = 0; k < stored->count; k++) {
            curve->times[k] = keys[k].time;
            set_fields(&keys[k], factor, curve->fields + (size_t)SLV_KEY_FIELDS * k);
        }
        curve->count = stored->count;
    }
    free(keys);
    return result;
}

slv_result slv_fbx_read_curve(const slv_fbx_scene *scene, uint32_t object, double factor,
                              slv_fbx_curve *curve, slv_error *error) {
    const uint32_t record = scene->objects[object].node;
    stored_keys stored = {.times = NULL};
    *curve = (slv_fbx_curve){.held_before = is_held(&scene->file, record, "Pre-Extrapolation"),
                             .held_after = is_held(&scene->file, record, "Post-Extrapolation")};
    slv_result result = read_stored(&scene->file, record, &stored, error);
    if (result == SLV_OK) {
        result = make_fields(scene, &stored, factor, curve, error);
    }
    free_stored(&stored);
    if (result != SLV_OK) {
        slv_fbx_curve_free(curve);
    }
    return result;
}

void slv_fbx_curve_free(slv_fbx_curve *curve) {
    free(curve->times);
    free(curve->fields);
    *curve = (slv_fbx_curve){.count = 0};
}
