// SPDX-License-Identifier: MIT
// Vignette, tone mapping (extended Reinhard), sRGB encoding, and dithering below one level against banding.
float pixel_noise() {
    return fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
}

float fine_noise() {
    return (pixel_noise() - 0.5) / 255.0;
}

vec3 tone_map(vec3 x) {
    float luminance = dot(x, vec3(0.2126, 0.7152, 0.0722));
    float white = 2.6;
    float mapped = luminance * (1.0 + luminance / (white * white)) / (1.0 + luminance);
    vec3 kept = x * (mapped / max(luminance, 1e-4));
    vec3 each = x * (1.0 + x / (white * white)) / (1.0 + x);
    return mix(kept, each, 0.4); // partly per channel, which desaturates bright colors
}

vec3 srgb(vec3 x) {
    vec3 low = 12.92 * x;
    vec3 high = 1.055 * pow(max(x, vec3(0.0031308)), vec3(1.0 / 2.4)) - 0.055;
    return mix(high, low, vec3(lessThanEqual(x, vec3(0.0031308))));
}

vec3 to_screen(vec3 light, vec2 from_center) {
    return srgb(clamp(tone_map(light * screen.w * (1.0 - 0.05 * dot(from_center, from_center))), 0.0, 1.0));
}
