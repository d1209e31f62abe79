// SPDX-License-Identifier: MIT
// Skinning: a vertex of the render mesh is a weighted sum of particles, plus an offset in the frame of the first
// three (formats/PACK.md, "REMB"). Runs once per simulated frame.
uniform usamplerBuffer influences; // particle, bits of its weight; alternating
uniform samplerBuffer offsets;     // three floats per vertex
uniform int influence_count;
uniform int has_offsets;
out vec3 skinned_position;

int influence(int n) {
    return int(texelFetch(influences, 2 * (gl_VertexID * influence_count + n)).r);
}

float weight(int n) {
    return uintBitsToFloat(texelFetch(influences, 2 * (gl_VertexID * influence_count + n) + 1).r);
}

mat3 local_frame() {
    vec3 origin = particle(influence(0));
    vec3 x = particle(influence(1)) - origin;
    vec3 z = cross(x, particle(influence(2)) - origin);
    if (dot(x, x) == 0.0 || dot(z, z) == 0.0) {
        return mat3(1.0);
    }
    x = normalize(x);
    z = normalize(z);
    return mat3(x, cross(z, x), z);
}

void main() {
    vec3 sum = vec3(0.0);
    for (int n = 0; n < influence_count; n++) {
        sum += weight(n) * particle(influence(n));
    }
    if (has_offsets != 0 && influence_count >= 3) {
        sum += local_frame() * vec3(texelFetch(offsets, 3 * gl_VertexID).r,
                                    texelFetch(offsets, 3 * gl_VertexID + 1).r,
                                    texelFetch(offsets, 3 * gl_VertexID + 2).r);
    }
    skinned_position = sum;
}
