// SPDX-License-Identifier: MIT
// The mean of 4 x 4 pixels, weighted by similar depth, so that edges stay sharp.
uniform sampler2D occlusion;
uniform float reach; // metres
out vec2 result;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(occlusion, 0) - 1;
    float away = texelFetch(occlusion, at, 0).g;
    float sum = 0.0;
    float weights = 0.0;
    for (int y = -2; y < 2; y++) {
        for (int x = -2; x < 2; x++) {
            vec2 other = texelFetch(occlusion, clamp(at + ivec2(x, y), ivec2(0), last), 0).rg;
            float weight = max(1.0 - abs(other.g - away) / (0.5 * reach), 0.001);
            sum += weight * other.r;
            weights += weight;
        }
    }
    result = vec2(sum / weights, away);
}
