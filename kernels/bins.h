// SPDX-License-Identifier: MIT
// Who is near whom: a uniform grid without borders, rebuilt each step. A cell is as wide as two particles
// can matter to each other, so whatever is near a point lies in the 3 x 3 x 3 cells around it. Rows of
// cells along x are numbered on from a hash of their y and z, so cells of a row lie side by side; strangers
// that share a number are told apart by their cell.
//
// Points are sorted by cell without atomics, stably and in parallel: chunks of points count how many
// they have for each of SLV_PARTITIONS ranges of cells, sums over these say where each may write, and
// every range is then sorted by itself, by counting. The same points give the same order, whoever works.
//
// Points are the particles that may meet others, in an order in which those that lie near each other in
// the cloth follow each other; parts and other sets of moving particles are homes, and a block of
// SLV_BLOCK points has one home. What is asked of points again and again is copied here, four floats side
// by side.
#ifndef SLV_KERNELS_BINS_H
#define SLV_KERNELS_BINS_H

#include "kernels/contact.h"

// The block in table that SLV_CONTACT_BINS names.
enum {
    SLV_BINS_POINTS = 0,      // a multiple of SLV_BLOCK
    SLV_BINS_BODIES = 1,      // table: SLV_BIN_BODY_INTS each
    SLV_BINS_BODY_FLOATS = 2, // state: SLV_BIN_BODY_FLOATS each
    SLV_BINS_BODY_OF = 3,     // table, one a block
    SLV_BINS_PLACE_OF = 4,    // table, one a point: of its x, from the home's q; -1 = nothing there
    SLV_BINS_INVERSE_MASS_OF = 5, // table, one a point: place of its inverse mass in state
    SLV_BINS_CHUNKS = 6,          // of SLV_CHUNK points
    SLV_BINS_KEYS = 7,            // table, one a point: its cell
    SLV_BINS_CELLS = 8,           // a power of two
    SLV_BINS_SHIFT = 9,           // cell >> shift is its partition
    SLV_BINS_TALLIES = 10,        // table: SLV_PARTITIONS a chunk
    SLV_BINS_PARTITIONS = 11,     // table: first point of each, and the end
    SLV_BINS_DEALT = 12,          // table: points by partition
    SLV_BINS_FIRSTS = 13,         // table: first sorted point of each cell, and the end
    SLV_BINS_IDS = 14,            // table: the point of each rank
    SLV_BINS_SORTED = 15,         // state, 4 a rank: as in STARTS
    SLV_BINS_STARTS = 16,         // state, 4 a point: x, y, z at the start of the step; radius
    SLV_BINS_RESTS = 17,          // state, 4 a point: x, y, z at rest; kin
    SLV_BINS_NOW = 18,            // state, 4 a point: x, y, z where it is now; inverse mass
    SLV_BINS_GOALS = 19,   // state, 4 a point that has neighbors: where inertia takes it; friction
    SLV_BINS_SPREADS = 20, // state: SLV_SPREAD_FLOATS a block of points
    SLV_BINS_SCALE = 21,   // state: SLV_SCALE_FLOATS
    SLV_BINS_COUNTS = 22,  // table, one a point: neighbors in its list; -1 - them where it is cut
    SLV_BINS_LISTS = 23,   // table: `room` a point, SLV_LANES points beside each other
    SLV_BINS_ROOM = 24,
    SLV_BINS_GROWS = 25,   // 1: a list that is cut raises the alarm, and the step is done again
    SLV_BINS_KINETIC = 26, // 1: somewhere friction when sliding differs from that at rest
    SLV_BINS_GAPS = 27,    // state, beside LISTS: metres that two are to be apart after this step
    // For a processor alone (runtime/backends/cpu/cpu_clusters.inl).
    SLV_BINS_KEPT = 28,       // table, 1 + SLV_KEPT_ROOM a cluster: strangers that were near it
    SLV_BINS_LEFT = 29,       // state, two a cluster (runtime/backends/cpu/cpu_pairs.inl)
    SLV_BINS_CLUSTERS = 30,   // state, SLV_CLUSTER_FLOATS a cluster
    SLV_BINS_NEAR = 31,       // table, 1 + SLV_NEAR_ROOM a cluster: clusters near it
    SLV_BINS_HEADS = 32,      // table, 2 a cell of clusters, and one more: the first, how many
    SLV_BINS_HEAD_COUNT = 33, // a power of two
    SLV_BINS_CHAIN = 34,      // table, 2 a cluster: the next, the name of its cell
    SLV_BINS_INTS = 48
};

