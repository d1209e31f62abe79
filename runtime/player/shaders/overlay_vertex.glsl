// SPDX-License-Identifier: MIT
layout(location = 0) in vec4 point;
layout(location = 1) in vec4 color;
out vec2 at;
out vec4 ink;

void main() {
    at = point.zw;
    ink = color;
    gl_Position = vec4(point.xy, 0.0, 1.0);
}
