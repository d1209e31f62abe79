// SPDX-License-Identifier: MIT
// Vertex normals: the sum of the cross products of the triangles at a vertex, which weights them by area. On demand
// also the stretch of the constraints at the first particle of the vertex.
uniform samplerBuffer vertices;     // three floats each
uniform usamplerBuffer ring_spans;  // first and end index of the ring of a vertex
uniform usamplerBuffer rings;       // next and previous corner of each triangle
uniform usamplerBuffer segment_starts; // first constraint of each vertex, and the end
uniform usamplerBuffer segments;       // both particles and the bits of the rest length
uniform int want_stretch;
out vec4 normal_stretch;

vec3 vertex(int i) {
    return vec3(texelFetch(vertices, 3 * i).r, texelFetch(vertices, 3 * i + 1).r,
                texelFetch(vertices, 3 * i + 2).r);
}

float stretch_of(int i) {
    int from = int(texelFetch(segment_starts, i).r);
    int end = int(texelFetch(segment_starts, i + 1).r);
    float most = 1.0;
    for (int s = from; s < end; s++) {
        vec3 a = particle(int(texelFetch(segments, 3 * s).r));
        vec3 b = particle(int(texelFetch(segments, 3 * s + 1).r));
        float ratio = distance(a, b) / uintBitsToFloat(texelFetch(segments, 3 * s + 2).r);
        most = abs(ratio - 1.0) > abs(most - 1.0) ? ratio : most;
    }
    return most;
}

void main() {
    vec3 here = vertex(gl_VertexID);
    int end = int(texelFetch(ring_spans, 2 * gl_VertexID + 1).r);
    vec3 sum = vec3(0.0);
    for (int n = int(texelFetch(ring_spans, 2 * gl_VertexID).r); n < end; n++) {
        vec3 a = vertex(int(texelFetch(rings, 2 * n).r)) - here;
        vec3 b = vertex(int(texelFetch(rings, 2 * n + 1).r)) - here;
        sum += cross(a, b);
    }
    float length_squared = dot(sum, sum);
    vec3 normal = length_squared > 0.0 ? sum * inversesqrt(length_squared) : vec3(0.0, 1.0, 0.0);
    normal_stretch = vec4(normal, want_stretch != 0 ? stretch_of(gl_VertexID) : 1.0);
}
