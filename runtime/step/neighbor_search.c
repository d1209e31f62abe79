// SPDX-License-Identifier: MIT
#include "runtime/step/neighbor_search.h"

#include "kernels/neighbors.h"
#include "runtime/step/feature.h"
#include "runtime/step/spatial_order.h"

#include <float.h>
#include <limits.h>
#include <string.h>

enum {
    CELLS_A_POINT = 2, // at least, so that few cells hold points that are no neighbors
    FEWEST_CELLS = SLV_PARTITIONS * 16,
    POINT_LIMIT = INT_MAX / 64 // keeps sums within an int until reserving refuses the layout
};

// --- Requests ---------------------------------------------------------------------------------------

static slv_neighbor_request get_request(uint32_t number, const slv_body *body) {
    slv_neighbor_request request = {.reach = 0.0f};
    if (slv_features[number]->neighbors.request) {
        slv_features[number]->neighbors.request(body, &request);
    }
    return request;
}

static bool names_body(const slv_neighbor_request *request) {
    return request->with_others || request->own != SLV_OWN_PAIRS_NONE;
}

// Whether a request can have a pair at all.
static bool has_pairs(uint32_t number, slv_body *const *bodies, uint32_t count) {
    uint32_t with_others = 0;
    bool own = false;
    for (uint32_t i = 0; i < count; i++) {
        const slv_neighbor_request request = get_request(number, bodies[i]);
        own = own || request.own != SLV_OWN_PAIRS_NONE;
        with_others += request.with_others ? 1 : 0;
    }
    return own || with_others > 1;
}

static uint32_t max_of(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

// Which requests have lists, and how long these are.
static void choose_requests(slv_layout *layout, slv_body *const *bodies,
                            const slv_neighbor_settings *settings) {
    slv_neighbor_layout *neighbors = layout->neighbors;
    neighbors->settings = *settings;
    for (uint32_t r = 0; slv_features[r]; r++) {
        const slv_neighbor_demand *demand = &slv_features[r]->neighbors;
        neighbors->requests[r].own = demand->needs_lists != NULL;
        if (demand->needs_lists ? demand->needs_lists(bodies, layout->body_count)
                                : demand->request && has_pairs(r, bodies, layout->body_count)) {
            const uint32_t capacity = max_of(settings->capacity[r], demand->capacity);
            neighbors->requests[r].capacity = capacity < SLV_LIST_LIMIT ? capacity : SLV_LIST_LIMIT;
            neighbors->requests[r].find = (int)demand->find;
        }
        neighbors->request_count = r + 1;
    }
}

slv_body_reach slv_neighbor_search_get_reach(const slv_layout *layout, const slv_body *body) {
    slv_body_reach reach = {-1.0f, -1.0f};
    for (uint32_t r = 0; r < layout->neighbors->request_count; r++) {
        const slv_neighbor_request request = get_request(r, body);
        if (layout->neighbors->requests[r].capacity > 0 && names_body(&request)) {
            reach.any = request.reach > reach.any ? request.reach : reach.any;
        }
        if (layout->neighbors->requests[r].capacity > 0 && request.with_others) {
            reach.others = request.reach > reach.others ? request.reach : reach.others;
        }
    }
    return reach;
}

// --- Layout -----------------------------------------------------------------------------------------

// Blocks of points: each has particles of one body.
static int count_blocks(const slv_layout *layout, const slv_body *body) {
    return slv_neighbor_search_get_reach(layout, body).any < 0.0f
               ? 0
               : (int)((body->count + SLV_BLOCK - 1) / SLV_BLOCK);
}

static int count_points(const slv_layout *layout, slv_body *const *bodies) {
    int64_t points = 0;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        points += (int64_t)count_blocks(layout, bodies[i]) * SLV_BLOCK;
    }
    return points < POINT_LIMIT ? (int)points : POINT_LIMIT;
}

static int count_cells(int points) {
    int cells = FEWEST_CELLS;
    while (cells < CELLS_A_POINT * points) {
        cells *= 2;
    }
    return cells;
}

static int count_shift(int cells) {
    int shift = 0;
    while (cells >> shift > SLV_PARTITIONS) {
        shift++;
    }
    return shift;
}

