// SPDX-License-Identifier: MIT
#include "runtime/step/neighbor_search.h"

#include "kernels/bins.h"
#include "runtime/step/feature.h"

#include <limits.h>
#include <string.h>

// --- Layout -----------------------------------------------------------------------------------------

// Blocks of points: each has particles of one part.
static int count_blocks(const slv_body *body) {
    return slv_body_is_searched(body) ? (int)((body->count + SLV_BLOCK - 1) / SLV_BLOCK) : 0;
}

static int count_points(const slv_layout *layout, slv_body *const *bodies) {
    int64_t points = 0;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        points += (int64_t)count_blocks(bodies[i]) * SLV_BLOCK;
    }
    return points < INT_MAX / 64 ? (int)points : INT_MAX / 64;
}

// At least two cells a point, so that few hold points that are no neighbors.
static int count_cells(int points) {
    int cells = SLV_PARTITIONS * 16;
    while (cells < 2 * points) {
        cells *= 2;
    }
    return cells;
}

// Places of everything bins.h's block names, written into the block when there is a table.
typedef struct bin_places {
    int place[SLV_BINS_INTS];
} bin_places;

static bin_places reserve_bins(const slv_layout *layout, int list_room, slv_layout_cursor *cursor) {
    bin_places bins = {{0}};
    int points = layout->neighbors.points;
    int cells = count_cells(points);
    int shift = 0;
    size_t n = (size_t)points;
    size_t bin_bodies = layout->body_count;
    while (cells >> shift > SLV_PARTITIONS) {
        shift++;
    }
    int chunks = (points + SLV_CHUNK - 1) / SLV_CHUNK;
    bins.place[SLV_BINS_POINTS] = points;
    bins.place[SLV_BINS_CHUNKS] = chunks;
    bins.place[SLV_BINS_CELLS] = cells;
    bins.place[SLV_BINS_SHIFT] = shift;
    bins.place[SLV_BINS_ROOM] = list_room;
    bins.place[SLV_BINS_GROWS] =
        list_room < SLV_LIST_LIMIT && !layout->settings.contact.lists_fixed;
    bins.place[SLV_BINS_BODIES] = slv_reserve_table(cursor, bin_bodies * SLV_BIN_BODY_INTS);
    bins.place[SLV_BINS_BODY_OF] = slv_reserve_table(cursor, n / SLV_BLOCK);
    bins.place[SLV_BINS_PLACE_OF] = slv_reserve_table(cursor, n);
    bins.place[SLV_BINS_INVERSE_MASS_OF] = slv_reserve_table(cursor, n);
    bins.place[SLV_BINS_KEYS] = slv_reserve_table(cursor, n);
    bins.place[SLV_BINS_HISTOGRAMS] = slv_reserve_table(cursor, (size_t)chunks * SLV_PARTITIONS);
    bins.place[SLV_BINS_PARTITIONS] = slv_reserve_table(cursor, SLV_PARTITIONS + 1);
    bins.place[SLV_BINS_SCATTERED] = slv_reserve_table(cursor, n);
    bins.place[SLV_BINS_FIRSTS] = slv_reserve_table(cursor, (size_t)cells + 1);
    bins.place[SLV_BINS_IDS] = slv_reserve_table(cursor, n);
    bins.place[SLV_BINS_COUNTS] = slv_reserve_table(cursor, n);
    bins.place[SLV_BINS_LISTS] = slv_reserve_table(cursor, n * (size_t)list_room);
    bins.place[SLV_BINS_GAPS] = slv_reserve_state(cursor, n * (size_t)list_room);
    bins.place[SLV_BINS_BODY_FLOATS] = slv_reserve_state(cursor, bin_bodies * SLV_BIN_BODY_FLOATS);
    bins.place[SLV_BINS_SORTED] = slv_reserve_state(cursor, 4 * n);
    bins.place[SLV_BINS_STARTS] = slv_reserve_state(cursor, 4 * n);
    bins.place[SLV_BINS_RESTS] = slv_reserve_state(cursor, 4 * n);
    bins.place[SLV_BINS_NOW] = slv_reserve_state(cursor, 4 * n);
    bins.place[SLV_BINS_PREDICTED] = slv_reserve_state(cursor, 4 * n);
    bins.place[SLV_BINS_MOTIONS] = slv_reserve_state(cursor, SLV_MOTION_FLOATS * n / SLV_BLOCK);
    bins.place[SLV_BINS_SCALE] = slv_reserve_state(cursor, SLV_SCALE_FLOATS);
    return bins;
}

void slv_neighbor_search_count(slv_layout *layout, slv_body *const *bodies) {
    layout->neighbors.points = count_points(layout, bodies);
}

