// SPDX-License-Identifier: MIT
// Picking: particles and constraints under the mouse pointer.
#ifndef SLV_PLAYER_PICKING_H
#define SLV_PLAYER_PICKING_H

#include "runtime/player/app/input.h"
#include "runtime/player/view/camera.h"
#include "runtime/player/view/snapshot.h"

typedef struct slv_pick {
    uint32_t garment;
    uint32_t particle; // in pack order
    slv_vec3 position;
} slv_pick;

// The first particle along a ray: within `reach` metres of the ray, or within `slope` metres per metre of distance,
// whichever is more. False where there is none.
bool slv_pick_particle(const slv_snapshot *snapshot, const slv_ray *ray, float reach, float slope,
                       slv_pick *pick);

// An input that grabs the particle and its neighbors within `radius` metres, the nearest first.
void slv_pick_grab(const slv_snapshot *snapshot, const slv_pick *pick, float radius,
                   slv_input *input);

// The intersection of a ray with the plane through `position` normal to `forward`; `position` where there is none.
slv_vec3 slv_pick_on_plane(const slv_ray *ray, slv_vec3 position, slv_vec3 forward);

// A stroke across the picture, in clip space from -1 to 1.
typedef struct slv_swipe {
    const slv_mat4 *project; // world to clip space
    float from[2], to[2];
    float layer; // metres: constraints further behind the nearest crossed one are not cut
} slv_swipe;

// Writes the constraints of input->garment that the stroke crosses, from index *next on, as many as an input holds.
// False where there are no more.
bool slv_pick_cut(const slv_snapshot *snapshot, const slv_garment_structure *structure,
                  const slv_swipe *swipe, uint32_t *next, slv_input *input);

#endif
