// SPDX-License-Identifier: MIT
layout(triangles, fractional_odd_spacing, ccw) in;
in vec3 patch_position[];
in vec3 patch_normal[];
in vec3 patch_uv_stretch[];
out vec3 world;
out vec3 normal;
out vec3 uv_stretch;
uniform mat4 project;

void main() {
    vec3 w = gl_TessCoord;
    vec3 p[3] = vec3[3](patch_position[0], patch_position[1], patch_position[2]);
    vec3 n[3] = vec3[3](patch_normal[0], patch_normal[1], patch_normal[2]);
    world = curved_position(p, n, w);
    normal = normalize(n[0] * w.x + n[1] * w.y + n[2] * w.z);
    uv_stretch =
        patch_uv_stretch[0] * w.x + patch_uv_stretch[1] * w.y + patch_uv_stretch[2] * w.z;
    gl_Position = project * vec4(world, 1.0);
}