// Everything that the block of the search names (kernels/bins.h).
static void reserve_bins(slv_neighbor_layout *neighbors, uint32_t bodies, int *bins,
                         slv_layout_cursor *cursor) {
    const int points = neighbors->points;
    const int cells = count_cells(points);
    const int chunks = (points + SLV_CHUNK - 1) / SLV_CHUNK;
    const size_t n = (size_t)points;
    bins[SLV_BINS_POINTS] = points;
    bins[SLV_BINS_CHUNKS] = chunks;
    bins[SLV_BINS_CELLS] = cells;
    bins[SLV_BINS_SHIFT] = count_shift(cells);
    bins[SLV_BINS_REQUESTS] = (int)neighbors->request_count;
    bins[SLV_BINS_LISTS] = neighbors->block + SLV_BINS_INTS;
    bins[SLV_BINS_BODIES] = slv_reserve_table(cursor, (size_t)bodies * SLV_BIN_BODY_INTS);
    bins[SLV_BINS_BODY_OF] = slv_reserve_table(cursor, n / SLV_BLOCK);
    bins[SLV_BINS_OFFSET_OF] = slv_reserve_table(cursor, n);
    bins[SLV_BINS_INVERSE_MASS_OF] = slv_reserve_table(cursor, n);
    bins[SLV_BINS_KEYS] = slv_reserve_table(cursor, n);
    bins[SLV_BINS_HISTOGRAMS] = slv_reserve_table(cursor, (size_t)chunks * SLV_PARTITIONS);
    bins[SLV_BINS_PARTITIONS] = slv_reserve_table(cursor, SLV_PARTITIONS + 1);
    bins[SLV_BINS_SCATTERED] = slv_reserve_table(cursor, n);
    bins[SLV_BINS_FIRSTS] = slv_reserve_table(cursor, (size_t)cells + 1);
    bins[SLV_BINS_IDS] = slv_reserve_table(cursor, n);
    bins[SLV_BINS_SORTED] = slv_reserve_state(cursor, 4 * n);
    bins[SLV_BINS_STARTS] = slv_reserve_state(cursor, 4 * n);
    bins[SLV_BINS_NOW] = slv_reserve_state(cursor, 4 * n);
    bins[SLV_BINS_MOTIONS] = slv_reserve_state(cursor, SLV_MOTION_FLOATS * n / SLV_BLOCK);
    bins[SLV_BINS_SCALE] = slv_reserve_state(cursor, SLV_SCALE_FLOATS);
}

// The lists of one request.
static void reserve_lists(const slv_layout *layout, uint32_t number, int flags, int *lists,
                          slv_layout_cursor *cursor) {
    const uint32_t capacity = layout->neighbors->requests[number].capacity;
    const bool of_points = capacity > 0 && !layout->neighbors->requests[number].own;
    const size_t n = of_points ? (size_t)layout->neighbors->points : 0;
    lists[SLV_LISTS_CAPACITY] = (int)capacity;
    lists[SLV_LISTS_GROW] = capacity < SLV_LIST_LIMIT && !layout->neighbors->settings.fixed;
    lists[SLV_LISTS_COUNTS] = slv_reserve_table(cursor, n);
    lists[SLV_LISTS_ENTRIES] = slv_reserve_table(cursor, n * capacity);
    lists[SLV_LISTS_RESTS] = slv_reserve_state(cursor, 4 * n);
    lists[SLV_LISTS_FLAGS] = flags + (int)number * SLV_LISTS_FLOATS;
}

// The block, the lists of all requests behind it, and all they name; written where there is a table.
static void reserve_all(slv_layout *layout, slv_layout_cursor *cursor) {
    slv_neighbor_layout *neighbors = layout->neighbors;
    const size_t requests = neighbors->request_count;
    const size_t ints = SLV_BINS_INTS + requests * SLV_LISTS_INTS;
    int block[SLV_BINS_INTS + SLV_FEATURE_ROOM * SLV_LISTS_INTS] = {0};
    neighbors->block = slv_reserve_table(cursor, ints);
    reserve_bins(neighbors, layout->body_count, block, cursor);
    const int flags = slv_reserve_state(cursor, requests * SLV_LISTS_FLOATS);
    neighbors->flags = (slv_extent){(size_t)flags, requests * SLV_LISTS_FLOATS};
    for (uint32_t r = 0; r < requests; r++) {
        neighbors->requests[r].lists = neighbors->block + SLV_BINS_INTS + (int)r * SLV_LISTS_INTS;
        reserve_lists(layout, r, flags, block + SLV_BINS_INTS + r * SLV_LISTS_INTS, cursor);
    }
    layout->extents[slv_layout_common_body(layout)].table[SLV_ASPECT_NEIGHBORS] =
        (slv_extent){(size_t)neighbors->block, ints};
    if (layout->table) {
        memcpy(layout->table + neighbors->block, block, ints * sizeof *block);
    }
}

