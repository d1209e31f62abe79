// SPDX-License-Identifier: MIT
// How far away a depth is along the view, in metres; the camera's far plane follows from its near one
// (slv_camera_view_projection).
float metres_of(float depth) {
    float near = screen.z;
    float far = near * 1e4 + 100.0;
    return 2.0 * near * far / (far + near - (2.0 * depth - 1.0) * (far - near));
}
