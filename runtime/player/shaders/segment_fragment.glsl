// SPDX-License-Identifier: MIT
in vec3 across;
in vec3 side;
in vec3 front;
uniform vec4 color;
uniform int color_mode; // 0: color, 1: by constraint color, 2: by stretch

void main() {
    float x = clamp(across.x, -1.0, 1.0);
    vec3 n = normalize(side * x + front * sqrt(1.0 - x * x));
    vec3 albedo = color_mode == 1 ? partition_color(across.z)
                             : (color_mode == 2 ? stretch_color(across.y) : color.rgb);
    write_gbuffer(albedo, n, n, MATERIAL_STRAND, color.w);
}
