// SPDX-License-Identifier: MIT
// Neighbor lists, several points at a time; the same lists as the plain kernels', which a test
// compares. The points of a cluster are searched for together, among the clusters near it
// (cpu_clusters.inl). Nearly all points that they find are of their own cloth, near them at rest. The
// others are candidates, which are kept for some steps and tested exactly.

// Candidates are kept within a skin beyond what a step needs: the motion of so many steps, within bounds in sums
// of two reaches. Wider skins test more points in a step, narrower ones search more often.
static const float skin_steps = 6.0f, least_skin = 0.2f, most_skin = 0.5f;
static const float list_reach = 0.1f;       // sums of two reaches: SLV_NEIGHBOR_REACH - 1
static const float need_rounding = 2e-4f;   // of a distance: twice what rounding_factor adds
static const float cover_fraction = 0.995f; // of the reach of clusters' lists: allows for rounding

#define SLV_CLUSTER_LOOP for (int h = 0; h < SLV_CLUSTER / SLV_WIDE; h++)

// A cluster whose neighbors are searched for.
typedef struct slv_cluster {
    slv_wides start[SLV_CLUSTER / SLV_WIDE], rest[SLV_CLUSTER / SLV_WIDE];
    slv_wide apart[SLV_CLUSTER /
                   SLV_WIDE]; // squared distance at rest beyond which points of one body count

    // Set when the first candidate is tested.
    slv_wides displacement[SLV_CLUSTER / SLV_WIDE];
    slv_mask x[SLV_CLUSTER / SLV_WIDE], y[SLV_CLUSTER / SLV_WIDE], z[SLV_CLUSTER / SLV_WIDE];
    int count[SLV_CLUSTER];
    int cut[SLV_CLUSTER];
    bool begun;                        // these are set
    uint64_t (*ranks)[SLV_LIST_LIMIT]; // of the entries of their lists

    int first; // point
} slv_cluster;

// Pointers and values that searches read.
typedef struct slv_bin_view {
    float *state;
    int *table;
    int bins, lists, capacity;
    int *counts, *entries;
    const int *offset_of;
    const float *starts, *rests, *now;
    float *margins;  // metres, two a cluster: see find_neighbors_of_cluster
    int *candidates; // of clusters: number of candidate points, then the points
    float slack, scale, moved;
    float reaches;      // metres: of two points, at most
    float overlap_step; // of the launch (kernels/pairs.h)
    float cover;        // metres: clusters' lists are complete up to this distance
    slv_cpu_clusters *clusters;
} slv_bin_view;

// NOLINTNEXTLINE(readability-non-const-parameter): searches write through the view
static inline slv_bin_view view_lists(slv_cpu_clusters *clusters, float *state, int *table,
                                      int bins, int request) {
    const int lists = slv_lists_of(table, bins, request);
    const float *scale = state + table[bins + SLV_BINS_SCALE];
    slv_bin_view view = {
        .state = state,
        .table = table,
        .bins = bins,
        .lists = lists,
        .capacity = table[lists + SLV_LISTS_CAPACITY],
        .counts = table + table[lists + SLV_LISTS_COUNTS],
        .entries = table + table[lists + SLV_LISTS_ENTRIES],
        .offset_of = table + table[bins + SLV_BINS_OFFSET_OF],
        .starts = state + table[bins + SLV_BINS_STARTS],
        .rests = state + table[lists + SLV_LISTS_RESTS],
        .now = state + table[bins + SLV_BINS_NOW],
        .margins = clusters->margins[request],
        .candidates = clusters->candidates[request],
        .slack = scale[SLV_SCALE_SLACK],
        .reaches = 2.0f * scale[SLV_SCALE_REACH],
        .moved = rounding_factor * scale[SLV_SCALE_MOVED],
        .scale = scale[SLV_SCALE_RECIPROCAL],
        .cover = cover_fraction * (clusters->span - clusters->moved),
        .clusters = clusters,
    };
    return view;
}

