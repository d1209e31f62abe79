// SPDX-License-Identifier: MIT
#if SAMPLES > 1
#define SURFACES sampler2DMS
#else
#define SURFACES sampler2D
#endif

// How far away a depth is along the view, in metres; the camera's far plane follows from its near one
// (slv_camera_view_projection).
float metres_of(float depth) {
    float near = screen.z;
    float far = near * 1e4 + 100.0;
    return 2.0 * near * far / (far + near - (2.0 * depth - 1.0) * (far - near));
}

// From the eye through a place of clip space, one metre along the view.
vec3 ray_at(vec2 place) {
    return rays[2].xyz + rays[0].xyz * place.x + rays[1].xyz * place.y;
}

// Where a ray meets the floor, which is drawn by none: metres along the view, very far where it never does.
float floor_along(vec3 ray) {
    float along = (floor_center.y - eye.y) / ray.y;
    return along > 0.0 ? along : 1e9;
}
