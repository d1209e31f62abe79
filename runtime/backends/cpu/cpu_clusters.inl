// SPDX-License-Identifier: MIT
// Clusters: SLV_CLUSTER points that follow each other and so lie near each other. The CPU searches for
// neighbors by clusters. Each cluster has a list of the clusters near it, found through a grid and
// valid for as long as no other cluster can have come near. The motion of those clusters bounds how
// much its points can be approached. So points need not be sorted in every step, and fast motion at one
// end of a cloth does not invalidate the lists at the other end.
//
// Clusters wider than a cell are few, where cloth ends; they are kept in a list of their own and tested
// one by one. Where there are too many of them, or clusters lie too far out, or too many are in one
// cell, points are sorted as in kernels/bins.h.

enum {
    SLV_GRID_CELLS = 4,            // least width of a cell of clusters, in cells of points
    SLV_GRID_CELL_LIMIT = 64,      // clusters of a cell at most
    SLV_GRID_WIDE_LIMIT = 64,      // clusters wider than a cell at most
    SLV_GRID_CELLS_SEARCHED = 125, // cells around a cluster at most: five along each axis
    SLV_NEAR_LIMIT = SLV_GRID_CELLS_SEARCHED * SLV_GRID_CELL_LIMIT + SLV_GRID_WIDE_LIMIT
};
static const float mean_widths = 1.75f; // of clusters: width of a cell, so that few are wider
static const float grid_bound =
    65536.0f; // cells of points from the origin: there a float resolves 1/128 of a cell, less than half_cell adds

// Bounds of distances are enlarged by what rounding can take from them: a sum of three squares and a root
// lose less than 1e-6 of it. rounding_fraction is of a reach, for sums over steps.
static const float rounding_factor = 1.0001f, rounding_fraction = 1e-6f;
static const float half_cell = 0.51f; // cells: half a cell and its rounding errors

// Offsets in a cluster's floats: bounding box, range of displacements in this step, range of
// displacements since the last one, and the box when the grid was made; a low and a high quad each. The
// fourth float of the first box is the largest inverse mass.
enum {
    SLV_AT_BOX = 0,
    SLV_AT_INVERSE_MASS = 3,
    SLV_AT_PATHS = 8,
    SLV_AT_MOVES = 16,
    SLV_AT_SAVED_BOX = 24
};

typedef struct slv_box {
    slv_quad low, high;
} slv_box;

static inline slv_box empty_box(void) {
    const slv_quad far = {SLV_FAR, SLV_FAR, SLV_FAR, SLV_FAR};
    const slv_box none = {far, -far};
    return none;
}

static inline slv_box load_box(const float *from) {
    const slv_box box = {load_quad(from), load_quad(from + 4)};
    return box;
}

static inline void store_box(float *to, slv_box box) {
    store_quad(to, box.low);
    store_quad(to + 4, box.high);
}

static inline slv_box join_boxes(slv_box one, slv_box other) {
    const slv_box both = {quad_min(one.low, other.low), quad_max(one.high, other.high)};
    return both;
}

static inline slv_box extend_box(slv_box box, slv_quad value) {
    const slv_box one = {value, value};
    return join_boxes(box, one);
}

static inline slv_box grow_box(slv_box box, float by) {
    const slv_box grown = {box.low - by, box.high + by};
    return grown;
}

// Whether two boxes overlap.
static inline bool boxes_overlap(slv_box one, slv_box other) {
    const slv_quad_mask apart = (one.low > other.high) | (other.low > one.high);
#if defined(__SSE2__)
    return (__builtin_ia32_movmskps((slv_quad)apart) & 7) == 0;
#else
    return (apart[0] | apart[1] | apart[2]) == 0;
#endif
}

// --- The grid -------------------------------------------------------------------------------------------

// Whether all points of a cluster have inverse mass 0.
static inline bool is_immovable(const slv_cpu_clusters *clusters, int cluster) {
    return !(clusters->boxes[SLV_CLUSTER_FLOATS * cluster + SLV_AT_INVERSE_MASS] > 0.0f);
}

// A code of a cell that is unique within a thousand cells, and its index in the hash table.
static inline int encode_cell(int x, int y, int z) {
    return (x & 1023) | (y & 1023) << 10 | (z & 1023) << 20;
}

static inline int hash_cell(int name, int count) {
    unsigned hash = (unsigned)name * 2654435769u;
    hash ^= hash >> 15;
    return (int)(hash * 3266489917u >> 8) & (count - 1);
}

static inline bool is_empty(slv_box box) {
    return !(box.high[0] >= box.low[0]);
}

