// SPDX-License-Identifier: MIT
#include "tools/bake-collider/placement.h"

#include "tools/bake-collider/coverage.h"
#include "tools/bake-collider/point_grid.h"
#include "tools/bake-collider/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Dart throwing: a particle is placed at a sample where no other is nearer than d, so every sample
// has a particle within d. Every point of the surface has a sample within r, hence a particle
// within d + r; d + r is the radius with its tolerance. The samples are in a reproducible random
// order. In surface order the particles would be denser and more numerous.

#define REACH 0.15           // r as a fraction of the radius
#define SEARCH_ROUNDS 8      // of the search for a radius; each takes the samples of one frame
#define COUNT_SLACK 0.01     // part of the wanted particles that may be added
#define LARGEST_RADIUS 0.499 // of the extent; half of it is refused
#define DENSITY 0.70         // particles per d², measured for random order

void slv_placement_free(slv_placement *placement) {
    free(placement->points);
    *placement = (slv_placement){0};
}

// --- The first frame ----------------------------------------------------------------------------

// Fisher-Yates shuffle with reproducible random numbers.
static void shuffle(uint32_t *order, uint32_t count) {
    uint64_t state = UINT64_C(0x2545F4914F6CDD1D);
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    for (uint32_t i = count; i > 1; i--) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        const uint32_t other = (uint32_t)((state >> 32) * i >> 32);
        const uint32_t kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
}

typedef struct first_frame {
    slv_samples samples;
    double *sample_positions; // [samples][3]
    uint32_t *centers;        // [samples] numbers of samples that are particles
    uint32_t count;
} first_frame;

static void first_frame_free(first_frame *first) {
    slv_samples_free(&first->samples);
    free(first->sample_positions);
    free(first->centers);
    *first = (first_frame){.count = 0};
}

// The particles so far. Their numbers are those of the grid.
typedef struct chosen {
    slv_point_grid grid;
    double *positions; // [room][3]
    uint32_t count, room;
} chosen;

static bool add_chosen(chosen *c, const double at[3], double cell) {
    if (c->count == c->room) {
        const uint32_t room = c->room > 0 ? 2 * c->room : 1024;
        double *positions = realloc(c->positions, 3 * (size_t)room * sizeof *positions);
        c->positions = positions ? positions : c->positions;
        slv_point_grid_free(&c->grid);
        if (!positions || !slv_point_grid_create(&c->grid, room)) {
            return false;
        }
        c->room = room;
        slv_point_grid_clear(&c->grid, cell);
        for (uint32_t i = 0; i < c->count; i++) {
            slv_point_grid_add(&c->grid, i, c->positions + 3 * (size_t)i);
        }
    }
    memcpy(c->positions + 3 * (size_t)c->count, at, 3 * sizeof *at);
    slv_point_grid_add(&c->grid, c->count++, at);
    return true;
}

static slv_result choose_centers(first_frame *first, double apart, slv_error *error) {
    const uint32_t count = first->samples.count;
    chosen c = {.count = 0};
    uint32_t *order = calloc((size_t)count + 1, sizeof *order);
    slv_result result = order ? SLV_OK : slv_no_memory(error);
    if (order) {
        shuffle(order, count);
    }
    first->count = 0;
    for (uint32_t i = 0; result == SLV_OK && i < count; i++) {
        const double *at = first->sample_positions + 3 * (size_t)order[i];
        if (c.count > 0 && slv_point_grid_has(&c.grid, c.positions, at, apart)) {
            continue;
        }
        if (add_chosen(&c, at, 2.0 * apart)) {
            first->centers[first->count++] = order[i];
        } else {
            result = slv_no_memory(error);
        }
    }
    slv_point_grid_free(&c.grid);
    free(c.positions);
    free(order);
    return result;
}

