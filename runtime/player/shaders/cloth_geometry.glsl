// SPDX-License-Identifier: MIT
// Smoothing for OpenGL 3.3, which has no tessellation: one new vertex per edge, four triangles for one.
layout(triangles) in;
layout(triangle_strip, max_vertices = 8) out;
in vec3 control_position[];
in vec3 control_normal[];
in vec3 control_uv_stretch[];

void emit(vec3 w) {
    set_cloth_point(vec3[3](control_position[0], control_position[1], control_position[2]),
                    vec3[3](control_normal[0], control_normal[1], control_normal[2]),
                    vec3[3](control_uv_stretch[0], control_uv_stretch[1], control_uv_stretch[2]), w);
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
