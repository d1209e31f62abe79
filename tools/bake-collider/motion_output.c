// SPDX-License-Identifier: MIT
#include "tools/bake-collider/motion_output.h"

#include "tools/bake-collider/predict.h"
#include "tools/common/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Quantization step as a multiple of the tolerance per coordinate. A step below 2 leaves slack, so
// that a residual can be kept while the true position moves slightly. 1.3 gave the smallest packs
// in trials between 1 and 2.
#define STEP 1.3

// Error of a decoded position, in tolerances, that predictors are chosen not to amplify.
#define NOISE 0.6
#define ROUNDING 0.9999 // keeps sums of three squares within the tolerance

typedef struct slot {
    double *vertices;        // [vertex_count][3] of one frame
    double *point_positions; // [count][3] of one frame
    double *group;           // [SLV_GROUP_FRAMES][count][3]
    slv_motion_encoder *encoder;
    slv_motion_encoded encoded;
} slot;

typedef struct job {
    slv_motion_output *output;
    slv_motion motion;
    const slv_point *points; // in stored order
    double tolerance;        // per coordinate, metres
    slot *slots;
    unsigned slot_count;
    slv_motion_group *index;
    slv_writer *writer;
    slv_console *console;
} job;

// --- Groups -------------------------------------------------------------------------------------

static slv_result encode_group(void *context, size_t index, unsigned slot_number, unsigned worker,
                               slv_error *error) {
    const job *j = context;
    slot *s = &j->slots[slot_number];
    const slv_frames *frames = j->output->frames;
    const size_t row = 3 * (size_t)j->motion.count;
    for (uint32_t f = 0; f < SLV_GROUP_FRAMES; f++) {
        const uint32_t frame = (uint32_t)index * SLV_GROUP_FRAMES + f;
        if (frame < frames->frame_count) {
            slv_result result = slv_frames_read(frames, frame, worker, s->vertices, error);
            if (result != SLV_OK) {
                return result;
            }
            slv_points_evaluate(j->points, j->motion.count, s->vertices, s->point_positions);
        }
        memcpy(s->group + f * row, s->point_positions, row * sizeof *s->group);
    }
    return slv_motion_encode(s->encoder, s->group, j->tolerance, &s->encoded, error);
}

static double farthest(const slv_motion_encoded *encoded) {
    double distance = 0.0;
    for (int d = 0; d < 3; d++) {
        distance = fmax(distance, (double)fmaxf(fabsf(encoded->min[d]), fabsf(encoded->max[d])));
    }
    return distance;
}

static slv_result write_group(void *context, size_t index, unsigned slot_number, slv_error *error) {
    job *j = context;
    slv_motion_output *output = j->output;
    const slv_motion_encoded *encoded = &j->slots[slot_number].encoded;
    slv_console_progress_rate(j->console, output->what, "frames", index * SLV_GROUP_FRAMES,
                              output->frames->frame_count);
    if (!(encoded->largest_error <= output->error)) {
        return slv_fail(
            error, SLV_ERROR_ARGUMENT,
            "positions %.3g m from the origin cannot be exact to %g mm in float32; leave "
            "out what lies far away, or permit a larger --error",
            farthest(encoded), 1000.0 * output->error);
    }
    slv_motion_group *group = &j->index[index];
    *group = encoded->group;
    group->offset = index > 0 ? group[-1].offset + group[-1].key_size + group[-1].token_size +
                                    group[-1].escape_size
                              : 0;
    for (int d = 0; d < 3; d++) {
        output->min[d] = fminf(output->min[d], encoded->min[d]);
        output->max[d] = fmaxf(output->max[d], encoded->max[d]);
    }
    output->largest_error = fmax(output->largest_error, encoded->largest_error);
    output->bytes += encoded->size;
    return slv_writer_append(j->writer, encoded->bytes, encoded->size, error);
}

