// SPDX-License-Identifier: MIT
// Parallel loops for offline work. Tasks are independent and each writes only its own output, so
// the result does not depend on the number or order of threads.
#ifndef SLV_TOOLS_PARALLEL_H
#define SLV_TOOLS_PARALLEL_H

#include "formats/result.h"

#include <stddef.h>

// Number of processors this process may run on, at least 1.
unsigned slv_processor_count(void);

// Runs task(context, index, worker) for every index below count; worker < threads. Uses fewer
// threads where the system refuses more. threads >= 1.
void slv_parallel_for(unsigned threads, size_t count,
                      void (*task)(void *context, size_t index, unsigned worker), void *context);

// Ordered pipeline: produce runs on any worker, in any order, at most `window` ahead; consume runs
// for one index at a time, in ascending order. slot < window is the buffer of an index. The first
// failure stops the work and is returned.
typedef struct slv_ordered_work {
    size_t count;
    unsigned window; // >= threads; at least 1
    slv_result (*produce)(void *context, size_t index, unsigned slot, unsigned worker,
                          slv_error *error);
    slv_result (*consume)(void *context, size_t index, unsigned slot, slv_error *error);
    void *context;
} slv_ordered_work;
slv_result slv_parallel_ordered(unsigned threads, const slv_ordered_work *work, slv_error *error);

#endif
