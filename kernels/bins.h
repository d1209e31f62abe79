// SPDX-License-Identifier: MIT
// Sorting of the neighbor search: a spatial hash without borders, rebuilt each step. A cell is as wide
// as the largest distance at which two points can matter to each other, so all neighbors of a point lie
// in the 3 x 3 x 3 cells around it. Rows of cells along x are numbered on from a hash of their y and z,
// so cells of a row lie side by side. Points of different cells that share a number are told apart by
// their coordinates.
//
// Points are sorted by cell without atomics, stably and in parallel (a counting sort in two levels):
// chunks of points count how many they have for each of SLV_PARTITIONS ranges of cells, prefix sums say
// where each may write, and every range is then sorted by itself. The same points give the same order
// for any number of threads.
//
// Points are the particles of all bodies that some request of neighbor lists names, in an order in which
// those that lie near each other at rest follow each other. Each body with points is a bin body, and a
// block of SLV_BLOCK points belongs to one bin body. Values that are read often are copied here, four
// floats side by side. Points are sorted once a step; each request has lists of its own
// (kernels/neighbors.h).
#ifndef SLV_KERNELS_BINS_H
#define SLV_KERNELS_BINS_H

#include "kernels/body_layout.h"
#include "kernels/shapes.h"

// The block of the search in table, which slv_body_layout's `search` names.
enum {
    SLV_BINS_POINTS = 0,    // a multiple of SLV_BLOCK
    SLV_BINS_BODIES = 1,    // table: SLV_BIN_BODY_INTS each
    SLV_BINS_REQUESTS = 2,  // requests that there is room for
    SLV_BINS_LISTS = 3,     // table: SLV_LISTS_INTS a request
    SLV_BINS_BODY_OF = 4,   // table, one a block
    SLV_BINS_OFFSET_OF = 5, // table, one a point: of its x from the bin body's q, floats; -1 = none
    SLV_BINS_INVERSE_MASS_OF = 6, // table, one a point: offset of its inverse mass in state
    SLV_BINS_CHUNKS = 7,          // of SLV_CHUNK points
    SLV_BINS_KEYS = 8,            // table, one a point: its cell
    SLV_BINS_CELLS = 9,           // a power of two
    SLV_BINS_SHIFT = 10,          // cell >> shift is its partition
    SLV_BINS_HISTOGRAMS = 11,     // table: SLV_PARTITIONS a chunk
    SLV_BINS_PARTITIONS = 12,     // table: first point of each, and the end
    SLV_BINS_SCATTERED = 13,      // table: points by partition
    SLV_BINS_FIRSTS = 14,         // table: first sorted point of each cell, and the end
    SLV_BINS_IDS = 15,            // table: the point of each rank
    SLV_BINS_SORTED = 16,         // state, 4 a rank: as in STARTS
    SLV_BINS_STARTS = 17,  // state, 4 a point: x, y, z at the start of the step; its bin body and 1
    SLV_BINS_NOW = 18,     // state, 4 a point: x, y, z now; inverse mass
    SLV_BINS_MOTIONS = 19, // state: SLV_MOTION_FLOATS a block of points
    SLV_BINS_SCALE = 20,   // state: SLV_SCALE_FLOATS
    SLV_BINS_INTS = 24
};

// What a request has in table: neighbor lists of all points (kernels/neighbors.h).
enum {
    SLV_LISTS_CAPACITY = 0, // neighbors of a point at most; 0: nothing is requested
    SLV_LISTS_GROW = 1,     // 1: a truncated list rolls the step back, so that it can be repeated
    SLV_LISTS_COUNTS =
        2, // table, one a point: length n of its neighbor list; -1 - n where truncated
    SLV_LISTS_ENTRIES = 3, // table: `capacity` a point, SLV_LANES points beside each other
    SLV_LISTS_RESTS = 4,   // state, 4 a point: x, y, z at rest; reach (kernels/neighbors.h)
    SLV_LISTS_FLAGS = 5,   // state: SLV_LISTS_FLOATS
    SLV_LISTS_INTS = 8
};

