// SPDX-License-Identifier: MIT
// Who is near whom: a uniform grid without borders, rebuilt each step. A cell is twice as wide as two
// particles can matter to each other, so whatever is near a point lies in the 2 x 2 x 2 cells around
// it. Rows of cells along x are numbered on from a hash of their y and z, so two cells of a row lie side by
// side; strangers that share a number are told apart by their distance.
//
// Points are sorted by cell without atomics, stably and in parallel: chunks of points count how many
// they have for each of SLV_PARTITIONS ranges of cells, sums over these say where each may write, and
// every range is then sorted by itself, by counting. The same points give the same order, whoever works.
//
// A point is an element of a tile (kernels/contact.h) of a part that takes part; parts and other sets of
// moving particles are homes.
#ifndef SLV_KERNELS_BINS_H
#define SLV_KERNELS_BINS_H

#include "kernels/contact.h"

// The block in table that SLV_CONTACT_BINS names.
enum {
    SLV_BINS_POINTS = 0,      // a multiple of SLV_BLOCK
    SLV_BINS_HOMES = 1,       // table: SLV_HOME_INTS each
    SLV_BINS_HOME_FLOATS = 2, // state: SLV_HOME_FLOATS each
    SLV_BINS_HOME_OF = 3,     // table, one a point
    SLV_BINS_PLACE_OF = 4,    // table, one a point: of its x, from the home's q; -1 = nothing there
    SLV_BINS_MASS_OF = 5,     // table, one a point: place of its inverse mass in state
    SLV_BINS_CHUNKS = 6,      // of SLV_CHUNK points
    SLV_BINS_KEYS = 7,        // table, one a point: its cell
    SLV_BINS_CELLS = 8,       // a power of two
    SLV_BINS_SHIFT = 9,       // cell >> shift is its partition
    SLV_BINS_TALLIES = 10,    // table: SLV_PARTITIONS a chunk
    SLV_BINS_PARTITIONS = 11, // table: first point of each, and the end
    SLV_BINS_DEALT = 12,      // table: points by partition
    SLV_BINS_STARTS = 13,     // table: first sorted point of each cell, and the end
    SLV_BINS_IDS = 14,        // table: the point of each rank
    SLV_BINS_SORTED = 15,     // state: x, y, z, radius, x, y, z at rest, kin; arrays of `stride`
    SLV_BINS_STRIDE = 16,
    SLV_BINS_RESTS = 17,   // state: x, y, z at rest, one array after another, one float a point
    SLV_BINS_SPREADS = 18, // state: 6 a block of points
    SLV_BINS_SCALE = 19,   // state: SLV_SCALE_FLOATS
    SLV_BINS_COUNTS = 20,  // table, one a point: neighbours in its list, room + 1 where it is cut
    SLV_BINS_LISTS = 21,   // table: `room` a point
    SLV_BINS_ROOM = 22,
    SLV_BINS_GROWS = 23,  // 1: a list that is cut raises the alarm, and the step is done again
    SLV_BINS_PUSHES = 24, // state: 4 a point
    SLV_BINS_INTS = 32
};

enum {
    SLV_CHUNK = 1024,
    SLV_PARTITIONS = 256,
    SLV_BIN_WORK = 1024, // points looked at in one row of cells at most
    SLV_LIST_LIMIT = 64  // neighbours at most
};

// A home: places in state.
enum {
    SLV_HOME_Q = 0,
    SLV_HOME_Y = 1,
    SLV_HOME_PREV = 2, // two
    SLV_HOME_COMPONENT = 4,
    SLV_HOME_INTS = 8
};
enum {
    SLV_HOME_RADIUS = 0, // metres
    SLV_HOME_FRICTION = 1,
    SLV_HOME_KINETIC = 2,
    SLV_HOME_KIN = 3, // the home's number from 1 on; below 0 where it meets no other home
    SLV_HOME_FLOATS = 4
};

// Found anew in each step.
enum {
    SLV_SCALE_SLACK = 0,      // metres that two points may come nearer to each other
    SLV_SCALE_RECIPROCAL = 1, // of a cell's width, 1/m
    SLV_SCALE_RADIUS = 2,     // the largest; written when the form is made
    SLV_SCALE_CUT = 3,        // above 0 where something was left out
    SLV_SCALE_FLOATS = 16
};

SLV_BODY int slv_bins_of(const SLV_GLOBAL int *table, const SLV_PRIVATE slv_part *part) {
    return table[part->contact + SLV_CONTACT_BINS];
}

