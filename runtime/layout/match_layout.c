// SPDX-License-Identifier: MIT
#include "runtime/layout/match_layout.h"

#include "kernels/match.h"

#include <limits.h>
#include <string.h>

// Mass of a fixed particle over that of all particles of its cluster that can move: where it is fixed, the cluster
// turns around it.
static const double fixed_mass = 1000.0;

// Rows of members of all small clusters, each row as long as its largest cluster.
static size_t count_small_rows(const slv_cluster_set *set) {
    size_t rows = 0;
    for (uint32_t n = 0; n < set->small_count; n += SLV_LANES) {
        rows += slv_cluster_size(set, set->order[n]); // sorted by size
    }
    return rows;
}

static uint32_t count_chunks(const slv_cluster_set *set, uint32_t cluster) {
    return (slv_cluster_size(set, cluster) + SLV_BLOCK - 1) / SLV_BLOCK;
}

static size_t count_shared(const slv_body *body, size_t *ends) {
    size_t count = 0;
    *ends = 0;
    for (uint32_t p = 0; p < body->count; p++) {
        const uint32_t uses = body->clusters.uses[p];
        count += uses > 1;
        *ends += uses > 1 ? uses : 0;
    }
    return count;
}

static slv_extent between(int first, size_t end) {
    return (slv_extent){(size_t)first, end - (size_t)first};
}

void slv_match_layout_reserve(slv_body_layout *body_layout, const slv_body *body,
                              slv_match_extents *extents, slv_layout_cursor *cursor) {
    const slv_cluster_set *set = &body->clusters;
    size_t chunks = 0;
    size_t shared_ends = 0;
    const uint32_t large = set->count - set->small_count;
    for (uint32_t n = set->small_count; n < set->count; n++) {
        chunks += count_chunks(set, set->order[n]);
    }
    const size_t shared = count_shared(body, &shared_ends);
    const size_t small_rows = count_small_rows(set);
    const size_t rows = small_rows + chunks * SLV_MATCH_CHUNK_ROWS;
    const size_t row_count = (set->small_count + SLV_LANES - 1) / SLV_LANES;
    const size_t lanes = slv_match_count_rotation_floats(set) / 4;
    if (rows > INT_MAX / (SLV_MATCH_REST_FLOATS * SLV_LANES) ||
        chunks > INT_MAX / (SLV_MATCH_SUM_FLOATS * SLV_LANES) ||
        lanes > INT_MAX / SLV_MATCH_SHAPE_FLOATS || shared_ends > INT_MAX / SLV_PARTICLE_FLOATS) {
        cursor->too_large = true;
        return;
    }
    body_layout->match_row_count = (int)row_count;
    body_layout->match_large_count = (int)large;
    body_layout->match_large_row = (int)small_rows;
    body_layout->match_chunk_count = (int)chunks;
    body_layout->match_shared_count = (int)shared;
    body_layout->match_rotations = slv_reserve_state(cursor, 4 * lanes);
    extents->rotations = between(body_layout->match_rotations, cursor->state);
    body_layout->match_rotations_before = slv_reserve_state(cursor, 4 * lanes);
    body_layout->match_shapes = slv_reserve_state(cursor, SLV_MATCH_SHAPE_FLOATS * lanes);
    body_layout->match_rests = slv_reserve_state(cursor, SLV_MATCH_REST_FLOATS * SLV_LANES * rows);
    extents->weights = between(body_layout->match_shapes, cursor->state);
    body_layout->match_sums = slv_reserve_state(cursor, SLV_MATCH_SUM_FLOATS * SLV_LANES * chunks);
    body_layout->match_records = slv_reserve_state(cursor, SLV_MATCH_RECORD_FLOATS * (size_t)large);
    body_layout->match_corrections = slv_reserve_state(cursor, SLV_PARTICLE_FLOATS * shared_ends);
    body_layout->match_members = slv_reserve_table(cursor, SLV_LANES * rows);
    body_layout->match_outputs = slv_reserve_table(cursor, SLV_LANES * rows);
    extents->weight_table = between(body_layout->match_outputs, cursor->table);
    body_layout->match_rows = slv_reserve_table(cursor, 2 * row_count);
    body_layout->match_large = slv_reserve_table(cursor, SLV_MATCH_LARGE_INTS * (size_t)large);
    body_layout->match_chunks = slv_reserve_table(cursor, chunks);
    body_layout->match_shared = slv_reserve_table(cursor, 3 * shared);
}

// --- Where members lie ------------------------------------------------------------------------------

