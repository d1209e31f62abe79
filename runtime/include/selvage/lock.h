// SPDX-License-Identifier: MIT
// Locks between particles. Included by selvage.h, which states the rules of all calls.
#ifndef SELVAGE_LOCK_H
#define SELVAGE_LOCK_H

#include <selvage/garment.h>

#ifdef __cplusplus
extern "C" {
#endif

// A lock keeps the distance between two particles, of one garment or of two: cloth, ropes, bodies, the surface of a
// clip. It moves single particles: one that is alone on a heavy body needs more outer iterations or a shorter time step.
// Fixed particles are not moved. Garments that a lock joins fall asleep and wake together. Locks are part of a world like
// its colliders: resets and snapshots leave them as they are. A garment that is removed takes its locks with it.
typedef struct slv_lock_id { // as slv_garment_id
    uint32_t slot;
    uint32_t generation;
} slv_lock_id;

// generated from runtime/base/parameters/lock.def
typedef struct slv_lock_def {
    // Garment of the first end.
    slv_garment_id garment;
    // Particle of the first end, counted from 0 in own order. [0 to 4294967294; default 0]
    uint32_t particle;
    // Garment of the other end; may be the same.
    slv_garment_id other_garment;
    // Particle of the other end. [0 to 4294967294; default 0]
    uint32_t other_particle;
    // Distance that the particles keep. [m; 0 to 1e6; default SLV_UNSET: the distance between the
    // particles]
    float length;
    // The particles may come closer than length, as on a string. false: as on a rod. [default
    // false]
    bool slack;
    // Set by slv_default_lock_def; must not change.
    uint32_t cookie;
} slv_lock_def;
// end of generated

SLV_API slv_lock_def slv_default_lock_def(void);
// id may be NULL. Locks that share a particle are solved one after another, in an order that follows from that of adding
// but need not be it.
SLV_API slv_result slv_world_add_lock(slv_world *world, const slv_lock_def *def, slv_lock_id *id);
// Cuts a lock.
SLV_API slv_result slv_world_remove_lock(slv_world *world, slv_lock_id id);
SLV_API bool slv_lock_is_valid(const slv_world *world, slv_lock_id id);
SLV_API uint32_t slv_world_get_lock_count(const slv_world *world);
// The locks, index 0 … count - 1, in the order of adding. The null id for other indices.
SLV_API slv_lock_id slv_world_get_lock(const slv_world *world, uint32_t index);
// What a lock joins, and the length in force, as a definition.
SLV_API slv_result slv_lock_get_def(slv_world *world, slv_lock_id id, slv_lock_def *def);
// The distance between its particles at the last step, metres.
SLV_API slv_result slv_lock_get_distance(slv_world *world, slv_lock_id id, double *distance);

#ifdef __cplusplus
}
#endif

#endif
