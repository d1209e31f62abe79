// SPDX-License-Identifier: MIT
#include "tools/bake-collider/frame_pass.h"

#include "tools/common/parallel.h"

#include <stdlib.h>

typedef struct job {
    const slv_frame_pass *pass;
    uint32_t stride;
    size_t count;
    double *positions; // [slots][vertex_count][3]
} job;

static double *slot_positions(const job *j, unsigned slot) {
    return j->positions + 3 * (size_t)j->pass->frames->vertex_count * slot;
}

static slv_result produce_frame(void *context, size_t index, unsigned slot, unsigned worker,
                                slv_error *error) {
    const job *j = context;
    const uint32_t frame = (uint32_t)index * j->stride;
    double *positions = slot_positions(j, slot);
    slv_result result = slv_frames_read(j->pass->frames, frame, worker, positions, error);
    return result == SLV_OK
               ? j->pass->process(j->pass->context, frame, positions, slot, worker, error)
               : result;
}

static slv_result consume_frame(void *context, size_t index, unsigned slot, slv_error *error) {
    const job *j = context;
    slv_console_progress_rate(j->pass->console, j->pass->what, "frames", index, j->count);
    return j->pass->consume ? j->pass->consume(j->pass->context, (uint32_t)index * j->stride,
                                               slot_positions(j, slot), slot, error)
                            : SLV_OK;
}

slv_result slv_frame_pass_run(const slv_frame_pass *pass, slv_error *error) {
    job j = {.pass = pass, .stride = pass->stride > 0 ? pass->stride : 1};
    j.count = (pass->frames->frame_count - 1) / j.stride + 1;
    j.positions =
        calloc(3 * (size_t)pass->frames->vertex_count * 2 * pass->threads, sizeof *j.positions);
    if (!j.positions) {
        return slv_no_memory(error);
    }
    const slv_ordered_work work = {.count = j.count,
                                   .window = 2 * pass->threads,
                                   .produce = produce_frame,
                                   .consume = consume_frame,
                                   .context = &j};
    slv_result result = slv_parallel_ordered(pass->threads, &work, error);
    slv_console_progress_end(pass->console);
    free(j.positions);
    return result;
}
