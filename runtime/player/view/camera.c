// SPDX-License-Identifier: MIT
#include "runtime/player/view/camera.h"

static const float steepest = 1.55f; // radians: at a vertical view the horizontal axis is undefined
static const float nearest = 0.02f;  // metres, smallest distance to the target
static const float furthest = 1e4f;
static const float default_slope = 0.4142f; // vertical angle of view of 45 degrees

static float clamp(float value, float low, float high) {
    return value < low ? low : value > high ? high : value;
}

slv_camera slv_camera_look(slv_vec3 eye, slv_vec3 target) {
    const slv_vec3 back = slv_v3_sub(eye, target);
    const float distance = slv_v3_length(back);
    slv_camera camera = {
        .target = target, .distance = clamp(distance, nearest, furthest), .slope = default_slope};
    if (distance > 0.0f) {
        camera.yaw = atan2f(back.x, back.z);
        camera.pitch = clamp(asinf(clamp(back.y / distance, -1.0f, 1.0f)), -steepest, steepest);
    }
    return camera;
}

slv_camera slv_camera_frame(slv_vec3 low, slv_vec3 high) {
    const slv_vec3 middle = slv_v3_scale(slv_v3_add(low, high), 0.5f);
    const float radius = 0.5f * slv_v3_length(slv_v3_sub(high, low)) + 0.05f;
    slv_camera camera = {.target = middle,
                         .distance = clamp(1.25f * radius / default_slope, nearest, furthest),
                         .yaw = 0.4f,
                         .pitch = 0.22f,
                         .slope = default_slope};
    return camera;
}

// Unit vector from the target to the eye.
static slv_vec3 back_of(const slv_camera *camera) {
    const float flat = cosf(camera->pitch);
    return slv_v3(flat * sinf(camera->yaw), sinf(camera->pitch), flat * cosf(camera->yaw));
}

static slv_vec3 right_of(const slv_camera *camera) {
    return slv_v3(cosf(camera->yaw), 0.0f, -sinf(camera->yaw));
}

slv_vec3 slv_camera_eye(const slv_camera *camera) {
    return slv_v3_add(camera->target, slv_v3_scale(back_of(camera), camera->distance));
}

float slv_camera_near(const slv_camera *camera) {
    return clamp(0.02f * camera->distance, 0.002f, 1.0f);
}

slv_mat4 slv_camera_view_projection(const slv_camera *camera, float aspect) {
    const slv_mat4 view =
        slv_m4_look(slv_camera_eye(camera), camera->target, slv_v3(0.0f, 1.0f, 0.0f));
    const float near = slv_camera_near(camera);
    const slv_mat4 projection =
        slv_m4_perspective(camera->slope, aspect, near, near * 1e4f + 100.0f);
    return slv_m4_multiply(&projection, &view);
}

void slv_camera_orbit(slv_camera *camera, float yaw, float pitch) {
    camera->yaw = remainderf(camera->yaw + yaw, 6.28318531f);
    camera->pitch = clamp(camera->pitch + pitch, -steepest, steepest);
}

void slv_camera_pan(slv_camera *camera, float right, float up) {
    const float size = 2.0f * camera->distance * camera->slope;
    const slv_vec3 top = slv_v3_cross(back_of(camera), right_of(camera));
    camera->target = slv_v3_add(camera->target, slv_v3_scale(right_of(camera), right * size));
    camera->target = slv_v3_add(camera->target, slv_v3_scale(top, up * size));
}

void slv_camera_zoom(slv_camera *camera, float steps) {
    camera->distance = clamp(camera->distance * powf(0.9f, steps), nearest, furthest);
}

void slv_camera_fly(slv_camera *camera, float forward, float right, float up) {
    camera->target = slv_v3_sub(camera->target, slv_v3_scale(back_of(camera), forward));
    camera->target = slv_v3_add(camera->target, slv_v3_scale(right_of(camera), right));
    camera->target.y += up;
}

slv_ray slv_camera_ray(const slv_camera *camera, float aspect, float x, float y) {
    const slv_vec3 back = back_of(camera);
    const slv_vec3 right = slv_v3_scale(right_of(camera), x * aspect * camera->slope);
    const slv_vec3 top = slv_v3_scale(slv_v3_cross(back, right_of(camera)), y * camera->slope);
    return (slv_ray){slv_camera_eye(camera), slv_v3_unit(slv_v3_sub(slv_v3_add(right, top), back))};
}
