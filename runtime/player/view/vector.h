// SPDX-License-Identifier: MIT
// Vectors and matrices for drawing. Matrices are column-major, as in OpenGL. These functions do not affect the
// state of a world, so they may use the C math library, which differs between systems.
#ifndef SLV_PLAYER_VECTOR_H
#define SLV_PLAYER_VECTOR_H

#include <math.h>

typedef struct slv_vec3 {
    float x, y, z;
} slv_vec3;

typedef struct slv_mat4 {
    float m[16];
} slv_mat4;

static inline slv_vec3 slv_v3(float x, float y, float z) {
    return (slv_vec3){x, y, z};
}

static inline slv_vec3 slv_v3_add(slv_vec3 a, slv_vec3 b) {
    return slv_v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline slv_vec3 slv_v3_sub(slv_vec3 a, slv_vec3 b) {
    return slv_v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline slv_vec3 slv_v3_scale(slv_vec3 a, float s) {
    return slv_v3(a.x * s, a.y * s, a.z * s);
}

static inline float slv_v3_dot(slv_vec3 a, slv_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline slv_vec3 slv_v3_cross(slv_vec3 a, slv_vec3 b) {
    return slv_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float slv_v3_length(slv_vec3 a) {
    return sqrtf(slv_v3_dot(a, a));
}

// Returns +y for a zero vector.
static inline slv_vec3 slv_v3_unit(slv_vec3 a) {
    const float length = slv_v3_length(a);
    return length > 0.0f ? slv_v3_scale(a, 1.0f / length) : slv_v3(0.0f, 1.0f, 0.0f);
}

static inline slv_mat4 slv_m4_multiply(const slv_mat4 *a, const slv_mat4 *b) {
    slv_mat4 product;
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            float sum = 0.0f;
            for (int k = 0; k < 4; k++) {
                sum += a->m[4 * k + row] * b->m[4 * column + k];
            }
            product.m[4 * column + row] = sum;
        }
    }
    return product;
}

// World to camera space: the camera looks along -z, y is up.
static inline slv_mat4 slv_m4_look(slv_vec3 eye, slv_vec3 target, slv_vec3 up) {
    const slv_vec3 back = slv_v3_unit(slv_v3_sub(eye, target));
    const slv_vec3 right = slv_v3_unit(slv_v3_cross(up, back));
    const slv_vec3 top = slv_v3_cross(back, right);
    return (slv_mat4){{right.x, top.x, back.x, 0.0f, right.y, top.y, back.y, 0.0f, right.z, top.z,
                       back.z, 0.0f, -slv_v3_dot(right, eye), -slv_v3_dot(top, eye),
                       -slv_v3_dot(back, eye), 1.0f}};
}

// slope is the tangent of half the vertical angle of view.
static inline slv_mat4 slv_m4_perspective(float slope, float aspect, float near, float far) {
    return (slv_mat4){{1.0f / (slope * aspect), 0, 0, 0, 0, 1.0f / slope, 0, 0, 0, 0,
                       (far + near) / (near - far), -1.0f, 0, 0, 2.0f * far * near / (near - far),
                       0}};
}

// A box of half width `half` and depth `depth` in front of the camera.
static inline slv_mat4 slv_m4_orthographic(float half, float depth) {
    return (slv_mat4){
        {1.0f / half, 0, 0, 0, 0, 1.0f / half, 0, 0, 0, 0, -2.0f / depth, 0, 0, 0, -1.0f, 1.0f}};
}

#endif
