// SPDX-License-Identifier: MIT
#include "tools/bake-collider/samples.h"

#include "tools/common/byte_text.h"
#include "tools/common/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Triangles are bisected at their longest edge until no edge is longer than √3 times the reach.
// Then each point of a triangle is within the reach of its nearest corner. The length of an
// interior edge over all frames is bounded by the edges a, b, c of the triangle. With w the
// difference of the barycentric weights of its ends, its square is -(w0 w1 c² + w1 w2 a² + w2 w0
// b²). The bound uses the longest lengths in positive terms and the shortest in negative ones. That is exact along the
// edges, and where the triangle moves as a rigid body. Where it stretches in one direction, the bound of stretch.h is
// lower for the others. The split of an edge depends on the edge only, so adjacent triangles agree.
//
// A triangle with an edge of at most half the reach is a needle, which bisection would divide into ever more needles. Each
// of its points has one of another edge within that half, parallel to the short edge. That other edge has samples at most
// the reach apart, so one is within the other half.

enum { DEPTH_MAX = 64 };
// Triangles for each one of the largest area: at least 1.73 where all are right-angled with equal legs; 2.4 to 2.9 were
// measured with other meshes.
#define PER_TRIANGLE 1.7
// The bound of stretch.h is taken in triangles with an edge that becomes this many times as long, squared. Skin at the
// joints of characters stretches less; there it would save less than a tenth of the samples.
#define STRETCHED 16.0

typedef struct midpoint { // of the edge between two samples
    uint32_t low, high;   // sample numbers plus one; low == 0: empty slot
    uint32_t sample;
} midpoint;

typedef struct maker {
    const slv_surface *surface;
    double limit;    // largest allowed squared length of an edge
    double reach;    // squared
    uint32_t most;   // samples
    uint64_t memory; // MiB
    slv_samples *samples;
    uint32_t room;
    midpoint *midpoints; // hash table with open addressing
    uint32_t middle_count;
    uint32_t midpoint_capacity; // a power of two
    uint32_t *of_point;         // [vertex] number of the sample at a point plus one
} maker;

typedef struct corner {
    uint32_t sample;
    double weight[3]; // in the original triangle
} corner;

void slv_samples_free(slv_samples *samples) {
    free(samples->items);
    *samples = (slv_samples){0};
}

slv_point slv_sample_point(const slv_sample *sample) {
    const double u = (double)sample->weight[0];
    const double v = (double)sample->weight[1];
    slv_point point = {.weight = {1.0 - u - v, u, v}};
    memcpy(point.vertex, sample->vertex, sizeof point.vertex);
    return point;
}

// --- Samples ------------------------------------------------------------------------------------

static slv_result refuse_memory(const char *about, double bytes, uint64_t limit, slv_error *error) {
    char text[SLV_BYTE_TEXT];
    slv_byte_text(bytes, text);
    return slv_fail(error, SLV_ERROR_ARGUMENT,
                    "particles this small need %s %s of memory, the limit is --memory-limit %llu "
                    "(MiB); choose a larger --radius or fewer --particles",
                    about, text, (unsigned long long)limit);
}

static slv_result add_sample(maker *m, uint32_t triangle, const double weight[3], uint32_t *sample,
                             slv_error *error) {
    if (m->samples->count >= m->most) {
        return refuse_memory("more than", SLV_SAMPLE_BYTES * m->most, m->memory, error);
    }
    void *items = m->samples->items;
    if (!slv_grow(&items, &m->room, (uint64_t)m->samples->count + 1, sizeof(slv_sample))) {
        return slv_no_memory(error);
    }
    m->samples->items = items;
    slv_sample *made = &m->samples->items[m->samples->count];
    memcpy(made->vertex, m->surface->triangles + 3 * (size_t)triangle, sizeof made->vertex);
    made->weight[0] = (float)weight[1];
    made->weight[1] = (float)weight[2];
    *sample = m->samples->count++;
    return SLV_OK;
}

