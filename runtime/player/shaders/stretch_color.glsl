// SPDX-License-Identifier: MIT
// Color of a stretch: blue 10 % shorter, slate at rest, yellow 5 % and red 10 % longer.
vec3 stretch_color(float stretch) {
    float x = clamp((stretch - 1.0) / 0.1, -1.0, 1.0);
    vec3 rest = vec3(0.12, 0.15, 0.19);
    vec3 warm = x < 0.5 ? mix(rest, vec3(0.85, 0.55, 0.05), 2.0 * x)
                        : mix(vec3(0.85, 0.55, 0.05), vec3(0.75, 0.03, 0.02), 2.0 * x - 1.0);
    return x < 0.0 ? mix(rest, vec3(0.03, 0.16, 0.7), -x) : warm;
}
