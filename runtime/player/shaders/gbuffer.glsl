// SPDX-License-Identifier: MIT
// What is kept of a surface until picture_fragment lights it. Meshes are finer than pixels, and light costs far more
// than they do: it is reckoned once for what a pixel shows in the end, not for every triangle that touches it.
layout(location = 0) out vec4 gbuffer_albedo; // color; kind and level in one byte
layout(location = 1) out vec4 gbuffer_normals;  // normal with the threads' relief, and without

void write_gbuffer(vec3 albedo, vec3 n, vec3 face, int kind, float level) {
    gbuffer_albedo = vec4(sqrt(albedo / BRIGHTEST), (float(kind * 32) + floor(clamp(level, 0.0, 1.0) * 31.0 + 0.5)) / 255.0);
    gbuffer_normals = vec4(encode_normal(n), encode_normal(face));
}
