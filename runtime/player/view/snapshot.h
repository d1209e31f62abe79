// SPDX-License-Identifier: MIT
// The state of a world that drawing needs, and its triple buffer between the simulating and the drawing
// thread. The simulating thread fills the back snapshot, the drawing thread reads the front snapshot, and the
// third is the newest complete one. Neither thread waits for the other.
#ifndef SLV_PLAYER_SNAPSHOT_H
#define SLV_PLAYER_SNAPSHOT_H

#include "formats/result.h"
#include "runtime/include/selvage/selvage.h"

#include <stdatomic.h>

#define SLV_BALL_RADIUS 0.07f // metres: balls that the player throws

// Pose of a solid. Colliders of the scene come first, then the balls.
typedef struct slv_solid_pose {
    float position[3], rotation[4]; // metres; quaternion
    bool shown;
} slv_solid_pose;

// The part of a garment's mesh that is not torn.
typedef struct slv_intact_mesh {
    uint32_t torn;       // constraints; 0: the mesh is that of slv_garment_structure
    uint32_t count;      // triangles
    uint32_t *triangles; // [count][3]
    uint8_t *is_torn;    // [constraint_count]: 1 where a constraint is torn
} slv_intact_mesh;

// The mesh of an animated model.
typedef struct slv_model_mesh {
    float *vertices; // [count][6]: position, normal
    uint32_t count;
} slv_model_mesh;

// The device that computes. A copy, because a world whose device is lost continues on another one.
typedef struct slv_device_info {
    bool on_gpu;
    uint32_t threads; // 0 on GPUs
    char backend[16];
    char device[64];
    char note[256]; // see slv_world_get_device
} slv_device_info;

typedef struct slv_snapshot {
    // [particle_count][3] metres: all garments in a row, particles in pack order. Out of date where
    // has_positions is false.
    float *positions;
    bool in_gl_buffers;        // the device wrote the positions into OpenGL buffers (gl_interop.h)
    bool has_positions;        // `positions` is up to date
    struct slv_gl_buffers *gl; // NULL: no OpenGL buffers
    uint32_t *first;           // [garment_count + 1]: the first particle of each garment
    uint32_t garment_count;
    uint8_t
        *model_surface; // [garment_count]: 1 where a garment is the surface of an animated model
    slv_intact_mesh *intact; // [garment_count]
    slv_model_mesh *models;  // [model_count]
    uint32_t model_count;
    slv_contact_point *contacts; // [contact_count]; filled by slv_snapshot_find_contacts
    uint32_t contact_count, contact_capacity;
    slv_solid_pose *solids; // [solid_count]
    uint32_t solid_count;
    float low[3], high[3];   // metres: bounds of garments and models, within a few per cent
    uint64_t step;           // of the world
    uint64_t ticks;          // steps of the session; a restart does not reset them
    double step_ms;          // time of a step, mean of the frame
    double gather_ms;        // time to fill this snapshot
    double real_time_factor; // simulated seconds per second, smoothed
    slv_measures measures;   // updated every few frames
    slv_parameters parameters;
    slv_solver solver; // in use
    slv_device_info device;
    slv_timing timing; // of the steps since the last snapshot
    uint32_t asleep;   // garments
    char message[256]; // error; empty: none
} slv_snapshot;

typedef struct slv_snapshots {
    slv_snapshot each[3];
    int back;                   // index, owned by the simulating thread
    int front;                  // index, owned by the drawing thread
    bool gl_interop;            // simulating thread: the device writes into OpenGL buffers
    uint32_t staging;           // OpenGL buffer through which samples are read for the bounds
    atomic_bool want_positions; // drawing thread: fill `positions` even with gl_interop
    atomic_bool want_contacts;  // drawing thread: fill `contacts`
    atomic_int ready;           // index of the newest complete snapshot, and a bit: not drawn yet
} slv_snapshots;

// Allocates three snapshots for the garments and models of a world and for `solids` solids.
slv_result slv_snapshots_make(slv_snapshots *snapshots, slv_world *world, uint32_t solids,
                              slv_error *error);
void slv_snapshots_free(slv_snapshots *snapshots);

// Simulating thread: the snapshot to fill; then slv_snapshots_publish passes it on.
slv_snapshot *slv_snapshots_get_back(slv_snapshots *snapshots);
void slv_snapshots_publish(slv_snapshots *snapshots);
// Drawing thread: the newest complete snapshot; *fresh (may be NULL): it is a new one.
const slv_snapshot *slv_snapshots_get_newest(slv_snapshots *snapshots, bool *fresh);

// Copies models, bounds, step and device of the world, and positions where they are not in OpenGL buffers
// or where `want_positions` is set.
slv_result slv_snapshot_fill(slv_snapshot *snapshot, slv_world *world, bool want_positions);

// Finds the contacts of garments with colliders and with each other. Without memory some are left out.
slv_result slv_snapshot_find_contacts(slv_snapshot *snapshot, slv_world *world);

// --- Bounds ----------------------------------------------------------------------------------------

// Bounds are estimated from at most SLV_SAMPLES_MOST particles of a garment: runs of consecutive particles,
// evenly spread, with the first and the last particle among them.
enum { SLV_SAMPLES_MOST = 4096 };
uint32_t slv_sample_runs(uint32_t count); // number of runs for `count` particles
uint32_t slv_sample_run(uint32_t count, uint32_t run, uint32_t *length); // its first particle

void slv_snapshot_clear_bounds(slv_snapshot *snapshot);
// Extends the bounds by points that lie `stride` floats apart.
void slv_snapshot_add_to_bounds(slv_snapshot *snapshot, const float *points, size_t count,
                                size_t stride);

#endif
