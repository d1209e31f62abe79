// SPDX-License-Identifier: MIT
// Clips of a world: what time it is in each, and the fixed particles that they carry along.
#ifndef SLV_RUNTIME_WORLD_CLIP_H
#define SLV_RUNTIME_WORLD_CLIP_H

#include "formats/collider_pack.h"
#include "runtime/world/clip_ring.h"
#include "runtime/world/pack.h"
#include "runtime/world/world.h"

// Where in its frames a clip is; all that its future depends on.
typedef struct slv_clip_play {
    double base_time;     // seconds of the clip at base_step, not yet folded into a loop
    uint64_t base_step;   // of the world
    double speed;         // clip seconds per second
    uint64_t segment_end; // the step at which the next moves have to be written
    double loop_from;     // seconds
    uint32_t loop;        // 0 or 1
    uint32_t moved;       // 0: the next moves begin where the particles are
    // Its pose: evenly from one to the other, from move_begin steps after move_step on, in move_length steps.
    slv_pose from, to;
    uint64_t move_step;
    double move_begin, move_length; // 0 length: it stands at `to`
} slv_clip_play;

// Points of a motion that particles of a body follow.
typedef struct slv_clip_link {
    slv_body *body; // of the world
    slv_motion_kind motion;
    uint32_t count;
    slv_memory memory;   // of these arrays
    uint32_t *points;    // [count] of the motion
    uint32_t *particles; // [count] own numbers
    uint8_t *
        was_fixed; // [count] before it was attached: bit 0 then, bit 1 at the start; NULL: all were
} slv_clip_link;

enum { SLV_CLIP_LINKS = 64 };

typedef struct slv_clip {
    slv_memory memory;
    slv_world_pack pack;
    slv_collider_pack frames;
    slv_clip_ring *ring;
    slv_clip_play play, start;
    double start_origin[3]; // m; of the world when the clip was added: `start` is relative to it
    float scale;
    uint32_t slot;     // of its handle
    slv_body *surface; // of the surface's particles; NULL where there is none
    void *user_data;
    uint32_t link_count;
    slv_clip_link links[SLV_CLIP_LINKS];
    // Positions and velocities of the surface's particles; NULL until slv_clip_get_motion.
    float *points, *velocities;
    // The drawn mesh; NULL until slv_clip_get_surface.
    float *mesh_positions, *mesh_normals;
    double mesh_time;
    uint64_t mesh_step; // of the world
    bool mesh_current;
} slv_clip;

slv_clip *slv_find_clip(slv_world *world, slv_clip_id id, slv_result *status); // NULL: not there
// The same for a call with a pointer that must not be NULL, named so in the message.
slv_clip *slv_find_clip_for(slv_world *world, slv_clip_id id, const void *given, const char *name,
                            slv_result *status);

void slv_clip_destroy(slv_world *world, slv_clip *clip);
void slv_clips_destroy(slv_world *world);
void slv_clips_reset(slv_world *world);

#endif