// Whether anything is requested.
static bool has_lists(const slv_neighbor_layout *neighbors) {
    bool any = false;
    for (uint32_t r = 0; r < neighbors->request_count; r++) {
        any = any || neighbors->requests[r].capacity > 0;
    }
    return any;
}

bool slv_neighbor_search_reserve(slv_layout *layout, slv_body *const *bodies,
                                 const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    layout->neighbors = slv_memory_take(&layout->memory, 1, sizeof *layout->neighbors);
    if (!layout->neighbors) {
        return false;
    }
    choose_requests(layout, bodies, &settings->step->neighbors);
    layout->neighbors->points = count_points(layout, bodies);
    layout->neighbors->start = *cursor;
    if (has_lists(layout->neighbors)) {
        reserve_all(layout, cursor);
    }
    return true;
}

bool slv_neighbor_search_fits(const slv_layout *layout, const slv_layout_settings *settings) {
    const slv_neighbor_settings *own = &layout->neighbors->settings;
    const slv_neighbor_settings *next = &settings->step->neighbors;
    return own->fixed == next->fixed &&
           memcmp(own->capacity, next->capacity, sizeof own->capacity) == 0;
}

// --- Filling ----------------------------------------------------------------------------------------

static void fill_bin_body(const slv_layout *layout, uint32_t index, float reach) {
    const int *bins = layout->table + layout->neighbors->block;
    const slv_body_layout *body_layout = &layout->bodies[index];
    int *record = layout->table + bins[SLV_BINS_BODIES] + index * SLV_BIN_BODY_INTS;
    float *largest = layout->state + bins[SLV_BINS_SCALE] + SLV_SCALE_REACH;
    record[SLV_BIN_BODY_Q] = body_layout->q;
    record[SLV_BIN_BODY_PREDICTED] = body_layout->predicted;
    record[SLV_BIN_BODY_PREV] = body_layout->prev[0];
    record[SLV_BIN_BODY_PREV + 1] = body_layout->prev[1];
    record[SLV_BIN_BODY_COMPONENT] = body_layout->component;
    record[SLV_BIN_BODY_INVERSE_MASSES] = body_layout->inverse_mass;
    record[SLV_BIN_BODY_STRIDE] = body_layout->stride;
    *largest = reach > *largest ? reach : *largest;
}

static void order_particles(const slv_body *body, slv_resting *all) {
    for (uint32_t p = 0; p < body->count; p++) {
        double rest[3];
        slv_find_rest_position(body, p, rest);
        all[p].own = p;
        for (int d = 0; d < 3; d++) {
            all[p].position[d] = (float)rest[d];
        }
    }
    slv_gather_near(all, body->count);
}

// A position for each particle that is farther from all others than two reaches.
static void find_separate(uint32_t own, float reach, float position[3]) {
    const float spacing = 4.0f * reach;
    position[0] = spacing * (float)(own & 1023);
    position[1] = spacing * (float)(own >> 10 & 1023);
    position[2] = spacing * (float)(own >> 20);
}

// What a request says of a point (kernels/neighbors.h).
static void fill_rest(const slv_body *body, const slv_neighbor_request *request, uint32_t own,
                      float rest[4]) {
    const float reach = request->reach > FLT_MIN ? request->reach : FLT_MIN; // above 0
    double position[3];
    slv_find_rest_position(body, own, position);
    for (int d = 0; d < 3; d++) {
        rest[d] = request->own == SLV_OWN_PAIRS_APART ? (float)position[d] : 0.0f;
    }
    if (request->own == SLV_OWN_PAIRS_ALL) {
        find_separate(own, reach, rest);
    }
    rest[3] = request->with_others ? reach : -reach;
}