// Place of a point's x at the start of the step.
SLV_BODY int slv_point_start(const SLV_GLOBAL int *table, int bins, int home, int parity,
                             int point) {
    int at = table[bins + SLV_BINS_HOMES] + home * SLV_HOME_INTS;
    return table[at + SLV_HOME_PREV + (parity ? 0 : 1)] +
           table[table[bins + SLV_BINS_PLACE_OF] + point];
}

// --- Scale ----------------------------------------------------------------------------------------------

// Least and most that the points of a block move along each axis.
SLV_BODY void slv_bin_spread(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                             const SLV_PRIVATE slv_part *part, const SLV_PRIVATE slv_launch *launch,
                             int block) {
    int bins = slv_bins_of(table, part);
    float low[3] = {SLV_FAR, SLV_FAR, SLV_FAR};
    float high[3] = {-SLV_FAR, -SLV_FAR, -SLV_FAR};
    for (int n = 0; n < SLV_BLOCK; n++) {
        int point = block * SLV_BLOCK + n;
        int place = table[table[bins + SLV_BINS_PLACE_OF] + point];
        if (place < 0) {
            continue;
        }
        int home = table[table[bins + SLV_BINS_HOME_OF] + point];
        int at = table[bins + SLV_BINS_HOMES] + home * SLV_HOME_INTS;
        int start = slv_point_start(table, bins, home, launch->parity, point);
        for (int d = 0; d < 3; d++) {
            int step = d * table[at + SLV_HOME_COMPONENT];
            float way = state[table[at + SLV_HOME_Q] + place + step] - state[start + step];
            low[d] = slv_smaller(low[d], way);
            high[d] = slv_larger(high[d], way);
        }
    }
    for (int d = 0; d < 3; d++) {
        state[table[bins + SLV_BINS_SPREADS] + 6 * block + d] = low[d];
        state[table[bins + SLV_BINS_SPREADS] + 6 * block + 3 + d] = high[d];
    }
}

// Two points come nearer by the largest difference of ways at most; a tenth of a radius is for what the
// solver adds. What flies apart by more than sixteen radii a step is cut, and that is said.
SLV_BODY void slv_bin_scale(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                            const SLV_PRIVATE slv_part *part) {
    int bins = slv_bins_of(table, part);
    int blocks = table[bins + SLV_BINS_POINTS] / SLV_BLOCK;
    int scale = table[bins + SLV_BINS_SCALE];
    float square = 0.0f;
    for (int d = 0; d < 3; d++) {
        float low = SLV_FAR;
        float high = -SLV_FAR;
        for (int b = 0; b < blocks; b++) {
            int spread = table[bins + SLV_BINS_SPREADS] + 6 * b + d;
            low = slv_smaller(low, state[spread]);
            high = slv_larger(high, state[spread + 3]);
        }
        float range = slv_larger(high - low, 0.0f);
        square += range * range;
    }
    float radius = state[scale + SLV_SCALE_RADIUS];
    float slack = slv_square_root(square);
    float most = 16.0f * radius;
    state[scale + SLV_SCALE_CUT] = slack > most ? 1.0f : 0.0f;
    slack = (slack > most ? most : slack) + 0.1f * radius;
    state[scale + SLV_SCALE_SLACK] = slack;
    state[scale + SLV_SCALE_RECIPROCAL] = 1.0f / (2.0f * (2.0f * radius + slack));
}

// --- Sorting --------------------------------------------------------------------------------------------

SLV_BODY int slv_floor(float x) {
    int whole = (int)x;
    return (float)whole > x ? whole - 1 : whole;
}

// Number of the first cell of a row, were x 0.
SLV_BODY int slv_bin_row(int y, int z) {
    unsigned hash = (unsigned)y * 2654435769u ^ (unsigned)z * 2246822519u;
    hash ^= hash >> 15;
    return (int)(hash * 3266489917u >> 1);
}

SLV_BODY int slv_bin_cell(int row, int x, int mask) {
    return (int)((unsigned)row + (unsigned)x) & mask;
}

