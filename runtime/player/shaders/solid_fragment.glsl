// SPDX-License-Identifier: MIT
// Something smooth and hard that lets no light through.
in vec3 world;
in vec3 normal;
uniform vec4 color; // w: gloss
uniform int hollow; // 1: seen from inside only, so that what is in it is seen too
out vec4 result;

void main() {
    if (hollow == 1 && gl_FrontFacing) {
        discard;
    }
    vec3 n = normalize(normal);
    n = gl_FrontFacing ? n : -n;
    result = vec4(cloth_light(color.rgb, world, n, n, 1.0, vec4(color.w, 0.0, 0.0, 0.3)), 1.0);
}
