// SPDX-License-Identifier: MIT
// Text and boxes are laid over the finished picture, in the screen's own colors.
in vec2 at;
in vec4 ink;
uniform sampler2D letters;
out vec4 result;

void main() {
    result = vec4(ink.rgb, ink.a * texture(letters, at).r);
}
