// SPDX-License-Identifier: MIT
// From light to a screen: hollows are darkened, bright parts roll off gently, then the sRGB curve, a whisper
// of vignette, and noise below one level so that smooth gradients show no bands.
in vec2 clip;
uniform sampler2D light;
uniform sampler2D depths;
uniform sampler2D hollows; // half as wide and high: share of light from all around, metres away
uniform float reach;       // metres
uniform float strength;    // of hollows, 0 to 1
out vec4 result;

vec3 roll_off(vec3 x) {
    float luminance = dot(x, vec3(0.2126, 0.7152, 0.0722));
    float white = 2.6;
    float mapped = luminance * (1.0 + luminance / (white * white)) / (1.0 + luminance);
    vec3 kept = x * (mapped / max(luminance, 1e-4));
    vec3 each = x * (1.0 + x / (white * white)) / (1.0 + x);
    return mix(kept, each, 0.4); // strong colours bleach a little, as film does
}

vec3 srgb(vec3 x) {
    vec3 low = 12.92 * x;
    vec3 high = 1.055 * pow(max(x, vec3(0.0031308)), vec3(1.0 / 2.4)) - 0.055;
    return mix(high, low, vec3(lessThanEqual(x, vec3(0.0031308))));
}

// Of the four nearest hollows, those of the surface that is seen here.
float hollow_here() {
    ivec2 last = textureSize(hollows, 0) - 1;
    vec2 place = 0.5 * gl_FragCoord.xy - 0.25;
    ivec2 low = ivec2(floor(place));
    vec2 part = place - vec2(low);
    float away = metres_of(texelFetch(depths, ivec2(gl_FragCoord.xy), 0).r);
    float sum = 0.0;
    float weights = 0.0;
    for (int i = 0; i < 4; i++) {
        ivec2 corner = ivec2(i & 1, i >> 1);
        vec2 hollow = texelFetch(hollows, clamp(low + corner, ivec2(0), last), 0).rg;
        vec2 near = mix(1.0 - part, part, vec2(corner));
        float weight = (near.x * near.y + 0.01) * max(1.0 - abs(hollow.g - away) / (0.3 * reach), 0.001);
        sum += weight * hollow.r;
        weights += weight;
    }
    return sum / weights;
}

void main() {
    vec3 x = texelFetch(light, ivec2(gl_FragCoord.xy), 0).rgb * screen.w;
    // What a lamp shines on is dark in hollows to a lesser degree.
    float bright = dot(x, vec3(0.2126, 0.7152, 0.0722));
    x *= mix(1.0, hollow_here(), strength * (1.0 - 0.4 * smoothstep(0.15, 1.2, bright)));
    x *= 1.0 - 0.1 * dot(clip, clip) * 0.5;
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    result = vec4(srgb(clamp(roll_off(x), 0.0, 1.0)) + (noise - 0.5) / 255.0, 1.0);
}
