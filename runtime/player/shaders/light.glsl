// SPDX-License-Identifier: MIT
// Two distant lights with percentage-closer soft shadows, and ambient light. The width of a shadow edge grows with
// the distance between caster and receiver.
uniform sampler2D shadow_depth_0;
uniform sampler2D shadow_depth_1;
uniform sampler2DShadow shadow_test_0;
uniform sampler2DShadow shadow_test_1;

#define BLOCKER_TAPS 8
#define SHADOW_TAPS 16

// Taps lie on a Vogel spiral: each is rotated by the golden angle. The start angle differs per pixel.
const mat2 golden = mat2(-0.7373688, 0.6754903, -0.6754903, -0.7373688);

// taps = 0 skips the work; software drivers execute both sides of an if. Returns the mean depth of the blockers and
// the fraction of taps that found one.
vec2 find_blockers(sampler2D map, vec3 shadow_position, float radius, vec2 direction, int taps) {
    float sum = 0.0;
    float count = 0.0;
    for (int i = 0; i < taps; i++) {
        direction = golden * direction;
        vec2 at = shadow_position.xy + direction * (radius * sqrt((float(i) + 0.5) / float(BLOCKER_TAPS)));
        float depth = textureLod(map, at, 0.0).r;
        float nearer = depth < shadow_position.z ? 1.0 : 0.0;
        sum += nearer * depth;
        count += nearer;
    }
    return vec2(sum / max(count, 1.0), count / float(BLOCKER_TAPS));
}

float filter_shadow(sampler2DShadow map, vec3 shadow_position, float radius, vec2 direction, int taps) {
    float sum = 0.0;
    for (int i = 0; i < taps; i++) {
        direction = golden * direction;
        vec2 at = shadow_position.xy + direction * (radius * sqrt((float(i) + 0.5) / float(SHADOW_TAPS)));
        sum += textureLod(map, vec3(at, shadow_position.z), 0.0);
    }
    return sum / float(SHADOW_TAPS);
}

// Fraction of light n that reaches a position, 0 to 1. `normal` points to the side of the light. Where `used` is
// false the result is ignored.
float light_visibility(int n, vec3 position, vec3 normal, bool used) {
    float texel = n == 0 ? light_depth.z : light_depth.w;
    float depth = n == 0 ? light_depth.x : light_depth.y;
    float width = light_color[n].w;
    vec3 lifted = position + normal * (2.0 * texel) + light_direction[n].xyz * texel;
    vec4 clip = light_matrix[n] * vec4(lifted, 1.0);
    vec3 shadow_position = 0.5 * clip.xyz + 0.5;
    // Casters lie within a rectangle of the map; outside it there is no shadow.
    vec4 casters = light_casters[n];
    vec2 beside = max(casters.xy - clip.xy, clip.xy - casters.zw);
    float spread = light_direction[n].w / width; // uv per metre between caster and receiver
    float reach = min(0.6 * spread, 32.0 * texel / width);
    bool near = max(beside.x, beside.y) < 2.0 * reach && shadow_position.z < 1.0;
    int taps = used && near ? BLOCKER_TAPS : 0;
    float angle = 6.2831853 * pixel_noise();
    vec2 direction = vec2(cos(angle), sin(angle));
    vec2 blockers = n == 0 ? find_blockers(shadow_depth_0, shadow_position, reach, direction, taps)
                           : find_blockers(shadow_depth_1, shadow_position, reach, direction, taps);
    // Without blockers, or with blockers at all taps, the filter below would give the same result.
    bool edge = blockers.y > 0.0 && blockers.y < 1.0;
    taps = edge ? SHADOW_TAPS : 0;
    // Not wider than the search: a wider edge would end abruptly where the search finds no blocker.
    float radius = clamp((shadow_position.z - blockers.x) * depth * spread, 1.5 * texel / width, reach);
    float visibility = n == 0 ? filter_shadow(shadow_test_0, shadow_position, radius, direction, taps)
                         : filter_shadow(shadow_test_1, shadow_position, radius, direction, taps);
    return edge ? visibility : 1.0 - blockers.y;
}

vec3 ambient_light(vec3 normal) {
    return mix(ground.rgb, sky.rgb, 0.5 + 0.5 * normal.y);
}
