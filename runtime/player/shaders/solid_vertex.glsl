// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 direction;
out vec3 normal;
uniform mat4 place; // of the solid, rigid
uniform mat4 project;

void main() {
    vec4 at = place * vec4(position, 1.0);
    normal = mat3(place) * direction;
    gl_Position = project * at;
}
