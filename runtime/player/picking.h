// SPDX-License-Identifier: MIT
// What the mouse points at.
#ifndef SLV_PLAYER_PICKING_H
#define SLV_PLAYER_PICKING_H

#include "runtime/player/camera.h"
#include "runtime/player/input.h"
#include "runtime/player/snapshot.h"

typedef struct slv_pick {
    uint32_t garment;
    uint32_t particle; // own number
    slv_vec3 place;
} slv_pick;

// The particle that a ray meets first: within `reach` metres of the ray, or `slope` metres per metre of
// distance, whichever is more. False where there is none.
bool slv_pick_particle(const slv_snapshot *snapshot, const slv_ray *ray, float reach, float slope,
                       slv_pick *pick);

// An input that grabs the particle and its neighbours within `radius` metres, the nearest first.
void slv_pick_grab(const slv_snapshot *snapshot, const slv_pick *pick, float radius,
                   slv_input *input);

// Where a ray passes through the plane across `forward` through a place. The place where it does not.
slv_vec3 slv_pick_on_plane(const slv_ray *ray, slv_vec3 place, slv_vec3 forward);

#endif
