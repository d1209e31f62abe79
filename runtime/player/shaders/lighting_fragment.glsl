// SPDX-License-Identifier: MIT
// Deferred lighting: lights each distinct surface of a pixel, applies ambient occlusion and tone mapping, then averages
// the samples. Averaging after tone mapping gives smooth edges next to bright surfaces.
in vec2 clip;
uniform SURFACES albedo_texture;
uniform SURFACES normal_texture;
uniform SURFACES depth_texture;
uniform sampler2D occlusion; // at half resolution: fraction of ambient light, depth in metres
uniform vec2 sample_offsets[SAMPLES]; // from the pixel center, in clip space
uniform float reach;       // metres
uniform float strength;    // of occlusion, 0 to 1
out vec4 result;

struct surface_sample {
    bool background; // floor or background
    float away; // metres along the view direction
    vec3 position;
    vec4 albedo_material;
    vec3 face;
    vec2 relief; // encoded normal with the relief of threads
};

surface_sample read_sample(ivec2 at, int number) {
    float depth = texelFetch(depth_texture, at, number).r;
    vec4 normals = texelFetch(normal_texture, at, number);
    vec3 ray = ray_at(clip + sample_offsets[number]);
    float drawn = metres_of(depth);
    float floor_away = floor_along(ray);
    surface_sample s;
    s.background = depth >= 1.0 || floor_away < drawn;
    s.away = min(drawn, floor_away);
    s.position = eye.xyz + s.away * ray;
    s.albedo_material = texelFetch(albedo_texture, at, number);
    s.face = decode_normal(normals.zw);
    s.relief = normals.xy;
    return s;
}

// Whether two samples show the same surface, so that they are lit once.
bool same_surface(surface_sample a, surface_sample b) {
    vec4 other = abs(a.albedo_material - b.albedo_material);
    float pixel = a.away / eye.w;
    bool surface = max(max(other.r, other.g), other.b) < 0.06 && other.a < 0.1 && dot(a.face, b.face) > 0.95 &&
                   abs(dot(a.position - b.position, a.face)) < 1.5 * pixel;
    return a.background == b.background && (a.background || surface);
}

// Interpolates the four nearest texels, weighted towards those at the depth of this pixel.
float occlusion_here(float away) {
    ivec2 last = textureSize(occlusion, 0) - 1;
    vec2 texel = 0.5 * gl_FragCoord.xy - 0.25;
    ivec2 low = ivec2(floor(texel));
    vec2 part = texel - vec2(low);
    float sum = 0.0;
    float weights = 0.0;
    for (int i = 0; i < 4; i++) {
        ivec2 corner = ivec2(i & 1, i >> 1);
        vec2 tap = texelFetch(occlusion, clamp(low + corner, ivec2(0), last), 0).rg;
        vec2 near = mix(1.0 - part, part, vec2(corner));
        float weight = (near.x * near.y + 0.01) * max(1.0 - abs(tap.g - away) / (0.3 * reach), 0.001);
        sum += weight * tap.r;
        weights += weight;
    }
    return sum / weights;
}

// Light from a surface to the camera. Floor and objects use the same loop: shadow lookups are expensive.
vec3 light_of(surface_sample s, vec3 direction, vec3 floor_color, float fade) {
    bool sky_only = s.background && (direction.y >= 0.0 || fade >= 1.0);
    int code = int(s.albedo_material.a * 255.0 + 0.5);
    vec3 up = vec3(0.0, 1.0, 0.0);
    vec3 face = s.background ? up : s.face;
    vec3 n = s.background ? up : decode_normal(s.relief);
    vec3 albedo = s.background ? floor_color : BRIGHTEST * s.albedo_material.rgb * s.albedo_material.rgb;
    vec4 material = material_of(code / 32, float(code % 32) / 31.0);
    float around = code < 64 && !s.background ? float(code % 32) / 31.0 : 1.0;
    vec3 to_eye = -direction;
    vec3 sum = albedo * (s.background ? sky.rgb : ambient_light(n)) * around;
    for (int i = 0; i < 2; i++) {
        vec3 to_light = light_direction[i].xyz;
        vec3 response = s.background ? floor_reflection(albedo, to_eye, to_light)
                                     : reflection(albedo, n, to_eye, to_light, material);
        bool used = max(response.r, max(response.g, response.b)) > 0.001 && !sky_only;
        float visibility = light_visibility(i, s.position, dot(face, to_light) < 0.0 ? -face : face, used);
        // The shadow of the fill light on the floor is weakened.
        visibility = s.background && i == 1 ? mix(1.0, visibility, 0.35) : visibility;
        sum += response * light_color[i].rgb * visibility;
    }
    return s.background ? background_light(sum, direction, fade) : sum;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec3 ray = ray_at(clip);
    vec3 direction = normalize(ray);
    vec3 floor_at = floor_point(ray);
    vec3 floor_color = floor_albedo(floor_at.xz);
    float fade = floor_fade(floor_at);
    vec3 sum = vec3(0.0);
    int left = (1 << SAMPLES) - 1;
    float nearest = 1.0;
    for (int i = 0; i < SAMPLES; i++) {
        nearest = min(nearest, texelFetch(depth_texture, at, i).r);
    }
    int others = nearest < 1.0 ? SAMPLES : 0; // samples to compare; 0 where all are background
    do { // do-while: software drivers run a while loop once more
        surface_sample s = read_sample(at, int(log2(float(left & -left)) + 0.5));
        int these = others == 0 ? left : 0;
        float count = others == 0 ? float(SAMPLES) : 0.0;
        for (int i = 0; i < others; i++) {
            bool same = (left & (1 << i)) != 0 && same_surface(s, read_sample(at, i));
            these |= same ? 1 << i : 0;
            count += same ? 1.0 : 0.0;
        }
        s.position = s.background ? floor_at : s.position;
        vec3 light = light_of(s, direction, floor_color, fade);
        // Occlusion is weaker on brightly lit surfaces.
        float bright = screen.w * dot(light, vec3(0.2126, 0.7152, 0.0722));
        light *= mix(1.0, occlusion_here(s.away), strength * (1.0 - 0.4 * smoothstep(0.15, 1.2, bright)));
        sum += to_screen(light, clip) * max(count, 1.0);
        left &= ~(these | (left & -left)); // always removes at least the first sample, so that the loop ends
    } while (left != 0);
    result = vec4(sum / float(SAMPLES) + fine_noise(), 1.0);
}