enum {
    SLV_CHUNK = 1024,
    SLV_PARTITIONS = 256,
    SLV_CELL_RUN_LIMIT = 1024, // points of a run of cells that are tested at most
    SLV_LIST_LIMIT = 64,       // neighbors of a point at most
    SLV_CLUSTER =
        16, // points of a cluster: the order of points keeps them near each other in the cloth
    SLV_MOTION_FLOATS = 12
};

#define SLV_CELL_ROUNDING 1.01f    // factor of the width of a cell, above all rounding errors in it
#define SLV_CELL_NUMBER_LIMIT 1e9f // cells from the origin along an axis: fits an int
#define SLV_MARGIN_STEPS 3.0f // displacements of so many steps are added to the margin of a cell
// In the largest reach of a point.
#define SLV_DISPLACEMENT_LIMIT 16.0f // of one step; faster points may be missed, which is reported
#define SLV_SOLVER_SLACK 0.1f        // by which a solver may move a point beyond its displacement
#define SLV_MARGIN_LEAST 0.05f       // of the margin of a cell, at rest
#define SLV_MARGIN_LIMIT 0.6f        // of the margin of a cell

// A bin body: offsets in state.
enum {
    SLV_BIN_BODY_Q = 0,
    SLV_BIN_BODY_PREDICTED = 1,
    SLV_BIN_BODY_PREV = 2, // two
    SLV_BIN_BODY_COMPONENT = 4,
    SLV_BIN_BODY_INVERSE_MASSES = 5, // inverse, one a slot
    SLV_BIN_BODY_STRIDE = 6,
    SLV_BIN_BODY_INTS = 8
};

// Written in each step.
enum {
    SLV_SCALE_SLACK = 0,      // metres by which two points may approach each other in this step
    SLV_SCALE_RECIPROCAL = 1, // of a cell's width, 1/m
    SLV_SCALE_REACH = 2,      // the largest of all requests, metres; written with the layout
    SLV_SCALE_MOVED = 3,      // metres by which two points approached since the last step, at most
    SLV_SCALE_FLOATS = 16
};

// Flags of a request.
enum {
    SLV_LISTS_TRUNCATED = 0, // above 0 where a neighbor list was truncated
    // SLV_LIST_LIMIT + 1 flags, which no step clears: a neighbor list has had that length.
    SLV_LISTS_SEEN = 1,
    SLV_LISTS_FLOATS = 80
};

// Offset in table of the lists of a request.
SLV_INLINE int slv_lists_of(const SLV_GLOBAL int *table, int bins, int request) {
    return table[bins + SLV_BINS_LISTS] + request * SLV_LISTS_INTS;
}

SLV_INLINE slv_vector slv_load_strided(const SLV_GLOBAL float *state, int at, int step) {
    return slv_make_vector(state[at], state[at + step], state[at + 2 * step]);
}

SLV_INLINE void slv_store_vector_at(SLV_GLOBAL float *state, int at, slv_vector value) {
    state[at] = value.x;
    state[at + 1] = value.y;
    state[at + 2] = value.z;
}

SLV_INLINE void slv_store_point(SLV_GLOBAL float *state, int at, slv_vector value, float last) {
    slv_store_vector_at(state, at, value);
    state[at + 3] = last;
}

// --- Points ---------------------------------------------------------------------------------------------

// Lower and upper bounds along each axis.
typedef struct slv_range {
    slv_vector low, high;
} slv_range;

SLV_INLINE slv_range slv_empty_range(void) {
    slv_range none;
    none.low = slv_make_vector(SLV_FAR, SLV_FAR, SLV_FAR);
    none.high = slv_make_vector(-SLV_FAR, -SLV_FAR, -SLV_FAR);
    return none;
}

