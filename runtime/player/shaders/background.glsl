// SPDX-License-Identifier: MIT
// Floor and sky, by the ray of each pixel. Both blend into one color at the horizon.
uniform vec4 floor_style; // x: grid's strength, y: highlight's strength

vec3 sky_color(vec3 direction) {
    float up = direction.y;
    vec3 high = vec3(0.06, 0.10, 0.165);
    return mix(horizon.rgb, high, smoothstep(0.0, 0.8, up));
}

// Antialiased grid lines of this spacing, about 1.5 pixels wide.
float grid_lines(vec2 point, float spacing) {
    vec2 cell = point / spacing;
    vec2 width = fwidth(cell);
    vec2 distance_to = abs(fract(cell - 0.5) - 0.5);
    vec2 line = 1.0 - smoothstep(0.4 * width, 1.3 * width, distance_to);
    vec2 far = 1.0 - smoothstep(0.08, 0.4, width);
    return max(line.x * far.x, line.y * far.y);
}

vec3 floor_albedo(vec2 point) {
    float lines = grid_lines(point, 0.1) * 0.25 + grid_lines(point, 0.5) * 0.5;
    return vec3(0.335, 0.325, 0.31) * (1.0 - 0.30 * floor_style.x * lines);
}

vec3 floor_point(vec3 ray) {
    return eye.xyz + (floor_center.y - eye.y) / ray.y * ray;
}

// 0 near the objects, 1 where the floor has faded into the background.
float floor_fade(vec3 point) {
    return smoothstep(0.8, 3.4, length(point.xz - floor_center.xz) / floor_center.w);
}

vec3 floor_reflection(vec3 albedo, vec3 to_eye, vec3 to_light) {
    vec3 half_vector = normalize(to_light + to_eye);
    float gloss = floor_style.y * pow(max(half_vector.y, 0.0), 60.0);
    return albedo * to_light.y + vec3(gloss);
}

// Color in a direction, given the light from the floor there.
vec3 background_light(vec3 floor_light, vec3 direction, float fade) {
    return direction.y < 0.0 ? mix(floor_light, horizon.rgb, fade) : sky_color(direction);
}
