// SPDX-License-Identifier: MIT
#include "tools/bake-collider/coverage.h"

#include "tools/bake-collider/frame_walk.h"
#include "tools/bake-collider/point_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Each sample has owners, centres that were near in a few frames. Where one of them is near enough,
// nothing else need be asked; only where none is are all centres searched. What stays bare is handed on
// in the order of frames, and becomes a centre unless one that was added just before covers it. First
// every 32nd frame is walked, so that most of what stretching needs is there when all are.

enum { OWNERS = 6, COARSE = 32 };

typedef struct room { // of a slot
    double *centres;  // [centre room][3] places in this frame
    uint32_t *bare;   // samples that no centre covers
    uint32_t bare_count;
    uint32_t bare_room;
    double farthest; // squared
    slv_point_grid grid;
} room;

// What is needed of a sample, in few bytes: there are many, and each frame walks over all of them.
// Weights come from halving, so float holds them exactly.
typedef struct sample {
    uint32_t vertex[3];
    float weight[2]; // of the second and third
    uint32_t owners[OWNERS];
} sample;

typedef struct job {
    slv_coverage *coverage;
    sample *samples; // [count]
    uint32_t known;  // centres that this walk began with
    room *rooms;     // [2 * threads]
    unsigned room_count;
} job;

static inline void place(const sample *s, const double *positions, double at[3]) {
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

static void place_centres(const job *j, const double *positions, double *places) {
    for (uint32_t i = 0; i < j->known; i++) {
        place(&j->samples[j->coverage->centres[i]], positions, places + 3 * (size_t)i);
    }
}

static void fill_grid(slv_point_grid *grid, const double *places, uint32_t count, double cell) {
    slv_point_grid_clear(grid, cell);
    for (uint32_t i = 0; i < count; i++) {
        slv_point_grid_add(grid, i, places + 3 * (size_t)i);
    }
}

// --- One frame ----------------------------------------------------------------------------------

static bool note_bare(room *r, uint32_t number) {
    if (r->bare_count == r->bare_room) {
        const uint32_t more = r->bare_room > 0 ? 2 * r->bare_room : 1024;
        uint32_t *grown = realloc(r->bare, more * sizeof *grown);
        if (!grown) {
            return false;
        }
        r->bare = grown;
        r->bare_room = more;
    }
    r->bare[r->bare_count++] = number;
    return true;
}

static slv_result check_frame(void *context, uint32_t frame, const double *positions, unsigned slot,
                              unsigned worker, slv_error *error) {
    (void)frame;
    (void)worker;
    const job *j = context;
    const slv_coverage *c = j->coverage;
    room *r = &j->rooms[slot];
    const double limit = c->limit * c->limit;
    bool filled = false;
    r->bare_count = 0;
    r->farthest = 0.0;
    place_centres(j, positions, r->centres);
    for (uint32_t s = 0; s < c->count; s++) {
        double at[3];
        place(&j->samples[s], positions, at);
        double least = HUGE_VAL;
        const uint32_t *owners = j->samples[s].owners;
        for (int k = 0; k < OWNERS && least > limit; k++) {
            const double squared = squared_distance(at, r->centres + 3 * (size_t)owners[k]);
            least = squared < least ? squared : least;
        }
        if (least > limit) {
            if (!filled) {
                fill_grid(&r->grid, r->centres, j->known, 2.0 * c->limit);
                filled = true;
            }
            double squared = 0.0;
            if (slv_point_grid_nearest(&r->grid, r->centres, at, c->limit, &squared) !=
                UINT32_MAX) {
                least = squared;
            } else if (!note_bare(r, s)) {
                return slv_no_memory(error);
            } else {
                continue;
            }
        }
        r->farthest = least > r->farthest ? least : r->farthest;
    }
    return SLV_OK;
}

static void note_farthest(slv_coverage *c, double squared, uint32_t frame) {
    const double distance = sqrt(squared);
    if (distance > c->farthest) {
        c->farthest = distance;
        c->farthest_frame = frame;
    }
}

// Bare samples, in order: covered by a centre that this walk has added, or centres themselves.
static slv_result take_frame(void *context, uint32_t frame, const double *positions, unsigned slot,
                             slv_error *error) {
    (void)error;
    const job *j = context;
    slv_coverage *c = j->coverage;
    const room *r = &j->rooms[slot];
    const double limit = c->limit * c->limit;
    note_farthest(c, r->farthest, frame);
    for (uint32_t b = 0; b < r->bare_count; b++) {
        double at[3];
        double least = HUGE_VAL;
        place(&j->samples[r->bare[b]], positions, at);
        for (uint32_t i = j->known; i < c->centre_count && least > limit; i++) {
            double centre[3];
            place(&j->samples[c->centres[i]], positions, centre);
            const double squared = squared_distance(at, centre);
            least = squared < least ? squared : least;
        }
        if (least > limit) {
            c->centres[c->centre_count++] = r->bare[b];
        } else {
            note_farthest(c, least, frame);
        }
    }
    return SLV_OK;
}

// --- Owners -------------------------------------------------------------------------------------

// The nearest centre of every sample in a few frames, spread over the clip.
static slv_result find_owners(job *j, double *positions, slv_error *error) {
    const slv_coverage *c = j->coverage;
    room *r = &j->rooms[0];
    for (uint32_t k = 0; k < OWNERS; k++) {
        const uint32_t frame = (uint32_t)((uint64_t)(c->frames->frame_count - 1) * k / OWNERS);
        slv_result result = slv_frames_read(c->frames, frame, 0, positions, error);
        if (result != SLV_OK) {
            return result;
        }
        place_centres(j, positions, r->centres);
        fill_grid(&r->grid, r->centres, j->known, 2.0 * c->limit);
        for (uint32_t s = 0; s < c->count; s++) {
            double at[3];
            double squared = 0.0;
            place(&j->samples[s], positions, at);
            const uint32_t nearest =
                slv_point_grid_nearest(&r->grid, r->centres, at, c->limit, &squared);
            uint32_t *owners = j->samples[s].owners;
            owners[k] = nearest != UINT32_MAX ? nearest : k > 0 ? owners[k - 1] : 0;
        }
    }
    return SLV_OK;
}

// --- Walks --------------------------------------------------------------------------------------

static bool create_rooms(job *j) {
    j->rooms = calloc(j->room_count, sizeof *j->rooms);
    bool made = j->rooms != NULL;
    for (unsigned i = 0; made && i < j->room_count; i++) {
        j->rooms[i].centres = calloc(3 * (size_t)j->known + 1, sizeof(double));
        made = j->rooms[i].centres && slv_point_grid_create(&j->rooms[i].grid, j->known);
    }
    return made && j->rooms[0].centres;
}

static void free_rooms(job *j) {
    for (unsigned i = 0; j->rooms && i < j->room_count; i++) {
        free(j->rooms[i].centres);
        free(j->rooms[i].bare);
        slv_point_grid_free(&j->rooms[i].grid);
    }
    free(j->rooms);
    j->rooms = NULL;
}

static slv_result walk(slv_coverage *c, uint32_t stride, const char *what, sample *samples,
                       double *positions, slv_error *error) {
    job j = {
        .coverage = c, .known = c->centre_count, .samples = samples, .room_count = 2 * c->threads};
    slv_result result = create_rooms(&j) ? find_owners(&j, positions, error) : slv_no_memory(error);
    if (result == SLV_OK) {
        c->farthest = 0.0;
        const slv_frame_walk frame_walk = {.frames = c->frames,
                                           .stride = stride,
                                           .threads = c->threads,
                                           .what = what,
                                           .console = c->console,
                                           .see = check_frame,
                                           .take = take_frame,
                                           .context = &j};
        result = slv_frame_walk_run(&frame_walk, error);
    }
    free_rooms(&j);
    return result;
}

static sample *pack_samples(const slv_coverage *c) {
    sample *samples = calloc((size_t)c->count + 1, sizeof *samples);
    for (uint32_t i = 0; samples && i < c->count; i++) {
        memcpy(samples[i].vertex, c->points[i].vertex, sizeof samples[i].vertex);
        samples[i].weight[0] = (float)c->points[i].weight[1];
        samples[i].weight[1] = (float)c->points[i].weight[2];
    }
    return samples;
}

slv_result slv_coverage_complete(slv_coverage *coverage, slv_error *error) {
    sample *samples = pack_samples(coverage);
    double *positions = calloc(3 * (size_t)coverage->frames->vertex_count + 1, sizeof *positions);
    slv_result result = samples && positions ? SLV_OK : slv_no_memory(error);
    if (result == SLV_OK && coverage->frames->frame_count > COARSE) {
        result = walk(coverage, COARSE, "covering", samples, positions, error);
    }
    if (result == SLV_OK) {
        result = walk(coverage, 1, "measuring", samples, positions, error);
    }
    free(samples);
    free(positions);
    return result;
}
