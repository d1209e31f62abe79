// SPDX-License-Identifier: MIT
// The position of an embedded vertex by the formula of PACK.md, in single precision as in the
// player.
#ifndef SLV_TESTS_DRAWING_H
#define SLV_TESTS_DRAWING_H

#include "formats/garment.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static inline void drawing_subtract(const float a[3], const float b[3], float difference[3]) {
    for (int axis = 0; axis < 3; axis++) {
        difference[axis] = a[axis] - b[axis];
    }
}

static inline void drawing_cross(const float a[3], const float b[3], float product[3]) {
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

static inline bool drawing_normalize(float v[3]) {
    const float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(length > 0)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        v[axis] /= length;
    }
    return true;
}

// particles: x, y, z of all particles; may differ from the rest positions.
static inline void draw_vertex(const slv_render_mesh *mesh, const float *const particles[3],
                               uint32_t v, float drawn[3]) {
    float corner[3][3] = {{0}};
    memset(drawn, 0, 3 * sizeof *drawn);
    for (uint32_t n = 0; n < mesh->influences; n++) {
        const size_t slot = (size_t)v * mesh->influences + n;
        for (int axis = 0; axis < 3; axis++) {
            const float coordinate = particles[axis][mesh->particles[slot]];
            drawn[axis] += mesh->weights[slot] * coordinate;
            if (n < 3) {
                corner[n][axis] = coordinate;
            }
        }
    }
    if (mesh->offsets == NULL) {
        return;
    }
    float e1[3];
    float e2[3] = {0, 1, 0};
    float n[3];
    float side[3];
    drawing_subtract(corner[1], corner[0], e1);
    drawing_subtract(corner[2], corner[0], side);
    bool framed = drawing_normalize(e1);
    if (framed) {
        drawing_cross(e1, side, n);
        framed = drawing_normalize(n);
    }
    if (framed) {
        drawing_cross(n, e1, e2);
    } else {
        memcpy(e1, (float[3]){1, 0, 0}, sizeof e1);
        memcpy(n, (float[3]){0, 0, 1}, sizeof n);
    }
    const float *offset = &mesh->offsets[3 * (size_t)v];
    for (int axis = 0; axis < 3; axis++) {
        drawn[axis] += offset[0] * e1[axis] + offset[1] * e2[axis] + offset[2] * n[axis];
    }
}

#endif