static void begin_cluster(const slv_bin_view *view, slv_cluster *cluster) {
    cluster->begun = true;
    memset(cluster->count, 0, sizeof cluster->count);
    memset(cluster->cut, 0, sizeof cluster->cut);
    SLV_CLUSTER_LOOP {
        slv_wides now = load_slice(view->now, 0, cluster->first + h * SLV_WIDE);
        cluster->displacement[h] = wide_subtract(now, cluster->start[h]);
        cluster->x[h] = wide_coordinate(cluster->start[h].x, view->scale);
        cluster->y[h] = wide_coordinate(cluster->start[h].y, view->scale);
        cluster->z[h] = wide_coordinate(cluster->start[h].z, view->scale);
    }
}

// Rank of a cell in the order in which slv_search_neighbors visits cells: z before y before x.
static inline uint64_t rank_cell(int x, int y, int z) {
    const int half = 1 << 19;
    return (uint64_t)(z + half) << 40 | (uint64_t)(y + half) << 20 | (uint64_t)(x + half);
}

// Inserts an entry. Candidates come in any order; lists have that of the plain search, by cell and then
// by number, and are truncated at the same entry.
static inline void add_to_list(const slv_bin_view *view, slv_cluster *cluster, int i, int entry,
                               uint64_t rank) {
    int *list = view->entries + slv_find_entry(view->table, view->lists, cluster->first + i);
    uint64_t *ranks = cluster->ranks[i];
    int index = cluster->count[i];
    if (index == view->capacity) {
        cluster->cut[i] = 1;
        index--;
        if (rank != ranks[index] ? rank > ranks[index] : entry > list[SLV_LANES * index]) {
            return;
        }
    } else {
        cluster->count[i]++;
    }
    for (; index > 0 && rank <= ranks[index - 1]; index--) {
        const int last = list[SLV_LANES * (index - 1)];
        if (rank == ranks[index - 1] && entry > last) {
            break;
        }
        list[SLV_LANES * index] = last;
        ranks[index] = ranks[index - 1];
    }
    list[SLV_LANES * index] = entry;
    ranks[index] = rank;
}

// As slv_search_add, for a cluster and a point.
static void test_candidate(const slv_bin_view *view, slv_cluster *cluster, int point) {
    if (!cluster->begun) {
        begin_cluster(view, cluster);
    }
    const slv_wide none = spread(0.0f);
    const float *at = view->starts + 4 * point;
    const float *flat = view->rests + 4 * point;
    const float *now = view->now + 4 * point;
    const slv_wides there = {none + at[0], none + at[1], none + at[2], none + at[3]};
    const slv_wides rest = {none + flat[0], none + flat[1], none + flat[2], none + flat[3]};
    const slv_wides displacement = {none + (now[0] - at[0]), none + (now[1] - at[1]),
                                    none + (now[2] - at[2]), none};
    SLV_CLUSTER_LOOP {
        slv_wides away = wide_subtract(there, cluster->start[h]);
        slv_wides away_at_rest = wide_subtract(rest, cluster->rest[h]);
        slv_wides closing = wide_subtract(cluster->displacement[h], displacement);
        slv_wide reaches = wide_absolute(cluster->rest[h].w) + wide_absolute(rest.w);
        slv_wide most = reaches + view->slack;
        slv_wide limit = SLV_REST_TOLERANCE * reaches;
        slv_wide distance = wide_dot(away, away);
        slv_wide nearer = wide_dot(closing, closing);
        slv_mask same_body = cluster->start[h].w == there.w;
        slv_mask apart_at_rest = wide_dot(away_at_rest, away_at_rest) > limit * limit;
        slv_mask with_others = (cluster->rest[h].w > 0.0f) & (rest.w > 0.0f);
        slv_mask accepted =
            (distance < most * most) & ((same_body & apart_at_rest) | (~same_body & with_others));
        slv_wide apart = wide_square_root(distance);
        accepted &= apart < SLV_NEIGHBOR_REACH * reaches + wide_square_root(nearer);
        if (!mask_bits(accepted)) {
            continue;
        }
        const int x = slv_bin_coordinate(at[0], view->scale);
        const int y = slv_bin_coordinate(at[1], view->scale);
        const int z = slv_bin_coordinate(at[2], view->scale);
        accepted &= (x - cluster->x[h] <= 1) & (x - cluster->x[h] >= -1);
        accepted &= (y - cluster->y[h] <= 1) & (y - cluster->y[h] >= -1);
        accepted &= (z - cluster->z[h] <= 1) & (z - cluster->z[h] >= -1);
        for (int bits = mask_bits(accepted); bits; bits &= bits - 1) {
            int i = __builtin_ctz((unsigned)bits);
            add_to_list(view, cluster, h * SLV_WIDE + i, 2 * point, rank_cell(x, y, z));
        }
    }
}