SLV_BODY void slv_bin_key(const SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                          const SLV_PRIVATE slv_part *part, const SLV_PRIVATE slv_launch *launch,
                          int point) {
    int bins = slv_bins_of(table, part);
    int key = -1;
    if (table[table[bins + SLV_BINS_PLACE_OF] + point] >= 0) {
        int home = table[table[bins + SLV_BINS_HOME_OF] + point];
        int at = table[bins + SLV_BINS_HOMES] + home * SLV_HOME_INTS;
        int start = slv_point_start(table, bins, home, launch->parity, point);
        int step = table[at + SLV_HOME_COMPONENT];
        float scale = state[table[bins + SLV_BINS_SCALE] + SLV_SCALE_RECIPROCAL];
        int x = slv_floor(state[start] * scale);
        int y = slv_floor(state[start + step] * scale);
        int z = slv_floor(state[start + 2 * step] * scale);
        key = slv_bin_cell(slv_bin_row(y, z), x, table[bins + SLV_BINS_CELLS] - 1);
    }
    table[table[bins + SLV_BINS_KEYS] + point] = key;
}

SLV_BODY int slv_chunk_end(const SLV_GLOBAL int *table, int bins, int chunk) {
    int end = (chunk + 1) * SLV_CHUNK;
    int points = table[bins + SLV_BINS_POINTS];
    return end < points ? end : points;
}

SLV_BODY void slv_bin_tally(SLV_GLOBAL int *table, const SLV_PRIVATE slv_part *part, int chunk) {
    int bins = slv_bins_of(table, part);
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
SLV_BODY void slv_bin_offsets(SLV_GLOBAL int *table, const SLV_PRIVATE slv_part *part) {
    int bins = slv_bins_of(table, part);
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
    table[table[bins + SLV_BINS_STARTS] + table[bins + SLV_BINS_CELLS]] = sum;
}

SLV_BODY void slv_bin_deal(SLV_GLOBAL int *table, const SLV_PRIVATE slv_part *part, int chunk) {
    int bins = slv_bins_of(table, part);
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

// Puts a point at its rank, with what a search wants to know of it.
SLV_BODY void slv_bin_place(SLV_GLOBAL float *state, SLV_GLOBAL int *table, int bins, int parity,
                            int point, int rank) {
    int stride = table[bins + SLV_BINS_STRIDE];
    int sorted = table[bins + SLV_BINS_SORTED] + rank;
    int rests = table[bins + SLV_BINS_RESTS] + point;
    int points = table[bins + SLV_BINS_POINTS];
    int home = table[table[bins + SLV_BINS_HOME_OF] + point];
    int at = table[bins + SLV_BINS_HOMES] + home * SLV_HOME_INTS;
    int start = slv_point_start(table, bins, home, parity, point);
    int step = table[at + SLV_HOME_COMPONENT];
    int floats = table[bins + SLV_BINS_HOME_FLOATS] + home * SLV_HOME_FLOATS;
    table[table[bins + SLV_BINS_IDS] + rank] = point;
    state[sorted] = state[start];
    state[sorted + stride] = state[start + step];
    state[sorted + 2 * stride] = state[start + 2 * step];
    state[sorted + 3 * stride] = state[floats + SLV_HOME_RADIUS];
    for (int d = 0; d < 3; d++) {
        state[sorted + (4 + d) * stride] = state[rests + d * points];
    }
    state[sorted + 7 * stride] = state[floats + SLV_HOME_KIN];
}

SLV_BODY void slv_bin_sort(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                           const SLV_PRIVATE slv_part *part, const SLV_PRIVATE slv_launch *launch,
                           int partition) {
    int bins = slv_bins_of(table, part);
    int width = 1 << table[bins + SLV_BINS_SHIFT];
    int starts = table[bins + SLV_BINS_STARTS] + partition * width;
    int keys = table[bins + SLV_BINS_KEYS];
    int dealt = table[bins + SLV_BINS_DEALT];
    int first = table[table[bins + SLV_BINS_PARTITIONS] + partition];
    int end = table[table[bins + SLV_BINS_PARTITIONS] + partition + 1];
    for (int c = 0; c < width; c++) {
        table[starts + c] = 0;
    }
    for (int n = first; n < end; n++) {
        int key = table[keys + table[dealt + n]];
        table[starts + (key & (width - 1))]++;
    }
    int sum = first;
    for (int c = 0; c < width; c++) { // where each cell ends, to be counted down to where it begins
        sum += table[starts + c];
        table[starts + c] = sum;
    }
    for (int n = end - 1; n >= first; n--) { // backwards, so that equals keep their order
        int point = table[dealt + n];
        int cell = starts + (table[keys + point] & (width - 1));
        table[cell]--;
        slv_bin_place(state, table, bins, launch->parity, point, table[cell]);
    }
}

#endif