void slv_neighbor_search_reserve(slv_layout *layout, int list_room, slv_layout_cursor *cursor) {
    slv_neighbor_layout *neighbors = &layout->neighbors;
    bin_places bins = {{0}};
    neighbors->block = slv_reserve_table(cursor, SLV_BINS_INTS);
    layout->extents[slv_layout_common_body(layout)].table[SLV_ASPECT_NEIGHBORS] =
        (slv_extent){(size_t)neighbors->block, SLV_BINS_INTS};
    if (list_room > 0) {
        bins = reserve_bins(layout, list_room, cursor);
        neighbors->scale = (slv_extent){(size_t)bins.place[SLV_BINS_SCALE], SLV_SCALE_FLOATS};
    }
    if (layout->table) {
        memcpy(layout->table + neighbors->block, bins.place, sizeof bins.place);
    }
}

uint32_t slv_neighbor_search_get_longest(const slv_layout *layout) {
    const float *seen = layout->state + layout->neighbors.scale.first + SLV_SCALE_SEEN;
    uint32_t count = SLV_LIST_LIMIT;
    while (count > 0 && !(seen[count] > 0.0f)) {
        count--;
    }
    return count;
}

bool slv_neighbor_search_was_cut(const slv_layout *layout) {
    const slv_extent scale = layout->neighbors.scale;
    return scale.count > 0 && layout->state[scale.first + SLV_SCALE_TRUNCATED] > 0.0f;
}

// --- Filling ----------------------------------------------------------------------------------------

static void fill_bin_body(const slv_layout *layout, uint32_t index,
                          const slv_contact_material *material) {
    const int *bins = layout->table + layout->neighbors.block;
    const slv_body_layout *body_layout = &layout->bodies[index];
    int *record = layout->table + bins[SLV_BINS_BODIES] + index * SLV_BIN_BODY_INTS;
    float *floats = layout->state + bins[SLV_BINS_BODY_FLOATS] + index * SLV_BIN_BODY_FLOATS;
    float *largest = layout->state + bins[SLV_BINS_SCALE] + SLV_SCALE_RADIUS;
    record[SLV_BIN_BODY_Q] = body_layout->q;
    record[SLV_BIN_BODY_Y] = body_layout->y;
    record[SLV_BIN_BODY_PREV] = body_layout->prev[0];
    record[SLV_BIN_BODY_PREV + 1] = body_layout->prev[1];
    record[SLV_BIN_BODY_COMPONENT] = body_layout->component;
    record[SLV_BIN_BODY_INVERSE_MASSES] = body_layout->inverse_mass;
    record[SLV_BIN_BODY_STRIDE] = body_layout->stride;
    floats[SLV_BIN_BODY_RADIUS] = material->radius;
    floats[SLV_BIN_BODY_ID] = material->with_garments ? (float)(index + 1) : -(float)(index + 1);
    *largest = material->radius > *largest ? material->radius : *largest;
}

// Where a particle lies at rest: relative to the first, over the stretch it starts with.
static void find_rest(const slv_body *body, uint32_t own, double rest[3]) {
    for (size_t d = 0; d < 3; d++) {
        rest[d] = ((double)body->start[6 * (size_t)own + d] - (double)body->start[d]) /
                  (double)body->stretch;
    }
}

// A particle and where it lies at rest.
typedef struct resting {
    float place[3];
    uint32_t own;
} resting;

static bool is_before(const resting *one, const resting *other, int axis) {
    return one->place[axis] != other->place[axis] ? one->place[axis] < other->place[axis]
                                                  : one->own < other->own;
}

static void exchange(resting *one, resting *other) {
    resting kept = *one;
    *one = *other;
    *other = kept;
}

// Brings the `first` that come first along an axis to the front (Hoare's way).
static void partition_along(resting *all, size_t count, size_t first, int axis) {
    while (count > 1) {
        resting pivot = all[count / 2];
        size_t low = 0;
        size_t high = count - 1;
        while (low <= high) {
            while (is_before(&all[low], &pivot, axis)) {
                low++;
            }
            while (is_before(&pivot, &all[high], axis)) {
                high--;
            }
            if (low <= high) {
                exchange(&all[low], &all[high]);
                low++;
                if (high == 0) {
                    break;
                }
                high--;
            }
        }
        // Now all before low come no later than the pivot, and all after high no earlier.
        if (first <= high) {
            count = high + 1;
        } else if (first >= low) {
            all += low;
            count -= low;
            first -= low;
        } else {
            return;
        }
    }
}

static int find_longest_axis(const resting *all, size_t count) {
    float extent[3];
    for (int d = 0; d < 3; d++) {
        float low = all[0].place[d];
        float high = low;
        for (size_t n = 1; n < count; n++) {
            low = all[n].place[d] < low ? all[n].place[d] : low;
            high = all[n].place[d] > high ? all[n].place[d] : high;
        }
        extent[d] = high - low;
    }
    int longest = extent[1] > extent[0] ? 1 : 0;
    return extent[2] > extent[longest] ? 2 : longest;
}

