// SPDX-License-Identifier: MIT
#include "tools/bake-collider/coverage.h"

#include "tools/bake-collider/frame_pass.h"
#include "tools/bake-collider/point_grid.h"
#include "tools/common/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Each sample keeps a few near centers, the nearest ones in some frames. A frame is covered at the
// sample where one of them is within the limit; otherwise all centers are searched. Samples without
// a center are processed in frame order: each becomes a center unless one added by this pass covers
// it. A first pass takes every 32nd frame, so that the full pass adds few centers.

enum {
    NEAR_CENTERS = 6,   // kept by a sample; more cost memory, fewer more searches
    COARSE_STRIDE = 32, // frames
    BLOCK = 4096        // samples that a thread takes at once
};

#define CELL                                                                                       \
    1.001 // of a cell of added centers, in limits: what is within the limit is at most one cell away

typedef struct slot_buffer { // of one frame in flight
    double *centers;         // [known][3] positions in this frame
    uint32_t *uncovered;     // samples without a center within the limit
    uint32_t uncovered_count;
    uint32_t uncovered_capacity;
    double farthest; // squared
    slv_point_grid grid;
} slot_buffer;

typedef uint32_t near_centers[NEAR_CENTERS]; // of a sample

typedef struct added_centers { // by this pass, in the frame that is consumed
    slv_point_grid grid;
    double *positions; // [room][3]
    uint32_t room;
} added_centers;

typedef struct job {
    slv_coverage *coverage;
    near_centers *near;   // [count]
    uint32_t known;       // number of centers at the start of this pass
    slot_buffer *buffers; // [2 * threads]
    unsigned buffer_count;
    added_centers added;
    const double *positions; // of the frame in which near centers are found
    uint32_t near_number;
} job;

static inline void evaluate_sample(const slv_sample *s, const double *positions, double at[3]) {
    const double *a = positions + 3 * (size_t)s->vertex[0];
    const double *b = positions + 3 * (size_t)s->vertex[1];
    const double *c = positions + 3 * (size_t)s->vertex[2];
    const double u = (double)s->weight[0];
    const double v = (double)s->weight[1];
    for (int d = 0; d < 3; d++) {
        at[d] = a[d] + u * (b[d] - a[d]) + v * (c[d] - a[d]);
    }
}

static double squared_distance(const double *a, const double *b) {
    const double x = a[0] - b[0];
    const double y = a[1] - b[1];
    const double z = a[2] - b[2];
    return x * x + y * y + z * z;
}

static void evaluate_centers(const job *j, const double *positions, double *centers) {
    for (uint32_t i = 0; i < j->known; i++) {
        evaluate_sample(&j->coverage->samples[j->coverage->centers[i]], positions,
                        centers + 3 * (size_t)i);
    }
}

static void fill_grid(slv_point_grid *grid, const double *centers, uint32_t count, double cell) {
    slv_point_grid_clear(grid, cell);
    for (uint32_t i = 0; i < count; i++) {
        slv_point_grid_add(grid, i, centers + 3 * (size_t)i);
    }
}

// --- One frame ----------------------------------------------------------------------------------

static bool add_uncovered(slot_buffer *r, uint32_t number) {
    if (r->uncovered_count == r->uncovered_capacity) {
        const uint32_t more = r->uncovered_capacity > 0 ? 2 * r->uncovered_capacity : 1024;
        uint32_t *grown = realloc(r->uncovered, more * sizeof *grown);
        if (!grown) {
            return false;
        }
        r->uncovered = grown;
        r->uncovered_capacity = more;
    }
    r->uncovered[r->uncovered_count++] = number;
    return true;
}