// Number of a cluster in the layout: lanes of small ones, then lanes of large ones.
static int lane_of(const slv_body_layout *body_layout, const slv_cluster_set *set, uint32_t n) {
    return n < set->small_count
               ? (int)n
               : body_layout->match_row_count * SLV_LANES + (int)(n - set->small_count);
}

// Index in match_members of member m of cluster n in the layout's order.
static size_t member_of(const slv_body_layout *body_layout, const slv_cluster_set *set,
                        const int *table, uint32_t n, uint32_t m) {
    if (n < set->small_count) {
        const int first = table[body_layout->match_rows + 2 * (int)(n / SLV_LANES)];
        return (size_t)(first + (int)m) * SLV_LANES + n % SLV_LANES;
    }
    const int *large =
        table + body_layout->match_large + (int)(n - set->small_count) * SLV_MATCH_LARGE_INTS;
    return (size_t)slv_match_first_row(body_layout, large[SLV_MATCH_FIRST_CHUNK]) * SLV_LANES + m;
}

static void fill_rows(const slv_body_layout *body_layout, const slv_cluster_set *set, int *table) {
    int row = 0;
    for (uint32_t n = 0; n < set->small_count; n += SLV_LANES) {
        int *entry = table + body_layout->match_rows + 2 * (int)(n / SLV_LANES);
        entry[0] = row;
        entry[1] = (int)slv_cluster_size(set, set->order[n]);
        row += entry[1];
    }
    int chunk = 0;
    for (uint32_t n = set->small_count; n < set->count; n++) {
        const int number = (int)(n - set->small_count);
        int *entry = table + body_layout->match_large + number * SLV_MATCH_LARGE_INTS;
        entry[SLV_MATCH_CLUSTER] = lane_of(body_layout, set, n);
        entry[SLV_MATCH_FIRST_CHUNK] = chunk;
        for (uint32_t c = count_chunks(set, set->order[n]); c > 0; c--) {
            table[body_layout->match_chunks + chunk++] = number;
        }
        entry[SLV_MATCH_END_CHUNK] = chunk;
    }
}

// Particles of several clusters, and where their corrections begin.
static void fill_shared(const slv_body_layout *body_layout, const slv_body *body,
                        const uint32_t *slots, int *next, int *table) {
    int *entry = table + body_layout->match_shared;
    int first = 0;
    for (uint32_t p = 0; p < body->count; p++) {
        const int uses = (int)body->clusters.uses[p];
        next[p] = first * SLV_PARTICLE_FLOATS;
        if (uses > 1) {
            entry[0] = (int)slots[p] * SLV_PARTICLE_FLOATS;
            entry[1] = first;
            entry[2] = first += uses;
            entry += 3;
        }
    }
}

bool slv_match_layout_fill(slv_layout *layout, uint32_t index, const slv_body *body,
                           slv_memory *scratch) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    const slv_cluster_set *set = &body->clusters;
    const uint32_t *slots = layout->slots[index];
    int *table = layout->table;
    int *next = slv_memory_take(scratch, body->count, sizeof *next);
    if (!next) {
        return false;
    }
    fill_rows(body_layout, set, table);
    fill_shared(body_layout, body, slots, next, table);
    const int rows = body_layout->match_outputs - body_layout->match_members;
    for (int i = 0; i < rows; i++) { // padding: the slot that holds zeros
        table[body_layout->match_members + i] = (body_layout->slots - 1) * SLV_PARTICLE_FLOATS;
        table[body_layout->match_outputs + i] = SLV_MATCH_FIXED;
    }
    for (uint32_t n = 0; n < set->count; n++) {
        const uint32_t *members = set->members + slv_cluster_first(set, set->order[n]);
        for (uint32_t m = 0; m < slv_cluster_size(set, set->order[n]); m++) {
            const size_t at = member_of(body_layout, set, table, n, m);
            const uint32_t p = members[m];
            table[(size_t)body_layout->match_members + at] = (int)slots[p] * SLV_PARTICLE_FLOATS;
            table[(size_t)body_layout->match_outputs + at] = SLV_MATCH_MOVES;
            if (set->uses[p] > 1) {
                table[(size_t)body_layout->match_outputs + at] = next[p];
                next[p] += SLV_PARTICLE_FLOATS;
            }
        }
    }
    slv_match_layout_set_weights(layout, index, body);
    return true;
}

// --- What depends on masses -------------------------------------------------------------------------

