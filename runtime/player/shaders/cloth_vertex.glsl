// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 normal_stretch;
layout(location = 2) in vec2 uv;
#ifdef TESSELLATE
out vec3 control_position;
out vec3 control_normal;
out vec3 control_uv_stretch;

void main() {
    control_position = position;
    control_normal = normal_stretch.xyz;
    control_uv_stretch = vec3(uv, normal_stretch.w);
}
#elif defined SHADOW
uniform mat4 projection;

void main() {
    gl_Position = projection * vec4(position, 1.0);
}
#else
out vec3 world;
out vec3 normal;
out vec3 uv_stretch;
uniform mat4 projection; // world to clip space of the camera or of a light

void main() {
    world = position;
    normal = normal_stretch.xyz;
    uv_stretch = vec3(uv, normal_stretch.w);
    gl_Position = projection * vec4(position, 1.0);
}
#endif
