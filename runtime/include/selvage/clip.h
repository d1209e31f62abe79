// SPDX-License-Identifier: MIT
// Clips: animated characters. Included by selvage.h, which states the rules of all calls.
#ifndef SELVAGE_CLIP_H
#define SELVAGE_CLIP_H

#include <selvage/garment.h>

#ifdef __cplusplus
extern "C" {
#endif

// A clip is a collider pack (selvage-bake-collider) that plays in a world. A thread of its own decodes frames ahead;
// points move linearly between two frames. A world holds at most 8 clips. Ids are as slv_garment_id.
typedef struct slv_clip_id {
    uint32_t slot;
    uint32_t generation;
} slv_clip_id;

// generated from runtime/base/parameters/clip.def
typedef struct slv_clip_def {
    // Exactly one of pack_path and pack_bytes is given. File and bytes stay unchanged while the
    // world lives.

    // Path of the collider pack.
    const char *pack_path;
    // The pack in memory, 64-byte aligned.
    const void *pack_bytes;
    // Bytes at pack_bytes.
    size_t pack_size;
    // Read the file in place of mapping it: for files that may be truncated meanwhile. [default
    // false]
    bool copy;
    // Position of the model's origin. [m; -9e5 to 9e5; default (0, 0, 0)]
    double position[3];
    // Rotation around the model's origin. [unit quaternion x, y, z, w; default (0, 0, 0, 1)]
    float rotation[4];
    // Scale of the model, radius of its particles included. [1e-6 to 1e6; default 1]
    float scale;
    // Time in the clip at which it starts. [s; -1e9 to 1e9; default 0]
    double time;
    // Clip seconds per second. Below 0: backwards; 0: the clip stands still. [-1000 to 1000;
    // default 1]
    double speed;
    // Repeat the clip. false: it stays at its end. [default true]
    bool loop;
    // Time in the clip at which the loop begins. The part before it plays once. [s; 0 to 1e9;
    // default 0]
    double loop_from;
    // The surface becomes a garment of fixed particles, with which other garments collide. [default
    // true]
    bool solid;
    // Coefficient of friction of the surface. [0 to 1000; default 0.4]
    float friction;
    // Set by slv_default_clip_def; must not change.
    uint32_t cookie;
} slv_clip_def;
// end of generated

SLV_API slv_clip_def slv_default_clip_def(void);
SLV_API slv_result slv_world_add_clip(slv_world *world, const slv_clip_def *def, slv_clip_id *id);

// Removes a clip and its surface. Attached particles move freely from then on, with the velocity that they have.
// Those that were fixed before slv_clip_attach stay fixed where they are.
SLV_API slv_result slv_world_remove_clip(slv_world *world, slv_clip_id id);
SLV_API slv_result slv_clip_set_user_data(slv_world *world, slv_clip_id id, void *user_data);
SLV_API void *slv_clip_get_user_data(const slv_world *world, slv_clip_id id);

// Fixes the particles of the garment that an attachment of the pack names, and moves them with the clip. They reach
// the attachment by the end of the present frame.
SLV_API slv_result slv_clip_attach(slv_world *world, slv_clip_id id, const char *attachment,
                                   slv_garment_id garment);

// Moves a clip to another pose at once, with its surface and the attached particles. Their velocities are rotated with
// it; the jump itself adds none. Other particles of an attached garment are pulled by their constraints, unless
// slv_garment_teleport moves the garment as well.
SLV_API slv_result slv_clip_set_pose(slv_world *world, slv_clip_id id, const double position[3],
                                     const float rotation[4]);
// Moves a clip to another pose in `seconds` (1e-6 … 3600) from the present time, linearly and by the shorter rotation,
// for a character that walks through the world. To be called once a frame, as slv_garment_lead_fixed. Points
// move on chords of at most 0.01 s.
SLV_API slv_result slv_clip_lead(slv_world *world, slv_clip_id id, const double position[3],
                                 const float rotation[4], double seconds);
// The pose at the last step. position and rotation may be NULL.
SLV_API slv_result slv_clip_get_pose(slv_world *world, slv_clip_id id, double position[3],
                                     float rotation[4]);

// Time in the clip in seconds, and clip seconds per second (-1000 … 1000), from the next step on.
SLV_API slv_result slv_clip_seek(slv_world *world, slv_clip_id id, double seconds);
SLV_API slv_result slv_clip_set_speed(slv_world *world, slv_clip_id id, double speed);

typedef struct slv_clip_report {
    uint32_t particle_count, vertex_count, attachment_count, frame_count;
    double frame_rate;       // frames per second
    double duration;         // s
    float radius;            // m, of the surface's particles
    float coverage;          // m: greatest distance of a surface point from a particle
    double time;             // s, in the clip
    slv_garment_id surface;  // the garment of its surface; the null id where it is not solid
    uint64_t decoded_groups; // of 8 frames
    uint64_t waits;          // for frames that were not decoded in time, since it was added
    double wait_seconds;
} slv_clip_report;
SLV_API slv_result slv_clip_get_report(slv_world *world, slv_clip_id id, slv_clip_report *report);
SLV_API bool slv_clip_is_valid(const slv_world *world, slv_clip_id id);
SLV_API uint32_t slv_world_get_clip_count(const slv_world *world);
// The clips in the order of adding, index 0 … count - 1. The null id for other indices.
SLV_API slv_clip_id slv_world_get_clip(const slv_world *world, uint32_t index);

// Positions (m) and velocities (m/s) of the surface's particles, [count][3], solid or not. Velocities are those
// of the frames, by central differences, interpolated linearly, plus that of slv_clip_lead. They are 0 where a clip
// stands still. Valid until the next call that steps or changes the world.
typedef struct slv_motion_view {
    uint32_t count;
    const float *positions;
    const float *velocities;
} slv_motion_view;
SLV_API slv_result slv_clip_get_motion(slv_world *world, slv_clip_id id, slv_motion_view *view);

// The render mesh at the present time, empty where the pack has none (--with-mesh). Valid until the next call that
// steps or changes the world.
SLV_API slv_result slv_clip_get_surface(slv_world *world, slv_clip_id id, slv_surface_view *view);

#ifdef __cplusplus
}
#endif

#endif