static slv_result check_frame(void *context, uint32_t frame, const double *positions, unsigned slot,
                              unsigned worker, slv_error *error) {
    (void)frame;
    (void)worker;
    const job *j = context;
    const slv_coverage *c = j->coverage;
    slot_buffer *r = &j->buffers[slot];
    const double limit = c->limit * c->limit;
    bool filled = false;
    r->uncovered_count = 0;
    r->farthest = 0.0;
    evaluate_centers(j, positions, r->centers);
    for (uint32_t s = 0; s < c->count; s++) {
        double at[3];
        evaluate_sample(&j->coverage->samples[s], positions, at);
        double least = HUGE_VAL;
        const uint32_t *near = j->near[s];
        for (int k = 0; k < NEAR_CENTERS && least > limit; k++) {
            const double squared = squared_distance(at, r->centers + 3 * (size_t)near[k]);
            least = squared < least ? squared : least;
        }
        if (least > limit) {
            if (!filled) {
                fill_grid(&r->grid, r->centers, j->known, 2.0 * c->limit);
                filled = true;
            }
            double squared = 0.0;
            if (slv_point_grid_nearest(&r->grid, r->centers, at, c->limit, &squared) !=
                UINT32_MAX) {
                least = squared;
            } else if (!add_uncovered(r, s)) {
                return slv_no_memory(error);
            } else {
                continue;
            }
        }
        r->farthest = least > r->farthest ? least : r->farthest;
    }
    return SLV_OK;
}

static void update_farthest(slv_coverage *c, double squared, uint32_t frame) {
    const double distance = sqrt(squared);
    if (distance > c->farthest) {
        c->farthest = distance;
        c->farthest_frame = frame;
    }
}

static bool reserve_added(added_centers *added, uint32_t count) {
    if (count <= added->room) {
        return true;
    }
    const uint32_t room = count + count / 2;
    slv_point_grid grid;
    double *positions = realloc(added->positions, 3 * (size_t)room * sizeof *positions);
    added->positions = positions ? positions : added->positions;
    if (!positions || !slv_point_grid_create(&grid, room)) {
        return false;
    }
    slv_point_grid_free(&added->grid);
    added->grid = grid;
    added->room = room;
    return true;
}

static void add_center(const job *j, added_centers *added, uint32_t number,
                       const double *positions) {
    double *at = added->positions + 3 * (size_t)number;
    evaluate_sample(&j->coverage->samples[j->coverage->centers[j->known + number]], positions, at);
    slv_point_grid_add(&added->grid, number, at);
}

typedef struct first_within {
    const double *positions, *at;
    double limit;    // squared
    uint32_t number; // the lowest within the limit; UINT32_MAX: none
    double squared;
} first_within;

static void visit_center(void *context, uint32_t number) {
    first_within *f = context;
    const double squared = squared_distance(f->at, f->positions + 3 * (size_t)number);
    if (squared <= f->limit && number < f->number) {
        f->number = number;
        f->squared = squared;
    }
}

// In frame order: each uncovered sample that no center of this pass covers becomes a center.
static slv_result consume_frame(void *context, uint32_t frame, const double *positions,
                                unsigned slot, slv_error *error) {
    job *j = context;
    slv_coverage *c = j->coverage;
    added_centers *added = &j->added;
    const slot_buffer *r = &j->buffers[slot];
    update_farthest(c, r->farthest, frame);
    if (r->uncovered_count == 0) {
        return SLV_OK;
    }
    if (!reserve_added(added, c->center_count - j->known + r->uncovered_count)) {
        return slv_no_memory(error);
    }
    slv_point_grid_clear(&added->grid, CELL * c->limit);
    for (uint32_t i = j->known; i < c->center_count; i++) {
        add_center(j, added, i - j->known, positions);
    }
    for (uint32_t b = 0; b < r->uncovered_count; b++) {
        double at[3];
        evaluate_sample(&j->coverage->samples[r->uncovered[b]], positions, at);
        first_within found = {added->positions, at, c->limit * c->limit, UINT32_MAX, 0.0};
        slv_point_grid_visit(&added->grid, at, 1, visit_center, &found);
        if (found.number != UINT32_MAX) {
            update_farthest(c, found.squared, frame);
        } else {
            c->centers[c->center_count++] = r->uncovered[b];
            add_center(j, added, c->center_count - j->known - 1, positions);
        }
    }
    return SLV_OK;
}

// --- Near centers ------------------------------------------------------------------------------