static slv_result write_groups(job *j, slv_motion_kinds kinds, slv_error *error) {
    const slv_ordered_work work = {.count = j->motion.group_count,
                                   .window = j->slot_count,
                                   .produce = encode_group,
                                   .consume = write_group,
                                   .context = j};
    slv_result result =
        slv_writer_begin(j->writer, kinds.groups, SLV_CODEC_RAW, SLV_SECTION_REQUIRED, error);
    if (result == SLV_OK) {
        result = slv_parallel_ordered(j->output->threads, &work, error);
    }
    slv_console_progress_end(j->console);
    if (result == SLV_OK) {
        result = slv_writer_end(j->writer, error);
    }
    const size_t size = j->motion.group_count * sizeof *j->index;
    j->output->bytes += size;
    return result == SLV_OK ? slv_writer_add(j->writer, kinds.index, SLV_CODEC_RAW,
                                             SLV_SECTION_REQUIRED, j->index, size, error)
                            : result;
}

// --- Tables -------------------------------------------------------------------------------------

static slv_result write_table(job *j, slv_motion_kinds kinds, slv_error *error) {
    size_t size = 0;
    void *bytes = slv_motion_make_table(&j->motion, &size);
    if (!bytes) {
        return slv_no_memory(error);
    }
    j->output->bytes += size;
    slv_result result = slv_writer_add(j->writer, kinds.table, SLV_CODEC_ZSTD, SLV_SECTION_REQUIRED,
                                       bytes, size, error);
    free(bytes);
    return result;
}

static slv_result create_slots(job *j, slv_error *error) {
    const size_t row = 3 * (size_t)j->motion.count;
    j->slot_count = j->output->threads + 1;
    j->slots = calloc(j->slot_count, sizeof *j->slots);
    j->index = calloc((size_t)j->motion.group_count + 1, sizeof *j->index);
    bool made = j->slots && j->index;
    for (unsigned i = 0; made && i < j->slot_count; i++) {
        slot *s = &j->slots[i];
        s->vertices = calloc(3 * (size_t)j->output->frames->vertex_count + 1, sizeof(double));
        s->point_positions = calloc(row + 1, sizeof(double));
        s->group = calloc(SLV_GROUP_FRAMES * row + 1, sizeof(double));
        s->encoder = slv_motion_encoder_create(&j->motion);
        made = s->vertices && s->point_positions && s->group && s->encoder;
    }
    return made ? SLV_OK : slv_no_memory(error);
}

static void free_slots(job *j) {
    for (unsigned i = 0; j->slots && i < j->slot_count; i++) {
        free(j->slots[i].vertices);
        free(j->slots[i].point_positions);
        free(j->slots[i].group);
        slv_motion_encoder_destroy(j->slots[i].encoder);
    }
    free(j->slots);
    free(j->index);
}

static slv_result write_motion(job *j, const slv_predictors *predictors, slv_error *error) {
    const slv_motion_output *output = j->output;
    const slv_motion_kinds kinds = slv_motion_get_sections(output->kind);
    slv_point *stored = calloc((size_t)output->count + 1, sizeof *stored);
    if (!stored) {
        return slv_no_memory(error);
    }
    for (uint32_t i = 0; i < output->count; i++) {
        stored[i] = output->points[predictors->order[i]];
        if (output->order) {
            output->order[i] = predictors->order[i];
        }
    }
    j->points = stored;
    j->motion =
        (slv_motion){.count = output->count,
                     .predictors = SLV_PREDICTORS,
                     .step = (float)(STEP * j->tolerance),
                     .points = predictors->points,
                     .weights = predictors->weights,
                     .group_count = slv_motion_get_group_count(output->frames->frame_count)};
    slv_result result = write_table(j, kinds, error);
    if (result == SLV_OK) {
        result = create_slots(j, error);
    }
    if (result == SLV_OK) {
        result = write_groups(j, kinds, error);
    }
    free_slots(j);
    free(stored);
    return result;
}

slv_result slv_motion_output_run(slv_motion_output *output, slv_writer *writer,
                                 slv_console *console, slv_error *error) {
    job j = {.output = output,
             .writer = writer,
             .console = console,
             .tolerance =
                 output->error / sqrt(3.0) * ROUNDING}; // three coordinates give at most the error
    for (int d = 0; d < 3; d++) {
        output->min[d] = INFINITY;
        output->max[d] = -INFINITY;
    }
    output->largest_error = 0.0;
    output->bytes = 0;
    slv_predictors predictors;
    slv_result result =
        slv_predictors_find(output->frames, output->points, output->count, output->keep_order,
                            NOISE * output->error, output->threads, &predictors, error);
    if (result == SLV_OK) {
        result = write_motion(&j, &predictors, error);
        slv_predictors_free(&predictors);
    }
    return result;
}