static inline slv_box load_saved_box(const slv_cpu_clusters *clusters, int cluster) {
    return load_box(clusters->boxes + SLV_CLUSTER_FLOATS * cluster + SLV_AT_SAVED_BOX);
}

static inline float find_width(slv_box box) {
    const slv_quad extent = box.high - box.low;
    return slv_max(extent[0], slv_max(extent[1], extent[2]));
}

// The code of the cell of a cluster's center; -1 where the cluster is wider than a cell.
static inline int encode_cell_of(slv_box box, float scale) {
    const slv_quad middle = 0.5f * (box.low + box.high);
    return find_width(box) * scale > 1.0f ? -1
                                          : encode_cell(slv_bin_coordinate(middle[0], scale),
                                                        slv_bin_coordinate(middle[1], scale),
                                                        slv_bin_coordinate(middle[2], scale));
}

// Saves the boxes of clusters and chooses the width of cells so that few clusters are wider. Returns
// false where a cluster is too far out.
static inline bool save_boxes(slv_cpu_clusters *clusters, float cell) {
    slv_box all = empty_box();
    float sum = 0.0f;
    float count = 1.0f;
    for (int n = 0; n < clusters->count; n++) {
        float *cluster = clusters->boxes + SLV_CLUSTER_FLOATS * n;
        const slv_box box = load_box(cluster + SLV_AT_BOX);
        store_box(cluster + SLV_AT_SAVED_BOX, box);
        if (!is_empty(box)) {
            all = join_boxes(all, box);
            sum += find_width(box);
            count += 1.0f;
        }
    }
    clusters->cell_rate = 1.0f / slv_max(SLV_GRID_CELLS * cell, mean_widths * sum / count);
    bool far = false;
    for (int d = 0; d < 3; d++) {
        far = far || !(all.low[d] > -grid_bound * cell && all.high[d] < grid_bound * cell);
    }
    return !far;
}

// Inserts clusters into cells; the last list is for wide ones. Returns false where a list is too long.
static inline bool insert_clusters(const slv_cpu_clusters *clusters) {
    for (int n = 0; n <= clusters->head_count; n++) {
        clusters->heads[2 * n] = -1;
        clusters->heads[2 * n + 1] = 0;
    }
    bool fits = true;
    for (int n = 0; n < clusters->count; n++) {
        const slv_box box = load_saved_box(clusters, n);
        if (is_empty(box)) {
            continue;
        }
        const int name = encode_cell_of(box, clusters->cell_rate);
        const int index = name < 0 ? clusters->head_count : hash_cell(name, clusters->head_count);
        int *head = clusters->heads + 2 * index;
        clusters->chain[2 * n] = head[0];
        clusters->chain[2 * n + 1] = name;
        head[0] = n;
        head[1]++;
        fits = fits && head[1] <= SLV_GRID_CELL_LIMIT;
    }
    return fits;
}

// Finds the clusters near a wide one by testing all; only counts them where `near` is NULL.
static inline int scan_all_clusters(const slv_cpu_clusters *clusters, int cluster, int *near) {
    const slv_box box = grow_box(load_saved_box(clusters, cluster), clusters->span);
    int count = 0;
    for (int n = 0; n < clusters->count; n++) {
        const bool meets = boxes_overlap(box, load_saved_box(clusters, n));
        if (near && meets) {
            near[count] = n;
        }
        count += meets;
    }
    return count;
}

static inline bool build_cluster_grid(slv_cpu_clusters *clusters, float cell) {
    bool fits = save_boxes(clusters, cell) && insert_clusters(clusters);
    for (int n = fits ? clusters->heads[2 * clusters->head_count] : -1; n >= 0;
         n = clusters->chain[2 * n]) {
        fits = fits && scan_all_clusters(clusters, n, NULL) <= SLV_NEAR_LIMIT;
    }
    return fits;
}

// Updates lists and grid where needed. Lists reach one cell further than is needed now. They are rebuilt when
// two points may have approached by that much, or cells have grown.
static inline void update_cluster_grid(slv_cpu_clusters *clusters, const float *scale) {
    const float cell = 1.0f / scale[SLV_SCALE_RECIPROCAL];
    clusters->moved +=
        rounding_factor * scale[SLV_SCALE_MOVED] + rounding_fraction * scale[SLV_SCALE_REACH];
    clusters->rebuilt = false;
    if (clusters->moved + cell <= clusters->span) {
        return;
    }
    clusters->moved = 0.0f;
    clusters->rebuilt = true;
    clusters->span = 2.0f * cell;
    clusters->sorts = !build_cluster_grid(clusters, cell);
    clusters->span = clusters->sorts ? 0.0f : clusters->span;
}