// Largest mass of a particle that can move; 1 where none can.
static double find_largest_mass(const slv_body *body) {
    double most = 0.0;
    for (uint32_t p = 0; p < body->count; p++) {
        const double mass = body->fixed[p] ? 0.0 : (double)slv_body_get_mass(body, p);
        most = mass > most ? mass : most;
    }
    return most > 0.0 ? most : 1.0;
}

// Weights of the members, floats. A fixed particle counts as fixed_mass times what can move.
static void weigh(const slv_body *body, uint32_t cluster, double largest, double *weights) {
    const slv_cluster_set *set = &body->clusters;
    const uint32_t *members = set->members + slv_cluster_first(set, cluster);
    const uint32_t count = slv_cluster_size(set, cluster);
    double moving = 0.0;
    for (uint32_t m = 0; m < count; m++) {
        const double mass = (double)slv_body_get_mass(body, members[m]) / largest;
        const double part = (double)(1.0f / (float)set->uses[members[m]]);
        weights[m] = body->fixed[members[m]] ? 0.0 : (double)(float)(mass * part);
        moving += weights[m];
    }
    for (uint32_t m = 0; m < count; m++) {
        weights[m] = weights[m] > 0.0 ? weights[m]
                     : moving > 0.0   ? (double)(float)(fixed_mass * moving)
                                      : 1.0;
    }
}

// Outputs of fixed particles are those of moving ones, mirrored below SLV_MATCH_MOVES.
static int output_of(int output, bool fixed) {
    const bool was_fixed = output < SLV_MATCH_MOVES;
    return fixed == was_fixed ? output : SLV_MATCH_FIXED + SLV_MATCH_MOVES - output;
}

static void set_shape(float *state, const slv_body_layout *body_layout, int lane,
                      const slv_cluster_shape *shape) {
    float *values =
        state + slv_match_row_value(body_layout->match_shapes, SLV_MATCH_SHAPE_FLOATS, lane, 0);
    for (int i = 0; i < 6; i++) {
        values[(size_t)i * SLV_LANES] = (float)shape->inverse[i];
    }
    values[(size_t)6 * SLV_LANES] = shape->flat ? 0.0f : 1.0f;
    values[(size_t)7 * SLV_LANES] = (float)(1.0 / shape->weight);
}

void slv_match_layout_set_weights(slv_layout *layout, uint32_t index, const slv_body *body) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    const slv_cluster_set *set = &body->clusters;
    int *outputs = layout->table + body_layout->match_outputs;
    const double largest = find_largest_mass(body);
    for (uint32_t n = 0; n < set->count; n++) {
        const uint32_t cluster = set->order[n];
        const uint32_t *members = set->members + slv_cluster_first(set, cluster);
        weigh(body, cluster, largest, set->weights);
        const slv_cluster_shape shape = slv_cluster_measure(set, cluster, set->weights);
        set_shape(layout->state, body_layout, lane_of(body_layout, set, n), &shape);
        for (uint32_t m = 0; m < slv_cluster_size(set, cluster); m++) {
            const size_t at = member_of(body_layout, set, layout->table, n, m);
            float *rest = layout->state +
                          slv_match_rest(body_layout, (int)(at / SLV_LANES), (int)(at % SLV_LANES));
            for (size_t d = 0; d < 3; d++) {
                rest[d * SLV_LANES] = (float)((double)set->rests[members[m]][d] - shape.center[d]);
            }
            rest[(size_t)3 * SLV_LANES] = (float)set->weights[m];
            outputs[at] =
                output_of(outputs[at], body->fixed[members[m]] || !(body->mass[members[m]] > 0.0f));
        }
    }
}

// --- Rotations --------------------------------------------------------------------------------------

size_t slv_match_count_rotation_floats(const slv_cluster_set *set) {
    const size_t large = set->count - set->small_count;
    return 4 * SLV_LANES *
           (((size_t)set->small_count + SLV_LANES - 1) / SLV_LANES +
            (large + SLV_LANES - 1) / SLV_LANES);
}

size_t slv_match_layout_count_rotations(const slv_body_layout *body_layout) {
    return (size_t)(body_layout->match_rotations_before - body_layout->match_rotations);
}

void slv_match_layout_set_rotations(slv_layout *layout, uint32_t index, const float rotation[4]) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    const size_t count = slv_match_layout_count_rotations(body_layout);
    for (size_t i = 0; i < count; i++) { // of a row: x of all lanes, then y, z, w
        layout->state[(size_t)body_layout->match_rotations + i] = rotation[i / SLV_LANES % 4];
    }
}
