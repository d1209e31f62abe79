// SPDX-License-Identifier: MIT
// Several launches over one grid, played together: a wave. Played one after another each would walk all
// rows, from memory for large grids, with the whole team waiting in between. But a row needs no more of
// the launch before than its own row and those beside it (kernels/list.h). So a member walks down its
// rows once and at each takes the first launch a little ahead of the second, that ahead of the third and
// so on; what one launch has touched is in the cache when the next one needs it. Order is changed only
// where nothing depends on it: the same bits.
//
// Shares of members lean: in step s of a wave (its launch number s) member m has rows
//     border[m] + s … border[m + 1] + s - 1,
// so it needs the upper rows of member m + 1, which does those first, and nothing else of anybody. One
// wait at the end of a wave takes the place of one a launch.
#ifndef SLV_RUNTIME_BACKENDS_CPU_CPU_WAVEFRONT_H
#define SLV_RUNTIME_BACKENDS_CPU_CPU_WAVEFRONT_H

#include "runtime/backends/cpu/cpu_kernels.h"
#include "runtime/backends/cpu/thread_team.h"
#include "runtime/step/plan.h"

#include <stdbool.h>

enum { SLV_WAVEFRONT_LIMIT = 32 }; // launches of a wave

typedef struct slv_wavefront_step {
    slv_cpu_kernel *kernel;
    slv_launch launch;
} slv_wavefront_step;

typedef struct slv_wavefront {
    float *state;
    int *table;
    const slv_body_layout *body_layout;
    uint32_t number; // of this wave; every member counts alike, none twice
    int count;
    slv_wavefront_step steps[SLV_WAVEFRONT_LIMIT];
} slv_wavefront;

// Whether a launch can be part of a wave.
bool slv_wavefront_accepts(const slv_plan_launch *launch, const slv_body_layout *body_layout);

// How many launches a wave over this part may have in a team of that size: 0 where shares would be too
// small.
int slv_wavefront_length(const slv_body_layout *body_layout, uint32_t members);

// A member's share. All members must have finished before anything else touches the part.
void slv_wavefront_play(const slv_wavefront *wave, slv_thread_team *team, uint32_t member,
                        uint32_t members);

#endif