// Minimum over lanes of `least` and the squared distances of a point from the points of a cluster that
// it may be a neighbor of. Other pairs become NaN, which is never the minimum.
static inline slv_wide measure_separated(const slv_cluster *cluster, const float *at,
                                         const float *rest, slv_wide least) {
    SLV_CLUSTER_LOOP {
        slv_wide dx = cluster->start[h].x - at[0];
        slv_wide dy = cluster->start[h].y - at[1];
        slv_wide dz = cluster->start[h].z - at[2];
        slv_wide rx = cluster->rest[h].x - rest[0];
        slv_wide ry = cluster->rest[h].y - rest[1];
        slv_wide rz = cluster->rest[h].z - rest[2];
        slv_mask apart_at_rest = rx * rx + ry * ry + rz * rz > cluster->apart[h];
        apart_at_rest |= cluster->start[h].w != at[3];
        slv_wide distance = dx * dx + dy * dy + dz * dz;
        least = wide_min((slv_wide)((slv_mask)distance | ~apart_at_rest), least);
    }
    return least;
}

// Points of a cluster within a box: bit i for the i-th.
static inline unsigned find_within(const slv_bin_view *view, int cluster, slv_box box) {
    unsigned within = 0;
    SLV_CLUSTER_LOOP {
        slv_wides at = load_slice(view->starts, 0, cluster * SLV_CLUSTER + h * SLV_WIDE);
        slv_mask in = (at.x >= box.low[0]) & (at.x <= box.high[0]) & (at.y >= box.low[1]) &
                      (at.y <= box.high[1]) & (at.z >= box.low[2]) & (at.z <= box.high[2]);
        within |= (unsigned)mask_bits(in) << h * SLV_WIDE;
    }
    return within;
}

// Tests the candidates of a cluster. Returns the least gap to a point that may be a neighbor, metres:
// their distance beyond the sum of reaches.
static inline float search_candidates(const slv_bin_view *view, slv_cluster *cluster,
                                      const int *candidates, slv_closing_bound bound) {
    const slv_cluster own = *cluster;
    const float reach = own.rest[0].w[0]; // a cluster belongs to one bin body
    slv_wide least = spread(SLV_FAR);
    for (int n = 1; n <= candidates[0]; n++) {
        const float *at = view->starts + 4 * candidates[n];
        const float *rest = view->rests + 4 * candidates[n];
        const float reaches = slv_sum_reaches(reach, rest[3]);
        // Pairs nearer than this are listed: see slv_search_add.
        const float near = rounding_factor * slv_min(reaches + view->slack,
                                                     SLV_NEIGHBOR_REACH * reaches + bound.closing);
        slv_wide squares = measure_separated(&own, at, rest, spread(SLV_FAR));
        least = wide_min(wide_square_root(squares) - reaches, least);
        if (mask_bits(squares < near * near)) {
            test_candidate(view, cluster, candidates[n]);
        }
    }
    return min_lane(least);
}

