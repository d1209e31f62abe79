// SPDX-License-Identifier: MIT
// Draws a point as a shaded ball.
in vec3 center;
in vec2 marks;
uniform float radius;
uniform float fixed_scale;
uniform int color_mode; // 0: one color, 1: by partition, 2: one color, fixed or not
uniform vec4 color;

void main() {
    vec2 at = 2.0 * gl_PointCoord - 1.0;
    float inside = 1.0 - dot(at, at);
    if (inside < 0.0) {
        discard;
    }
    vec3 back = normalize(eye.xyz - center);
    vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), back));
    vec3 top = cross(back, right);
    vec3 n = right * at.x - top * at.y + back * sqrt(inside);
    float r = radius * (marks.y > 0.5 ? fixed_scale : 1.0);
    vec3 point = center + r * n;
    vec3 albedo = color_mode == 1 ? partition_color(marks.x) : color.rgb;
    albedo = marks.y > 0.5 && color_mode != 2 ? vec3(0.9, 0.62, 0.1) : albedo;
    vec4 projected = view_projection * vec4(point, 1.0);
    gl_FragDepth = 0.5 * projected.z / projected.w + 0.5;
    write_gbuffer(albedo, n, n, MATERIAL_BALL, 0.5);
}