// Orders particles so that those of a block, and of a cluster, lie near each other: halved across the
// longest axis again and again.
static void gather_near(resting *all, size_t count) {
    while (count > SLV_LANES) {
        const size_t whole = count > SLV_BLOCK     ? SLV_BLOCK
                             : count > SLV_CLUSTER ? SLV_CLUSTER
                                                   : SLV_LANES;
        const size_t half = ((count + whole - 1) / whole + 1) / 2 * whole;
        partition_along(all, count, half, find_longest_axis(all, count));
        gather_near(all, half);
        all += half;
        count -= half;
    }
}

static void order_particles(const slv_body *body, resting *all) {
    for (uint32_t p = 0; p < body->count; p++) {
        double rest[3];
        find_rest(body, p, rest);
        all[p].own = p;
        for (int d = 0; d < 3; d++) {
            all[p].place[d] = (float)rest[d];
        }
    }
    gather_near(all, body->count);
}

// Cloth that does not meet itself has all its particles in one place, near each other for ever.
static void fill_point(const slv_layout *layout, uint32_t index, const slv_body *body, size_t point,
                       uint32_t own) {
    const int *bins = layout->table + layout->neighbors.block;
    const slv_body_layout *body_layout = &layout->bodies[index];
    float *rest = layout->state + (size_t)bins[SLV_BINS_RESTS] + 4 * point;
    int slot = (int)layout->slots[index][own];
    double place[3];
    find_rest(body, own, place);
    layout->table[(size_t)bins[SLV_BINS_PLACE_OF] + point] = slot * body_layout->stride;
    layout->table[(size_t)bins[SLV_BINS_INVERSE_MASS_OF] + point] =
        body_layout->inverse_mass + slot;
    for (int d = 0; d < 3; d++) {
        rest[d] = body->contact_material.with_itself ? (float)place[d] : 0.0f;
    }
    rest[3] = layout->state[bins[SLV_BINS_BODY_FLOATS] + (int)index * SLV_BIN_BODY_FLOATS +
                            SLV_BIN_BODY_ID];
}

// A part's points, from block `first` of all on.
static void fill_points(const slv_layout *layout, uint32_t index, const slv_body *body, int first,
                        const resting *order) {
    const int *bins = layout->table + layout->neighbors.block;
    for (int b = 0; b < count_blocks(body); b++) {
        int block = first + b;
        layout->table[bins[SLV_BINS_BODY_OF] + block] = (int)index;
        for (uint32_t n = 0; n < SLV_BLOCK; n++) {
            uint32_t at = (uint32_t)b * SLV_BLOCK + n;
            size_t point = (size_t)block * SLV_BLOCK + n;
            if (at < body->count) {
                fill_point(layout, index, body, point, order[at].own);
            } else {
                layout->table[(size_t)bins[SLV_BINS_PLACE_OF] + point] = -1;
            }
        }
    }
}

bool slv_neighbor_search_fill(const slv_layout *layout, slv_body *const *bodies,
                              slv_memory *scratch) {
    int first = 0;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        if (!slv_body_is_searched(bodies[i])) {
            continue;
        }
        resting *order = slv_memory_take(scratch, bodies[i]->count, sizeof *order);
        if (!order) {
            return false;
        }
        order_particles(bodies[i], order);
        fill_bin_body(layout, i, &bodies[i]->contact_material);
        fill_points(layout, i, bodies[i], first, order);
        first += count_blocks(bodies[i]);
    }
    return true;
}

// --- The step ---------------------------------------------------------------------------------------

void slv_neighbor_search_launch_rows(slv_plan_writer *writer, slv_kernel_id kernel, int rows) {
    slv_plan_launch_rows(writer, kernel, slv_layout_pairs_body(writer->layout), 0, 0, rows);
    slv_plan_barrier(writer);
}

void slv_neighbor_search_launch(slv_plan_writer *writer) {
    const int points = writer->layout->neighbors.points;
    const int blocks = points / SLV_BLOCK;
    const int chunks = (points + SLV_CHUNK - 1) / SLV_CHUNK;
    slv_features_launch(writer, SLV_POINT_SEARCH_BEGIN);
    slv_neighbor_search_launch_rows(writer, SLV_ID_bin_update, blocks);
    slv_neighbor_search_launch_rows(writer, SLV_ID_bin_scale, 1);
    slv_neighbor_search_launch_rows(writer, SLV_ID_bin_key, blocks);
    slv_neighbor_search_launch_rows(writer, SLV_ID_bin_histogram, chunks);
    slv_neighbor_search_launch_rows(writer, SLV_ID_bin_offsets, 1);
    slv_neighbor_search_launch_rows(writer, SLV_ID_bin_scatter, chunks);
    slv_neighbor_search_launch_rows(writer, SLV_ID_bin_sort, SLV_PARTITIONS);
    slv_neighbor_search_launch_rows(writer, SLV_ID_pair_find, blocks);
    slv_features_launch(writer, SLV_POINT_SEARCH_END);
}