SLV_INLINE slv_range slv_extend_range(slv_range range, slv_vector low, slv_vector high) {
    range.low.x = slv_min(range.low.x, low.x);
    range.low.y = slv_min(range.low.y, low.y);
    range.low.z = slv_min(range.low.z, low.z);
    range.high.x = slv_max(range.high.x, high.x);
    range.high.y = slv_max(range.high.y, high.y);
    range.high.z = slv_max(range.high.z, high.z);
    return range;
}

// Upper bound of the distance of any two values in a range.
SLV_INLINE float slv_range_diagonal(slv_range range) {
    float x = slv_max(range.high.x - range.low.x, 0.0f);
    float y = slv_max(range.high.y - range.low.y, 0.0f);
    float z = slv_max(range.high.z - range.low.z, 0.0f);
    return slv_square_root(x * x + y * y + z * z);
}

SLV_INLINE void slv_store_range(SLV_GLOBAL float *state, int at, slv_range range) {
    slv_store_vector_at(state, at, range.low);
    slv_store_vector_at(state, at + 3, range.high);
}

// Copies start and current positions of a block's points. Finds the ranges of their displacements in
// this step and of the displacements of their starts since the last step.
SLV_INLINE void slv_bin_update(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                               const SLV_PRIVATE slv_body_layout *body,
                               const SLV_PRIVATE slv_launch *launch, int block) {
    int bins = body->search;
    int bin_body = table[table[bins + SLV_BINS_BODY_OF] + block];
    int at = table[bins + SLV_BINS_BODIES] + bin_body * SLV_BIN_BODY_INTS;
    int q = table[at + SLV_BIN_BODY_Q];
    int start = table[at + SLV_BIN_BODY_PREV + (launch->parity ? 0 : 1)];
    int step = table[at + SLV_BIN_BODY_COMPONENT];
    int offset_of = table[bins + SLV_BINS_OFFSET_OF];
    int mass_of = table[bins + SLV_BINS_INVERSE_MASS_OF];
    int starts = table[bins + SLV_BINS_STARTS];
    int now = table[bins + SLV_BINS_NOW];
    int motion = table[bins + SLV_BINS_MOTIONS] + SLV_MOTION_FLOATS * block;
    float number = (float)(bin_body + 1);
    slv_range paths = slv_empty_range();
    slv_range moves = slv_empty_range();
    for (int point = block * SLV_BLOCK; point < (block + 1) * SLV_BLOCK; point++) {
        int offset = table[offset_of + point];
        if (offset >= 0) {
            slv_vector before = slv_load_strided(state, start + offset, step);
            slv_vector here = slv_load_strided(state, q + offset, step);
            slv_vector displacement = slv_subtract(here, before);
            slv_vector moved = slv_subtract(before, slv_load_strided(state, starts + 4 * point, 1));
            slv_store_point(state, starts + 4 * point, before, number);
            slv_store_point(state, now + 4 * point, here, state[table[mass_of + point]]);
            paths = slv_extend_range(paths, displacement, displacement);
            moves = slv_extend_range(moves, moved, moved);
        }
    }
    slv_store_range(state, motion, paths);
    slv_store_range(state, motion + 6, moves);
}

