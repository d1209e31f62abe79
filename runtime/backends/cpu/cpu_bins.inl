// SPDX-License-Identifier: MIT
// Broad phase, several points at a time; the same bits as kernels/bins.h.

// --- Vectors --------------------------------------------------------------------------------------------

static inline slv_wide select_wide(slv_mask mask, slv_wide a, slv_wide b) {
    return (slv_wide)(((slv_mask)a & mask) | ((slv_mask)b & ~mask));
}

static inline slv_wides select_wides(slv_mask mask, slv_wides a, slv_wides b) {
    slv_wides chosen = {select_wide(mask, a.x, b.x), select_wide(mask, a.y, b.y),
                        select_wide(mask, a.z, b.z), a.w};
    return chosen;
}

static inline slv_wide wide_dot(slv_wides a, slv_wides b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline slv_wides wide_subtract(slv_wides a, slv_wides b) {
    slv_wides difference = {a.x - b.x, a.y - b.y, a.z - b.z, a.w};
    return difference;
}

static inline slv_wides wide_add_scaled(slv_wides a, slv_wide s, slv_wides b) {
    slv_wides sum = {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w};
    return sum;
}

static inline slv_wide wide_absolute(slv_wide a) {
    return (slv_wide)((slv_mask)a & INT_MAX);
}

// --- Keys -----------------------------------------------------------------------------------------------

typedef unsigned slv_bits __attribute__((__vector_size__(4 * SLV_WIDE)));

// As slv_bin_coordinate.
static inline slv_mask wide_coordinate(slv_wide x, float scale) {
    slv_wide scaled = x * scale;
    scaled = wide_max(scaled, spread(-SLV_CELL_NUMBER_LIMIT)); // as slv_clamp
    scaled = wide_min(scaled, spread(SLV_CELL_NUMBER_LIMIT));
    slv_mask whole = __builtin_convertvector(scaled, slv_mask);
    return whole + (__builtin_convertvector(whole, slv_wide) > scaled);
}

static inline int wide_bin_key(slv_cpu_clusters *clusters, const float *state, int *table,
                               const slv_body_layout *body, const slv_launch *launch, int first,
                               int end) {
    (void)launch;
    const int bins = body->search;
    if (!clusters->sorts) {
        return end;
    }
    const float *starts = state + table[bins + SLV_BINS_STARTS];
    const int *offset_of = table + table[bins + SLV_BINS_OFFSET_OF];
    const float scale = state[table[bins + SLV_BINS_SCALE] + SLV_SCALE_RECIPROCAL];
    const int last = table[bins + SLV_BINS_CELLS] - 1;
    int *keys = table + table[bins + SLV_BINS_KEYS];
    for (int point = first * SLV_BLOCK; point < end * SLV_BLOCK; point += SLV_WIDE) {
        slv_wides at = load_slice(starts, 0, point);
        slv_bits y = (slv_bits)wide_coordinate(at.y, scale);
        slv_bits z = (slv_bits)wide_coordinate(at.z, scale);
        slv_bits hash = y * 2654435769u ^ z * 2246822519u; // as slv_bin_row
        hash ^= hash >> 15;
        slv_mask row = (slv_mask)(hash * 3266489917u >> 1);
        slv_mask x = wide_coordinate(at.x, scale);
        slv_mask cell = (slv_mask)((slv_bits)row + (slv_bits)x) & last;
        slv_mask offsets;
        memcpy(&offsets, offset_of + point, sizeof offsets);
        cell |= offsets < 0; // -1 where there is no particle
        memcpy(keys + point, &cell, sizeof cell);
    }
    return end;
}
#define SLV_FORM_bin_key SLV_CLUSTER_FORM(bin_key)

// --- Sorting --------------------------------------------------------------------------------------------

// As slv_bin_update, with x, y and z of a point together, and by clusters.
static inline void update_block(slv_cpu_clusters *clusters, float *state, int *table, int bins,
                                int parity, int block) {
    const int bin_body = table[table[bins + SLV_BINS_BODY_OF] + block];
    const int *at = table + table[bins + SLV_BINS_BODIES] + bin_body * SLV_BIN_BODY_INTS;
    const int step = at[SLV_BIN_BODY_COMPONENT];
    const float *q = state + at[SLV_BIN_BODY_Q];
    const float *start = state + at[SLV_BIN_BODY_PREV + (parity ? 0 : 1)];
    const int *offset_of = table + table[bins + SLV_BINS_OFFSET_OF];
    const int *inverse_mass_of = table + table[bins + SLV_BINS_INVERSE_MASS_OF];
    const float number = (float)(bin_body + 1);
    const slv_quad far = {SLV_FAR, SLV_FAR, SLV_FAR, 0.0f};
    float *starts = state + table[bins + SLV_BINS_STARTS];
    float *now = state + table[bins + SLV_BINS_NOW];
    slv_box all[2] = {empty_box(),
                      empty_box()}; // of displacements in this step, and since the last one
    for (int first = block * SLV_BLOCK; first < (block + 1) * SLV_BLOCK; first += SLV_CLUSTER) {
        slv_box box = empty_box();
        slv_box paths = empty_box();
        slv_box moves = empty_box();
        float largest_inverse_mass = 0.0f;
        for (int point = first; point < first + SLV_CLUSTER; point++) {
            const int offset = offset_of[point];
            if (offset < 0) { // only the last of a bin body are empty; no search shall find them
                store_quad(starts + 4 * point, far);
                continue;
            }
            slv_quad before = {start[offset], start[offset + step], start[offset + 2 * step],
                               number};
            slv_quad here = {q[offset], q[offset + step], q[offset + 2 * step],
                             state[inverse_mass_of[point]]};
            moves = extend_box(moves, before - load_quad(starts + 4 * point));
            paths = extend_box(paths, here - before);
            box = extend_box(box, before);
            largest_inverse_mass = slv_max(largest_inverse_mass, here[3]);
            store_quad(starts + 4 * point, before);
            store_quad(now + 4 * point, here);
        }
        float *cluster = clusters->boxes + SLV_CLUSTER_FLOATS * (first / SLV_CLUSTER);
        store_box(cluster + SLV_AT_BOX, box);
        cluster[SLV_AT_INVERSE_MASS] = largest_inverse_mass;
        store_box(cluster + SLV_AT_PATHS, paths);
        store_box(cluster + SLV_AT_MOVES, moves);
        all[0] = join_boxes(all[0], paths);
        all[1] = join_boxes(all[1], moves);
    }
    float *motion = state + table[bins + SLV_BINS_MOTIONS] + SLV_MOTION_FLOATS * block;
    for (int n = 0; n < 2; n++) {
        memcpy(motion + 6 * n, &all[n].low, 3 * sizeof *motion);
        memcpy(motion + 6 * n + 3, &all[n].high, 3 * sizeof *motion);
    }
}

static inline int wide_bin_update(slv_cpu_clusters *clusters, float *state, int *table,
                                  const slv_body_layout *body, const slv_launch *launch, int first,
                                  int end) {
    const int bins = body->search;
    for (int block = first; block < end; block++) {
        update_block(clusters, state, table, bins, launch->parity, block);
    }
    return end;
}
#define SLV_FORM_bin_update SLV_CLUSTER_FORM(bin_update)

// The largest inverse mass of each cluster of a block, from what slv_sleep_update_block wrote.
static inline void update_inverse_masses(slv_cpu_clusters *clusters, const float *state,
                                         const int *table, int bins, int block) {
    const int *offset_of = table + table[bins + SLV_BINS_OFFSET_OF];
    const float *now = state + table[bins + SLV_BINS_NOW];
    for (int first = block * SLV_BLOCK; first < (block + 1) * SLV_BLOCK; first += SLV_CLUSTER) {
        float largest = 0.0f;
        for (int point = first; point < first + SLV_CLUSTER; point++) {
            largest = offset_of[point] < 0 ? largest : slv_max(largest, now[4 * point + 3]);
        }
        clusters->boxes[SLV_CLUSTER_FLOATS * (first / SLV_CLUSTER) + SLV_AT_INVERSE_MASS] = largest;
    }
}

// As slv_sleep_update_block. A body that is woken in a step, after bin_update, has neighbor lists in this step:
// its clusters must no longer count as immovable.
static inline int wide_sleep_update_points(slv_cpu_clusters *clusters, float *state, int *table,
                                           const slv_body_layout *body, const slv_launch *launch,
                                           int first, int end) {
    (void)launch;
    const int bins = body->search;
    for (int block = first; block < end; block++) {
        slv_sleep_update_block(state, table, body, block);
        update_inverse_masses(clusters, state, table, bins, block);
    }
    return end;
}
#define SLV_FORM_sleep_update_points SLV_CLUSTER_FORM(sleep_update_points)

// NOLINTBEGIN(readability-non-const-parameter): parameters of every form of a kernel
// As slv_bin_histogram, slv_bin_offsets and slv_bin_scatter, where points are sorted at all.
static inline int wide_bin_histogram(slv_cpu_clusters *clusters, const float *state, int *table,
                                     const slv_body_layout *body, const slv_launch *launch,
                                     int first, int end) {
    (void)launch;
    (void)state;
    (void)table;
    (void)body;
    return clusters->sorts ? first : end;
}
#define SLV_FORM_bin_histogram SLV_CLUSTER_FORM(bin_histogram)

static inline int wide_bin_offsets(slv_cpu_clusters *clusters, const float *state, int *table,
                                   const slv_body_layout *body, const slv_launch *launch, int first,
                                   int end) {
    return wide_bin_histogram(clusters, state, table, body, launch, first, end);
}
#define SLV_FORM_bin_offsets SLV_CLUSTER_FORM(bin_offsets)

static inline int wide_bin_scatter(slv_cpu_clusters *clusters, const float *state, int *table,
                                   const slv_body_layout *body, const slv_launch *launch, int first,
                                   int end) {
    return wide_bin_histogram(clusters, state, table, body, launch, first, end);
}
#define SLV_FORM_bin_scatter SLV_CLUSTER_FORM(bin_scatter)
// NOLINTEND(readability-non-const-parameter)

enum { SLV_AHEAD = 12 }; // points by which prefetching is ahead

// As slv_bin_sort.
static inline void sort_partition(float *state, int *table, int bins, int partition) {
    const int width = 1 << table[bins + SLV_BINS_SHIFT];
    const int *keys = table + table[bins + SLV_BINS_KEYS];
    const int *scattered = table + table[bins + SLV_BINS_SCATTERED];
    const float *starts = state + table[bins + SLV_BINS_STARTS];
    const int *partitions = table + table[bins + SLV_BINS_PARTITIONS] + partition;
    const int first = partitions[0];
    const int end = partitions[1];
    int *firsts = table + table[bins + SLV_BINS_FIRSTS] + partition * width;
    int *ids = table + table[bins + SLV_BINS_IDS];
    float *sorted = state + table[bins + SLV_BINS_SORTED];
    memset(firsts, 0, (size_t)width * sizeof *firsts);
    for (int n = first; n < end; n++) {
        firsts[keys[scattered[n]] & (width - 1)]++;
    }
    int sum = first;
    for (int c = 0; c < width; c++) {
        sum += firsts[c];
        firsts[c] = sum;
    }
    for (int n = end - 1; n >= first; n--) {
        const int point = scattered[n];
        __builtin_prefetch(starts + 4 * scattered[n - SLV_AHEAD < first ? first : n - SLV_AHEAD]);
        const int rank = --firsts[keys[point] & (width - 1)];
        ids[rank] = point;
        store_quad(sorted + 4 * rank, load_quad(starts + 4 * point));
    }
}

static inline int wide_bin_sort(slv_cpu_clusters *clusters, float *state, int *table,
                                const slv_body_layout *body, const slv_launch *launch, int first,
                                int end) {
    (void)launch;
    if (!clusters->sorts) {
        return end;
    }
    for (int partition = first; partition < end; partition++) {
        sort_partition(state, table, body->search, partition);
    }
    return end;
}
#define SLV_FORM_bin_sort SLV_CLUSTER_FORM(bin_sort)
