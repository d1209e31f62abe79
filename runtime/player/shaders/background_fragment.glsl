// SPDX-License-Identifier: MIT
// Floor and background outside the scissor rectangle: the result of lighting_fragment there, at lower cost.
in vec2 clip;
out vec4 result;

void main() {
    vec3 ray = ray_at(clip);
    vec3 direction = normalize(ray);
    vec3 floor_at = floor_point(ray);
    vec3 albedo = floor_albedo(floor_at.xz);
    vec3 sum = albedo * sky.rgb;
    for (int i = 0; i < 2; i++) {
        sum += floor_reflection(albedo, -direction, light_direction[i].xyz) * light_color[i].rgb;
    }
    result = vec4(to_screen(background_light(sum, direction, floor_fade(floor_at)), clip) + fine_noise(), 1.0);
}
