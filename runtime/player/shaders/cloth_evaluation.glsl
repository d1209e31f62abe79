// SPDX-License-Identifier: MIT
layout(triangles, fractional_odd_spacing, ccw) in;
in vec3 patch_position[];
in vec3 patch_normal[];
in vec3 patch_uv_stretch[];

void main() {
    set_cloth_point(vec3[3](patch_position[0], patch_position[1], patch_position[2]),
                    vec3[3](patch_normal[0], patch_normal[1], patch_normal[2]),
                    vec3[3](patch_uv_stretch[0], patch_uv_stretch[1], patch_uv_stretch[2]), gl_TessCoord);
}
