// SPDX-License-Identifier: MIT
// Neighbor lists, several points at a time; the same lists as the plain kernels', which a test
// compares. The points of a cluster are searched for together, among the clusters near it
// (cpu_clusters.inl). Nearly all points that they find are of their own cloth, near them at rest. The
// others are candidates, which are kept for some steps and tested exactly.

// Candidates are kept within a skin beyond what a step needs: the motion of so many steps, within bounds in sums
// of two radii. Wider skins test more points in a step, narrower ones search more often.
static const float skin_steps = 6.0f, least_skin = 0.2f, most_skin = 0.5f;
static const float cover_share = 0.995f; // of the reach of clusters' lists: allows for rounding

#define SLV_CLUSTER_LOOP for (int h = 0; h < SLV_CLUSTER / SLV_WIDE; h++)

// A cluster whose neighbors are searched for.
typedef struct slv_cluster {
    slv_wides start[SLV_CLUSTER / SLV_WIDE], rest[SLV_CLUSTER / SLV_WIDE];
    slv_wide apart[SLV_CLUSTER /
                   SLV_WIDE]; // squared distance at rest beyond which points of one body collide

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
    int bins, room;
    int *counts, *lists;
    float *gaps;
    const int *place_of;
    const float *starts, *rests, *now;
    float *margins;  // metres, two a cluster: see find_pairs_of_cluster
    int *candidates; // of clusters: number of candidate points, then the points
    float slack, scale, radii, moved;
    float cover; // metres: clusters' lists are complete up to this distance
    slv_cpu_clusters *clusters;
} slv_bin_view;

// NOLINTNEXTLINE(readability-non-const-parameter): searches write through the view
static inline slv_bin_view view_bins(slv_cpu_clusters *clusters, float *state, int *table,
                                     int bins) {
    const float *scale = state + table[bins + SLV_BINS_SCALE];
    slv_bin_view view = {
        .state = state,
        .table = table,
        .bins = bins,
        .room = table[bins + SLV_BINS_ROOM],
        .counts = table + table[bins + SLV_BINS_COUNTS],
        .lists = table + table[bins + SLV_BINS_LISTS],
        .gaps = state + table[bins + SLV_BINS_GAPS],
        .place_of = table + table[bins + SLV_BINS_PLACE_OF],
        .starts = state + table[bins + SLV_BINS_STARTS],
        .rests = state + table[bins + SLV_BINS_RESTS],
        .now = state + table[bins + SLV_BINS_NOW],
        .margins = clusters->margins,
        .candidates = clusters->candidates,
        .slack = scale[SLV_SCALE_SLACK],
        .radii = 2.0f * scale[SLV_SCALE_RADIUS],
        .moved = 1.0001f * scale[SLV_SCALE_MOVED],
        .scale = scale[SLV_SCALE_RECIPROCAL],
        .cover = cover_share * (clusters->span - clusters->moved),
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

// Rank of a cell in the order in which slv_pair_find visits cells: z before y before x.
static inline uint64_t rank_cell(int x, int y, int z) {
    const int half = 1 << 19;
    return (uint64_t)(z + half) << 40 | (uint64_t)(y + half) << 20 | (uint64_t)(x + half);
}

// Inserts an entry. Candidates come in any order; lists have that of the plain search, by cell and then
// by number, and are truncated at the same entry.
static inline void add_to_list(const slv_bin_view *view, slv_cluster *cluster, int i, int entry,
                               uint64_t rank) {
    int *list = view->lists + slv_find_entry(view->table, view->bins, cluster->first + i);
    uint64_t *ranks = cluster->ranks[i];
    int place = cluster->count[i];
    if (place == view->room) {
        cluster->cut[i] = 1;
        place--;
        if (rank != ranks[place] ? rank > ranks[place] : entry > list[SLV_LANES * place]) {
            return;
        }
    } else {
        cluster->count[i]++;
    }
    for (; place > 0 && rank <= ranks[place - 1]; place--) {
        const int last = list[SLV_LANES * (place - 1)];
        if (rank == ranks[place - 1] && entry > last) {
            break;
        }
        list[SLV_LANES * place] = last;
        ranks[place] = ranks[place - 1];
    }
    list[SLV_LANES * place] = entry;
    ranks[place] = rank;
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
        slv_wide radii = cluster->start[h].w + there.w;
        slv_wide reach = radii + view->slack;
        slv_wide limit = SLV_REST_TOLERANCE * radii;
        slv_wide distance = wide_dot(away, away);
        slv_wide nearer = wide_dot(closing, closing);
        slv_mask same_body = cluster->rest[h].w == rest.w;
        slv_mask apart_at_rest = wide_dot(away_at_rest, away_at_rest) > limit * limit;
        slv_mask both_collide = (cluster->rest[h].w > 0.0f) & (rest.w > 0.0f);
        slv_mask accepted = (distance < reach * reach) &
                            ((same_body & apart_at_rest) | (~same_body & both_collide));
        slv_wide apart = wide_square_root(distance);
        accepted &= apart < SLV_NEIGHBOR_REACH * radii + wide_square_root(nearer);
        if (!mask_bits(accepted)) {
            continue;
        }
        const int x = slv_bin_coordinate(at[0], view->scale);
        const int y = slv_bin_coordinate(at[1], view->scale);
        const int z = slv_bin_coordinate(at[2], view->scale);
        accepted &= (x - cluster->x[h] <= 1) & (x - cluster->x[h] >= -1);
        accepted &= (y - cluster->y[h] <= 1) & (y - cluster->y[h] >= -1);
        accepted &= (z - cluster->z[h] <= 1) & (z - cluster->z[h] >= -1);
        slv_wide fast = SLV_FAST_SQUARE * radii * radii;
        slv_mask passing = (apart > radii) &
                           ((nearer > fast) | (wide_dot(displacement, displacement) > fast) |
                            (wide_dot(cluster->displacement[h], cluster->displacement[h]) > fast));
        const int passes = mask_bits(passing);
        for (int bits = mask_bits(accepted); bits; bits &= bits - 1) {
            int i = __builtin_ctz((unsigned)bits);
            add_to_list(view, cluster, h * SLV_WIDE + i, 2 * point + (passes >> i & 1),
                        rank_cell(x, y, z));
        }
    }
}

// Minimum over lanes of `least` and the squared distances of a point from the points of a cluster that
// it may collide with. Pairs that may not collide become NaN, which is never the minimum.
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
        apart_at_rest |= cluster->rest[h].w != rest[3];
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

// Tests the candidates of a cluster. Returns the least gap to a point that it may collide with, metres.
static inline float search_candidates(const slv_bin_view *view, slv_cluster *cluster,
                                      const int *candidates, slv_closing_bound bound) {
    const slv_cluster own = *cluster;
    const float radius = own.start[0].w[0]; // a cluster belongs to one bin body
    slv_wide least = spread(SLV_FAR);
    for (int n = 1; n <= candidates[0]; n++) {
        const float *at = view->starts + 4 * candidates[n];
        const float radii = radius + at[3];
        // Pairs nearer than this are listed: see slv_search_add.
        const float near =
            1.0001f * slv_min(radii + view->slack, SLV_NEIGHBOR_REACH * radii + bound.closing);
        slv_wide squares =
            measure_separated(&own, at, view->rests + 4 * candidates[n], spread(SLV_FAR));
        least = wide_min(wide_square_root(squares) - radii, least);
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
                                 view->radii + *within);
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
            const float reach = own.start[0].w[0] + at[3] + *within;
            slv_wide squares = measure_separated(&own, at, view->rests + 4 * point, far);
            candidates[1 + candidates[0]] = point;
            candidates[0] += mask_bits(squares < reach * reach) != 0;
        }
    }
    least = slv_min(least, search_candidates(view, cluster, candidates, bound));
    least = slv_min(least, *within);
    *within = whole ? *within : 0.0f;
    return least;
}

