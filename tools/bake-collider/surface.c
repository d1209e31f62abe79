// SPDX-License-Identifier: MIT
#include "tools/bake-collider/surface.h"

#include "tools/bake-collider/frame_pass.h"
#include "tools/common/equal_keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROBES = 3 }; // frames used to find coinciding vertices; all frames are verified later

void slv_surface_free(slv_surface *surface) {
    free(surface->point);
    free(surface->triangles);
    free(surface->triangle_edges);
    free(surface->edges);
    free(surface->stretch);
    *surface = (slv_surface){0};
}

// --- Points -------------------------------------------------------------------------------------

static slv_result find_points(const slv_frames *frames, double *positions, slv_surface *surface,
                              slv_error *error) {
    const size_t count = frames->vertex_count;
    double(*keys)[3 * PROBES] = calloc(count + 1, sizeof *keys);
    slv_result result = keys ? SLV_OK : slv_no_memory(error);
    for (uint32_t p = 0; result == SLV_OK && p < PROBES; p++) {
        const uint32_t frame = (uint32_t)((uint64_t)(frames->frame_count - 1) * p / (PROBES - 1));
        result = slv_frames_read(frames, frame, 0, positions, error);
        for (size_t v = 0; result == SLV_OK && v < count; v++) {
            for (size_t d = 0; d < 3; d++) {
                keys[v][3 * p + d] = positions[3 * v + d] + 0.0; // -0 becomes 0
            }
        }
    }
    if (result == SLV_OK &&
        !slv_find_equal_keys(keys, sizeof *keys, frames->vertex_count, surface->point)) {
        result = slv_no_memory(error);
    }
    free(keys);
    return result;
}

// --- Edges --------------------------------------------------------------------------------------

typedef struct half_edge {
    uint32_t low, high; // points
    uint32_t triangle, corner;
} half_edge;

static int compare_edges(const void *left, const void *right) {
    const half_edge *a = left;
    const half_edge *b = right;
    const uint64_t x = (uint64_t)a->low << 32 | a->high;
    const uint64_t y = (uint64_t)b->low << 32 | b->high;
    const uint64_t i = (uint64_t)a->triangle << 2 | a->corner;
    const uint64_t j = (uint64_t)b->triangle << 2 | b->corner;
    return x != y ? (x > y) - (x < y) : (i > j) - (i < j);
}

static void take_triangles(const slv_frames *frames, slv_surface *surface) {
    surface->triangle_count = 0;
    surface->dropped_count = 0;
    for (uint32_t t = 0; t < frames->triangle_count; t++) {
        const uint32_t *from = frames->triangles + 3 * (size_t)t;
        const uint32_t corners[3] = {surface->point[from[0]], surface->point[from[1]],
                                     surface->point[from[2]]};
        if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) {
            surface->dropped_count++;
            continue;
        }
        memcpy(surface->triangles + 3 * (size_t)surface->triangle_count++, corners, sizeof corners);
    }
}

static slv_result find_edges(slv_surface *surface, slv_error *error) {
    const size_t count = 3 * (size_t)surface->triangle_count;
    half_edge *halves = calloc(count + 1, sizeof *halves);
    if (!halves) {
        return slv_no_memory(error);
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t *corners = surface->triangles + i / 3 * 3;
        const uint32_t a = corners[(i + 1) % 3];
        const uint32_t b = corners[(i + 2) % 3];
        halves[i] = (half_edge){a < b ? a : b, a < b ? b : a, (uint32_t)(i / 3), (uint32_t)(i % 3)};
    }
    qsort(halves, count, sizeof *halves, compare_edges);
    surface->edge_count = 0;
    for (size_t i = 0; i < count; i++) {
        const half_edge *half = &halves[i];
        if (i == 0 || half->low != halves[i - 1].low || half->high != halves[i - 1].high) {
            surface->edges[surface->edge_count++] =
                (slv_surface_edge){{half->low, half->high}, HUGE_VAL, 0.0};
        }
        surface->triangle_edges[3 * (size_t)half->triangle + half->corner] =
            surface->edge_count - 1;
    }
    free(halves);
    return SLV_OK;
}

// --- All frames ---------------------------------------------------------------------------------

// Measurements of one worker.
typedef struct worker_survey {
    double *shortest, *longest;               // [edge_count] squared
    float (*stretch)[SLV_STRETCH_DIRECTIONS]; // [triangle_count]
    double min[3], max[3];
    uint8_t *apart; // [vertex_count] 1: it does not coincide with its point in some frame
} worker_survey;

typedef struct survey {
    const slv_frames *frames;
    const slv_surface *surface;
    worker_survey *worker_surveys; // [threads]
} survey;

