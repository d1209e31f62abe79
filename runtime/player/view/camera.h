// SPDX-License-Identifier: MIT
// A camera that orbits around a target, pans, zooms and flies.
#ifndef SLV_PLAYER_CAMERA_H
#define SLV_PLAYER_CAMERA_H

#include "runtime/player/view/vector.h"

typedef struct slv_camera {
    slv_vec3 target;  // point it looks at
    float distance;   // metres from the target
    float yaw, pitch; // radians: around y, 0 at +z; up
    float slope;      // tangent of half the vertical angle of view
} slv_camera;

// A camera at `eye` that looks at `target`.
slv_camera slv_camera_look(slv_vec3 eye, slv_vec3 target);
// A camera in front of a box and slightly above it, at a distance from which the whole box is visible.
slv_camera slv_camera_frame(slv_vec3 low, slv_vec3 high);

slv_vec3 slv_camera_eye(const slv_camera *camera);
slv_mat4 slv_camera_view_projection(const slv_camera *camera, float aspect);
float slv_camera_near(const slv_camera *camera); // distance of the near plane, metres

void slv_camera_orbit(slv_camera *camera, float yaw, float pitch); // radians
// Moves eye and target parallel to the image plane; 1 is the height of the picture at the target.
void slv_camera_pan(slv_camera *camera, float right, float up);
void slv_camera_zoom(slv_camera *camera, float steps); // each step reduces the distance by a tenth
// Moves eye and target along the view direction and across it, in metres.
void slv_camera_fly(slv_camera *camera, float forward, float right, float up);

// The ray through a point of the picture: x and y from -1 (left, bottom) to 1 (right, top).
typedef struct slv_ray {
    slv_vec3 origin, direction; // unit length
} slv_ray;
slv_ray slv_camera_ray(const slv_camera *camera, float aspect, float x, float y);

#endif