enum {
    SLV_CHUNK = 1024,
    SLV_PARTITIONS = 256,
    SLV_BIN_WORK = 1024, // points looked at in one row of cells at most
    SLV_LIST_LIMIT = 64, // neighbors at most
    SLV_CLUSTER = 16,    // points that a processor searches for together
    SLV_CLUSTER_FLOATS = 32,
    SLV_NEAR_ROOM = 63,
    SLV_KEPT_ROOM = 127,
    SLV_SPREAD_FLOATS = 12
};

// A home: places in state.
enum {
    SLV_BIN_BODY_Q = 0,
    SLV_BIN_BODY_Y = 1,
    SLV_BIN_BODY_PREV = 2, // two
    SLV_BIN_BODY_COMPONENT = 4,
    SLV_BIN_BODY_INVERSE_MASSES = 5, // inverse, one a slot
    SLV_BIN_BODY_STRIDE = 6,
    SLV_BIN_BODY_INTS = 8
};
enum {
    SLV_BIN_BODY_RADIUS = 0, // metres
    SLV_BIN_BODY_FRICTION =
        1, // its square root, and that of the next: friction of a pair is a product
    SLV_BIN_BODY_KINETIC = 2,
    SLV_BIN_BODY_ID = 3, // the home's number from 1 on; below 0 where it meets no other home
    SLV_BIN_BODY_FLOATS = 4
};

// Found anew in each step.
enum {
    SLV_SCALE_SLACK = 0,      // metres that two points may come nearer to each other
    SLV_SCALE_RECIPROCAL = 1, // of a cell's width, 1/m
    SLV_SCALE_RADIUS = 2,     // the largest; written when the form is made
    SLV_SCALE_CUT = 3,        // above 0 where something was left out
    SLV_SCALE_MOVED = 4,      // metres that two points came nearer since the step before, at most
    // For a processor alone (runtime/backends/cpu/cpu_clusters.inl).
    SLV_SCALE_SINCE =
        5,              // metres that two points came nearer since clusters were dealt out, at most
    SLV_SCALE_SPAN = 6, // metres that lists of clusters reach
    SLV_SCALE_ANEW = 7, // 1 in the step in which they are made
    SLV_SCALE_GRID = 8, // 1/m: of the width of a cell of clusters
    SLV_SCALE_SORTS = 9, // 1: points are sorted, as there is no grid of clusters
    SLV_SCALE_FLOATS = 16
};

SLV_INLINE int slv_bins_of(const SLV_GLOBAL int *table, const SLV_PRIVATE slv_body_layout *body) {
    return table[body->contact + SLV_CONTACT_BINS];
}

