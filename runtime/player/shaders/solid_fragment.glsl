// SPDX-License-Identifier: MIT
// Something smooth and hard that lets no light through.
in vec3 world;
in vec3 normal;
uniform vec4 color; // w: gloss
out vec4 result;

void main() {
    vec3 n = normalize(normal);
    n = gl_FrontFacing ? n : -n;
    result = vec4(cloth_light(color.rgb, world, n, n, 1.0, vec4(color.w, 0.0, 0.0, 0.3)), 1.0);
}
