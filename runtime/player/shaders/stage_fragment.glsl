// SPDX-License-Identifier: MIT
// Background and floor in one pass: the ray of each pixel either meets the floor or goes to the sky.
// Both blend into one colour at the horizon, as in a photographer's studio.
in vec2 clip;
uniform vec4 floor_style; // x: grid's strength, y: highlight's strength
out vec4 result;

vec3 background(vec3 direction) {
    float up = direction.y;
    vec3 high = vec3(0.06, 0.10, 0.165);
    return mix(horizon.rgb, high, smoothstep(0.0, 0.8, up));
}

// Lines of a grid of this spacing, a pixel and a half wide and as soft as pixels are large.
float grid_lines(vec2 place, float spacing) {
    vec2 cell = place / spacing;
    vec2 width = fwidth(cell);
    vec2 distance_to = abs(fract(cell - 0.5) - 0.5);
    vec2 line = 1.0 - smoothstep(0.4 * width, 1.3 * width, distance_to);
    vec2 far = 1.0 - smoothstep(0.08, 0.4, width);
    return max(line.x * far.x, line.y * far.y);
}

void main() {
    vec3 origin = rays[3].xyz;
    vec3 direction = normalize(rays[0].xyz * clip.x + rays[1].xyz * clip.y + rays[2].xyz);
    float along = (floor_place.y - origin.y) / direction.y;
    vec3 place = origin + along * direction;
    float lines = grid_lines(place.xz, 0.1) * 0.25 + grid_lines(place.xz, 0.5) * 0.5;
    vec3 seen = background(direction);
    gl_FragDepth = 1.0;
    if (along > 0.0) {
        vec4 projected = view_projection * vec4(place, 1.0);
        gl_FragDepth = clamp(0.5 * projected.z / projected.w + 0.5, 0.0, 1.0);
        float away = length(place.xz - floor_place.xz) / floor_place.w;
        float fade = smoothstep(0.8, 3.4, away);
        vec3 albedo = vec3(0.335, 0.325, 0.31) * (1.0 - 0.30 * floor_style.x * lines);
        vec3 up = vec3(0.0, 1.0, 0.0);
        vec3 sum = albedo * sky.rgb;
        for (int i = 0; i < 2; i++) {
            vec3 to_light = light_direction[i].xyz;
            float share = light_share(i, place, up, along > 0.0 && fade < 1.0);
            share = i == 0 ? share : mix(1.0, share, 0.35); // the fill is wide: what it leaves is no stain
            vec3 half_way = normalize(to_light - direction);
            float gloss = floor_style.y * pow(max(half_way.y, 0.0), 60.0);
            sum += (albedo * to_light.y + vec3(gloss)) * light_color[i].rgb * share;
        }
        seen = mix(sum, horizon.rgb, fade);
    }
    result = vec4(seen, 1.0);
}
