// SPDX-License-Identifier: MIT
// Material codes of the G-buffer, and octahedral encoding of normals.
#define MATERIAL_CLOTH 0   // level: ambient occlusion between threads
#define MATERIAL_COLORMAP 1 // cloth whose color encodes a value: little translucency; level as above
#define MATERIAL_STRAND 2  // level: gloss
#define MATERIAL_BALL 3    // level: gloss
#define MATERIAL_SOLID 4   // level: gloss

// Colors are stored as square roots, which spreads the 8-bit levels evenly; the largest value is above white.
#define BRIGHTEST 1.25

// Octahedral encoding of a unit vector.
vec2 encode_normal(vec3 n) {
    n /= abs(n.x) + abs(n.y) + abs(n.z);
    vec2 turned = (1.0 - abs(n.yx)) * vec2(n.x < 0.0 ? -1.0 : 1.0, n.y < 0.0 ? -1.0 : 1.0);
    return n.z < 0.0 ? turned : n.xy;
}

vec3 decode_normal(vec2 at) {
    vec3 n = vec3(at, 1.0 - abs(at.x) - abs(at.y));
    float over = max(-n.z, 0.0);
    n.xy += vec2(n.x < 0.0 ? over : -over, n.y < 0.0 ? over : -over);
    return normalize(n);
}