// Finds and tests all candidates with a gap of at most `within`, among the clusters near a cluster, and
// keeps them for the next steps. Where there are too many to keep, `within` becomes 0.
static inline float search_clusters(const slv_bin_view *view, slv_cluster *cluster,
                                    slv_near_clusters others, slv_closing_bound bound,
                                    float *within) {
    const slv_cluster own = *cluster;
    const slv_wide far = spread(SLV_FAR);
    const float *clusters = view->clusters->boxes;
    const int number = own.first / SLV_CLUSTER;
    const slv_box box = grow_box(load_box(clusters + SLV_CLUSTER_FLOATS * number + SLV_AT_BOX),
                                 view->reaches + *within);
    int *candidates = view->candidates + (SLV_CANDIDATE_ROOM + 1) * number;
    float least = SLV_FAR;
    bool whole = true;
    candidates[0] = 0;
    for (int n = 0; n < others.count; n++) {
        const int other = others.numbers[n];
        if (!boxes_overlap(box, load_box(clusters + SLV_CLUSTER_FLOATS * other + SLV_AT_BOX))) {
            continue;
        }
        if (candidates[0] > SLV_CANDIDATE_ROOM - SLV_CLUSTER) {
            least = slv_min(least, search_candidates(view, cluster, candidates, bound));
            candidates[0] = 0;
            whole = false;
        }
        for (unsigned bits = find_within(view, other, box); bits; bits &= bits - 1) {
            const int point = other * SLV_CLUSTER + __builtin_ctz(bits);
            const float *at = view->starts + 4 * point;
            const float *rest = view->rests + 4 * point;
            const float most = slv_sum_reaches(own.rest[0].w[0], rest[3]) + *within;
            slv_wide squares = measure_separated(&own, at, rest, far);
            candidates[1 + candidates[0]] = point;
            candidates[0] += mask_bits(squares < most * most) != 0;
        }
    }
    least = slv_min(least, search_candidates(view, cluster, candidates, bound));
    least = slv_min(least, *within);
    *within = whole ? *within : 0.0f;
    return least;
}

static inline void end_cluster(const slv_bin_view *view, const slv_cluster *cluster) {
    for (int i = 0; i < SLV_CLUSTER; i++) {
        const int point = cluster->first + i;
        if (view->offset_of[point] < 0) {
            break; // only the last of a bin body are empty
        }
        if (slv_is_immovable(view->state, view->table, view->bins, point)) {
            view->counts[point] = 0;
        } else {
            slv_end_search(view->state, view->table, view->lists, point, cluster->count[i],
                           cluster->cut[i]);
        }
    }
}

// What a request does with the lists of the cluster from `point` on, where any of them may have entries or a point
// is immovable; NULL: nothing.
typedef void slv_lists_made(const slv_bin_view *view, const slv_body_layout *body, int point);

static void find_neighbors_plainly(const slv_bin_view *view, int point) {
    for (int i = 0; i < SLV_CLUSTER; i++) {
        if (view->offset_of[point + i] >= 0) {
            slv_search_neighbors(view->state, view->table, view->bins, view->lists, point + i);
        }
    }
    view->margins[point / SLV_CLUSTER * 2] = 0.0f;
    view->margins[point / SLV_CLUSTER * 2 + 1] = 0.0f;
}

// Makes the lists of a cluster. Returns false where all are empty and none of its points is in another list.
//
// A search finds the least gap to a point that may be a neighbor. While the points cannot have moved that far
// (the first of the margins), the lists are empty without a search. The second margin is the distance
// up to which candidates are complete; while it suffices, only candidates are tested. Points of
// clusters that are not listed as near are at least `cover` away.
static inline bool find_neighbors_of_cluster(const slv_bin_view *view, int point) {
    const int number = point / SLV_CLUSTER;
    int room[SLV_NEAR_LIMIT];
    if (view->clusters->rebuilt) {
        list_near_clusters(view->clusters, number);
    }
    if (is_immovable(view->clusters, number)) {
        find_neighbors_plainly(view, point);
        return true;
    }
    const slv_near_clusters others = find_near_clusters(view->clusters, number, room);
    const slv_closing_bound bound = bound_closing(view->clusters, number, others);
    const float slack = slv_min(view->slack, list_reach * view->reaches + bound.closing);
    const float need = slack + need_rounding * (view->reaches + slack);
    const float moved = slv_min(bound.moved, view->moved) + rounding_fraction * view->reaches;
    const float most = view->cover - view->reaches;
    float *margins = &view->margins[2 * number];
    for (int n = 0; n < 2; n++) {
        margins[n] = slv_min(margins[n] - moved, most);
    }
    if (margins[0] > need) {
        memset(view->counts + point, 0, SLV_CLUSTER * sizeof *view->counts);
        return false;
    }
    slv_cluster cluster;
    uint64_t ranks[SLV_CLUSTER][SLV_LIST_LIMIT];
    cluster.ranks = ranks;
    cluster.first = point;
    cluster.begun = false;
    SLV_CLUSTER_LOOP {
        cluster.start[h] = load_slice(view->starts, 0, point + h * SLV_WIDE);
        cluster.rest[h] = load_slice(view->rests, 0, point + h * SLV_WIDE);
        slv_wide reach = wide_absolute(cluster.rest[h].w);
        slv_wide apart = SLV_REST_TOLERANCE * (reach + reach);
        cluster.apart[h] = apart * apart;
    }
    if (margins[1] > need) {
        const int *candidates = view->candidates + (SLV_CANDIDATE_ROOM + 1) * number;
        margins[0] = slv_min(search_candidates(view, &cluster, candidates, bound), margins[1]);
    } else {
        const float skin =
            slv_clamp(skin_steps * moved, least_skin * view->reaches, most_skin * view->reaches);
        margins[1] = slv_min(need + skin, most);
        margins[0] = search_clusters(view, &cluster, others, bound, &margins[1]);
    }
    if (cluster.begun) {
        end_cluster(view, &cluster);
    } else {
        memset(view->counts + point, 0, SLV_CLUSTER * sizeof *view->counts);
    }
    return cluster.begun;
}

