// SPDX-License-Identifier: MIT
#include "runtime/player/view/environment.h"

#include <stdbool.h>
#include <string.h>

// Studio lighting: a large warm key light from the upper left, a weaker cool fill light from the right.
// Directions towards the light; irradiance; tangent of the angular radius.
static const struct {
    float direction[3];
    float color[3];
    float size;
} lights[2] = {
    {{-0.72f, 0.95f, 0.48f}, {2.35f, 2.12f, 1.80f}, 0.05f},
    {{0.80f, 0.45f, 0.35f}, {0.26f, 0.36f, 0.54f}, 0.09f},
};
static const float sky[3] = {0.20f, 0.235f, 0.29f};
static const float ground[3] = {0.105f, 0.09f, 0.078f};
static const float horizon[3] = {0.66f, 0.67f, 0.68f};
static const float exposure = 1.05f;

slv_environment slv_environment_make(const float low[3], const float high[3], float floor) {
    const float below = low[1] > 0.005f ? 0.0f : low[1] - 0.02f;
    slv_environment environment = {.floor_height = isnan(floor) ? below : floor};
    slv_environment_fit(&environment, low, high);
    return environment;
}

// The axes of a light: right, up, towards the light.
static void light_axes(int n, slv_vec3 axes[3]) {
    const float *d = lights[n].direction;
    axes[2] = slv_v3_unit(slv_v3(d[0], d[1], d[2]));
    axes[0] = slv_v3_unit(slv_v3_cross(slv_v3(0.0f, 1.0f, 0.0f), axes[2]));
    axes[1] = slv_v3_cross(axes[2], axes[0]);
}

// The shadow map covers the casters closely, because small texels reduce light leaks under folds. Receivers may lie
// outside: shaders look nothing up beside the casters.
static void fit_square(slv_environment *environment, int n) {
    slv_vec3 axes[3];
    float low[2] = {INFINITY, INFINITY};
    float high[2] = {-INFINITY, -INFINITY};
    light_axes(n, axes);
    for (int corner = 0; corner < 8; corner++) {
        const float y = corner & 2 ? environment->high[1] : environment->low[1];
        const slv_vec3 p = slv_v3(corner & 1 ? environment->high[0] : environment->low[0],
                                  fmaxf(y, environment->floor_height - 0.1f),
                                  corner & 4 ? environment->high[2] : environment->low[2]);
        for (int d = 0; d < 2; d++) {
            low[d] = fminf(low[d], slv_v3_dot(axes[d], p));
            high[d] = fmaxf(high[d], slv_v3_dot(axes[d], p));
        }
    }
    slv_light_square *square = &environment->squares[n];
    const float needed = 0.54f * fmaxf(high[0] - low[0], high[1] - low[1]) + 0.03f;
    bool outside = false;
    for (int d = 0; d < 2; d++) {
        const float away = fabsf(0.5f * (low[d] + high[d]) - square->middle[d]);
        outside = outside || away + 0.54f * (high[d] - low[d]) + 0.03f > square->half;
    }
    if (outside || needed < 0.6f * square->half) {
        square->half = 1.15f * needed;
        for (int d = 0; d < 2; d++) {
            square->middle[d] = 0.5f * (low[d] + high[d]);
        }
    }
}

void slv_environment_fit(slv_environment *environment, const float low[3], const float high[3]) {
    memcpy(environment->low, low, sizeof environment->low);
    memcpy(environment->high, high, sizeof environment->high);
    // The lit region reaches down to the floor. It does not follow garments that fall out of sight.
    const float bottom = environment->floor_height;
    const float top = fmaxf(high[1], bottom + 0.1f);
    const slv_vec3 middle =
        slv_v3(0.5f * (low[0] + high[0]), 0.5f * (bottom + top), 0.5f * (low[2] + high[2]));
    const slv_vec3 half =
        slv_v3(0.5f * (high[0] - low[0]), 0.5f * (top - bottom), 0.5f * (high[2] - low[2]));
    const float needed = 1.1f * slv_v3_length(half) + 0.05f;
    const float away = slv_v3_length(slv_v3_sub(middle, environment->middle));
    if (needed + away > environment->radius || needed < 0.5f * environment->radius) {
        environment->middle = middle;
        environment->radius = 1.25f * needed;
    }
    for (int n = 0; n < 2; n++) {
        fit_square(environment, n);
    }
}

static void set4(float out[4], const float in[3], float w) {
    memcpy(out, in, 3 * sizeof *in);
    out[3] = w;
}

