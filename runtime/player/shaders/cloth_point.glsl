// SPDX-License-Identifier: MIT
// A point of a smoothed triangle, from its three corners and barycentric weights.
out vec3 world;
out vec3 normal;
out vec3 uv_stretch;
uniform mat4 projection;

void set_cloth_point(vec3 p[3], vec3 n[3], vec3 u[3], vec3 w) {
    world = pn_position(p, n, w);
    normal = normalize(n[0] * w.x + n[1] * w.y + n[2] * w.z);
    uv_stretch = u[0] * w.x + u[1] * w.y + u[2] * w.z;
    gl_Position = projection * vec4(world, 1.0);
}
