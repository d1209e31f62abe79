// SPDX-License-Identifier: MIT
// The picture, from the surfaces that were kept: light on each that a pixel shows, occlusion darkened, and the mean of
// them as the screen shows them: four samples have few steps, which are to be even ones for the eye.
in vec2 clip;
uniform SURFACES albedo_texture;
uniform SURFACES normal_texture;
uniform SURFACES depth_texture;
uniform sampler2D occlusion; // half as wide and high: share of light from all around, metres away
uniform vec2 sample_offsets[SAMPLES]; // from a pixel's middle, in clip space
uniform float reach;       // metres
uniform float strength;    // of occlusion, 0 to 1
out vec4 result;

struct surface_sample {
    bool background; // floor or background
    float away; // metres along the view
    vec3 place;
    vec4 albedo_material;
    vec3 face;
    vec2 relief; // the normal with its relief, folded
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
    s.place = eye.xyz + s.away * ray;
    s.albedo_material = texelFetch(albedo_texture, at, number);
    s.face = decode_normal(normals.zw);
    s.relief = normals.xy;
    return s;
}

// Whether two samples show the same thing, so that one light does for both.
bool same_surface(surface_sample a, surface_sample b) {
    vec4 other = abs(a.albedo_material - b.albedo_material);
    float pixel = a.away / eye.w;
    bool surface = max(max(other.r, other.g), other.b) < 0.06 && other.a < 0.1 && dot(a.face, b.face) > 0.95 &&
                   abs(dot(a.place - b.place, a.face)) < 1.5 * pixel;
    return a.background == b.background && (a.background || surface);
}

// Interpolates the four nearest texels, weighted towards those at the depth of this pixel.
float occlusion_here(float away) {
    ivec2 last = textureSize(occlusion, 0) - 1;
    vec2 place = 0.5 * gl_FragCoord.xy - 0.25;
    ivec2 low = ivec2(floor(place));
    vec2 part = place - vec2(low);
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

// All light from a place to the eye. The floor and what stands on it share the shadows' long loops.
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
        vec3 response = s.background ? floor_reflection(albedo, to_eye, to_light) : reflection(albedo, n, to_eye, to_light, material);
        bool asked = max(response.r, max(response.g, response.b)) > 0.001 && !sky_only;
        float share = light_visibility(i, s.place, dot(face, to_light) < 0.0 ? -face : face, asked);
        share = s.background && i == 1 ? mix(1.0, share, 0.35) : share; // the fill is wide: what it leaves is no stain
        sum += response * light_color[i].rgb * share;
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
    int others = nearest < 1.0 ? SAMPLES : 0; // to be held against the first: where all is stage, none
    do { // a loop that asks at its end: drivers that draw on the processor run one that asks first once too often
        surface_sample s = read_sample(at, int(log2(float(left & -left)) + 0.5));
        int these = others == 0 ? left : 0;
        float count = others == 0 ? float(SAMPLES) : 0.0;
        for (int i = 0; i < others; i++) {
            bool same = (left & (1 << i)) != 0 && same_surface(s, read_sample(at, i));
            these |= same ? 1 << i : 0;
            count += same ? 1.0 : 0.0;
        }
        s.place = s.background ? floor_at : s.place;
        vec3 light = light_of(s, direction, floor_color, fade);
        // What a lamp shines on is dark in occlusion to a lesser degree.
        float bright = screen.w * dot(light, vec3(0.2126, 0.7152, 0.0722));
        light *= mix(1.0, occlusion_here(s.away), strength * (1.0 - 0.4 * smoothstep(0.15, 1.2, bright)));
        sum += to_screen(light, clip) * max(count, 1.0);
        left &= ~(these | (left & -left)); // itself at least, whatever figures a driver makes
    } while (left != 0);
    result = vec4(sum / float(SAMPLES) + fine_noise(), 1.0);
}
