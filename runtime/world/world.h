// SPDX-License-Identifier: MIT
// What a world is made of. Only the library's own files see this.
#ifndef SLV_RUNTIME_WORLD_WORLD_H
#define SLV_RUNTIME_WORLD_WORLD_H

#include "formats/result.h"
#include "runtime/backends/backend.h"
#include "runtime/base/parameter.h"
#include "runtime/world/collider.h"
#include "runtime/world/handles.h"

// How far time has come. Seconds are summed in two doubles, which keeps what one would round away: the
// sum does not depend on how time was cut.
typedef struct slv_clock {
    uint64_t steps; // done since the start
    uint64_t due;   // of these, by slv_world_advance
    double time[2]; // seconds handed to slv_world_advance
} slv_clock;

// A garment of a world: its body and what only the public side knows of it.
typedef struct slv_garment_entry {
    slv_body body;     // first: slv_world.bodies points to it
    slv_memory memory; // of this struct
    uint32_t index;    // in slv_world.bodies
    uint32_t slot;     // of its handle
    bool is_surface;   // of a clip
    void *user_data;
    slv_garment_material material; // as it was last given
    slv_particle_set_view *sets;   // [set_count]
    uint32_t set_count;
} slv_garment_entry;

static inline uint32_t slv_body_index(const slv_body *body) {
    return ((const slv_garment_entry *)body)->index;
}

struct slv_clip;
enum { SLV_WORLD_CLIPS = 8 };

struct slv_world {
    slv_memory memory; // of the world itself
    slv_parameters parameters;
    double time_step;
    const slv_backend *backend;
    void *engine;
    char note[640]; // slv_world_device's
    bool fallback;  // as in slv_world_def, like all of these
    bool keep_state;
    uint32_t threads;
    slv_task_hooks tasks;

    slv_memory body_memory; // of the list, which grows
    slv_body **bodies;      // each of a slv_garment_entry
    slv_handle_list garment_handles;
    uint32_t body_count;
    uint32_t body_room;
    slv_layout layout;
    unsigned behind; // aspects (bit n for aspect n) that the engine has newer than the layout
    slv_plan plan;
    slv_collider_list colliders;
    bool colliders_behind; // the engine has moved them since
    bool bodies_behind; // steps have changed what bodies read from the layout (slv_features_read)
    uint32_t list_room; // neighbors a particle's list of contacts holds
    uint32_t neighbor_count; // the most that one has had, as last looked up
    bool lists_short;        // the last step was rolled back as lists were too short
    bool lists_fixed;        // there was no memory for longer ones: they are cut
    bool ahead_failed;       // there was none for lists that were not needed yet
    double max_advance;      // as in slv_world_def
    bool stale;              // the layout must be made anew
    bool indexed;            // index tables for everything: for tests, which compare the forms

    struct slv_clip *clips[SLV_WORLD_CLIPS];
    uint32_t clip_count;
    slv_handle_list clip_handles;

    void *user_data;
    slv_clock clock;
    slv_error error; // of the last call that failed
};

// Begins a call on a world: forgets the last message. SLV_ERROR_ARGUMENT without a world.
slv_result slv_begin(slv_world *world);

// Fails a call with a sentence.
slv_result slv_refuse(slv_world *world, slv_result status, const char *format, ...)
    SLV_PRINTF(3, 4);

// slv_begin, for a call with a pointer that must not be NULL: "hash is NULL".
slv_result slv_begin_with(slv_world *world, const void *given, const char *name);

// The index of a handle; SLV_NO_INDEX, and the reason in the world, where it is null or names what is gone. `what`
// is "garment", "clip" or "collider".
uint32_t slv_find_index(slv_world *world, const slv_handle_list *list, slv_handle handle,
                        const char *what);

// The body of an id, NULL (and the reason in the world) where there is none.
slv_body *slv_find_body(slv_world *world, slv_garment_id id);
// Begins a call on a garment, with a pointer that must not be NULL: its body, or NULL where the call must return
// SLV_ERROR_ARGUMENT.
slv_body *slv_begin_body(slv_world *world, slv_garment_id id, const void *given, const char *name);

// A pose that a caller gives: position within -limit … limit metres, a unit quaternion.
slv_result slv_check_pose(slv_world *world, const float position[3], const float rotation[4],
                          double limit);

// The id of a body of the world.
slv_garment_id slv_body_id(const slv_world *world, const slv_body *body);

// The material in a definition.
slv_garment_material slv_material_of(const slv_garment_def *def);
// Copies the named sets of a pack; false without memory.
bool slv_garment_keep_sets(slv_garment_entry *entry, const slv_garment *garment);
// Removes a body of the world. On failure nothing has changed.
slv_result slv_world_remove_body(slv_world *world, slv_body *body);
// Frees a garment's body and its entry.
void slv_garment_entry_destroy(slv_body *body);

// How far the present lies past the last step, in steps: 0 … 1. Time comes in any portions, steps do not.
double slv_world_fraction(const slv_world *world);

// Adds a garment of points that never move by themselves: x[count], then y, then z; zeros; 0, 1, 2, …
slv_result slv_world_add_fixed_points(slv_world *world, const float *places, const float *zeros,
                                      const uint32_t *order, uint32_t count, float radius,
                                      float friction);

// Brings the layout up to date where the engine is ahead: positions or, with slv_world_fetch_state, the whole state.
slv_result slv_world_fetch_positions(slv_world *world);
slv_result slv_world_fetch_state(slv_world *world);
// The same for what bodies know of it: which springs are torn.
slv_result slv_world_fetch_bodies(slv_world *world);
// The same for the motion of colliders.
slv_result slv_world_fetch_colliders(slv_world *world);
// State, bodies and colliders.
slv_result slv_world_fetch_all(slv_world *world);

// Everything as it was right after the garments were added, here on the host; no engine is asked. Where something
// may have torn the layout is stale from then on.
void slv_world_rewind(slv_world *world);

// Takes over parameters for the first `count` bodies: a new layout with the state of the old one where they differ,
// and a new plan. On failure nothing has changed.
slv_result slv_world_rebuild_layout(slv_world *world, uint32_t count,
                                    const slv_parameters *parameters);

#endif
