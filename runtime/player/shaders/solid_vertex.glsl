// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 direction;
out vec3 normal;
uniform mat4 pose; // of the solid: rotation and translation
uniform mat4 projection;

void main() {
    vec4 at = pose * vec4(position, 1.0);
    normal = mat3(pose) * direction;
    gl_Position = projection * at;
}
