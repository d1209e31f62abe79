// SPDX-License-Identifier: MIT
// Vectors of three floats for the picture.
#ifndef SLV_INSPECT_VEC3_H
#define SLV_INSPECT_VEC3_H

#include <math.h>

// For numbers that are never NaN: fminf and fmaxf would be function calls.
static inline float slv_smaller(float a, float b) {
    return a < b ? a : b;
}

static inline float slv_larger(float a, float b) {
    return a > b ? a : b;
}

typedef struct slv_vec3 {
    float x, y, z;
} slv_vec3;

static inline slv_vec3 slv_vec3_add(slv_vec3 a, slv_vec3 b) {
    return (slv_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline slv_vec3 slv_vec3_sub(slv_vec3 a, slv_vec3 b) {
    return (slv_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline slv_vec3 slv_vec3_scale(slv_vec3 a, float s) {
    return (slv_vec3){a.x * s, a.y * s, a.z * s};
}

static inline float slv_vec3_dot(slv_vec3 a, slv_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline slv_vec3 slv_vec3_cross(slv_vec3 a, slv_vec3 b) {
    return (slv_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Unit length; a vector of nearly zero length becomes zero.
static inline slv_vec3 slv_vec3_unit(slv_vec3 a) {
    float length = sqrtf(slv_vec3_dot(a, a));
    return length > 1e-20f ? slv_vec3_scale(a, 1.0f / length) : (slv_vec3){0.0f, 0.0f, 0.0f};
}

#endif
