// SPDX-License-Identifier: MIT
// A smooth opaque surface.
in vec3 normal;
uniform vec4 color; // w: gloss
uniform int inside_only; // 1: back faces only, so that the inside is visible

void main() {
    if (inside_only == 1 && gl_FrontFacing) {
        discard;
    }
    vec3 n = normalize(normal);
    n = gl_FrontFacing ? n : -n;
    write_gbuffer(color.rgb, n, n, MATERIAL_SOLID, color.w);
}
