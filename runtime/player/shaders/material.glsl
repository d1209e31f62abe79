// SPDX-License-Identifier: MIT
// What surfaces are made of, and how their normals are kept in two numbers.
#define MATERIAL_CLOTH 0   // level: how much light from all around its threads leave
#define MATERIAL_COLORMAP 1 // cloth whose color says something: next to no light comes through. Level as above
#define MATERIAL_STRAND 2  // level: gloss
#define MATERIAL_BALL 3    // level: gloss
#define MATERIAL_SOLID 4   // level: gloss

// Colors are kept as square roots, which bytes hold evenly for the eye, with room for what is brighter than white.
#define BRIGHTEST 1.25

// A direction as a place on an octahedron that is folded flat.
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
