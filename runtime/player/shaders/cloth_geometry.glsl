// SPDX-License-Identifier: MIT
// The same smoothing for OpenGL 3.3, as the fabric paper has it: one new vertex an edge, four
// triangles for one.
layout(triangles) in;
layout(triangle_strip, max_vertices = 8) out;
in vec3 control_position[];
in vec3 control_normal[];
in vec3 control_uv_stretch[];
out vec3 world;
out vec3 normal;
out vec3 uv_stretch;
uniform mat4 project;

void emit(vec3 w) {
    vec3 p[3] = vec3[3](control_position[0], control_position[1], control_position[2]);
    vec3 n[3] = vec3[3](control_normal[0], control_normal[1], control_normal[2]);
    world = curved_position(p, n, w);
    normal = normalize(n[0] * w.x + n[1] * w.y + n[2] * w.z);
    uv_stretch =
        control_uv_stretch[0] * w.x + control_uv_stretch[1] * w.y + control_uv_stretch[2] * w.z;
    gl_Position = project * vec4(world, 1.0);
    EmitVertex();
}

void main() {
    vec3 ab = vec3(0.5, 0.5, 0.0);
    vec3 bc = vec3(0.0, 0.5, 0.5);
    vec3 ca = vec3(0.5, 0.0, 0.5);
    emit(vec3(1.0, 0.0, 0.0));
    emit(ab);
    emit(ca);
    emit(bc);
    emit(vec3(0.0, 0.0, 1.0));
    EndPrimitive();
    emit(ab);
    emit(vec3(0.0, 1.0, 0.0));
    emit(bc);
    EndPrimitive();
}