static inline int wide_bin_scale(slv_cpu_clusters *clusters, float *state, int *table,
                                 const slv_body_layout *body, const slv_launch *launch, int first,
                                 int end) {
    (void)launch;
    (void)first;
    slv_bin_scale(state, table, body);
    update_cluster_grid(clusters, state + table[body->search + SLV_BINS_SCALE]);
    return end;
}
#define SLV_FORM_bin_scale SLV_CLUSTER_FORM(bin_scale)

// --- Lists ----------------------------------------------------------------------------------------------

// The clusters that were near a cluster when the grid was made, itself included.
static inline int scan_cells(const slv_cpu_clusters *clusters, int cluster, int *near) {
    const float scale = clusters->cell_rate;
    const slv_box own = load_saved_box(clusters, cluster);
    const slv_box box = grow_box(own, clusters->span);
    if (is_empty(own)) {
        return 0;
    }
    if (clusters->chain[2 * cluster + 1] < 0) {
        return scan_all_clusters(clusters, cluster, near);
    }
    int first[3];
    int last[3];
    int count = 0;
    for (int d = 0; d < 3; d++) { // centers are at most half a cell from the sides of their boxes
        first[d] = slv_bin_coordinate(box.low[d] - half_cell / scale, scale);
        last[d] = slv_bin_coordinate(box.high[d] + half_cell / scale, scale);
    }
    for (int n = clusters->heads[2 * clusters->head_count]; n >= 0; n = clusters->chain[2 * n]) {
        near[count] = n;
        count += boxes_overlap(box, load_saved_box(clusters, n));
    }
    for (int z = first[2]; z <= last[2]; z++) {
        for (int y = first[1]; y <= last[1]; y++) {
            for (int x = first[0]; x <= last[0]; x++) {
                const int name = encode_cell(x, y, z);
                const int head = hash_cell(name, clusters->head_count);
                for (int n = clusters->heads[2 * head]; n >= 0; n = clusters->chain[2 * n]) {
                    near[count] = n;
                    count += clusters->chain[2 * n + 1] == name &&
                             boxes_overlap(box, load_saved_box(clusters, n));
                }
            }
        }
    }
    return count;
}

typedef struct slv_near_clusters {
    const int *numbers;
    int count;
} slv_near_clusters;

// The clusters near a cluster: from its list or, where the list was too short, found again into `room`.
static inline slv_near_clusters find_near_clusters(const slv_cpu_clusters *clusters, int cluster,
                                                   int room[SLV_NEAR_LIMIT]) {
    const int *list = clusters->near + (SLV_NEAR_ROOM + 1) * cluster;
    slv_near_clusters near = {list + 1, list[0]};
    if (near.count < 0) {
        near.numbers = room;
        near.count = scan_cells(clusters, cluster, room);
    }
    return near;
}

// Makes the list of a cluster.
static inline void list_near_clusters(const slv_cpu_clusters *clusters, int cluster) {
    int found[SLV_NEAR_LIMIT];
    int *list = clusters->near + (SLV_NEAR_ROOM + 1) * cluster;
    const int count = scan_cells(clusters, cluster, found);
    list[0] = count <= SLV_NEAR_ROOM ? count : -1;
    memcpy(list + 1, found, (size_t)(list[0] > 0 ? list[0] : 0) * sizeof *found);
}

// Upper bounds of how much a point of a cluster and one near it can have approached each other since
// the last step, and can in this one. Metres.
typedef struct slv_closing_bound {
    float moved, closing;
} slv_closing_bound;

static inline float max_distance(slv_box own, slv_box all) {
    const slv_quad most = quad_max(all.high - own.low, own.high - all.low);
    return rounding_factor * sqrtf(most[0] * most[0] + most[1] * most[1] + most[2] * most[2]);
}

static inline slv_closing_bound bound_closing(const slv_cpu_clusters *clusters, int cluster,
                                              slv_near_clusters near) {
    const float *own = clusters->boxes + SLV_CLUSTER_FLOATS * cluster;
    slv_box paths = empty_box();
    slv_box moves = empty_box();
    for (int n = 0; n < near.count; n++) {
        const float *other = clusters->boxes + SLV_CLUSTER_FLOATS * near.numbers[n];
        paths = join_boxes(paths, load_box(other + SLV_AT_PATHS));
        moves = join_boxes(moves, load_box(other + SLV_AT_MOVES));
    }
    const slv_closing_bound bound = {max_distance(load_box(own + SLV_AT_MOVES), moves),
                                     max_distance(load_box(own + SLV_AT_PATHS), paths)};
    return bound;
}
