// SPDX-License-Identifier: MIT
// Points in clusters: SLV_CLUSTER of them that follow, and so lie near, each other. A processor looks for
// neighbors by clusters. Each keeps a list of the clusters near it, found through a grid and good for as long
// as nobody can have come from further away; and asks these how fast anybody near it moves. So points need
// not be sorted in every step, and a flag that flutters at one end of a cloth does not keep the other end
// from knowing that nobody comes near it.
//
// Few clusters are wide, where cloth has ends to spare; they stand beside the grid and are asked one by one.
// Where there are too many of them, or they lie too far out or too many in one place, none of this is done
// and points are sorted as kernels/bins.h has it.

enum {
    SLV_GRID_CELLS = 4,  // of the points' grid along an edge of a cell of the clusters', at least
    SLV_GRID_CROWD = 64, // clusters of a cell at most
    SLV_GRID_WIDE = 64,  // clusters wider than a cell at most
    SLV_GRID_WORK = 125, // cells around a cluster at most: five along each axis
    SLV_NEAR_MOST = SLV_GRID_WORK * SLV_GRID_CROWD + SLV_GRID_WIDE
};
static const float grid_bound = 65536.0f; // cells of points from the origin: rounding is no matter

// Places in a cluster's floats: lowest and highest corner, ways of this step, moves since the last one, and
// the corners when the grid was made; a low and a high quad each.
// Beside the lowest corner stands the largest inverse mass.
enum { SLV_AT_BOX = 0, SLV_AT_MASS = 3, SLV_AT_PATHS = 8, SLV_AT_MOVES = 16, SLV_AT_OLD_BOX = 24 };

typedef struct slv_reach {
    slv_quad low, high;
} slv_reach;

static inline slv_reach no_reach(void) {
    const slv_quad far = {SLV_FAR, SLV_FAR, SLV_FAR, SLV_FAR};
    const slv_reach none = {far, -far};
    return none;
}

static inline slv_reach load_reach(const float *from) {
    const slv_reach reach = {load_quad(from), load_quad(from + 4)};
    return reach;
}

static inline void store_reach(float *to, slv_reach reach) {
    store_quad(to, reach.low);
    store_quad(to + 4, reach.high);
}

static inline slv_reach join_reaches(slv_reach one, slv_reach other) {
    const slv_reach both = {quad_smaller(one.low, other.low), quad_larger(one.high, other.high)};
    return both;
}

static inline slv_reach widen_reach(slv_reach reach, slv_quad value) {
    const slv_reach one = {value, value};
    return join_reaches(reach, one);
}

static inline slv_reach grow_reach(slv_reach reach, float by) {
    const slv_reach grown = {reach.low - by, reach.high + by};
    return grown;
}

// Whether two boxes have something in common.
static inline bool boxes_meet(slv_reach one, slv_reach other) {
    const slv_quad_mask apart = (one.low > other.high) | (other.low > one.high);
#if defined(__SSE2__)
    return (__builtin_ia32_movmskps((slv_quad)apart) & 7) == 0;
#else
    return (apart[0] | apart[1] | apart[2]) == 0;
#endif
}

// --- The grid -------------------------------------------------------------------------------------------

// What is needed of the tables.
typedef struct slv_cluster_view {
    float *clusters, *scale;
    int *lists, *heads, *chain;
    int count, head_count;
} slv_cluster_view;

// NOLINTNEXTLINE(readability-non-const-parameter): some write through the view
static inline slv_cluster_view view_clusters(float *state, int *table, int bins) {
    slv_cluster_view view = {
        .clusters = state + table[bins + SLV_BINS_CLUSTERS],
        .scale = state + table[bins + SLV_BINS_SCALE],
        .lists = table + table[bins + SLV_BINS_NEAR],
        .heads = table + table[bins + SLV_BINS_HEADS],
        .chain = table + table[bins + SLV_BINS_CHAIN],
        .count = table[bins + SLV_BINS_POINTS] / SLV_CLUSTER,
        .head_count = table[bins + SLV_BINS_HEAD_COUNT],
    };
    return view;
}

// Whether all points of a cluster are held still.
static inline bool is_held(const slv_cluster_view *view, int cluster) {
    return !(view->clusters[SLV_CLUSTER_FLOATS * cluster + SLV_AT_MASS] > 0.0f);
}

// A number for a cell that no other within a thousand cells has, and the place of its head.
static inline int name_cell(int x, int y, int z) {
    return (x & 1023) | (y & 1023) << 10 | (z & 1023) << 20;
}

static inline int find_head(int name, int count) {
    unsigned hash = (unsigned)name * 2654435769u;
    hash ^= hash >> 15;
    return (int)(hash * 3266489917u >> 8) & (count - 1);
}

