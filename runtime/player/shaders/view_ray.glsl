// SPDX-License-Identifier: MIT
#if SAMPLES > 1
#define SURFACES sampler2DMS
#else
#define SURFACES sampler2D
#endif

// Distance along the view direction for a depth value, in metres. The far plane follows from the near plane, as in
// slv_camera_view_projection.
float metres_of(float depth) {
    float near = screen.z;
    float far = near * 1e4 + 100.0;
    return 2.0 * near * far / (far + near - (2.0 * depth - 1.0) * (far - near));
}

// The ray from the camera through a point of clip space, one metre long along the view direction.
vec3 ray_at(vec2 point) {
    return rays[2].xyz + rays[0].xyz * point.x + rays[1].xyz * point.y;
}

// Distance to the floor, which is not in the G-buffer: metres along the view direction, 1e9 where the ray misses it.
float floor_along(vec3 ray) {
    float along = (floor_center.y - eye.y) / ray.y;
    return along > 0.0 ? along : 1e9;
}
