// SPDX-License-Identifier: MIT
// A triangle that covers the screen, without buffers.
out vec2 clip;

void main() {
    clip = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(clip, 0.0, 1.0);
}
