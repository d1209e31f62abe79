// SPDX-License-Identifier: MIT
// Adaptive tessellation: an edge is split into pieces of a few pixels. The level of an edge depends only on its two
// ends, so that adjacent triangles match.
layout(vertices = 3) out;
in vec3 control_position[];
in vec3 control_normal[];
in vec3 control_uv_stretch[];
out vec3 patch_position[];
out vec3 patch_normal[];
out vec3 patch_uv_stretch[];
uniform float piece_pixels; // 0: one level for all, of most_pieces
uniform float most_pieces;

float pieces(int a, int b) {
    vec3 middle = 0.5 * (control_position[a] + control_position[b]);
    float pixels = distance(control_position[a], control_position[b]) * eye.w /
                   max(distance(middle, eye.xyz), 0.01);
    return clamp(pixels / piece_pixels, 1.0, most_pieces);
}

void main() {
    patch_position[gl_InvocationID] = control_position[gl_InvocationID];
    patch_normal[gl_InvocationID] = control_normal[gl_InvocationID];
    patch_uv_stretch[gl_InvocationID] = control_uv_stretch[gl_InvocationID];
    if (gl_InvocationID == 0) {
        gl_TessLevelOuter[0] = pieces(1, 2);
        gl_TessLevelOuter[1] = pieces(2, 0);
        gl_TessLevelOuter[2] = pieces(0, 1);
        gl_TessLevelInner[0] =
            max(gl_TessLevelOuter[0], max(gl_TessLevelOuter[1], gl_TessLevelOuter[2]));
    }
}