// As slv_pair_distance, for all entries of the lists of a cluster.
static inline void measure_gaps(const slv_bin_view *view, const slv_cluster *cluster) {
    SLV_CLUSTER_LOOP {
        const int point = cluster->first + h * SLV_WIDE;
        const int first = slv_find_entry(view->table, view->bins, point);
        slv_mask counts;
        memcpy(&counts, cluster->count + h * SLV_WIDE, sizeof counts);
        for (int n = 0; mask_bits(counts > n); n++) {
            slv_mask entries;
            memcpy(&entries, view->lists + first + SLV_LANES * n, sizeof entries);
            slv_mask places = (entries >> 1) * 4;
            int place[SLV_WIDE];
            memcpy(place, &places, sizeof place);
            slv_wides other = load_particles(view->starts, place);
            slv_wides away = wide_subtract(other, cluster->start[h]);
            slv_wide apart = wide_square_root(wide_dot(away, away));
            slv_wide radii = cluster->start[h].w + other.w;
            store_wide(
                view->gaps + first + SLV_LANES * n,
                select_wide(apart < radii, apart + SLV_OVERLAP_STEP * (radii - apart), radii));
        }
    }
}

static inline void end_cluster(const slv_bin_view *view, const slv_cluster *cluster) {
    for (int i = 0; i < SLV_CLUSTER; i++) {
        const int point = cluster->first + i;
        if (view->place_of[point] < 0) {
            break; // only the last of a bin body are empty
        }
        if (slv_is_immovable(view->state, view->table, view->bins, point)) {
            view->counts[point] = 0;
            slv_store_predicted(view->state, view->table, view->bins, point);
        } else {
            slv_end_search(view->state, view->table, view->bins, point, cluster->count[i],
                           cluster->cut[i]);
        }
    }
}

