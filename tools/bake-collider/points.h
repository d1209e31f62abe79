// SPDX-License-Identifier: MIT
// Points bound to the surface: barycentric weights of three vertices that sum to 1, optionally with
// an offset in the frame of the triangle.
#ifndef SLV_BAKE_POINTS_H
#define SLV_BAKE_POINTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct slv_point {
    uint32_t vertex[3];
    bool has_offset;
    double weight[3];
    double offset[3]; // along the first edge, across it in the plane, along the normal; metres
} slv_point;

// positions: [vertices][3] of a frame; point_positions: [count][3].
void slv_points_evaluate(const slv_point *points, uint32_t count, const double *positions,
                         double *point_positions);

// Binds to the surface point nearest to `near`, with the offset from it to `target`. Triangles as
// in frames.h. Points with the same `near` move as one rigid body.
slv_point slv_points_bind(const uint32_t *triangles, uint32_t triangle_count,
                          const double *positions, const double near[3], const double target[3]);

#endif
