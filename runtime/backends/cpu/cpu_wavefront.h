// SPDX-License-Identifier: MIT
// Several launches over one grid, played together: a wavefront. Played one after another, each launch
// would read all rows, from memory for large grids, with the whole team waiting in between. But a row
// needs only its own row and those beside it of the launch before (kernels/domains.h). So a member goes
// down its rows once and plays the first launch a little ahead of the second, that ahead of the third
// and so on. What one launch has written is in the cache when the next one needs it. Order changes only
// where nothing depends on it: the bits stay the same.
//
// Ranges of members are skewed: in step s of a wavefront (its launch number s) member m has rows
//     first[m] + s … first[m + 1] + s - 1,
// so it needs the upper rows of member m + 1, which does those first, and nothing else of other
// members. One wait at the end of a wavefront takes the place of one a launch.
#ifndef SLV_RUNTIME_BACKENDS_CPU_CPU_WAVEFRONT_H
#define SLV_RUNTIME_BACKENDS_CPU_CPU_WAVEFRONT_H

#include "runtime/backends/cpu/cpu_kernels.h"
#include "runtime/backends/cpu/thread_team.h"
#include "runtime/step/plan.h"

#include <stdbool.h>

enum { SLV_WAVEFRONT_LIMIT = 32 }; // launches of a wavefront

typedef struct slv_wavefront_step {
    slv_cpu_kernel *kernel;
    slv_launch launch;
} slv_wavefront_step;

typedef struct slv_wavefront {
    slv_cpu_arrays arrays;
    const slv_body_layout *body_layout;
    uint32_t number; // of this wavefront: unique, and the same for all members
    int count;
    slv_wavefront_step steps[SLV_WAVEFRONT_LIMIT];
} slv_wavefront;

// Whether a launch can be part of a wavefront.
bool slv_wavefront_accepts(const slv_plan_launch *launch, const slv_body_layout *body_layout);

// Launches that a wavefront over this body may have in a team of that size: 0 where ranges would be too
// small.
int slv_wavefront_length(const slv_body_layout *body_layout, uint32_t members);

// Whether a grid is too large for a cache to hold all of it between two launches.
bool slv_wavefront_pays(const slv_body_layout *body_layout);

// Plays a member's range. All members must have finished before anything else touches the body. One of a single
// member needs no team.
void slv_wavefront_play(const slv_wavefront *wavefront, slv_thread_team *team, uint32_t member,
                        uint32_t members);

#endif
