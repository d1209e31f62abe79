// SPDX-License-Identifier: MIT
// The uniforms of a picture; slv_frame_block in view/frame_block.h has the same layout. Metres, world space, y up;
// colors are linear.
layout(std140) uniform Frame {
    mat4 view_projection;
    mat4 rays;               // right, up, forward at the edge of the picture, eye: for the ray of a pixel
    mat4 light_matrix[2];    // world to the light's clip space
    vec4 light_direction[2]; // towards the light; w: tangent of its angular radius
    vec4 light_color[2];     // irradiance; w: width of its shadow map in metres
    vec4 light_casters[2];   // bounds of the casters in the clip space of the light: lowest x, y, highest x, y
    vec4 light_depth;        // x, y: depth of the lights' boxes in metres; z, w: width of a texel
    vec4 eye;                // w: pixels per radian at the middle of the picture
    vec4 sky;                // light from above
    vec4 ground;             // light from below
    vec4 horizon;            // color of the horizon
    vec4 floor_center;        // x, y, z: center of the lit region on the floor; w: its radius
    vec4 screen;             // width, height in pixels; near plane in metres; exposure
};
