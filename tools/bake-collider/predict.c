// SPDX-License-Identifier: MIT
#include "tools/bake-collider/predict.h"

#include "tools/bake-collider/point_grid.h"
#include "tools/common/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Skinned points move by blends of a few rigid motions. A point between its neighbors is nearly the
// same weighted sum of them in every frame; least squares over sampled frames finds the weights.
// They sum to 1, so translations are predicted exactly. Tikhonov regularization avoids large
// weights of opposite sign, which would amplify rounding errors.

enum {
    TRAINING_FRAMES = 48, // sampled frames, at most
    PROBES = 4,           // frames in which candidates are near
    CANDIDATES = 96,      // points that a predictor is chosen from
    FEW = 512,            // the first points; all earlier ones are their candidates
    UNKNOWNS = SLV_PREDICTORS - 1
};

// A stored weight is 16 bits of SLV_WEIGHT_UNIT: below 8. The sum of rounded weights may be one unit more.
static const double weight_limit = 7.9;

typedef struct search {
    uint32_t count;
    uint32_t training_count;
    const float *training; // [training_count][count][3] in stored order
    double precision;
    slv_predictors *found;
} search;

void slv_predictors_free(slv_predictors *predictors) {
    free(predictors->points);
    free(predictors->weights);
    free(predictors->order);
    *predictors = (slv_predictors){0};
}

// --- Order --------------------------------------------------------------------------------------

// Coarse-to-fine order: each level halves the distance and adds every point that has no earlier
// point within it.
static bool order_points(const double *point_positions, uint32_t count, double extent,
                         uint32_t *order) {
    slv_point_grid grid;
    uint8_t *taken = calloc((size_t)count + 1, 1);
    if (!taken || !slv_point_grid_create(&grid, count)) {
        free(taken);
        return false;
    }
    uint32_t done = 0;
    double apart = extent;
    for (int level = 0; level < 20 && done < count; level++) {
        slv_point_grid_clear(&grid, apart > 0.0 ? 2.0 * apart : 1.0);
        for (uint32_t i = 0; i < done; i++) {
            slv_point_grid_add(&grid, order[i], point_positions + 3 * (size_t)order[i]);
        }
        for (uint32_t i = 0; i < count; i++) {
            double squared = 0.0;
            const double *at = point_positions + 3 * (size_t)i;
            if (!taken[i] &&
                slv_point_grid_nearest(&grid, point_positions, at, apart, &squared) == UINT32_MAX) {
                taken[i] = 1;
                order[done++] = i;
                slv_point_grid_add(&grid, i, at);
            }
        }
        apart *= 0.5;
    }
    for (uint32_t i = 0; i < count; i++) { // coincident points
        if (!taken[i]) {
            order[done++] = i;
        }
    }
    slv_point_grid_free(&grid);
    free(taken);
    return true;
}

// --- Neighbors ---------------------------------------------------------------------------------

typedef struct candidates {
    uint32_t below; // only points with a lower number
    uint32_t count;
    uint32_t numbers[CANDIDATES];
    double distances[CANDIDATES]; // largest squared distance over the training frames
    const search *s;
} candidates;

static const float *training_position(const search *s, uint32_t training_frame, uint32_t point) {
    return s->training + 3 * ((size_t)training_frame * s->count + point);
}

static double distance(const search *s, uint32_t a, uint32_t b) {
    double largest = 0.0;
    for (uint32_t p = 0; p < PROBES; p++) {
        const uint32_t number = (uint32_t)((uint64_t)p * s->training_count / PROBES);
        const float *u = training_position(s, number, a);
        const float *v = training_position(s, number, b);
        double sum = 0.0;
        for (int d = 0; d < 3; d++) {
            const double gap = (double)u[d] - (double)v[d];
            sum += gap * gap;
        }
        largest = sum > largest ? sum : largest;
    }
    return largest;
}

// Inserts a candidate into the list sorted by distance, then number.
static void offer(void *context, uint32_t number) {
    candidates *c = context;
    if (number >= c->below) {
        return;
    }
    const double away = distance(c->s, c->below, number);
    uint32_t at = c->count < SLV_PREDICTORS ? c->count : SLV_PREDICTORS;
    while (at > 0 && (away < c->distances[at - 1] ||
                      (away == c->distances[at - 1] && number < c->numbers[at - 1]))) {
        at--;
    }
    if (at == SLV_PREDICTORS) {
        return;
    }
    const uint32_t last = c->count < SLV_PREDICTORS ? c->count++ : SLV_PREDICTORS - 1;
    for (uint32_t i = last; i > at; i--) {
        c->numbers[i] = c->numbers[i - 1];
        c->distances[i] = c->distances[i - 1];
    }
    c->numbers[at] = number;
    c->distances[at] = away;
}

