// SPDX-License-Identifier: MIT
// Reflection of cloth: diffuse, translucent, a sheen at grazing angles, and a specular highlight.

// x: gloss 0 to 1, y: sheen, z: translucency, w: roughness of the highlight
vec4 material_of(int kind, float level) {
    if (kind == MATERIAL_SOLID) {
        return vec4(level, 0.0, 0.0, 0.3);
    }
    if (kind == MATERIAL_BALL) {
        return vec4(level, 0.0, 0.0, 0.35);
    }
    float through = kind == MATERIAL_CLOTH ? 0.25 : (kind == MATERIAL_COLORMAP ? 0.05 : 0.0);
    return vec4(kind == MATERIAL_STRAND ? level : 0.25, 0.45, through, 0.5);
}

// GGX highlight (Trowbridge and Reitz) with the Schlick-Smith shadowing term.
float highlight(float nh, float nl, float nv, float roughness) {
    float a = roughness * roughness;
    float d = nh * nh * (a * a - 1.0) + 1.0;
    float spread = a * a / (3.14159265 * d * d);
    float k = (roughness + 1.0) * (roughness + 1.0) / 8.0;
    return spread / (4.0 * (nl * (1.0 - k) + k) * (nv * (1.0 - k) + k));
}

// Sheen of fibers (Estevez and Kulla), roughness 1/2.
float sheen_of(float nh, float nl, float nv) {
    float sine = sqrt(max(1.0 - nh * nh, 0.0));
    return 4.0 * sine * sine / (2.0 * 3.14159265 * 4.0 * (nl + nv - nl * nv) + 0.001);
}

// Light of one source that is reflected or transmitted towards the camera, without shadow.
vec3 reflection(vec3 albedo, vec3 n, vec3 to_eye, vec3 to_light, vec4 material) {
    float nl = dot(n, to_light);
    float nv = max(abs(dot(n, to_eye)), 0.02);
    vec3 through = albedo * albedo * material.z * max(-nl, 0.0);
    if (nl <= 0.0) {
        return through;
    }
    vec3 half_vector = normalize(to_eye + to_light);
    float nh = max(dot(n, half_vector), 0.0);
    float fresnel = 0.04 + 0.96 * pow(1.0 - max(dot(half_vector, to_eye), 0.0), 5.0);
    float gloss = material.x * fresnel * highlight(nh, nl, nv, material.w) * 3.14159265;
    float sheen = material.y * sheen_of(nh, nl, nv) * 3.14159265;
    return (albedo * (1.0 - fresnel * material.x) + sqrt(albedo) * sheen + vec3(gloss)) * nl;
}