static void fill_point(const slv_layout *layout, uint32_t index, size_t point, uint32_t own) {
    const int *bins = layout->table + layout->neighbors->block;
    const slv_body_layout *body_layout = &layout->bodies[index];
    int slot = (int)layout->slots[index][own];
    layout->table[(size_t)bins[SLV_BINS_OFFSET_OF] + point] = slot * body_layout->stride;
    layout->table[(size_t)bins[SLV_BINS_INVERSE_MASS_OF] + point] =
        body_layout->inverse_mass + slot;
}

// A body's points, from block `first` of all on.
static void fill_points(const slv_layout *layout, uint32_t index, const slv_body *body, int first,
                        const slv_resting *order) {
    const int *bins = layout->table + layout->neighbors->block;
    for (int b = 0; b < count_blocks(layout, body); b++) {
        int block = first + b;
        layout->table[bins[SLV_BINS_BODY_OF] + block] = (int)index;
        for (uint32_t n = 0; n < SLV_BLOCK; n++) {
            uint32_t at = (uint32_t)b * SLV_BLOCK + n;
            size_t point = (size_t)block * SLV_BLOCK + n;
            if (at < body->count) {
                fill_point(layout, index, point, order[at].own);
            } else {
                layout->table[(size_t)bins[SLV_BINS_OFFSET_OF] + point] = -1;
            }
        }
    }
}

// The same for the lists of each request.
static void fill_rests(const slv_layout *layout, const slv_body *body, int first,
                       const slv_resting *order) {
    for (uint32_t r = 0; r < layout->neighbors->request_count; r++) {
        const int *lists = layout->table + layout->neighbors->requests[r].lists;
        const slv_neighbor_request request = get_request(r, body);
        const bool of_points = lists[SLV_LISTS_CAPACITY] > 0 && !layout->neighbors->requests[r].own;
        for (uint32_t n = 0; of_points && n < body->count; n++) {
            const size_t point = (size_t)first * SLV_BLOCK + n;
            fill_rest(body, &request, order[n].own,
                      layout->state + (size_t)lists[SLV_LISTS_RESTS] + 4 * point);
        }
    }
}

bool slv_neighbor_search_fill(slv_layout *layout, slv_body *const *bodies, slv_memory *scratch) {
    slv_layout_cursor cursor = layout->neighbors->start;
    int first = 0;
    if (!has_lists(layout->neighbors)) {
        return true;
    }
    reserve_all(layout, &cursor);
    layout->bodies[slv_layout_common_body(layout)].search = layout->neighbors->block;
    layout->bodies[slv_layout_search_body(layout)].search = layout->neighbors->block;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        const float reach = slv_neighbor_search_get_reach(layout, bodies[i]).any;
        if (reach < 0.0f) {
            continue;
        }
        slv_resting *order = slv_memory_take(scratch, bodies[i]->count, sizeof *order);
        if (!order) {
            return false;
        }
        order_particles(bodies[i], order);
        fill_bin_body(layout, i, reach);
        fill_points(layout, i, bodies[i], first, order);
        fill_rests(layout, bodies[i], first, order);
        first += count_blocks(layout, bodies[i]);
    }
    return true;
}

// --- The step ---------------------------------------------------------------------------------------

static void launch_rows(slv_plan_writer *writer, slv_kernel_id kernel, int index, int rows) {
    slv_plan_launch_rows(writer, kernel, slv_layout_search_body(writer->layout), index, 0, rows);
    slv_plan_barrier(writer);
}

void slv_neighbor_search_launch_blocks(slv_plan_writer *writer, slv_kernel_id kernel) {
    launch_rows(writer, kernel, 0, writer->layout->neighbors->points / SLV_BLOCK);
}

static void launch_find(slv_plan_writer *writer) {
    const slv_neighbor_layout *neighbors = writer->layout->neighbors;
    for (uint32_t r = 0; r < neighbors->request_count; r++) {
        if (neighbors->requests[r].capacity > 0 && !neighbors->requests[r].own) {
            launch_rows(writer, (slv_kernel_id)neighbors->requests[r].find, (int)r,
                        neighbors->points / SLV_BLOCK);
        }
    }
}