static slv_result update_bounds(const survey *s, const double *positions, uint32_t frame,
                                worker_survey *seen, slv_error *error) {
    bool finite = true;
    for (uint32_t v = 0; v < s->frames->vertex_count; v++) {
        const double *p = positions + 3 * (size_t)v;
        const double *q = positions + 3 * (size_t)s->surface->point[v];
        seen->apart[v] |= p[0] != q[0] || p[1] != q[1] || p[2] != q[2];
        for (int d = 0; d < 3; d++) {
            finite = finite && fabs(p[d]) <= 1e12;
            seen->min[d] = p[d] < seen->min[d] ? p[d] : seen->min[d];
            seen->max[d] = p[d] > seen->max[d] ? p[d] : seen->max[d];
        }
    }
    return finite ? SLV_OK
                  : slv_fail(error, SLV_ERROR_CONTENT,
                             "frame %u: a vertex is not finite or beyond 1e12 m", frame);
}

static slv_result survey_frame(void *context, uint32_t frame, const double *positions,
                               unsigned slot, unsigned worker, slv_error *error) {
    (void)slot;
    const survey *s = context;
    worker_survey *seen = &s->worker_surveys[worker];
    slv_result result = update_bounds(s, positions, frame, seen, error);
    for (uint32_t e = 0; result == SLV_OK && e < s->surface->edge_count; e++) {
        const slv_surface_edge *edge = &s->surface->edges[e];
        const double *a = positions + 3 * (size_t)edge->vertex[0];
        const double *b = positions + 3 * (size_t)edge->vertex[1];
        const double x = a[0] - b[0];
        const double y = a[1] - b[1];
        const double z = a[2] - b[2];
        const double squared = x * x + y * y + z * z;
        seen->shortest[e] = squared < seen->shortest[e] ? squared : seen->shortest[e];
        seen->longest[e] = squared > seen->longest[e] ? squared : seen->longest[e];
    }
    for (uint32_t t = 0; result == SLV_OK && t < s->surface->triangle_count; t++) {
        const uint32_t *corners = s->surface->triangles + 3 * (size_t)t;
        slv_stretch_measure(positions + 3 * (size_t)corners[0], positions + 3 * (size_t)corners[1],
                            positions + 3 * (size_t)corners[2], seen->stretch[t]);
    }
    return result;
}

static slv_result create_worker_survey(const survey *s, worker_survey *made, slv_error *error) {
    const size_t edges = s->surface->edge_count;
    made->shortest = malloc((edges + 1) * sizeof *made->shortest);
    made->longest = calloc(edges + 1, sizeof *made->longest);
    made->stretch = calloc((size_t)s->surface->triangle_count + 1, sizeof *made->stretch);
    made->apart = calloc((size_t)s->frames->vertex_count + 1, 1);
    for (int d = 0; d < 3; d++) {
        made->min[d] = HUGE_VAL;
        made->max[d] = -HUGE_VAL;
    }
    for (size_t e = 0; made->shortest && e < edges; e++) {
        made->shortest[e] = HUGE_VAL;
    }
    return made->shortest && made->longest && made->stretch && made->apart ? SLV_OK
                                                                           : slv_no_memory(error);
}

// Minimum and maximum are independent of the order, so the result does not depend on the threads.
// Returns the number of vertices that separate from their points.
static uint32_t merge_worker_survey(const worker_survey *seen, const slv_frames *frames,
                                    slv_surface *surface) {
    for (uint32_t e = 0; e < surface->edge_count; e++) {
        slv_surface_edge *edge = &surface->edges[e];
        edge->shortest = seen->shortest[e] < edge->shortest ? seen->shortest[e] : edge->shortest;
        edge->longest = seen->longest[e] > edge->longest ? seen->longest[e] : edge->longest;
    }
    for (uint32_t t = 0; t < surface->triangle_count; t++) {
        for (int k = 0; k < SLV_STRETCH_DIRECTIONS; k++) {
            surface->stretch[t][k] = fmaxf(surface->stretch[t][k], seen->stretch[t][k]);
        }
    }
    for (int d = 0; d < 3; d++) {
        surface->min[d] = seen->min[d] < surface->min[d] ? seen->min[d] : surface->min[d];
        surface->max[d] = seen->max[d] > surface->max[d] ? seen->max[d] : surface->max[d];
    }
    uint32_t apart = 0;
    for (uint32_t v = 0; v < frames->vertex_count; v++) {
        if (seen->apart[v]) {
            surface->point[v] = v;
            apart++;
        }
    }
    return apart;
}

