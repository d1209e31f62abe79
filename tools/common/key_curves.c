// SPDX-License-Identifier: MIT
#include "tools/common/key_curves.h"

#include <math.h>
#include <string.h>
#include <strings.h>

// Two keys differ where a rotation turns by more than half a degree, or a value changes by more than a thousandth of
// the largest.
static const double STILL_COSINE = 1.0 - 1e-5;
static const double STILL_CHANGE = 1e-3;

// --- Files --------------------------------------------------------------------------------------

static bool holds(const char *bytes, size_t size, const char *word) {
    const size_t length = strlen(word);
    for (size_t at = 0; at + length <= size; at++) {
        const char *next = memchr(bytes + at, word[0], size - at - length + 1);
        if (!next) {
            return false;
        }
        at = (size_t)(next - bytes);
        if (!memcmp(next, word, length)) {
            return true;
        }
    }
    return false;
}

bool slv_keys_are_straight(const char *path, const void *bytes, size_t size) {
    static const char *const straight[] = {".x", ".md5mesh", ".md5anim", ".smd", ".b3d"};
    static const char *const curved[] = {"BEZIER", "HERMITE", "CARDINAL", "BSPLINE", "STEP"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof straight / sizeof *straight; i++) {
        if (!strcasecmp(dot, straight[i])) {
            return true;
        }
    }
    bool known = dot && !strcasecmp(dot, ".dae") && holds(bytes, size, "LINEAR");
    for (size_t i = 0; known && i < sizeof curved / sizeof *curved; i++) {
        known = !holds(bytes, size, curved[i]);
    }
    return known;
}

// --- Gaps ---------------------------------------------------------------------------------------

static double largest_of(const double *values, size_t count) {
    double largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(values[i]));
    }
    return largest;
}

static bool turns(const double a[4], const double b[4]) {
    const double along = fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
    const double lengths = sqrt((a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]) *
                                (b[0] * b[0] + b[1] * b[1] + b[2] * b[2] + b[3] * b[3]));
    return along < STILL_COSINE * lengths;
}

static bool changes(const double *a, const double *b, uint32_t width, double scale) {
    double most = 0.0;
    for (uint32_t i = 0; i < width; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most > STILL_CHANGE * scale;
}

static double channel_gap(const slv_character *c, const slv_character_channel *channel) {
    const double *times = c->times + channel->first_time;
    const double *values = c->values + channel->first_value;
    const double scale = largest_of(values, (size_t)channel->time_count * channel->width);
    double longest = 0.0;
    for (uint32_t k = 1; k < channel->time_count; k++) {
        const double *here = values + (size_t)k * channel->width;
        const double *before = here - channel->width;
        if (channel->kind == SLV_CHANNEL_ROTATION ? turns(before, here)
                                                  : changes(before, here, channel->width, scale)) {
            longest = fmax(longest, times[k] - times[k - 1]);
        }
    }
    return longest;
}

double slv_longest_key_gap(const slv_character *c, uint32_t clip) {
    double longest = 0.0;
    for (uint32_t i = 0; i < c->clips[clip].channel_count; i++) {
        const slv_character_channel *channel = &c->channels[c->clips[clip].first_channel + i];
        if (channel->keys == SLV_KEYS_LINEAR) { // the interpolation assumed for keys of Assimp
            longest = fmax(longest, channel_gap(c, channel));
        }
    }
    return longest;
}
