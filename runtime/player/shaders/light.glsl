// SPDX-License-Identifier: MIT
// Two distant lights with soft shadows, and light from all around. A shadow's edge is as wide as the
// light seen past what casts it (percentage closer soft shadows): sharp at contact, soft far away.
uniform sampler2D shadow_depth_0;
uniform sampler2D shadow_depth_1;
uniform sampler2DShadow shadow_test_0;
uniform sampler2DShadow shadow_test_1;

#define BLOCKER_TAPS 8
#define SHADOW_TAPS 16

// Taps follow a sunflower's spiral, begun elsewhere at every pixel: each turns by the golden angle.
const mat2 golden = mat2(-0.7373688, 0.6754903, -0.6754903, -0.7373688);

// Loops of no rounds are how a shader leaves work out: drivers that draw on the processor run both sides
// of an if. Returns the mean depth of what is nearer to the light, and the share of taps that found some.
vec2 find_blockers(sampler2D map, vec3 place, float radius, vec2 way, int taps) {
    float sum = 0.0;
    float count = 0.0;
    for (int i = 0; i < taps; i++) {
        way = golden * way;
        vec2 at = place.xy + way * (radius * sqrt((float(i) + 0.5) / float(BLOCKER_TAPS)));
        float depth = textureLod(map, at, 0.0).r;
        float nearer = depth < place.z ? 1.0 : 0.0;
        sum += nearer * depth;
        count += nearer;
    }
    return vec2(sum / max(count, 1.0), count / float(BLOCKER_TAPS));
}

float filter_shadow(sampler2DShadow map, vec3 place, float radius, vec2 way, int taps) {
    float sum = 0.0;
    for (int i = 0; i < taps; i++) {
        way = golden * way;
        vec2 at = place.xy + way * (radius * sqrt((float(i) + 0.5) / float(SHADOW_TAPS)));
        sum += textureLod(map, vec3(at, place.z), 0.0);
    }
    return sum / float(SHADOW_TAPS);
}

// How much of light n reaches a place, 0 to 1. normal is the side that the light is on; where `asked` is
// false nobody looks at the answer.
float light_visibility(int n, vec3 position, vec3 normal, bool asked) {
    float texel = n == 0 ? light_depth.z : light_depth.w;
    float depth = n == 0 ? light_depth.x : light_depth.y;
    float width = light_color[n].w;
    vec3 lifted = position + normal * (2.0 * texel) + light_direction[n].xyz * texel;
    vec4 clip = light_matrix[n] * vec4(lifted, 1.0);
    vec3 place = 0.5 * clip.xyz + 0.5;
    // Garments are within a rectangle of the map: beside it nothing casts a shadow.
    vec4 casters = light_casters[n];
    vec2 beside = max(casters.xy - clip.xy, clip.xy - casters.zw);
    float spread = light_direction[n].w / width; // of uv, per metre between caster and receiver
    float reach = min(0.6 * spread, 32.0 * texel / width);
    bool near = max(beside.x, beside.y) < 2.0 * reach && place.z < 1.0;
    int taps = asked && near ? BLOCKER_TAPS : 0;
    float angle = 6.2831853 * pixel_noise();
    vec2 way = vec2(cos(angle), sin(angle));
    vec2 blockers = n == 0 ? find_blockers(shadow_depth_0, place, reach, way, taps)
                           : find_blockers(shadow_depth_1, place, reach, way, taps);
    // Nothing is in the way, or something everywhere: then so it is in the narrower circle below.
    bool edge = blockers.y > 0.0 && blockers.y < 1.0;
    taps = edge ? SHADOW_TAPS : 0;
    // No wider than what was searched: an edge that is would end in a step where nothing is found any more.
    float radius = clamp((place.z - blockers.x) * depth * spread, 1.5 * texel / width, reach);
    float share = n == 0 ? filter_shadow(shadow_test_0, place, radius, way, taps)
                         : filter_shadow(shadow_test_1, place, radius, way, taps);
    return edge ? share : 1.0 - blockers.y;
}

vec3 ambient_light(vec3 normal) {
    return mix(ground.rgb, sky.rgb, 0.5 + 0.5 * normal.y);
}