// --- Weights ------------------------------------------------------------------------------------

// Solves a symmetric positive definite system in place by Cholesky decomposition. False where it is
// not positive definite.
static bool solve(double a[UNKNOWNS][UNKNOWNS], double *b, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j <= i; j++) {
            double sum = a[i][j];
            for (uint32_t k = 0; k < j; k++) {
                sum -= a[i][k] * a[j][k];
            }
            if (i == j && !(sum > 0.0)) {
                return false;
            }
            a[i][j] = i == j ? sqrt(sum) : sum / a[j][j];
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < i; k++) {
            b[i] -= a[i][k] * b[k];
        }
        b[i] /= a[i][i];
    }
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t k = i + 1; k < n; k++) {
            b[i] -= a[k][i] * b[k];
        }
        b[i] /= a[i][i];
    }
    return true;
}

static void add_training_frame(const search *s, uint32_t number, uint32_t point,
                               const candidates *c, double a[UNKNOWNS][UNKNOWNS], double *b) {
    const uint32_t n = c->count - 1;
    const float *base = training_position(s, number, c->numbers[0]);
    for (int d = 0; d < 3; d++) {
        double arms[UNKNOWNS];
        const double wanted = (double)training_position(s, number, point)[d] - (double)base[d];
        for (uint32_t i = 0; i < n; i++) {
            arms[i] = (double)training_position(s, number, c->numbers[i + 1])[d] - (double)base[d];
        }
        for (uint32_t i = 0; i < n; i++) {
            b[i] += arms[i] * wanted;
            for (uint32_t j = 0; j <= i; j++) {
                a[i][j] += arms[i] * arms[j];
            }
        }
    }
}

// Rounds to the resolution of the file; the first weight is 1 minus the others, exactly.
static void store_weights(const double *weights, uint32_t n, float *stored) {
    double rest = 1.0;
    bool sound = true;
    for (uint32_t i = 0; i < n; i++) {
        const double rounded =
            floor(weights[i] / (double)SLV_WEIGHT_UNIT + 0.5) * (double)SLV_WEIGHT_UNIT;
        sound = sound && fabs(rounded) < weight_limit;
        rest -= rounded;
        stored[i + 1] = (float)rounded;
    }
    if (!sound || !(fabs(rest) < weight_limit)) {
        memset(stored, 0, SLV_PREDICTORS * sizeof *stored);
        rest = 1.0;
    }
    stored[0] = (float)rest;
}

static void fit(const search *s, uint32_t point, const candidates *c) {
    double a[UNKNOWNS][UNKNOWNS] = {{0.0}};
    double b[UNKNOWNS] = {0.0};
    uint32_t *points = s->found->points + (size_t)point * SLV_PREDICTORS;
    float *weights = s->found->weights + (size_t)point * SLV_PREDICTORS;
    for (uint32_t i = 0; i < c->count; i++) {
        points[i] = c->numbers[i];
    }
    for (uint32_t l = 0; l < s->training_count; l++) {
        add_training_frame(s, l, point, c, a, b);
    }
    const uint32_t n = c->count - 1;
    for (uint32_t i = 0; i < n; i++) {
        a[i][i] += s->precision * s->precision * 3.0 * s->training_count;
    }
    if (!solve(a, b, n)) {
        memset(b, 0, sizeof b);
    }
    store_weights(b, n, weights);
}

// --- The whole ----------------------------------------------------------------------------------

typedef struct fit_job {
    search *s;
    const slv_point_grid *grid;
    const double *point_positions; // in stored order
} fit_job;

static void fit_one(void *context, size_t index, unsigned worker) {
    (void)worker;
    const fit_job *j = context;
    const uint32_t point = (uint32_t)index + 1; // point 0 has no predictors
    candidates c = {.below = point, .s = j->s};
    if (point <= FEW) {
        for (uint32_t i = 0; i < point; i++) {
            offer(&c, i);
        }
    }
    for (int rings = 1; c.count < SLV_PREDICTORS && c.count < point && rings <= 64; rings *= 2) {
        c.count = 0;
        slv_point_grid_visit(j->grid, j->point_positions + 3 * (size_t)point, rings, offer, &c);
    }
    if (c.count == 0) { // no point nearby
        c.numbers[0] = point - 1;
        c.count = 1;
    }
    fit(j->s, point, &c);
}

// Cell size for about a dozen points per cell.
static double choose_cell(const double *point_positions, uint32_t count, double extent) {
    (void)point_positions;
    return extent > 0.0 ? extent * 2.0 / sqrt((double)count + 1.0) : 1.0;
}

