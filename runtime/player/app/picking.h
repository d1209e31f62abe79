// SPDX-License-Identifier: MIT
// What the mouse points at.
#ifndef SLV_PLAYER_PICKING_H
#define SLV_PLAYER_PICKING_H

#include "runtime/player/app/input.h"
#include "runtime/player/view/camera.h"
#include "runtime/player/view/snapshot.h"

typedef struct slv_pick {
    uint32_t garment;
    uint32_t particle; // own number
    slv_vec3 place;
} slv_pick;

// The particle that a ray meets first: within `reach` metres of the ray, or `slope` metres per metre of
// distance, whichever is more. False where there is none.
bool slv_pick_particle(const slv_snapshot *snapshot, const slv_ray *ray, float reach, float slope,
                       slv_pick *pick);

// An input that grabs the particle and its neighbors within `radius` metres, the nearest first.
void slv_pick_grab(const slv_snapshot *snapshot, const slv_pick *pick, float radius,
                   slv_input *input);

// Where a ray passes through the plane across `forward` through a place. The place where it does not.
slv_vec3 slv_pick_on_plane(const slv_ray *ray, slv_vec3 place, slv_vec3 forward);

// A stroke across the picture, in its coordinates from -1 to 1.
typedef struct slv_swipe {
    const slv_mat4 *project; // world to clip space
    float from[2], to[2];
    float
        layer; // metres behind the nearest constraint that it crosses: what lies deeper is left alone
} slv_swipe;

// Constraints of input->garment that the stroke crosses. As many as an input holds, from number *next on;
// false where there are no more.
bool slv_pick_cut(const slv_snapshot *snapshot, const slv_garment_structure *structure,
                  const slv_swipe *swipe, uint32_t *next, slv_input *input);

#endif
