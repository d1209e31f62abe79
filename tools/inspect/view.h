// SPDX-License-Identifier: MIT
// An orthographic projection of the scene to an image. Coordinates are in pixels, x to the right, y
// down, z toward the eye; pixel (i, j) has its center at (i + 0.5, j + 0.5).
#ifndef SLV_INSPECT_VIEW_H
#define SLV_INSPECT_VIEW_H

#include "tools/inspect/scene.h"
#include "tools/inspect/vec3.h"

typedef struct slv_view {
    slv_vec3 right, up, toward; // unit, orthogonal; toward points from the scene to the eye
    float scale;                // pixels per unit
    float shift_x, shift_y;     // pixels
    uint32_t width, height;
} slv_view;

// The direction from the scene to an eye at azimuth (degrees; 0 = from +z, 90 = from +x) and
// elevation (degrees above the horizon).
slv_vec3 slv_view_direction(double azimuth, double elevation);

// The direction to the right in a view along -toward with y up.
slv_vec3 slv_view_right(slv_vec3 toward);

// A view along -toward that contains the whole scene, with margin (a fraction of the smaller side
// of the image) around it.
slv_view slv_view_fit(const slv_scene *scene, slv_vec3 toward, uint32_t width, uint32_t height,
                      float margin);

static inline slv_vec3 slv_view_project(const slv_view *view, slv_vec3 point) {
    return (slv_vec3){view->shift_x + view->scale * slv_vec3_dot(point, view->right),
                      view->shift_y - view->scale * slv_vec3_dot(point, view->up),
                      view->scale * slv_vec3_dot(point, view->toward)};
}

static inline slv_vec3 slv_view_unproject(const slv_view *view, slv_vec3 pixel) {
    float inverse = 1.0f / view->scale;
    slv_vec3 point = slv_vec3_scale(view->right, (pixel.x - view->shift_x) * inverse);
    point = slv_vec3_add(point, slv_vec3_scale(view->up, (view->shift_y - pixel.y) * inverse));
    return slv_vec3_add(point, slv_vec3_scale(view->toward, pixel.z * inverse));
}

#endif