// Sets the width of cells. Two points approach each other by the diagonal of the range of displacements
// at most, and SLV_SOLVER_SLACK is added for what the solver may move them. A displacement beyond
// SLV_DISPLACEMENT_LIMIT is cut off and reported. Cells are wider than needed by a margin, so that
// lists of candidates last for some steps.
SLV_INLINE void slv_bin_scale(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                              const SLV_PRIVATE slv_body_layout *body) {
    int bins = body->search;
    int blocks = table[bins + SLV_BINS_POINTS] / SLV_BLOCK;
    int scale = table[bins + SLV_BINS_SCALE];
    int motion = table[bins + SLV_BINS_MOTIONS];
    slv_range paths = slv_empty_range();
    slv_range moves = slv_empty_range();
    for (int b = 0; b < blocks; b++) {
        paths = slv_extend_range(paths, slv_load_strided(state, motion, 1),
                                 slv_load_strided(state, motion + 3, 1));
        moves = slv_extend_range(moves, slv_load_strided(state, motion + 6, 1),
                                 slv_load_strided(state, motion + 9, 1));
        motion += SLV_MOTION_FLOATS;
    }
    float reach = state[scale + SLV_SCALE_REACH];
    float most = SLV_DISPLACEMENT_LIMIT * reach;
    float displacement = slv_range_diagonal(paths);
    float slack = slv_min(displacement, most) + SLV_SOLVER_SLACK * reach;
    float margin = slv_min(SLV_MARGIN_STEPS * displacement + SLV_MARGIN_LEAST * reach,
                           SLV_MARGIN_LIMIT * reach);
    for (int request = 0; request < table[bins + SLV_BINS_REQUESTS]; request++) {
        int flags = table[slv_lists_of(table, bins, request) + SLV_LISTS_FLAGS];
        state[flags + SLV_LISTS_TRUNCATED] = displacement > most ? 1.0f : 0.0f;
    }
    state[scale + SLV_SCALE_SLACK] = slack;
    state[scale + SLV_SCALE_MOVED] = slv_range_diagonal(moves);
    state[scale + SLV_SCALE_RECIPROCAL] =
        1.0f / (SLV_CELL_ROUNDING * (2.0f * reach + slack + margin));
}

// --- Sorting --------------------------------------------------------------------------------------------

// The cell of a coordinate, given the reciprocal of its width.
SLV_INLINE int slv_bin_coordinate(float x, float scale) {
    float scaled = slv_clamp(x * scale, -SLV_CELL_NUMBER_LIMIT, SLV_CELL_NUMBER_LIMIT);
    int whole = (int)scaled;
    return (float)whole > scaled ? whole - 1 : whole;
}

// Number of the cell of a row at x = 0.
SLV_INLINE int slv_bin_row(int y, int z) {
    unsigned hash = (unsigned)y * 2654435769u ^ (unsigned)z * 2246822519u;
    hash ^= hash >> 15;
    return (int)(hash * 3266489917u >> 1);
}

SLV_INLINE int slv_bin_cell(int row, int x, int mask) {
    return (int)((unsigned)row + (unsigned)x) & mask;
}

SLV_INLINE void slv_bin_key(const SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                            const SLV_PRIVATE slv_body_layout *body, int point) {
    int bins = body->search;
    int key = -1;
    if (table[table[bins + SLV_BINS_OFFSET_OF] + point] >= 0) {
        int at = table[bins + SLV_BINS_STARTS] + 4 * point;
        float scale = state[table[bins + SLV_BINS_SCALE] + SLV_SCALE_RECIPROCAL];
        int x = slv_bin_coordinate(state[at], scale);
        int y = slv_bin_coordinate(state[at + 1], scale);
        int z = slv_bin_coordinate(state[at + 2], scale);
        key = slv_bin_cell(slv_bin_row(y, z), x, table[bins + SLV_BINS_CELLS] - 1);
    }
    table[table[bins + SLV_BINS_KEYS] + point] = key;
}

SLV_INLINE int slv_chunk_end(const SLV_GLOBAL int *table, int bins, int chunk) {
    int end = (chunk + 1) * SLV_CHUNK;
    int points = table[bins + SLV_BINS_POINTS];
    return end < points ? end : points;
}