static inline bool is_empty(slv_reach box) {
    return !(box.high[0] >= box.low[0]);
}

static inline slv_reach load_old_box(const slv_cluster_view *view, int cluster) {
    return load_reach(view->clusters + SLV_CLUSTER_FLOATS * cluster + SLV_AT_OLD_BOX);
}

static inline float find_width(slv_reach box) {
    const slv_quad extent = box.high - box.low;
    return slv_larger(extent[0], slv_larger(extent[1], extent[2]));
}

// The name of a cluster's cell, by its middle; -1 where it is wider than a cell.
static inline int name_cell_of(slv_reach box, float scale) {
    const slv_quad middle = 0.5f * (box.low + box.high);
    return find_width(box) * scale > 1.0f ? -1
                                          : name_cell(slv_bin_coordinate(middle[0], scale),
                                                      slv_bin_coordinate(middle[1], scale),
                                                      slv_bin_coordinate(middle[2], scale));
}

// Keeps where clusters are now, and makes cells so wide that few clusters are wider. False where one is too
// far out.
static inline bool keep_boxes(const slv_cluster_view *view) {
    const float cell = 1.0f / view->scale[SLV_SCALE_RECIPROCAL];
    slv_reach all = no_reach();
    float sum = 0.0f;
    float count = 1.0f;
    for (int n = 0; n < view->count; n++) {
        float *cluster = view->clusters + SLV_CLUSTER_FLOATS * n;
        const slv_reach box = load_reach(cluster + SLV_AT_BOX);
        store_reach(cluster + SLV_AT_OLD_BOX, box);
        if (!is_empty(box)) {
            all = join_reaches(all, box);
            sum += find_width(box);
            count += 1.0f;
        }
    }
    view->scale[SLV_SCALE_GRID] = 1.0f / slv_larger(SLV_GRID_CELLS * cell, 1.75f * sum / count);
    bool far = false;
    for (int d = 0; d < 3; d++) {
        far = far || !(all.low[d] > -grid_bound * cell && all.high[d] < grid_bound * cell);
    }
    return !far;
}

// Deals clusters out to cells; the last is for those that are wide. False where that does not do.
static inline bool deal_clusters_out(const slv_cluster_view *view) {
    for (int n = 0; n <= view->head_count; n++) {
        view->heads[2 * n] = -1;
        view->heads[2 * n + 1] = 0;
    }
    bool fits = true;
    for (int n = 0; n < view->count; n++) {
        const slv_reach box = load_old_box(view, n);
        if (is_empty(box)) {
            continue;
        }
        const int name = name_cell_of(box, view->scale[SLV_SCALE_GRID]);
        const int place = name < 0 ? view->head_count : find_head(name, view->head_count);
        int *head = view->heads + 2 * place;
        view->chain[2 * n] = head[0];
        view->chain[2 * n + 1] = name;
        head[0] = n;
        head[1]++;
        fits = fits && head[1] <= SLV_GRID_CROWD;
    }
    return fits;
}

// All clusters that a wide one is near to, or only how many.
static inline int look_everywhere(const slv_cluster_view *view, int cluster, int *near) {
    const slv_reach box = grow_reach(load_old_box(view, cluster), view->scale[SLV_SCALE_SPAN]);
    int count = 0;
    for (int n = 0; n < view->count; n++) {
        const bool meets = boxes_meet(box, load_old_box(view, n));
        if (near && meets) {
            near[count] = n;
        }
        count += meets;
    }
    return count;
}

static inline bool make_grid_of_clusters(const slv_cluster_view *view) {
    bool fits = keep_boxes(view) && deal_clusters_out(view);
    for (int n = fits ? view->heads[2 * view->head_count] : -1; n >= 0; n = view->chain[2 * n]) {
        fits = fits && look_everywhere(view, n, NULL) <= SLV_NEAR_MOST;
    }
    return fits;
}

// Whether points must be sorted in this step. Lists of clusters reach as far as a cell further than is
// needed now; when two may have come that much nearer to each other, or cells have grown, they are made anew.
static inline void plan_clusters(const slv_cluster_view *view) {
    float *scale = view->scale;
    const float cell = 1.0f / scale[SLV_SCALE_RECIPROCAL];
    scale[SLV_SCALE_SINCE] += 1.0001f * scale[SLV_SCALE_MOVED] + 1e-6f * scale[SLV_SCALE_RADIUS];
    scale[SLV_SCALE_ANEW] = 0.0f;
    if (scale[SLV_SCALE_SINCE] + cell <= scale[SLV_SCALE_SPAN]) {
        return;
    }
    scale[SLV_SCALE_SINCE] = 0.0f;
    scale[SLV_SCALE_ANEW] = 1.0f;
    scale[SLV_SCALE_SPAN] = 2.0f * cell;
    const bool fits = make_grid_of_clusters(view);
    scale[SLV_SCALE_SPAN] = fits ? scale[SLV_SCALE_SPAN] : 0.0f;
    scale[SLV_SCALE_SORTS] = fits ? 0.0f : 1.0f;
}

