// SPDX-License-Identifier: MIT
// What drawing needs of a world at one moment, and the way it passes from the thread that simulates to
// the one that draws. Three of them go round: one is filled, one is drawn, the third waits. Neither
// side ever waits for the other, and nobody sees half a picture.
#ifndef SLV_PLAYER_SNAPSHOT_H
#define SLV_PLAYER_SNAPSHOT_H

#include "formats/result.h"
#include "runtime/include/selvage/selvage.h"

#include <stdatomic.h>

#define SLV_BALL_RADIUS 0.07f // metres: balls that the player throws

// Where a solid is; colliders of the scene come first, then balls.
typedef struct slv_solid_pose {
    float position[3], rotation[4];
    bool shown;
} slv_solid_pose;

// What tears have left of a garment's mesh.
typedef struct slv_whole_mesh {
    uint32_t torn;       // constraints; 0: the mesh is as in the anatomy
    uint32_t count;      // triangles
    uint32_t *triangles; // [count][3]
    uint8_t *gone;       // [constraint_count]: 1 where a constraint is torn
} slv_whole_mesh;

// An animated model's mesh.
typedef struct slv_model_shape {
    float *vertices; // [count][6]: place, normal
    uint32_t count;
} slv_model_shape;

// Who computes. A copy: a world whose device is lost goes on with another one.
typedef struct slv_worker {
    bool on_gpu;
    uint32_t threads; // 0 on GPUs
    char backend[16];
    char device[64];
    char note[256]; // see slv_world_device
} slv_worker;

typedef struct slv_snapshot {
    // [particle_count][3] metres: all garments, one after the other, in own order. Where positions are
    // shared these are old, unless somebody looks.
    float *positions;
    bool shared;               // positions are in OpenGL's buffers ((gl_interop.h))
    bool looked;               // and here too
    struct slv_gl_buffers *gl; // NULL: nothing is shared
    uint32_t *first;           // [garment_count + 1]: a garment's first particle
    uint32_t garment_count;
    uint8_t *body;           // [garment_count]: 1 where it stands for the surface of a model
    slv_whole_mesh *whole;   // [garment_count]
    slv_model_shape *models; // [model_count]
    uint32_t model_count;
    slv_contact_point *touches; // [touch_count], where asked for
    uint32_t touch_count, touch_room;
    slv_solid_pose *solids; // [solid_count]
    uint32_t solid_count;
    float low[3]; // where everything is, to within a few per cent
    float high[3];
    uint64_t step;         // of the world
    uint64_t ticks;        // steps of the session, which a restart does not set back
    double step_ms;        // a step took, the mean of this frame's
    double gather_ms;      // filling this took
    double pace;           // simulated seconds by seconds, of late
    slv_measures measures; // every so often
    slv_parameters parameters;
    slv_worker worker;
    slv_timing timing; // of the steps since the last snapshot
    uint32_t asleep;   // garments
    char message[256]; // what went wrong; empty = nothing
} slv_snapshot;

typedef struct slv_snapshots {
    slv_snapshot each[3];
    int filling;         // of the simulating thread
    int drawn;           // of the drawing thread
    bool sharing;        // of the simulating thread: the device writes into OpenGL's buffers
    uint32_t staging;    // OpenGL's buffer through which bounds are found
    atomic_bool look;    // positions are wanted here too, by a hand that may grasp
    atomic_bool touches; // where garments touch something is wanted
    atomic_int waiting;  // number, and SLV_SNAPSHOT_FRESH where it has not been drawn yet
} slv_snapshots;

// Room for the garments of a world, as they are.
slv_result slv_snapshots_make(slv_snapshots *snapshots, slv_world *world, uint32_t solids,
                              slv_error *error);
void slv_snapshots_free(slv_snapshots *snapshots);

// The one to fill; then hand it over.
slv_snapshot *slv_snapshots_fill(slv_snapshots *snapshots);
void slv_snapshots_publish(slv_snapshots *snapshots);
// The newest one; *fresh (may be NULL) says whether it is another than last time.
const slv_snapshot *slv_snapshots_newest(slv_snapshots *snapshots, bool *fresh);

// Finds where garments touch colliders and one another. Without memory some are left out.
slv_result slv_snapshot_touch(slv_snapshot *snapshot, slv_world *world);

// Copies positions, models, bounds, step and worker of the world. Touches each particle once, and none whose
// place OpenGL has been told already, unless `look`.
slv_result slv_snapshot_take(slv_snapshot *snapshot, slv_world *world, bool look);

// --- Bounds ----------------------------------------------------------------------------------------

// A few thousand particles tell well enough where all are: runs of neighbors, evenly spread over the own
// order, with the first and the last particle among them.
enum { SLV_SAMPLES_MOST = 4096 };
uint32_t slv_sample_runs(uint32_t count); // at most SLV_SAMPLES_MOST particles together
uint32_t slv_sample_run(uint32_t count, uint32_t run, uint32_t *length); // its first particle

// Bounds of nothing yet; then of these points too, `stride` floats from one to the next.
void slv_snapshot_widen_begin(slv_snapshot *snapshot);
void slv_snapshot_widen(slv_snapshot *snapshot, const float *points, size_t count, size_t stride);

#endif
