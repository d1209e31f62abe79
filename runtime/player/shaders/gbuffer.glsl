// SPDX-License-Identifier: MIT
// Writes a surface to the G-buffer, which lighting_fragment reads. Lighting costs more than rasterization, and many
// triangles of a fine mesh touch one pixel; deferred lighting runs once per visible surface.
layout(location = 0) out vec4 gbuffer_albedo; // color; material code and level in one byte
layout(location = 1) out vec4 gbuffer_normals;  // encoded normals: with the relief of threads, without it

void write_gbuffer(vec3 albedo, vec3 n, vec3 face, int kind, float level) {
    gbuffer_albedo = vec4(sqrt(albedo / BRIGHTEST), (float(kind * 32) + floor(clamp(level, 0.0, 1.0) * 31.0 + 0.5)) / 255.0);
    gbuffer_normals = vec4(encode_normal(n), encode_normal(face));
}
