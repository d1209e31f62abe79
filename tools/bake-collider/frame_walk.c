// SPDX-License-Identifier: MIT
#include "tools/bake-collider/frame_walk.h"

#include "tools/common/parallel.h"

#include <stdlib.h>

typedef struct job {
    const slv_frame_walk *walk;
    uint32_t stride;
    size_t count;
    double *positions; // [slots][vertex_count][3]
} job;

static double *slot_positions(const job *j, unsigned slot) {
    return j->positions + 3 * (size_t)j->walk->frames->vertex_count * slot;
}

static slv_result produce(void *context, size_t index, unsigned slot, unsigned worker,
                          slv_error *error) {
    const job *j = context;
    const uint32_t frame = (uint32_t)index * j->stride;
    double *positions = slot_positions(j, slot);
    slv_result result = slv_frames_read(j->walk->frames, frame, worker, positions, error);
    return result == SLV_OK ? j->walk->see(j->walk->context, frame, positions, slot, worker, error)
                            : result;
}

static slv_result consume(void *context, size_t index, unsigned slot, slv_error *error) {
    const job *j = context;
    slv_console_progress_rate(j->walk->console, j->walk->what, "frames", index, j->count);
    return j->walk->take ? j->walk->take(j->walk->context, (uint32_t)index * j->stride,
                                         slot_positions(j, slot), slot, error)
                         : SLV_OK;
}

slv_result slv_frame_walk_run(const slv_frame_walk *walk, slv_error *error) {
    job j = {.walk = walk, .stride = walk->stride > 0 ? walk->stride : 1};
    j.count = (walk->frames->frame_count - 1) / j.stride + 1;
    j.positions =
        calloc(3 * (size_t)walk->frames->vertex_count * 2 * walk->threads, sizeof *j.positions);
    if (!j.positions) {
        return slv_no_memory(error);
    }
    const slv_ordered_work work = {.count = j.count,
                                   .window = 2 * walk->threads,
                                   .produce = produce,
                                   .consume = consume,
                                   .context = &j};
    slv_result result = slv_parallel_ordered(walk->threads, &work, error);
    slv_console_progress_end(walk->console);
    free(j.positions);
    return result;
}