static slv_result survey_frames(const slv_frames *frames, unsigned threads, slv_console *console,
                                slv_surface *surface, uint32_t *apart, slv_error *error) {
    survey s = {.frames = frames,
                .surface = surface,
                .worker_surveys = calloc(threads, sizeof(worker_survey))};
    slv_result result = s.worker_surveys ? SLV_OK : slv_no_memory(error);
    for (unsigned w = 0; result == SLV_OK && w < threads; w++) {
        result = create_worker_survey(&s, &s.worker_surveys[w], error);
    }
    if (result == SLV_OK) {
        const slv_frame_pass pass = {.frames = frames,
                                     .threads = threads,
                                     .what = "looking",
                                     .console = console,
                                     .process = survey_frame,
                                     .context = &s};
        result = slv_frame_pass_run(&pass, error);
    }
    *apart = 0;
    for (unsigned w = 0; s.worker_surveys && w < threads; w++) {
        if (result == SLV_OK) {
            *apart += merge_worker_survey(&s.worker_surveys[w], frames, surface);
        }
        free(s.worker_surveys[w].shortest);
        free(s.worker_surveys[w].longest);
        free(s.worker_surveys[w].stretch);
        free(s.worker_surveys[w].apart);
    }
    free(s.worker_surveys);
    return result;
}

static void measure_first(const slv_frames *frames, const double *positions, slv_surface *surface) {
    double min[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double max[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t v = 0; v < frames->vertex_count; v++) {
        for (int d = 0; d < 3; d++) {
            min[d] = fmin(min[d], positions[3 * (size_t)v + (size_t)d]);
            max[d] = fmax(max[d], positions[3 * (size_t)v + (size_t)d]);
        }
    }
    memcpy(surface->first_min, min, sizeof min);
    memcpy(surface->first_max, max, sizeof max);
    surface->extent =
        sqrt((max[0] - min[0]) * (max[0] - min[0]) + (max[1] - min[1]) * (max[1] - min[1]) +
             (max[2] - min[2]) * (max[2] - min[2]));
    surface->area = 0.0;
    for (uint32_t t = 0; t < surface->triangle_count; t++) {
        const double *a = positions + 3 * (size_t)surface->triangles[3 * (size_t)t];
        const double *b = positions + 3 * (size_t)surface->triangles[3 * (size_t)t + 1];
        const double *c = positions + 3 * (size_t)surface->triangles[3 * (size_t)t + 2];
        const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        const double v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
        const double x = u[1] * v[2] - u[2] * v[1];
        const double y = u[2] * v[0] - u[0] * v[2];
        const double z = u[0] * v[1] - u[1] * v[0];
        surface->area += 0.5 * sqrt(x * x + y * y + z * z);
    }
}

// Vertices that separate in some frame become points of their own; then all frames are measured
// again.
static slv_result survey_points(const slv_frames *frames, unsigned threads, slv_console *console,
                                double *positions, slv_surface *surface, slv_error *error) {
    uint32_t apart = 1;
    slv_result result = find_points(frames, positions, surface, error);
    while (result == SLV_OK && apart > 0) {
        for (int d = 0; d < 3; d++) {
            surface->min[d] = HUGE_VAL;
            surface->max[d] = -HUGE_VAL;
        }
        take_triangles(frames, surface);
        memset(surface->stretch, 0, surface->triangle_count * sizeof *surface->stretch);
        result = find_edges(surface, error);
        if (result == SLV_OK) {
            result = survey_frames(frames, threads, console, surface, &apart, error);
        }
    }
    if (result == SLV_OK) {
        result = slv_frames_read(frames, 0, 0, positions, error);
        measure_first(frames, positions, surface);
    }
    return result;
}

slv_result slv_surface_survey(const slv_frames *frames, unsigned threads, slv_console *console,
                              slv_surface *surface, slv_error *error) {
    const size_t corners = 3 * (size_t)frames->triangle_count;
    *surface = (slv_surface){
        .point = calloc((size_t)frames->vertex_count + 1, 4),
        .triangles = calloc(corners + 1, 4),
        .triangle_edges = calloc(corners + 1, 4),
        .edges = calloc(corners + 1, sizeof *surface->edges),
        .stretch = calloc((size_t)frames->triangle_count + 1, sizeof *surface->stretch)};
    double *positions = calloc(3 * (size_t)frames->vertex_count + 1, sizeof *positions);
    slv_result result = slv_no_memory(error);
    if (surface->point && surface->triangles && surface->triangle_edges && surface->edges &&
        surface->stretch && positions) {
        result = survey_points(frames, threads, console, positions, surface, error);
    }
    free(positions);
    if (result == SLV_OK && (surface->triangle_count == 0 || !(surface->area > 0.0))) {
        result = slv_fail(error, SLV_ERROR_CONTENT,
                          "all its triangles are degenerate; a surface is needed");
    }
    if (result != SLV_OK) {
        slv_surface_free(surface);
    }
    return result;
}
