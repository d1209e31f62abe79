// SPDX-License-Identifier: MIT
// Display colors of partitions: red and black first, then distinct hues.
vec3 partition_color(float number) {
    if (number < -0.5) {
        return vec3(0.3); // averaged constraints have no color
    }
    if (number < 0.5) {
        return vec3(0.62, 0.045, 0.05);
    }
    if (number < 1.5) {
        return vec3(0.028, 0.03, 0.036);
    }
    float hue = fract(0.13 + 0.381966 * number);
    vec3 wheel = clamp(abs(fract(hue + vec3(0.0, 2.0 / 3.0, 1.0 / 3.0)) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
    return 0.05 + 0.62 * wheel * wheel;
}