enum { SLV_SEARCHES_AHEAD = 2 }; // clusters by which prefetching is ahead

// Prefetches what a search reads of a cluster.
static inline void prefetch_cluster(const slv_bin_view *view, int point) {
    const int number = point / SLV_CLUSTER;
    const float *cluster = view->clusters->boxes + SLV_CLUSTER_FLOATS * number;
    const int *list = view->clusters->near + (SLV_NEAR_ROOM + 1) * number;
    for (int i = 0; i < SLV_CLUSTER; i += 4) { // a line of the cache has four points
        __builtin_prefetch(view->starts + 4 * (point + i));
        __builtin_prefetch(view->rests + 4 * (point + i));
    }
    __builtin_prefetch(cluster);
    __builtin_prefetch(cluster + SLV_CLUSTER_FLOATS / 2);
    __builtin_prefetch(list, 1);
    __builtin_prefetch(view->counts + point, 1);
}

static inline void find_neighbors_of_block(const slv_bin_view *view, const slv_body_layout *body,
                                           int block, int end, slv_lists_made *made) {
    for (int point = block * SLV_BLOCK; point < (block + 1) * SLV_BLOCK; point += SLV_CLUSTER) {
        if (point + SLV_SEARCHES_AHEAD * SLV_CLUSTER < end * SLV_BLOCK) {
            prefetch_cluster(view, point + SLV_SEARCHES_AHEAD * SLV_CLUSTER);
        }
        bool any = true;
        if (view->clusters->sorts) {
            find_neighbors_plainly(view, point);
        } else {
            any = find_neighbors_of_cluster(view, point);
        }
        if (any && made) {
            made(view, body, point);
        }
    }
}

// The lists of request launch->index, of blocks first … end - 1.
static inline void find_lists(slv_cpu_clusters *clusters, float *state, int *table,
                              const slv_body_layout *body, const slv_launch *launch, int first,
                              int end, slv_lists_made *made) {
    slv_bin_view view = view_lists(clusters, state, table, body->search, launch->index);
    view.overlap_step = launch->overlap_step;
    const bool again = (launch->flags & SLV_ONLY_WOKEN) != 0;
    for (int block = first; block < end; block++) {
        if (again && !slv_is_block_searched(state, table, body, launch, block)) {
            continue;
        }
        for (int n = 0; again && n < 2 * SLV_BLOCK / SLV_CLUSTER; n++) {
            view.margins[block * (2 * SLV_BLOCK / SLV_CLUSTER) + n] = 0.0f;
        }
        find_neighbors_of_block(&view, body, block, again ? block + 1 : end, made);
    }
}

static inline int wide_neighbor_find(slv_cpu_clusters *clusters, float *state, int *table,
                                     const slv_body_layout *body, const slv_launch *launch,
                                     int first, int end) {
    find_lists(clusters, state, table, body, launch, first, end, NULL);
    return end;
}
#define SLV_FORM_neighbor_find SLV_CLUSTER_FORM(neighbor_find)