static void find_pairs_plainly(const slv_bin_view *view, const slv_body_layout *body, int point) {
    for (int i = 0; i < SLV_CLUSTER; i++) {
        slv_pair_find(view->state, view->table, body, point + i);
    }
    view->margins[point / SLV_CLUSTER * 2] = 0.0f;
    view->margins[point / SLV_CLUSTER * 2 + 1] = 0.0f;
}

// A search finds the least gap to a point that may collide. While the points cannot have moved that far
// (the first of the margins), the lists are empty without a search. The second margin is the distance
// up to which candidates are complete; while it suffices, only candidates are tested. Points of
// clusters that are not listed as near are at least `cover` away.
static inline void find_pairs_of_cluster(const slv_bin_view *view, const slv_body_layout *body,
                                         int point) {
    const int number = point / SLV_CLUSTER;
    int room[SLV_NEAR_LIMIT];
    if (view->clusters->rebuilt) {
        list_near_clusters(view->clusters, number);
    }
    if (is_immovable(view->clusters, number)) {
        find_pairs_plainly(view, body, point);
        return;
    }
    const slv_near_clusters others = find_near_clusters(view->clusters, number, room);
    const slv_closing_bound bound = bound_closing(view->clusters, number, others);
    const float slack = slv_min(view->slack, 0.1f * view->radii + bound.closing);
    const float need = slack + 0.0002f * (view->radii + slack);
    const float moved = slv_min(bound.moved, view->moved) + 1e-6f * view->radii;
    const float most = view->cover - view->radii;
    float *margins = &view->margins[2 * number];
    for (int n = 0; n < 2; n++) {
        margins[n] = slv_min(margins[n] - moved, most);
    }
    if (margins[0] > need) {
        memset(view->counts + point, 0, SLV_CLUSTER * sizeof *view->counts);
        return;
    }
    slv_cluster cluster;
    uint64_t ranks[SLV_CLUSTER][SLV_LIST_LIMIT];
    cluster.ranks = ranks;
    cluster.first = point;
    cluster.begun = false;
    SLV_CLUSTER_LOOP {
        cluster.start[h] = load_slice(view->starts, 0, point + h * SLV_WIDE);
        cluster.rest[h] = load_slice(view->rests, 0, point + h * SLV_WIDE);
        slv_wide apart = SLV_REST_TOLERANCE * (cluster.start[h].w + cluster.start[h].w);
        cluster.apart[h] = apart * apart;
    }
    if (margins[1] > need) {
        const int *candidates = view->candidates + (SLV_CANDIDATE_ROOM + 1) * number;
        margins[0] = slv_min(search_candidates(view, &cluster, candidates, bound), margins[1]);
    } else {
        const float skin =
            slv_clamp(skin_steps * moved, least_skin * view->radii, most_skin * view->radii);
        margins[1] = slv_min(need + skin, most);
        margins[0] = search_clusters(view, &cluster, others, bound, &margins[1]);
    }
    if (cluster.begun) {
        measure_gaps(view, &cluster);
        end_cluster(view, &cluster);
    } else {
        memset(view->counts + point, 0, SLV_CLUSTER * sizeof *view->counts);
    }
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

static inline int wide_pair_find(slv_cpu_clusters *clusters, float *state, int *table,
                                 const slv_body_layout *body, const slv_launch *launch, int first,
                                 int end) {
    (void)launch;
    const slv_bin_view view = view_bins(clusters, state, table, slv_bins_of(table, body));
    const bool sorted = clusters->sorts;
    for (int point = first * SLV_BLOCK; point < end * SLV_BLOCK; point += SLV_CLUSTER) {
        if (point + SLV_SEARCHES_AHEAD * SLV_CLUSTER < end * SLV_BLOCK) {
            prefetch_cluster(&view, point + SLV_SEARCHES_AHEAD * SLV_CLUSTER);
        }
        if (sorted) {
            find_pairs_plainly(&view, body, point);
        } else {
            find_pairs_of_cluster(&view, body, point);
        }
    }
    return end;
}
#define SLV_FORM_pair_find SLV_CLUSTER_FORM(pair_find)

// As slv_find_pairs_of_woken.
static inline int wide_sleep_find_pairs(slv_cpu_clusters *clusters, float *state, int *table,
                                        const slv_body_layout *body, const slv_launch *launch,
                                        int first, int end) {
    const int bins = slv_bins_of(table, body);
    for (int block = first; block < end; block++) {
        const int bin_body = table[table[bins + SLV_BINS_BODY_OF] + block];
        if (state[slv_sleep_state_at(body, bin_body) + SLV_SLEEP_WOKEN] > 0.0f) {
            float *margins = clusters->margins;
            for (int n = 0; n < 2 * SLV_BLOCK / SLV_CLUSTER; n++) {
                margins[block * (2 * SLV_BLOCK / SLV_CLUSTER) + n] = 0.0f;
            }
            (void)wide_pair_find(clusters, state, table, body, launch, block, block + 1);
        }
    }
    return end;
}
#define SLV_FORM_sleep_find_pairs SLV_CLUSTER_FORM(sleep_find_pairs)
