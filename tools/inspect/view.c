// SPDX-License-Identifier: MIT
#include "tools/inspect/view.h"

#include <float.h>

// Sine and cosine of degrees by our own polynomials: those of the C library may differ in the last
// bit. The angle is reduced to a quarter turn around zero, where the omitted terms are below 1e-13.
static void sine_cosine(double degrees, double *sine, double *cosine) {
    double quarters = rint(degrees / 90.0);
    double r = (degrees - quarters * 90.0) * 0.017453292519943295;
    double q = r * r;
    double s = r * (1 - q / 6 * (1 - q / 20 * (1 - q / 42 * (1 - q / 72 * (1 - q / 110)))));
    double c =
        1 - q / 2 * (1 - q / 12 * (1 - q / 30 * (1 - q / 56 * (1 - q / 90 * (1 - q / 132)))));
    switch ((int)(quarters - 4.0 * floor(quarters / 4.0))) {
    case 1:
        *sine = c;
        *cosine = -s;
        break;
    case 2:
        *sine = -s;
        *cosine = -c;
        break;
    case 3:
        *sine = -c;
        *cosine = s;
        break;
    default:
        *sine = s;
        *cosine = c;
        break;
    }
}

slv_vec3 slv_view_direction(double azimuth, double elevation) {
    double sin_a = 0.0;
    double cos_a = 0.0;
    double sin_e = 0.0;
    double cos_e = 0.0;
    // Never exactly vertical, so that the azimuth still defines the up direction of the image.
    elevation = fmin(fmax(elevation, -89.9), 89.9);
    sine_cosine(azimuth, &sin_a, &cos_a);
    sine_cosine(elevation, &sin_e, &cos_e);
    return (slv_vec3){(float)(sin_a * cos_e), (float)sin_e, (float)(cos_a * cos_e)};
}

typedef struct range {
    float min, max;
} range;

static void widen(range *a, float value, float radius) {
    a->min = slv_smaller(a->min, value - radius);
    a->max = slv_larger(a->max, value + radius);
}

slv_vec3 slv_view_right(slv_vec3 toward) {
    slv_vec3 right = slv_vec3_unit((slv_vec3){toward.z, 0.0f, -toward.x});
    return right.x != 0.0f || right.z != 0.0f ? right : (slv_vec3){1.0f, 0.0f, 0.0f};
}

slv_view slv_view_fit(const slv_scene *scene, slv_vec3 toward, uint32_t width, uint32_t height,
                      float margin) {
    slv_vec3 right = slv_view_right(toward);
    slv_vec3 up = slv_vec3_cross(toward, right);
    range across = {FLT_MAX, -FLT_MAX};
    range along = {FLT_MAX, -FLT_MAX};
    for (uint32_t i = 0; i < scene->sphere_count; i++) {
        widen(&across, slv_vec3_dot(scene->spheres[i], right), scene->radius);
        widen(&along, slv_vec3_dot(scene->spheres[i], up), scene->radius);
    }
    for (uint32_t i = 0; i < scene->vertex_count; i++) {
        widen(&across, slv_vec3_dot(scene->vertices[i], right), 0.0f);
        widen(&along, slv_vec3_dot(scene->vertices[i], up), 0.0f);
    }
    float room = margin * (float)(width < height ? width : height);
    float wide = ((float)width - 2.0f * room) / slv_larger(across.max - across.min, 1e-6f);
    float high = ((float)height - 2.0f * room) / slv_larger(along.max - along.min, 1e-6f);
    float scale = slv_smaller(wide, high);
    return (slv_view){.right = right,
                      .up = up,
                      .toward = toward,
                      .scale = scale,
                      .shift_x = 0.5f * (float)width - scale * 0.5f * (across.min + across.max),
                      .shift_y = 0.5f * (float)height + scale * 0.5f * (along.min + along.max),
                      .width = width,
                      .height = height};
}
