// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 mark; // color of the particle; 1 where fixed
out vec3 center;
out vec2 marks;
uniform float radius;      // metres
uniform float fixed_scale; // radius factor of fixed particles
uniform mat4 projection;
uniform vec4 viewer;
uniform float pixels; // per radian, or per metre for a light

void main() {
    center = position;
    marks = mark;
    float r = radius * (mark.y > 0.5 ? fixed_scale : 1.0);
    float away = viewer.w > 0.0 ? max(distance(viewer.xyz, position), 0.001) : 1.0;
    gl_PointSize = max(2.0 * r * pixels / away, 2.0);
    gl_Position = projection * vec4(position, 1.0);
}