// The rectangle of the garments' bounds in the clip space of a light, slightly enlarged.
static void find_casters(const slv_environment *environment, const slv_mat4 *m, float casters[4]) {
    float low[2] = {1.0f, 1.0f};
    float high[2] = {-1.0f, -1.0f};
    for (int corner = 0; corner < 8; corner++) {
        const float p[3] = {corner & 1 ? environment->high[0] : environment->low[0],
                            corner & 2 ? environment->high[1] : environment->low[1],
                            corner & 4 ? environment->high[2] : environment->low[2]};
        for (int d = 0; d < 2; d++) {
            const float at =
                m->m[d] * p[0] + m->m[4 + d] * p[1] + m->m[8 + d] * p[2] + m->m[12 + d];
            low[d] = fminf(low[d], at);
            high[d] = fmaxf(high[d], at);
        }
    }
    for (int d = 0; d < 2; d++) {
        const float spare = 0.03f + 0.03f * (high[d] - low[d]);
        casters[d] = fmaxf(low[d] - spare, -0.98f);
        casters[2 + d] = fminf(high[d] + spare, 0.98f);
    }
}

static void fill_light(const slv_environment *environment, int n, int side,
                       slv_frame_block *block) {
    const slv_light_square *square = &environment->squares[n];
    slv_vec3 axes[3];
    light_axes(n, axes);
    const slv_vec3 direction = axes[2];
    const float half = square->half;
    const float depth = 4.0f * environment->radius;
    const slv_vec3 middle =
        slv_v3_add(slv_v3_add(slv_v3_scale(axes[0], square->middle[0]),
                              slv_v3_scale(axes[1], square->middle[1])),
                   slv_v3_scale(direction, slv_v3_dot(direction, environment->middle)));
    const slv_vec3 eye = slv_v3_add(middle, slv_v3_scale(direction, 2.0f * environment->radius));
    const slv_mat4 view = slv_m4_look(eye, middle, slv_v3(0.0f, 1.0f, 0.0f));
    const slv_mat4 projection = slv_m4_orthographic(half, depth);
    block->light_matrix[n] = slv_m4_multiply(&projection, &view);
    find_casters(environment, &block->light_matrix[n], block->light_casters[n]);
    set4(block->light_direction[n], (const float[3]){direction.x, direction.y, direction.z},
         lights[n].size);
    set4(block->light_color[n], lights[n].color, 2.0f * half);
    block->light_depth[n] = depth;
    block->light_depth[2 + n] = 2.0f * half / (float)side;
}

static void fill_eye(const slv_camera *camera, int width, int height, slv_frame_block *block) {
    const float aspect = (float)width / (float)height;
    const slv_vec3 eye = slv_camera_eye(camera);
    const slv_vec3 forward = slv_v3_unit(slv_v3_sub(camera->target, eye));
    const slv_vec3 right = slv_v3_unit(slv_v3_cross(forward, slv_v3(0.0f, 1.0f, 0.0f)));
    const slv_vec3 up = slv_v3_cross(right, forward);
    const float across = camera->slope * aspect;
    block->view_projection = slv_camera_view_projection(camera, aspect);
    block->rays =
        (slv_mat4){{right.x * across, right.y * across, right.z * across, 0.0f,
                    up.x * camera->slope, up.y * camera->slope, up.z * camera->slope, 0.0f,
                    forward.x, forward.y, forward.z, 0.0f, eye.x, eye.y, eye.z, 1.0f}};
    set4(block->eye, (const float[3]){eye.x, eye.y, eye.z}, 0.5f * (float)height / camera->slope);
    const float screen[4] = {(float)width, (float)height, slv_camera_near(camera), exposure};
    memcpy(block->screen, screen, sizeof screen);
}

void slv_environment_fill(const slv_environment *environment, const slv_camera *camera, int width,
                          int height, int shadow_side, slv_frame_block *block) {
    *block = (slv_frame_block){.eye = {0}};
    for (int n = 0; n < 2; n++) {
        fill_light(environment, n, shadow_side, block);
    }
    fill_eye(camera, width, height, block);
    set4(block->sky, sky, 0.0f);
    set4(block->ground, ground, 0.0f);
    set4(block->horizon, horizon, 0.0f);
    const float floor_center[3] = {environment->middle.x, environment->floor_height,
                                   environment->middle.z};
    set4(block->floor_center, floor_center, fmaxf(environment->radius, 0.6f * camera->distance));
}
