// SPDX-License-Identifier: MIT
// Text and boxes over the finished picture, in sRGB.
in vec2 at;
in vec4 ink;
uniform sampler2D letters;
out vec4 result;

void main() {
    result = vec4(ink.rgb, ink.a * texture(letters, at).r);
}