SLV_INLINE slv_vector slv_load_stepped(const SLV_GLOBAL float *state, int at, int step) {
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

// --- Taking over ----------------------------------------------------------------------------------------

// Least and most along each axis.
typedef struct slv_range {
    slv_vector low, high;
} slv_range;

SLV_INLINE slv_range slv_no_range(void) {
    slv_range none;
    none.low = slv_make_vector(SLV_FAR, SLV_FAR, SLV_FAR);
    none.high = slv_make_vector(-SLV_FAR, -SLV_FAR, -SLV_FAR);
    return none;
}

SLV_INLINE slv_range slv_widen(slv_range range, slv_vector low, slv_vector high) {
    range.low.x = slv_smaller(range.low.x, low.x);
    range.low.y = slv_smaller(range.low.y, low.y);
    range.low.z = slv_smaller(range.low.z, low.z);
    range.high.x = slv_larger(range.high.x, high.x);
    range.high.y = slv_larger(range.high.y, high.y);
    range.high.z = slv_larger(range.high.z, high.z);
    return range;
}

// Two of all are no further from each other than this.
SLV_INLINE float slv_extent_of(slv_range range) {
    float x = slv_larger(range.high.x - range.low.x, 0.0f);
    float y = slv_larger(range.high.y - range.low.y, 0.0f);
    float z = slv_larger(range.high.z - range.low.z, 0.0f);
    return slv_square_root(x * x + y * y + z * z);
}

SLV_INLINE void slv_store_range(SLV_GLOBAL float *state, int at, slv_range range) {
    slv_store_vector_at(state, at, range.low);
    slv_store_vector_at(state, at + 3, range.high);
}

// Copies where the points of a block start and where they are. Finds how far they go in this step, and
// how far their starts have come since they were copied the last time: least and most along each axis.
SLV_INLINE void slv_bin_spread(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                               const SLV_PRIVATE slv_body_layout *body,
                               const SLV_PRIVATE slv_launch *launch, int block) {
    int bins = slv_bins_of(table, body);
    int home = table[table[bins + SLV_BINS_BODY_OF] + block];
    int at = table[bins + SLV_BINS_BODIES] + home * SLV_BIN_BODY_INTS;
    int q = table[at + SLV_BIN_BODY_Q];
    int start = table[at + SLV_BIN_BODY_PREV + (launch->parity ? 0 : 1)];
    int step = table[at + SLV_BIN_BODY_COMPONENT];
    int place_of = table[bins + SLV_BINS_PLACE_OF];
    int mass_of = table[bins + SLV_BINS_INVERSE_MASS_OF];
    int starts = table[bins + SLV_BINS_STARTS];
    int now = table[bins + SLV_BINS_NOW];
    int spread = table[bins + SLV_BINS_SPREADS] + SLV_SPREAD_FLOATS * block;
    float radius = state[table[bins + SLV_BINS_BODY_FLOATS] + home * SLV_BIN_BODY_FLOATS +
                         SLV_BIN_BODY_RADIUS];
    slv_range paths = slv_no_range();
    slv_range moves = slv_no_range();
    for (int point = block * SLV_BLOCK; point < (block + 1) * SLV_BLOCK; point++) {
        int place = table[place_of + point];
        if (place >= 0) {
            slv_vector before = slv_load_stepped(state, start + place, step);
            slv_vector here = slv_load_stepped(state, q + place, step);
            slv_vector way = slv_minus(here, before);
            slv_vector moved = slv_minus(before, slv_load_stepped(state, starts + 4 * point, 1));
            slv_store_point(state, starts + 4 * point, before, radius);
            slv_store_point(state, now + 4 * point, here, state[table[mass_of + point]]);
            paths = slv_widen(paths, way, way);
            moves = slv_widen(moves, moved, moved);
        }
    }
    slv_store_range(state, spread, paths);
    slv_store_range(state, spread + 6, moves);
}

// Two points come nearer by the largest difference of ways at most; a tenth of a radius is for what the
// solver adds. What flies apart by more than sixteen radii a step is cut, and that is said. Cells are wider
// than needed by some steps' ways, so that whoever looks once need not look again at once.
SLV_INLINE void slv_bin_scale(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                              const SLV_PRIVATE slv_body_layout *body) {
    int bins = slv_bins_of(table, body);
    int blocks = table[bins + SLV_BINS_POINTS] / SLV_BLOCK;
    int scale = table[bins + SLV_BINS_SCALE];
    int spread = table[bins + SLV_BINS_SPREADS];
    slv_range paths = slv_no_range();
    slv_range moves = slv_no_range();
    for (int b = 0; b < blocks; b++) {
        paths = slv_widen(paths, slv_load_stepped(state, spread, 1),
                          slv_load_stepped(state, spread + 3, 1));
        moves = slv_widen(moves, slv_load_stepped(state, spread + 6, 1),
                          slv_load_stepped(state, spread + 9, 1));
        spread += SLV_SPREAD_FLOATS;
    }
    float radius = state[scale + SLV_SCALE_RADIUS];
    float most = 16.0f * radius;
    float way = slv_extent_of(paths);
    float slack = slv_smaller(way, most) + 0.1f * radius;
    float margin = slv_smaller(3.0f * way + 0.05f * radius, 0.6f * radius);
    state[scale + SLV_SCALE_CUT] = way > most ? 1.0f : 0.0f;
    state[scale + SLV_SCALE_SLACK] = slack;
    state[scale + SLV_SCALE_MOVED] = slv_extent_of(moves);
    state[scale + SLV_SCALE_RECIPROCAL] = 1.0f / (1.01f * (2.0f * radius + slack + margin));
}

// --- Sorting --------------------------------------------------------------------------------------------

// The cell of a coordinate, given the reciprocal of its width.
SLV_INLINE int slv_bin_coordinate(float x, float scale) {
    float place = slv_clamp(x * scale, -1e9f, 1e9f);
    int whole = (int)place;
    return (float)whole > place ? whole - 1 : whole;
}

// Number of the first cell of a row, were x 0.
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
    int bins = slv_bins_of(table, body);
    int key = -1;
    if (table[table[bins + SLV_BINS_PLACE_OF] + point] >= 0) {
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

SLV_INLINE void slv_bin_tally(SLV_GLOBAL int *table, const SLV_PRIVATE slv_body_layout *body,
                              int chunk) {
    int bins = slv_bins_of(table, body);
    int tally = table[bins + SLV_BINS_TALLIES] + chunk * SLV_PARTITIONS;
    int keys = table[bins + SLV_BINS_KEYS];
    int shift = table[bins + SLV_BINS_SHIFT];
    int end = slv_chunk_end(table, bins, chunk);
    for (int p = 0; p < SLV_PARTITIONS; p++) {
        table[tally + p] = 0;
    }
    for (int n = chunk * SLV_CHUNK; n < end; n++) {
        int key = table[keys + n];
        if (key >= 0) {
            table[tally + (key >> shift)]++;
        }
    }
}

// From counts to first places: partition by partition, chunk by chunk.
SLV_INLINE void slv_bin_offsets(SLV_GLOBAL int *table, const SLV_PRIVATE slv_body_layout *body) {
    int bins = slv_bins_of(table, body);
    int tallies = table[bins + SLV_BINS_TALLIES];
    int firsts = table[bins + SLV_BINS_PARTITIONS];
    int chunks = table[bins + SLV_BINS_CHUNKS];
    int sum = 0;
    for (int p = 0; p < SLV_PARTITIONS; p++) {
        table[firsts + p] = sum;
        for (int c = 0; c < chunks; c++) {
            int count = table[tallies + c * SLV_PARTITIONS + p];
            table[tallies + c * SLV_PARTITIONS + p] = sum;
            sum += count;
        }
    }
    table[firsts + SLV_PARTITIONS] = sum;
    table[table[bins + SLV_BINS_FIRSTS] + table[bins + SLV_BINS_CELLS]] = sum;
}

SLV_INLINE void slv_bin_deal(SLV_GLOBAL int *table, const SLV_PRIVATE slv_body_layout *body,
                             int chunk) {
    int bins = slv_bins_of(table, body);
    int tally = table[bins + SLV_BINS_TALLIES] + chunk * SLV_PARTITIONS;
    int keys = table[bins + SLV_BINS_KEYS];
    int dealt = table[bins + SLV_BINS_DEALT];
    int shift = table[bins + SLV_BINS_SHIFT];
    int end = slv_chunk_end(table, bins, chunk);
    for (int n = chunk * SLV_CHUNK; n < end; n++) {
        int key = table[keys + n];
        if (key >= 0) {
            int place = table[tally + (key >> shift)]++;
            table[dealt + place] = n;
        }
    }
}

SLV_INLINE void slv_bin_sort(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                             const SLV_PRIVATE slv_body_layout *body, int partition) {
    int bins = slv_bins_of(table, body);
    int width = 1 << table[bins + SLV_BINS_SHIFT];
    int firsts = table[bins + SLV_BINS_FIRSTS] + partition * width;
    int keys = table[bins + SLV_BINS_KEYS];
    int dealt = table[bins + SLV_BINS_DEALT];
    int ids = table[bins + SLV_BINS_IDS];
    int sorted = table[bins + SLV_BINS_SORTED];
    int starts = table[bins + SLV_BINS_STARTS];
    int first = table[table[bins + SLV_BINS_PARTITIONS] + partition];
    int end = table[table[bins + SLV_BINS_PARTITIONS] + partition + 1];
    for (int c = 0; c < width; c++) {
        table[firsts + c] = 0;
    }
    for (int n = first; n < end; n++) {
        int key = table[keys + table[dealt + n]];
        table[firsts + (key & (width - 1))]++;
    }
    int sum = first;
    for (int c = 0; c < width; c++) { // where each cell ends, to be counted down to where it begins
        sum += table[firsts + c];
        table[firsts + c] = sum;
    }
    for (int n = end - 1; n >= first; n--) { // backwards, so that equals keep their order
        int point = table[dealt + n];
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
