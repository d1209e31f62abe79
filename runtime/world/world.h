// SPDX-License-Identifier: MIT
// What a world is made of: data only, so that every file of this room can include it. Only the library's own
// files see this.
#ifndef SLV_RUNTIME_WORLD_WORLD_H
#define SLV_RUNTIME_WORLD_WORLD_H

#include "formats/result.h"
#include "runtime/backends/backend.h"
#include "runtime/base/memory_limit.h"
#include "runtime/base/parameter.h"
#include "runtime/step/neighbor_search.h"
#include "runtime/world/clock.h"
#include "runtime/world/collider_list.h"
#include "runtime/world/handles.h"
#include "runtime/world/lock_list.h"

// A garment of a world: its body and what only the public functions use.
// All fields of a material are floats.
enum { SLV_MATERIAL_FIELDS = sizeof(slv_garment_material) / sizeof(float) };

typedef struct slv_garment_entry {
    slv_body body;     // first: slv_world.bodies points to it
    slv_memory memory; // of this struct
    uint32_t index;    // in slv_world.bodies
    uint32_t laid_out; // in slv_world.layout, which may be behind; SLV_NO_INDEX: not in it
    uint32_t slot;     // of its handle
    size_t pack_size;  // bytes of its file
    struct slv_shared_pack *shared; // the pack, where the world keeps it
    bool is_surface;                // of a clip
    void *user_data;
    slv_garment_def def;                  // as it is in force, without what it points to
    uint8_t sources[SLV_MATERIAL_FIELDS]; // slv_value_source of each field of its material
    slv_particle_set_view *sets;          // [set_count]
    uint32_t set_count;
} slv_garment_entry;

static inline uint32_t slv_body_index(const slv_body *body) {
    return ((const slv_garment_entry *)body)->index;
}

struct slv_clip;
enum { SLV_WORLD_CLIPS = 8 };

struct slv_world {
    slv_memory memory;             // of the world itself
    slv_memory_limit memory_limit; // counts what the allocators of the world give
    slv_parameters parameters;
    double time_step;
    double origin[3]; // m; what all floats are relative to
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
    slv_lock_list locks;
    bool colliders_behind; // the engine has moved them since
    bool bodies_behind; // steps have changed what bodies read from the layout (slv_features_read)
    uint32_t list_room; // neighbors that each neighbor list holds at least
    slv_list_growth list_growth;
    bool lists_short;   // the last step was rolled back as lists were too short
    bool lists_fixed;   // there was no memory for longer ones: they are cut
    bool ahead_failed;  // there was none for lists that were not needed yet
    double max_advance; // as in slv_world_def
    bool stale;         // the layout must be made anew
    bool incomplete;    // the layout lacks objects that were added, or has some that were removed
    bool indexed;       // index tables for everything: for tests, which compare the forms

    struct slv_shared_pack *shared_packs; // a list (runtime/world/shared_pack.h)
    struct slv_clip *clips[SLV_WORLD_CLIPS];
    uint32_t clip_count;
    slv_handle_list clip_handles;

    void *user_data;
    slv_clock clock;
    slv_error error; // of the last call that failed
};

#endif
