// SPDX-License-Identifier: MIT
// How clips carry fixed particles along. Between two
// frames points go in straight lines, and a move of a fixed particle (body.h) is one: so a clip writes
// moves, for as many steps as stay between the same two frames and one for the step across, and
// every backend plays them. What is written depends on the steps alone, not on how they are cut into calls.
// Samples of the decoded frames are written once, to where the engine takes moves from: on a GPU that is
// memory which the device copies from by itself (slv_staging).
#ifndef SLV_RUNTIME_WORLD_CLIP_MOVES_H
#define SLV_RUNTIME_WORLD_CLIP_MOVES_H

#include "runtime/world/clip.h"

enum { SLV_CLIP_LONGEST_SEGMENT = 1 << 20 }; // steps that moves are written for; moves end at 2^30

// Before steps: writes moves that are due, and lowers *batch to the steps that they last.
slv_result slv_clips_prepare(slv_world *world, uint32_t *batch);

#endif