static midpoint *find_midpoint(const maker *m, uint32_t a, uint32_t b) {
    const uint32_t low = (a < b ? a : b) + 1;
    const uint32_t high = (a < b ? b : a) + 1;
    uint64_t hash = ((uint64_t)low << 32 | high) * UINT64_C(0x9E3779B97F4A7C15);
    for (uint32_t i = (uint32_t)(hash >> 33);; i++) {
        midpoint *entry = &m->midpoints[i & (m->midpoint_capacity - 1)];
        if (entry->low == 0 || (entry->low == low && entry->high == high)) {
            entry->high = entry->low == 0 ? high : entry->high;
            return entry;
        }
    }
}

static bool grow_midpoints(maker *m) {
    if (m->midpoints && 4 * (uint64_t)m->middle_count < 3 * (uint64_t)m->midpoint_capacity) {
        return true;
    }
    maker grown = *m;
    grown.midpoint_capacity = m->midpoint_capacity > 0 ? 2 * m->midpoint_capacity : 1024;
    grown.midpoints = grown.midpoint_capacity > 0
                          ? calloc(grown.midpoint_capacity, sizeof *grown.midpoints)
                          : NULL;
    if (!grown.midpoints) {
        return false;
    }
    for (uint32_t i = 0; m->midpoints && i < m->midpoint_capacity; i++) {
        const midpoint *entry = &m->midpoints[i];
        if (entry->low != 0) {
            *find_midpoint(&grown, entry->low - 1, entry->high - 1) = *entry;
        }
    }
    free(m->midpoints);
    *m = grown;
    return true;
}

// The sample at the midpoint of two samples, created at first use.
static slv_result get_midpoint(maker *m, uint32_t triangle, const corner *a, const corner *b,
                               corner *made, slv_error *error) {
    if (!grow_midpoints(m)) {
        return slv_no_memory(error);
    }
    for (int k = 0; k < 3; k++) {
        made->weight[k] = 0.5 * (a->weight[k] + b->weight[k]);
    }
    midpoint *entry = find_midpoint(m, a->sample, b->sample);
    if (entry->low == 0) {
        slv_result result = add_sample(m, triangle, made->weight, &entry->sample, error);
        if (result != SLV_OK) {
            return result;
        }
        entry->low = (a->sample < b->sample ? a->sample : b->sample) + 1;
        m->middle_count++;
    }
    made->sample = entry->sample;
    return SLV_OK;
}

// --- Triangles ----------------------------------------------------------------------------------

// Upper bound of the squared distance of two corners over all frames. Along an edge of the original triangle, one
// difference of weights is 0.
static double bound(const maker *m, uint32_t triangle, const corner *a, const corner *b) {
    double sum = 0.0;
    bool inside = true;
    bool stretched = false;
    for (int k = 0; k < 3; k++) { // edge k lies opposite to corner k
        const int i = (k + 1) % 3;
        const int j = (k + 2) % 3;
        const slv_surface_edge *edge =
            &m->surface->edges[m->surface->triangle_edges[3 * (size_t)triangle + (size_t)k]];
        const double factor = -(a->weight[i] - b->weight[i]) * (a->weight[j] - b->weight[j]);
        sum += factor * (factor > 0.0 ? edge->longest : edge->shortest);
        inside = inside && a->weight[k] != b->weight[k];
        stretched = stretched || edge->longest > STRETCHED * edge->shortest;
    }
    if (!inside || !stretched || sum <= m->limit) {
        return sum;
    }
    const double length = slv_stretch_bound(
        m->surface->stretch[triangle], a->weight[1] - b->weight[1], a->weight[2] - b->weight[2]);
    return fmin(sum, length * length);
}

// Divides the edge of a needle until no part is longer than the reach.
static slv_result split_edge(maker *m, uint32_t triangle, const corner *a, const corner *b,
                             slv_error *error) {
    corner stack[DEPTH_MAX][2] = {{*a, *b}};
    int depth = 1;
    while (depth > 0) {
        depth--;
        const corner from = stack[depth][0];
        const corner to = stack[depth][1];
        if (!(bound(m, triangle, &from, &to) > m->reach) || depth + 2 > DEPTH_MAX) {
            continue;
        }
        corner made;
        slv_result result = get_midpoint(m, triangle, &from, &to, &made, error);
        if (result != SLV_OK) {
            return result;
        }
        stack[depth][0] = from;
        stack[depth++][1] = made;
        stack[depth][0] = made;
        stack[depth++][1] = to;
    }
    return SLV_OK;
}