static void find_near_block(void *context, size_t block, unsigned worker) {
    (void)worker;
    const job *j = context;
    const slv_coverage *c = j->coverage;
    const slot_buffer *r = &j->buffers[0];
    const uint32_t first = (uint32_t)block * BLOCK;
    const uint32_t end = c->count - first < BLOCK ? c->count : first + BLOCK;
    for (uint32_t s = first; s < end; s++) {
        double at[3];
        double squared = 0.0;
        evaluate_sample(&j->coverage->samples[s], j->positions, at);
        const uint32_t nearest =
            slv_point_grid_nearest(&r->grid, r->centers, at, c->limit, &squared);
        uint32_t *near = j->near[s];
        const uint32_t k = j->near_number;
        near[k] = nearest != UINT32_MAX ? nearest : k > 0 ? near[k - 1] : 0;
    }
}

// Finds the nearest center of every sample in a few frames, spread over the clip.
static slv_result find_near_centers(job *j, double *positions, slv_error *error) {
    const slv_coverage *c = j->coverage;
    slot_buffer *r = &j->buffers[0];
    j->positions = positions;
    for (j->near_number = 0; j->near_number < NEAR_CENTERS; j->near_number++) {
        const uint32_t frame =
            (uint32_t)((uint64_t)(c->frames->frame_count - 1) * j->near_number / NEAR_CENTERS);
        slv_result result = slv_frames_read(c->frames, frame, 0, positions, error);
        if (result != SLV_OK) {
            return result;
        }
        evaluate_centers(j, positions, r->centers);
        fill_grid(&r->grid, r->centers, j->known, 2.0 * c->limit);
        slv_parallel_for(c->threads, (c->count + BLOCK - 1) / BLOCK, find_near_block, j);
    }
    return SLV_OK;
}

// --- Passes ------------------------------------------------------------------------------------

static bool create_buffers(job *j) {
    j->buffers = calloc(j->buffer_count, sizeof *j->buffers);
    bool made = j->buffers != NULL;
    for (unsigned i = 0; made && i < j->buffer_count; i++) {
        j->buffers[i].centers = calloc(3 * (size_t)j->known + 1, sizeof(double));
        made = j->buffers[i].centers && slv_point_grid_create(&j->buffers[i].grid, j->known);
    }
    return made && j->buffers[0].centers;
}

static void free_buffers(job *j) {
    for (unsigned i = 0; j->buffers && i < j->buffer_count; i++) {
        free(j->buffers[i].centers);
        free(j->buffers[i].uncovered);
        slv_point_grid_free(&j->buffers[i].grid);
    }
    free(j->buffers);
    j->buffers = NULL;
    slv_point_grid_free(&j->added.grid);
    free(j->added.positions);
}

static slv_result run_pass(slv_coverage *c, uint32_t stride, const char *what, near_centers *near,
                           double *positions, slv_error *error) {
    job j = {.coverage = c, .known = c->center_count, .near = near, .buffer_count = 2 * c->threads};
    slv_result result =
        create_buffers(&j) ? find_near_centers(&j, positions, error) : slv_no_memory(error);
    if (result == SLV_OK) {
        c->farthest = 0.0;
        const slv_frame_pass frame_pass = {.frames = c->frames,
                                           .stride = stride,
                                           .threads = c->threads,
                                           .what = what,
                                           .console = c->console,
                                           .process = check_frame,
                                           .consume = consume_frame,
                                           .context = &j};
        result = slv_frame_pass_run(&frame_pass, error);
    }
    free_buffers(&j);
    return result;
}

slv_result slv_coverage_complete(slv_coverage *coverage, slv_error *error) {
    near_centers *near = calloc((size_t)coverage->count + 1, sizeof *near);
    double *positions = calloc(3 * (size_t)coverage->frames->vertex_count + 1, sizeof *positions);
    slv_result result = near && positions ? SLV_OK : slv_no_memory(error);
    if (result == SLV_OK && coverage->frames->frame_count > COARSE_STRIDE) {
        result = run_pass(coverage, COARSE_STRIDE, "covering", near, positions, error);
    }
    if (result == SLV_OK) {
        result = run_pass(coverage, 1, "measuring", near, positions, error);
    }
    free(near);
    free(positions);
    return result;
}
