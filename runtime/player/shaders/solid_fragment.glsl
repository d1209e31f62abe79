// SPDX-License-Identifier: MIT
// Something smooth and hard that lets no light through.
in vec3 normal;
uniform vec4 color; // w: gloss
uniform int inside_only; // 1: seen from inside only, so that what is in it is seen too

void main() {
    if (inside_only == 1 && gl_FrontFacing) {
        discard;
    }
    vec3 n = normalize(normal);
    n = gl_FrontFacing ? n : -n;
    write_gbuffer(color.rgb, n, n, MATERIAL_SOLID, color.w);
}