static slv_result split(maker *m, uint32_t triangle, const corner corners[3], slv_error *error) {
    corner stack[2 * DEPTH_MAX][3];
    int depth = 0;
    memcpy(stack[depth++], corners, sizeof stack[0]);
    while (depth > 0) {
        corner now[3];
        memcpy(now, stack[--depth], sizeof now);
        double longest = m->limit;
        double shortest = HUGE_VAL;
        int opposite = -1;
        for (int k = 0; k < 3; k++) {
            const double length = bound(m, triangle, &now[(k + 1) % 3], &now[(k + 2) % 3]);
            if (length > longest) {
                longest = length;
                opposite = k;
            }
            shortest = length < shortest ? length : shortest;
        }
        if (opposite < 0 || depth + 2 > 2 * DEPTH_MAX) {
            continue;
        }
        const corner *a = &now[(opposite + 1) % 3];
        const corner *b = &now[(opposite + 2) % 3];
        if (4.0 * shortest <= m->reach) {
            slv_result needle = split_edge(m, triangle, a, b, error);
            if (needle != SLV_OK) {
                return needle;
            }
            continue;
        }
        corner made;
        slv_result result = get_midpoint(m, triangle, a, b, &made, error);
        if (result != SLV_OK) {
            return result;
        }
        const corner halves[2][3] = {{now[opposite], *a, made}, {now[opposite], made, *b}};
        memcpy(stack[depth++], halves[0], sizeof stack[0]);
        memcpy(stack[depth++], halves[1], sizeof stack[0]);
    }
    return SLV_OK;
}

static slv_result sample_triangle(maker *m, uint32_t triangle, slv_error *error) {
    corner corners[3] = {{0}};
    for (int k = 0; k < 3; k++) {
        const uint32_t point = m->surface->triangles[3 * (size_t)triangle + (size_t)k];
        corners[k].weight[k] = 1.0;
        if (m->of_point[point] == 0) {
            uint32_t sample = 0;
            slv_result result = add_sample(m, triangle, corners[k].weight, &sample, error);
            if (result != SLV_OK) {
                return result;
            }
            m->of_point[point] = sample + 1;
        }
        corners[k].sample = m->of_point[point] - 1;
    }
    return split(m, triangle, corners, error);
}

// Edges are divided into parts of at most √3 times the reach. Triangles with such edges have at most √3/4 of the square
// of that as area, and there are two for each sample. Their real area is smaller: PER_TRIANGLE.
double slv_samples_estimate(const slv_surface *surface, double reach) {
    const double longest = sqrt(3.0) * reach;
    double parts = 0.0;
    for (uint32_t e = 0; e < surface->edge_count; e++) {
        parts += fmax(sqrt(surface->edges[e].longest) / longest - 1.0, 0.0);
    }
    const double triangles = surface->area / (0.25 * sqrt(3.0) * longest * longest);
    return fmax(parts, 0.5 * PER_TRIANGLE * triangles);
}

slv_result slv_samples_make(const slv_surface *surface, double reach, uint64_t limit,
                            slv_samples *samples, slv_error *error) {
    *samples = (slv_samples){0};
    const double most = fmin((double)limit * SLV_MIB / SLV_SAMPLE_BYTES, UINT32_MAX / 4);
    const double estimate = slv_samples_estimate(surface, reach);
    if (!(estimate < most)) {
        return refuse_memory("about", SLV_SAMPLE_BYTES * estimate, limit, error);
    }
    uint32_t points = 0;
    for (size_t i = 0; i < 3 * (size_t)surface->triangle_count; i++) {
        points = surface->triangles[i] >= points ? surface->triangles[i] + 1 : points;
    }
    maker m = {.surface = surface,
               .limit = 3.0 * reach * reach,
               .reach = reach * reach,
               .most = (uint32_t)most,
               .memory = limit,
               .samples = samples,
               .of_point = calloc((size_t)points + 1, sizeof *m.of_point)};
    slv_result result = m.of_point ? SLV_OK : slv_no_memory(error);
    for (uint32_t t = 0; result == SLV_OK && t < surface->triangle_count; t++) {
        result = sample_triangle(&m, t, error);
    }
    free(m.of_point);
    free(m.midpoints);
    if (result != SLV_OK) {
        slv_samples_free(samples);
    }
    return result;
}
