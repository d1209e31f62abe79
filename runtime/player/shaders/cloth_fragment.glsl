// SPDX-License-Identifier: MIT
in vec3 world;
in vec3 normal;
in vec3 uv_stretch;
uniform sampler2D weave;   // xy: normal of the threads; z: height; w: tint
uniform sampler2D picture; // texture of the garment, white where it has none
uniform vec4 color;        // linear
uniform vec4 fabric;       // x: weave repeats per unit of uv, y: relief, z: stretch colors, w: tint of the back

// Tangents along u and v from screen-space derivatives.
mat3 cloth_frame(vec3 n, vec3 p, vec2 uv) {
    vec3 dp1 = dFdx(p);
    vec3 dp2 = dFdy(p);
    vec2 duv1 = dFdx(uv);
    vec2 duv2 = dFdy(uv);
    vec3 a = cross(dp2, n);
    vec3 b = cross(n, dp1);
    vec3 t = a * duv1.x + b * duv2.x;
    vec3 s = a * duv1.y + b * duv2.y;
    float scale = inversesqrt(max(max(dot(t, t), dot(s, s)), 1e-20));
    return mat3(t * scale, s * scale, n);
}

void main() {
    vec3 face = normalize(normal);
    vec3 to_eye = normalize(eye.xyz - world);
    // The visible side follows from the normals, not from the winding: in a fold as small as the mesh a single
    // triangle may flip, and would be a dark speck.
    bool back = dot(face, cross(dFdx(world), dFdy(world))) < 0.0;
    face = back ? -face : face;
    vec2 uv = uv_stretch.xy;
    vec4 thread = texture(weave, uv * fabric.x);
    vec4 slub = texture(weave, uv * fabric.x * 0.043);
    vec3 relief = vec3((2.0 * thread.xy - 1.0) * fabric.y, 1.0);
    vec3 n = normalize(cloth_frame(face, world, uv) * relief);
    // At grazing angles the interpolated normal may point away from the camera: bend it back.
    n = dot(n, to_eye) < 0.0 ? normalize(n - 1.02 * dot(n, to_eye) * to_eye) : n;
    vec3 albedo = color.rgb * texture(picture, uv).rgb;
    albedo = back ? mix(albedo, albedo * vec3(0.82, 0.84, 0.88), fabric.w) : albedo;
    albedo *= 1.0 + 0.35 * fabric.y * (thread.a - 0.5) + 0.12 * fabric.y * (slub.a - 0.5);
    albedo = fabric.z > 0.0 ? stretch_color(uv_stretch.z) : albedo;
    float thread_occlusion = mix(1.0, 0.72 + 0.28 * thread.b, fabric.y);
    write_gbuffer(albedo, n, face, fabric.z > 0.0 ? MATERIAL_COLORMAP : MATERIAL_CLOTH, thread_occlusion);
}