static inline int wide_bin_scale(float *state, int *table, const slv_body_layout *body,
                                 const slv_launch *launch, int first, int end) {
    (void)launch;
    (void)first;
    const int bins = slv_bins_of(table, body);
    slv_bin_scale(state, table, body);
    const slv_cluster_view view = view_clusters(state, table, bins);
    plan_clusters(&view);
    return end;
}
#define SLV_FORM_bin_scale SLV_FORM(bin_scale)

static inline bool sorts_points(const float *state, const int *table, int bins) {
    return state[table[bins + SLV_BINS_SCALE] + SLV_SCALE_SORTS] > 0.0f;
}

// --- Who is near ----------------------------------------------------------------------------------------

// Clusters that were near a cluster when the grid was made, itself included.
static inline int look_around(const slv_cluster_view *view, int cluster, int *near) {
    const float scale = view->scale[SLV_SCALE_GRID];
    const slv_reach own = load_old_box(view, cluster);
    const slv_reach box = grow_reach(own, view->scale[SLV_SCALE_SPAN]);
    if (is_empty(own)) {
        return 0;
    }
    if (view->chain[2 * cluster + 1] < 0) {
        return look_everywhere(view, cluster, near);
    }
    int first[3];
    int last[3];
    int count = 0;
    for (int d = 0; d < 3; d++) { // middles are half a cell from their boxes' sides at most
        first[d] = slv_bin_coordinate(box.low[d] - 0.51f / scale, scale);
        last[d] = slv_bin_coordinate(box.high[d] + 0.51f / scale, scale);
    }
    for (int n = view->heads[2 * view->head_count]; n >= 0; n = view->chain[2 * n]) {
        near[count] = n;
        count += boxes_meet(box, load_old_box(view, n));
    }
    for (int z = first[2]; z <= last[2]; z++) {
        for (int y = first[1]; y <= last[1]; y++) {
            for (int x = first[0]; x <= last[0]; x++) {
                const int name = name_cell(x, y, z);
                const int head = find_head(name, view->head_count);
                for (int n = view->heads[2 * head]; n >= 0; n = view->chain[2 * n]) {
                    near[count] = n;
                    count +=
                        view->chain[2 * n + 1] == name && boxes_meet(box, load_old_box(view, n));
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

// The clusters near a cluster: from its list or, where that is too short, found again into `room`.
static inline slv_near_clusters find_near_clusters(const slv_cluster_view *view, int cluster,
                                                   int room[SLV_NEAR_MOST]) {
    const int *list = view->lists + (SLV_NEAR_ROOM + 1) * cluster;
    slv_near_clusters near = {list + 1, list[0]};
    if (near.count < 0) {
        near.numbers = room;
        near.count = look_around(view, cluster, room);
    }
    return near;
}

// In the step in which lists are made.
static inline void list_near_clusters(const slv_cluster_view *view, int cluster) {
    int found[SLV_NEAR_MOST];
    int *list = view->lists + (SLV_NEAR_ROOM + 1) * cluster;
    const int count = look_around(view, cluster, found);
    list[0] = count <= SLV_NEAR_ROOM ? count : -1;
    memcpy(list + 1, found, (size_t)(list[0] > 0 ? list[0] : 0) * sizeof *found);
}

// How much two can have come nearer to each other since the last step, and can in this one: one of a cluster
// and one near it. Metres.
typedef struct slv_haste {
    float moved, closing;
} slv_haste;

static inline float find_widest(slv_reach own, slv_reach all) {
    const slv_quad most = quad_larger(all.high - own.low, own.high - all.low);
    return 1.0001f * sqrtf(most[0] * most[0] + most[1] * most[1] + most[2] * most[2]);
}

static inline slv_haste find_haste(const slv_cluster_view *view, int cluster,
                                   slv_near_clusters near) {
    const float *own = view->clusters + SLV_CLUSTER_FLOATS * cluster;
    slv_reach paths = no_reach();
    slv_reach moves = no_reach();
    for (int n = 0; n < near.count; n++) {
        const float *other = view->clusters + SLV_CLUSTER_FLOATS * near.numbers[n];
        paths = join_reaches(paths, load_reach(other + SLV_AT_PATHS));
        moves = join_reaches(moves, load_reach(other + SLV_AT_MOVES));
    }
    const slv_haste haste = {find_widest(load_reach(own + SLV_AT_MOVES), moves),
                             find_widest(load_reach(own + SLV_AT_PATHS), paths)};
    return haste;
}
