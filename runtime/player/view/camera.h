// SPDX-License-Identifier: MIT
// The eye: it circles round a point (orbit), moves with it (pan), comes nearer (zoom), or flies.
#ifndef SLV_PLAYER_CAMERA_H
#define SLV_PLAYER_CAMERA_H

#include "runtime/player/view/vector.h"

typedef struct slv_camera {
    slv_vec3 target;  // what it looks at
    float distance;   // metres from there
    float yaw, pitch; // radians: around y from +z on, and up
    float slope;      // tangent of half the angle of view
} slv_camera;

// Looks from a place at a target.
slv_camera slv_camera_look(slv_vec3 eye, slv_vec3 target);
// Looks at a box so that all of it is seen, from the front, a little from above.
slv_camera slv_camera_frame(slv_vec3 low, slv_vec3 high);

slv_vec3 slv_camera_eye(const slv_camera *camera);
slv_mat4 slv_camera_view_projection(const slv_camera *camera, float aspect);
float slv_camera_near(const slv_camera *camera); // metres; what is nearer is not seen

void slv_camera_orbit(slv_camera *camera, float yaw, float pitch); // radians
// Moves eye and target across the picture, by shares of its height at the target.
void slv_camera_pan(slv_camera *camera, float right, float up);
void slv_camera_zoom(slv_camera *camera, float steps); // a step is a tenth nearer
// Moves eye and target along the view and across it, in metres.
void slv_camera_fly(slv_camera *camera, float forward, float right, float up);

// The ray through a point of the picture: x and y from -1 (left, bottom) to 1.
typedef struct slv_ray {
    slv_vec3 origin, direction; // unit length
} slv_ray;
slv_ray slv_camera_ray(const slv_camera *camera, float aspect, float x, float y);

#endif