void slv_neighbor_search_launch(slv_plan_writer *writer) {
    const int points = writer->layout->neighbors->points;
    const int chunks = (points + SLV_CHUNK - 1) / SLV_CHUNK;
    if (points == 0) {
        return;
    }
    slv_features_launch(writer, SLV_POINT_SEARCH_BEGIN);
    slv_neighbor_search_launch_blocks(writer, SLV_ID_bin_update);
    launch_rows(writer, SLV_ID_bin_scale, 0, 1);
    slv_neighbor_search_launch_blocks(writer, SLV_ID_bin_key);
    launch_rows(writer, SLV_ID_bin_histogram, 0, chunks);
    launch_rows(writer, SLV_ID_bin_offsets, 0, 1);
    launch_rows(writer, SLV_ID_bin_scatter, 0, chunks);
    launch_rows(writer, SLV_ID_bin_sort, 0, SLV_PARTITIONS);
    launch_find(writer);
    slv_features_launch(writer, SLV_POINT_SEARCH_END);
}

void slv_neighbor_search_launch_woken(slv_plan_writer *writer) {
    const int flags = writer->flags;
    writer->flags |= SLV_ONLY_WOKEN;
    launch_find(writer);
    writer->flags = flags;
}

// --- Growth -----------------------------------------------------------------------------------------

static uint32_t find_longest(const float *seen) {
    uint32_t count = SLV_LIST_LIMIT;
    while (count > 0 && !(seen[count] > 0.0f)) {
        count--;
    }
    return count;
}

void slv_list_growth_read(slv_list_growth *growth, const slv_layout *layout) {
    for (uint32_t r = 0; r < SLV_FEATURE_ROOM; r++) {
        growth->cut[r] = false;
        if (layout->neighbors->requests[r].capacity > 0) {
            const float *flags =
                layout->state + layout->neighbors->flags.first + (size_t)r * SLV_LISTS_FLOATS;
            growth->longest[r] = max_of(growth->longest[r], find_longest(flags + SLV_LISTS_SEEN));
            growth->cut[r] = flags[SLV_LISTS_TRUNCATED] > 0.0f;
        }
    }
}

bool slv_list_growth_is_cut(const slv_list_growth *growth) {
    bool cut = false;
    for (uint32_t r = 0; r < SLV_FEATURE_ROOM; r++) {
        cut = cut || growth->cut[r];
    }
    return cut;
}

uint32_t slv_list_growth_get_longest(const slv_list_growth *growth) {
    uint32_t longest = 0;
    for (uint32_t r = 0; r < SLV_FEATURE_ROOM; r++) {
        longest = max_of(longest, growth->longest[r]);
    }
    return longest;
}

bool slv_list_growth_can_mend(const slv_list_growth *growth, const slv_layout *layout) {
    bool can = false;
    for (uint32_t r = 0; r < SLV_FEATURE_ROOM; r++) {
        can = can || (growth->cut[r] && layout->neighbors->requests[r].capacity < SLV_LIST_LIMIT);
    }
    return can;
}

static bool is_tight(uint32_t neighbors, uint32_t capacity) {
    return 2 * neighbors > capacity;
}

bool slv_list_growth_raise(slv_list_growth *growth, const slv_layout *layout, bool mend,
                           bool ahead) {
    bool raised = false;
    for (uint32_t r = 0; r < layout->neighbors->request_count; r++) {
        uint32_t capacity = layout->neighbors->requests[r].capacity;
        const bool tight = is_tight(growth->longest[r], capacity);
        if (capacity == 0 || capacity >= SLV_LIST_LIMIT ||
            !((mend && growth->cut[r]) || (ahead && tight))) {
            continue;
        }
        do {
            capacity *= 2;
        } while (is_tight(growth->longest[r], capacity) && capacity < SLV_LIST_LIMIT);
        growth->capacity[r] = capacity < SLV_LIST_LIMIT ? capacity : SLV_LIST_LIMIT;
        raised = true;
    }
    return raised;
}

void slv_neighbor_search_fix(slv_layout *layout) {
    layout->neighbors->settings.fixed = true;
    for (uint32_t r = 0; has_lists(layout->neighbors) && r < layout->neighbors->request_count;
         r++) {
        layout->table[layout->neighbors->requests[r].lists + SLV_LISTS_GROW] = 0;
    }
    layout->extents[slv_layout_common_body(layout)].written |= 1u << SLV_ASPECT_NEIGHBORS;
}