static slv_result read_training_frames(const slv_frames *frames, const slv_point *points,
                                       uint32_t count, const uint32_t *order,
                                       uint32_t training_count, float *training, slv_error *error) {
    double *positions = calloc(3 * (size_t)frames->vertex_count + 1, sizeof *positions);
    double *point_positions = calloc(3 * (size_t)count + 1, sizeof *point_positions);
    slv_result result = positions && point_positions ? SLV_OK : slv_no_memory(error);
    for (uint32_t l = 0; result == SLV_OK && l < training_count; l++) {
        const uint32_t frame =
            training_count > 1
                ? (uint32_t)((uint64_t)(frames->frame_count - 1) * l / (training_count - 1))
                : 0;
        result = slv_frames_read(frames, frame, 0, positions, error);
        if (result == SLV_OK) {
            slv_points_evaluate(points, count, positions, point_positions);
        }
        for (size_t i = 0; result == SLV_OK && i < 3 * (size_t)count; i++) {
            training[3 * (size_t)l * count + i] =
                (float)point_positions[3 * (size_t)order[i / 3] + i % 3];
        }
    }
    free(positions);
    free(point_positions);
    return result;
}

static double measure_extent(const double *point_positions, uint32_t count) {
    double min[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double max[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        min[i % 3] = fmin(min[i % 3], point_positions[i]);
        max[i % 3] = fmax(max[i % 3], point_positions[i]);
    }
    return fmax(max[0] - min[0], fmax(max[1] - min[1], max[2] - min[2]));
}

static slv_result fit_all(search *s, unsigned threads, slv_error *error) {
    slv_point_grid grid = {0};
    double *point_positions = calloc(3 * (size_t)s->count + 1, sizeof *point_positions);
    if (!point_positions || !slv_point_grid_create(&grid, s->count)) {
        free(point_positions);
        return slv_no_memory(error);
    }
    for (size_t i = 0; i < 3 * (size_t)s->count; i++) {
        point_positions[i] = (double)s->training[i];
    }
    // Each level halves the distance, so most points are in the last levels. The cells fit those;
    // earlier points are searched in growing rings of cells.
    slv_point_grid_clear(
        &grid, choose_cell(point_positions, s->count, measure_extent(point_positions, s->count)));
    for (uint32_t i = 0; i < s->count; i++) {
        slv_point_grid_add(&grid, i, point_positions + 3 * (size_t)i);
    }
    fit_job job = {.s = s, .grid = &grid, .point_positions = point_positions};
    slv_parallel_for(threads, s->count - 1, fit_one, &job);
    slv_point_grid_free(&grid);
    free(point_positions);
    return SLV_OK;
}

static slv_result choose_order(const slv_frames *frames, const slv_point *points, uint32_t count,
                               bool keep_order, uint32_t *order, slv_error *error) {
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    if (keep_order) {
        return SLV_OK;
    }
    double *positions = calloc(3 * (size_t)frames->vertex_count + 1, sizeof *positions);
    double *point_positions = calloc(3 * (size_t)count + 1, sizeof *point_positions);
    slv_result result = positions && point_positions
                            ? slv_frames_read(frames, 0, 0, positions, error)
                            : slv_no_memory(error);
    if (result == SLV_OK) {
        slv_points_evaluate(points, count, positions, point_positions);
        result = order_points(point_positions, count, measure_extent(point_positions, count), order)
                     ? SLV_OK
                     : slv_no_memory(error);
    }
    free(positions);
    free(point_positions);
    return result;
}

slv_result slv_predictors_find(const slv_frames *frames, const slv_point *points, uint32_t count,
                               bool keep_order, double precision, unsigned threads,
                               slv_predictors *predictors, slv_error *error) {
    const uint32_t training_count =
        frames->frame_count < TRAINING_FRAMES ? frames->frame_count : TRAINING_FRAMES;
    const size_t links = (size_t)count * SLV_PREDICTORS;
    *predictors = (slv_predictors){.points = calloc(links + 1, sizeof *predictors->points),
                                   .weights = calloc(links + 1, sizeof *predictors->weights),
                                   .order = calloc((size_t)count + 1, sizeof *predictors->order)};
    float *values = calloc(3 * (size_t)training_count * count + 1, sizeof *values);
    slv_result result =
        predictors->points && predictors->weights && predictors->order && values
            ? choose_order(frames, points, count, keep_order, predictors->order, error)
            : slv_no_memory(error);
    if (result == SLV_OK) {
        result = read_training_frames(frames, points, count, predictors->order, training_count,
                                      values, error);
    }
    if (result == SLV_OK && count > 1) {
        search s = {.count = count,
                    .training_count = training_count,
                    .training = values,
                    .precision = precision,
                    .found = predictors};
        result = fit_all(&s, threads, error);
    }
    free(values);
    if (result != SLV_OK) {
        slv_predictors_free(predictors);
    }
    return result;
}
