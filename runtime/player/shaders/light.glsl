// SPDX-License-Identifier: MIT
// Two distant lights with soft shadows, and light from all around. A shadow's edge is as wide as the
// light seen past what casts it (percentage closer soft shadows): sharp at contact, soft far away.
uniform sampler2D shadow_depth_0;
uniform sampler2D shadow_depth_1;
uniform sampler2DShadow shadow_test_0;
uniform sampler2DShadow shadow_test_1;

#ifndef SHADOW_TAPS
#define SHADOW_TAPS 20
#endif
#define BLOCKER_TAPS 10

// Points spread evenly over the unit disc, turned differently at every pixel.
vec2 disc_point(int i, int count, float turn) {
    float angle = float(i) * 2.39996323 + turn;
    return sqrt((float(i) + 0.5) / float(count)) * vec2(cos(angle), sin(angle));
}

float pixel_noise() {
    return fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
}

float blocker_depth(sampler2D map, vec3 place, float radius, float turn) {
    float sum = 0.0;
    float count = 0.0;
    for (int i = 0; i < BLOCKER_TAPS; i++) {
        vec2 at = place.xy + radius * disc_point(i, BLOCKER_TAPS, turn);
        float depth = textureLod(map, at, 0.0).r;
        float nearer = depth < place.z ? 1.0 : 0.0;
        sum += nearer * depth;
        count += nearer;
    }
    return count > 0.0 ? sum / count : -1.0;
}

float lit_share(sampler2DShadow map, vec3 place, float radius, float turn) {
    float sum = 0.0;
    for (int i = 0; i < SHADOW_TAPS; i++) {
        vec2 offset = radius * disc_point(i, SHADOW_TAPS, turn);
        sum += textureLod(map, vec3(place.xy + offset, place.z), 0.0);
    }
    return sum / float(SHADOW_TAPS);
}

// How much of light n reaches a place, 0 to 1. normal is the side that the light is on.
float light_share(int n, vec3 position, vec3 normal) {
    float texel = n == 0 ? light_depth.z : light_depth.w;
    float depth = n == 0 ? light_depth.x : light_depth.y;
    float width = light_color[n].w;
    vec3 lifted = position + normal * (2.0 * texel) + light_direction[n].xyz * texel;
    vec4 clip = light_matrix[n] * vec4(lifted, 1.0);
    vec3 place = 0.5 * clip.xyz + 0.5;
    vec2 border = abs(clip.xy);
    if (max(border.x, border.y) > 0.98 || place.z > 1.0) {
        return 1.0;
    }
    float turn = 6.2831853 * pixel_noise();
    float spread = light_direction[n].w / width; // of uv, per metre between caster and receiver
    float search = min(spread * 0.6, 24.0 * texel / width);
    float blocker = n == 0 ? blocker_depth(shadow_depth_0, place, search, turn)
                           : blocker_depth(shadow_depth_1, place, search, turn);
    if (blocker < 0.0) {
        return 1.0;
    }
    float radius = max((place.z - blocker) * depth * spread, 1.5 * texel / width);
    return n == 0 ? lit_share(shadow_test_0, place, radius, turn)
                  : lit_share(shadow_test_1, place, radius, turn);
}

vec3 light_around(vec3 normal) {
    return mix(ground.rgb, sky.rgb, 0.5 + 0.5 * normal.y);
}