// Samples the surface for the radius and chooses the particles. positions: of the first frame.
static slv_result choose_particles(const slv_surface *surface, const double *positions,
                                   const slv_placement_options *options, double radius,
                                   first_frame *first, slv_error *error) {
    first_frame_free(first);
    slv_result result =
        slv_samples_make(surface, REACH * radius, options->memory_limit, &first->samples, error);
    if (result != SLV_OK) {
        return result;
    }
    const uint32_t count = first->samples.count;
    first->sample_positions = calloc(3 * (size_t)count + 1, sizeof *first->sample_positions);
    first->centers = calloc((size_t)count + 1, sizeof *first->centers);
    if (!first->sample_positions || !first->centers) {
        return slv_no_memory(error);
    }
    for (uint32_t i = 0; i < count; i++) {
        const slv_point point = slv_sample_point(&first->samples.items[i]);
        slv_points_evaluate(&point, 1, positions, first->sample_positions + 3 * (size_t)i);
    }
    return choose_centers(first, radius * (1.0 + options->tolerance - REACH), error);
}

static slv_result check_radius(const slv_surface *surface, double radius, slv_error *error) {
    if (radius >= 0.5 * surface->extent) {
        return slv_fail(
            error, SLV_ERROR_ARGUMENT,
            "--radius %g: larger than the character, which is %.3g m across; choose one "
            "below %.2g",
            radius, surface->extent, 0.1 * surface->extent);
    }
    return SLV_OK;
}

// Searches the radius that gives the wanted number of particles, within one percent or slightly
// more.
static slv_result search_radius(const slv_surface *surface, const double *positions,
                                const slv_placement_options *options, double *radius,
                                first_frame *first, slv_error *error) {
    const double wanted = options->particles;
    const double most = LARGEST_RADIUS * surface->extent;
    *radius = fmin(sqrt(surface->area * DENSITY / wanted), most);
    for (int round = 0; round < SEARCH_ROUNDS; round++) {
        slv_result result = choose_particles(surface, positions, options, *radius, first, error);
        if (result != SLV_OK) {
            return result;
        }
        const double count = first->count;
        const bool last = round + 1 == SEARCH_ROUNDS;
        if (last || (count >= wanted && count <= (1.0 + COUNT_SLACK) * wanted) ||
            (*radius >= most && count <= wanted)) {
            break;
        }
        *radius = fmin(*radius * sqrt(count / ((1.0 + 0.5 * COUNT_SLACK) * wanted)), most);
    }
    return SLV_OK;
}

// --- The whole ----------------------------------------------------------------------------------

static slv_result cover(const slv_frames *frames, const slv_placement_options *options,
                        first_frame *first, slv_console *console, slv_placement *placement,
                        slv_error *error) {
    const double radius = placement->radius;
    free(first->sample_positions);
    first->sample_positions = NULL;
    slv_coverage coverage = {.frames = frames,
                             .threads = options->threads,
                             .console = console,
                             .samples = first->samples.items,
                             .count = first->samples.count,
                             .limit = radius * (1.0 + options->tolerance - REACH),
                             .centers = first->centers,
                             .center_count = first->count};
    slv_result result = slv_coverage_complete(&coverage, error);
    if (result != SLV_OK) {
        return result;
    }
    placement->coverage = coverage.farthest + REACH * radius;
    placement->coverage_frame = coverage.farthest_frame;
    placement->first_count = first->count;
    placement->sample_count = coverage.count;
    placement->count = coverage.center_count;
    placement->points = calloc((size_t)placement->count + 1, sizeof *placement->points);
    for (uint32_t i = 0; placement->points && i < placement->count; i++) {
        placement->points[i] = slv_sample_point(&first->samples.items[first->centers[i]]);
    }
    return placement->points ? SLV_OK : slv_no_memory(error);
}

slv_result slv_placement_make(const slv_frames *frames, const slv_surface *surface,
                              const slv_placement_options *options, slv_console *console,
                              slv_placement *placement, slv_error *error) {
    first_frame first = {.count = 0};
    *placement = (slv_placement){.radius = options->radius};
    double *positions = calloc(3 * (size_t)frames->vertex_count + 1, sizeof *positions);
    slv_result result =
        positions ? slv_frames_read(frames, 0, 0, positions, error) : slv_no_memory(error);
    if (result == SLV_OK && options->radius > 0.0) {
        result = check_radius(surface, options->radius, error);
        result = result == SLV_OK
                     ? choose_particles(surface, positions, options, options->radius, &first, error)
                     : result;
    } else if (result == SLV_OK) {
        result = search_radius(surface, positions, options, &placement->radius, &first, error);
    }
    if (result == SLV_OK) {
        result = cover(frames, options, &first, console, placement, error);
    }
    first_frame_free(&first);
    free(positions);
    return result;
}
