// SPDX-License-Identifier: MIT
#include "tools/bake-collider/memory_need.h"

#include "formats/layout.h"
#include "tools/bake-collider/surface.h"
#include "tools/common/byte_text.h"

// Bytes. Sums of the arrays of surface.c, frame_pass.c, predict.c and motion_output.c.
enum {
    FRAME_VERTEX = 3 * sizeof(double),       // a position in one frame
    SURFACE_VERTEX = 9 * sizeof(double) + 4, // keys of three frames, the point
    STRETCH = SLV_STRETCH_DIRECTIONS * sizeof(float),
    SURFACE_TRIANGLE =
        6 * 4 + 3 * (16 + sizeof(slv_surface_edge)) + STRETCH, // corners, edges, half edges
    SURVEY_TRIANGLE = 3 * 2 * sizeof(double) + STRETCH,        // lengths of edges, a worker
    MOTION_POINT = 48 * 12 + 8 * 8 + 2 * 72, // training frames, predictors, points
    MOTION_SLOT = 9 * 24 + 400,              // a group of frames, its encoder
    FRAME_GROUP = sizeof(slv_motion_group)
};

slv_result slv_bake_check_mesh_memory(const slv_bake_options *options, const slv_frames *frames,
                                      slv_error *error) {
    const double vertices = frames->vertex_count;
    const double triangles = frames->triangle_count;
    const double threads = options->threads;
    const double groups = (double)frames->frame_count / SLV_GROUP_FRAMES;
    double bytes = vertices * (SURFACE_VERTEX + FRAME_VERTEX * (2.0 * threads + 3.0)) +
                   triangles * (SURFACE_TRIANGLE + SURVEY_TRIANGLE * threads) +
                   groups * FRAME_GROUP;
    bytes += options->with_mesh ? vertices * (MOTION_POINT + MOTION_SLOT * (threads + 1.0)) : 0.0;
    if (bytes <= (double)options->memory_limit * SLV_MIB) {
        return SLV_OK;
    }
    char text[SLV_BYTE_TEXT];
    slv_byte_text(bytes, text);
    return slv_fail(
        error, SLV_ERROR_ARGUMENT,
        "its %u vertices, %u triangles and %u frames need about %s of memory, the limit "
        "is --memory-limit %llu (MiB)",
        frames->vertex_count, frames->triangle_count, frames->frame_count, text,
        (unsigned long long)options->memory_limit);
}
