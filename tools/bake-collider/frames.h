// SPDX-License-Identifier: MIT
// The frames to bake: a clip of a character sampled at a constant rate, or a numbered sequence of
// OBJ files. Any worker can read any frame in any order; frames are not cached.
#ifndef SLV_BAKE_FRAMES_H
#define SLV_BAKE_FRAMES_H

#include "tools/common/character.h"
#include "tools/common/character_pose.h"
#include "tools/common/mesh_import.h"

#include <stdbool.h>

typedef struct slv_frame_options {
    const char *path;
    const char *clip; // name or number; NULL: the first
    double rate;      // frames per second; 0: 30
    double start;     // seconds on the clip's time line; NAN: its start
    double end;       // NAN: its end
    slv_import_options import;
    unsigned workers;
} slv_frame_options;

typedef struct slv_frames {
    uint32_t frame_count;
    double rate, start, duration; // of the baked range
    uint32_t vertex_count, triangle_count;
    const uint32_t *triangles; // [triangle_count][3]
    const float *uvs;          // [vertex_count][2], or NULL
    slv_part_counts parts;
    char *list;             // of the parts, where it was asked for; there are no frames then
    slv_import_space space; // from units and axes of the file to metres, y up
    double origin[3];       // subtracted from all positions; zero until set
    char clip_name[128];    // "" where there is no clip
    bool still;             // no animation: one frame
    bool at_rest_known;     // slv_frames_read_rest may be called
    double longest_gap;     // seconds between keys whose interpolation is unknown; 0: none
    double first_key;       // seconds: first key whose value changes
    uint64_t input_hash;
    slv_file_list files;
    struct slv_frame_source *source; // private
} slv_frames;

// Call before starting threads (it forks). The message does not contain the file name.
slv_result slv_frames_open(const slv_frame_options *options, slv_frames *frames, slv_error *error);
void slv_frames_close(slv_frames *frames); // zeroes it

// positions: [vertex_count][3] metres, y up. worker < options.workers; at most one call at a time
// per worker.
slv_result slv_frames_read(const slv_frames *frames, uint32_t frame, unsigned worker,
                           double *positions, slv_error *error);

// The rest pose: that of the file without its clip.
void slv_frames_read_rest(const slv_frames *frames, double *positions);

#endif