SLV_INLINE void slv_bin_histogram(SLV_GLOBAL int *table, const SLV_PRIVATE slv_body_layout *body,
                                  int chunk) {
    int bins = body->search;
    int histogram = table[bins + SLV_BINS_HISTOGRAMS] + chunk * SLV_PARTITIONS;
    int keys = table[bins + SLV_BINS_KEYS];
    int shift = table[bins + SLV_BINS_SHIFT];
    int end = slv_chunk_end(table, bins, chunk);
    for (int p = 0; p < SLV_PARTITIONS; p++) {
        table[histogram + p] = 0;
    }
    for (int n = chunk * SLV_CHUNK; n < end; n++) {
        int key = table[keys + n];
        if (key >= 0) {
            table[histogram + (key >> shift)]++;
        }
    }
}

// Exclusive prefix sums: partition by partition, chunk by chunk.
SLV_INLINE void slv_bin_offsets(SLV_GLOBAL int *table, const SLV_PRIVATE slv_body_layout *body) {
    int bins = body->search;
    int histograms = table[bins + SLV_BINS_HISTOGRAMS];
    int firsts = table[bins + SLV_BINS_PARTITIONS];
    int chunks = table[bins + SLV_BINS_CHUNKS];
    int sum = 0;
    for (int p = 0; p < SLV_PARTITIONS; p++) {
        table[firsts + p] = sum;
        for (int c = 0; c < chunks; c++) {
            int count = table[histograms + c * SLV_PARTITIONS + p];
            table[histograms + c * SLV_PARTITIONS + p] = sum;
            sum += count;
        }
    }
    table[firsts + SLV_PARTITIONS] = sum;
    table[table[bins + SLV_BINS_FIRSTS] + table[bins + SLV_BINS_CELLS]] = sum;
}

SLV_INLINE void slv_bin_scatter(SLV_GLOBAL int *table, const SLV_PRIVATE slv_body_layout *body,
                                int chunk) {
    int bins = body->search;
    int histogram = table[bins + SLV_BINS_HISTOGRAMS] + chunk * SLV_PARTITIONS;
    int keys = table[bins + SLV_BINS_KEYS];
    int scattered = table[bins + SLV_BINS_SCATTERED];
    int shift = table[bins + SLV_BINS_SHIFT];
    int end = slv_chunk_end(table, bins, chunk);
    for (int n = chunk * SLV_CHUNK; n < end; n++) {
        int key = table[keys + n];
        if (key >= 0) {
            int index = table[histogram + (key >> shift)]++;
            table[scattered + index] = n;
        }
    }
}

SLV_INLINE void slv_bin_sort(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                             const SLV_PRIVATE slv_body_layout *body, int partition) {
    int bins = body->search;
    int width = 1 << table[bins + SLV_BINS_SHIFT];
    int firsts = table[bins + SLV_BINS_FIRSTS] + partition * width;
    int keys = table[bins + SLV_BINS_KEYS];
    int scattered = table[bins + SLV_BINS_SCATTERED];
    int ids = table[bins + SLV_BINS_IDS];
    int sorted = table[bins + SLV_BINS_SORTED];
    int starts = table[bins + SLV_BINS_STARTS];
    int first = table[table[bins + SLV_BINS_PARTITIONS] + partition];
    int end = table[table[bins + SLV_BINS_PARTITIONS] + partition + 1];
    for (int c = 0; c < width; c++) {
        table[firsts + c] = 0;
    }
    for (int n = first; n < end; n++) {
        int key = table[keys + table[scattered + n]];
        table[firsts + (key & (width - 1))]++;
    }
    int sum = first;
    for (int c = 0; c < width; c++) { // ends of cells, to be counted down to their beginnings
        sum += table[firsts + c];
        table[firsts + c] = sum;
    }
    for (int n = end - 1; n >= first; n--) { // backwards, so that the sort is stable
        int point = table[scattered + n];
        int cell = firsts + (table[keys + point] & (width - 1));
        int rank = table[cell] - 1;
        table[cell] = rank;
        table[ids + rank] = point;
        for (int i = 0; i < 4; i++) {
            state[sorted + 4 * rank + i] = state[starts + 4 * point + i];
        }
    }
}

#endif
