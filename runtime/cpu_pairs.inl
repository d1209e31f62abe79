// SPDX-License-Identifier: MIT
// Particles against particles, several at a time; the same bits as the plain kernels, which a test
// compares. A cluster's points are searched for together, among those of the clusters near it
// (cpu_clusters.inl). Nearly all they meet is their own cloth, and only what is left is looked at closely.
// Pushes look first whether any of several pairs could touch at all.

// --- Finding --------------------------------------------------------------------------------------------

#define SLV_CLUSTER_LOOP for (int h = 0; h < SLV_CLUSTER / SLV_WIDE; h++)

// A cluster whose points look for neighbours.
typedef struct slv_cluster {
    slv_wides start[SLV_CLUSTER / SLV_WIDE], rest[SLV_CLUSTER / SLV_WIDE];
    slv_wide apart[SLV_CLUSTER / SLV_WIDE]; // at rest, at least, to be strangers; its square

    // Known once something is found.
    slv_wides way[SLV_CLUSTER / SLV_WIDE];
    slv_mask x[SLV_CLUSTER / SLV_WIDE], y[SLV_CLUSTER / SLV_WIDE], z[SLV_CLUSTER / SLV_WIDE];
    int count[SLV_CLUSTER];
    int cut[SLV_CLUSTER];
    bool begun; // they are

    int first; // point
} slv_cluster;

// What searches need of the tables, found once for many.
typedef struct slv_bin_view {
    float *state;
    int *table;
    int bins, room;
    int *counts, *lists;
    float *gaps;
    const int *place_of;
    const float *starts, *rests, *now;
    float *left; // metres, of a cluster: see find_pairs_of_cluster
    float slack, scale, radii, moved;
    float near;  // metres: further away nobody matters in this step
    float cover; // metres: clusters' lists have all that are nearer
    slv_cluster_view clusters;
} slv_bin_view;

// NOLINTNEXTLINE(readability-non-const-parameter): searches write through the view
static inline slv_bin_view view_bins(float *state, int *table, int bins) {
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
        .left = state + table[bins + SLV_BINS_LEFT],
        .slack = scale[SLV_SCALE_SLACK],
        .radii = 2.0f * scale[SLV_SCALE_RADIUS],
        .moved = 1.0001f * scale[SLV_SCALE_MOVED],
        .scale = scale[SLV_SCALE_RECIPROCAL],
        .near = 1.0001f * (2.0f * scale[SLV_SCALE_RADIUS] + scale[SLV_SCALE_SLACK]),
        .cover = 0.995f / scale[SLV_SCALE_RECIPROCAL],
        .clusters = view_clusters(state, table, bins),
    };
    return view;
}

static void begin_cluster(const slv_bin_view *view, slv_cluster *cluster) {
    cluster->begun = true;
    memset(cluster->count, 0, sizeof cluster->count);
    memset(cluster->cut, 0, sizeof cluster->cut);
    SLV_CLUSTER_LOOP {
        slv_wides now = load_slice(view->now, 0, cluster->first + h * SLV_WIDE);
        cluster->way[h] = wide_minus(now, cluster->start[h]);
        cluster->x[h] = wide_coordinate(cluster->start[h].x, view->scale);
        cluster->y[h] = wide_coordinate(cluster->start[h].y, view->scale);
        cluster->z[h] = wide_coordinate(cluster->start[h].z, view->scale);
    }
}

// Where a point stands in the order in which slv_pair_find looks: by cell, z before y before x, and by number.
static inline uint64_t rank_point(const slv_bin_view *view, int point) {
    const float *at = view->starts + 4 * point;
    uint64_t rank = 0;
    for (int d = 2; d >= 0; d--) {
        rank = rank << 20 | (uint64_t)(slv_bin_coordinate(at[d], view->scale) + (1 << 19));
    }
    return rank;
}

static inline bool comes_before(const slv_bin_view *view, int point, int other) {
    const uint64_t rank = rank_point(view, point);
    const uint64_t other_rank = rank_point(view, other);
    return rank != other_rank ? rank < other_rank : point < other;
}

// Candidates come in any order; lists have that of the plain search, and are cut where it would cut them.
static inline void add_to_list(const slv_bin_view *view, slv_cluster *cluster, int i, int entry) {
    const int point = cluster->first + i;
    int *list = view->lists + point / SLV_LANES * SLV_LANES * view->room + point % SLV_LANES;
    int place = cluster->count[i];
    if (place == view->room) {
        cluster->cut[i] = 1;
        if (!comes_before(view, entry >> 1, list[SLV_LANES * (place - 1)] >> 1)) {
            return;
        }
        place--;
    } else {
        cluster->count[i]++;
    }
    for (; place > 0 && comes_before(view, entry >> 1, list[SLV_LANES * (place - 1)] >> 1);
         place--) {
        list[SLV_LANES * place] = list[SLV_LANES * (place - 1)];
    }
    list[SLV_LANES * place] = entry;
}

// As slv_search_add, for a cluster and a point.
static void meet_cluster(const slv_bin_view *view, slv_cluster *cluster, int point) {
    if (!cluster->begun) {
        begin_cluster(view, cluster);
    }
    const slv_wide none = spread(0.0f);
    const float *at = view->starts + 4 * point;
    const float *flat = view->rests + 4 * point;
    const float *now = view->now + 4 * point;
    const slv_wides there = {none + at[0], none + at[1], none + at[2], none + at[3]};
    const slv_wides rest = {none + flat[0], none + flat[1], none + flat[2], none + flat[3]};
    const slv_wides way = {none + (now[0] - at[0]), none + (now[1] - at[1]),
                           none + (now[2] - at[2]), none};
    SLV_CLUSTER_LOOP {
        slv_wides away = wide_minus(there, cluster->start[h]);
        slv_wides away_at_rest = wide_minus(rest, cluster->rest[h]);
        slv_wides closing = wide_minus(cluster->way[h], way);
        slv_wide radii = cluster->start[h].w + there.w;
        slv_wide reach = radii + view->slack;
        slv_wide limit = 1.001f * radii;
        slv_wide distance = wide_dot(away, away);
        slv_wide nearer = wide_dot(closing, closing);
        slv_mask kin = cluster->rest[h].w == rest.w;
        slv_mask strange = wide_dot(away_at_rest, away_at_rest) > limit * limit;
        slv_mask sociable = (cluster->rest[h].w > 0.0f) & (rest.w > 0.0f);
        slv_mask wanted = (distance < reach * reach) & ((kin & strange) | (~kin & sociable));
        slv_wide apart = wide_square_root(distance);
        wanted &= apart < 1.1f * radii + wide_square_root(nearer);
        if (!mask_bits(wanted)) {
            continue;
        }
        const int x = slv_bin_coordinate(at[0], view->scale);
        const int y = slv_bin_coordinate(at[1], view->scale);
        const int z = slv_bin_coordinate(at[2], view->scale);
        wanted &= (x - cluster->x[h] <= 1) & (x - cluster->x[h] >= -1);
        wanted &= (y - cluster->y[h] <= 1) & (y - cluster->y[h] >= -1);
        wanted &= (z - cluster->z[h] <= 1) & (z - cluster->z[h] >= -1);
        slv_wide fast = 0.16f * radii * radii;
        slv_mask passing = (apart > radii) & ((nearer > fast) | (wide_dot(way, way) > fast) |
                                              (wide_dot(cluster->way[h], cluster->way[h]) > fast));
        const int passes = mask_bits(passing);
        for (int bits = mask_bits(wanted); bits; bits &= bits - 1) {
            int i = __builtin_ctz((unsigned)bits);
            add_to_list(view, cluster, h * SLV_WIDE + i, 2 * point + (passes >> i & 1));
        }
    }
}

// Squares of the distances of a point from those of a cluster to whom it is a stranger: the least of each
// lane, `least` included. Who is no stranger counts as no number, and that is never the least.
static inline slv_wide measure_strangers(const slv_cluster *cluster, const float *at,
                                         const float *rest, slv_wide least) {
    SLV_CLUSTER_LOOP {
        slv_wide dx = cluster->start[h].x - at[0];
        slv_wide dy = cluster->start[h].y - at[1];
        slv_wide dz = cluster->start[h].z - at[2];
        slv_wide rx = cluster->rest[h].x - rest[0];
        slv_wide ry = cluster->rest[h].y - rest[1];
        slv_wide rz = cluster->rest[h].z - rest[2];
        slv_mask strange = rx * rx + ry * ry + rz * rz > cluster->apart[h];
        strange |= cluster->rest[h].w != rest[3];
        slv_wide distance = dx * dx + dy * dy + dz * dz;
        least = wide_smaller((slv_wide)((slv_mask)distance | ~strange), least);
    }
    return least;
}

// Points of a cluster that are within a box: bit i for the i-th.
static inline unsigned find_within(const slv_bin_view *view, int cluster, slv_reach box) {
    unsigned within = 0;
    SLV_CLUSTER_LOOP {
        slv_wides at = load_slice(view->starts, 0, cluster * SLV_CLUSTER + h * SLV_WIDE);
        slv_mask in = (at.x >= box.low[0]) & (at.x <= box.high[0]) & (at.y >= box.low[1]) &
                      (at.y <= box.high[1]) & (at.z >= box.low[2]) & (at.z <= box.high[2]);
        within |= (unsigned)mask_bits(in) << h * SLV_WIDE;
    }
    return within;
}

// Looks at all points within `cover` of a cluster among clusters near it. Returns the square of the least
// distance of a stranger. First those of a cluster are measured, and who is within `near` is noted without a
// branch; then these are dealt with.
static inline float search_clusters(const slv_bin_view *view, slv_cluster *cluster,
                                    slv_near_clusters others, float near, float cover) {
    const slv_cluster own = *cluster;
    const slv_wide far = spread(SLV_FAR);
    const float *clusters = view->clusters.clusters;
    const slv_reach box = grow_reach(
        load_reach(clusters + SLV_CLUSTER_FLOATS * (own.first / SLV_CLUSTER) + SLV_AT_BOX), cover);
    slv_wide least = far;
    for (int n = 0; n < others.count; n++) {
        const int other = others.numbers[n];
        if (!boxes_meet(box, load_reach(clusters + SLV_CLUSTER_FLOATS * other + SLV_AT_BOX))) {
            continue;
        }
        unsigned met = 0;
        for (unsigned within = find_within(view, other, box); within; within &= within - 1) {
            const int i = __builtin_ctz(within);
            const int point = other * SLV_CLUSTER + i;
            slv_wide squares =
                measure_strangers(&own, view->starts + 4 * point, view->rests + 4 * point, far);
            least = wide_smaller(squares, least);
            met |= (mask_bits(squares < near * near) != 0 ? 1u : 0u) << i;
        }
        for (; met; met &= met - 1) {
            meet_cluster(view, cluster, other * SLV_CLUSTER + __builtin_ctz(met));
        }
    }
    return least_of(least);
}

// As slv_pair_distance, for all in the lists of a cluster.
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
            slv_wides away = wide_minus(other, cluster->start[h]);
            slv_wide apart = wide_square_root(wide_dot(away, away));
            slv_wide radii = cluster->start[h].w + other.w;
            store_wide(view->gaps + first + SLV_LANES * n,
                       choose_wide(apart < radii, apart + 0.1f * (radii - apart), radii));
        }
    }
}

static inline void end_cluster(const slv_bin_view *view, const slv_cluster *cluster) {
    for (int i = 0; i < SLV_CLUSTER; i++) {
        const int point = cluster->first + i;
        if (view->place_of[point] < 0) {
            break; // only the last of a home are empty
        }
        if (slv_is_held(view->state, view->table, view->bins, point)) {
            view->counts[point] = 0;
            slv_keep_goal(view->state, view->table, view->bins, point);
        } else {
            slv_end_search(view->state, view->table, view->bins, point, cluster->count[i],
                           cluster->cut[i]);
        }
    }
}

static inline bool has_neighbours_around(const int *counts) {
    int any = 0;
    _Pragma("omp simd reduction(| : any)") for (int i = 0; i < SLV_CLUSTER; i++) {
        any |= counts[i];
    }
    return any != 0;
}

static void find_pairs_plainly(const slv_bin_view *view, const slv_part *part, int point) {
    for (int i = 0; i < SLV_CLUSTER; i++) {
        slv_pair_find(view->state, view->table, part, point + i);
    }
    view->left[point / SLV_CLUSTER] = 0.0f;
}

// A search finds how near the next stranger is, so it is known how far all may move before it could
// matter. While it can not, there is no need to look; what is skipped is empty, not forgotten. Points that
// are not looked at are a cell away at least.
static inline void find_pairs_of_cluster(const slv_bin_view *view, const slv_part *part,
                                         int point) {
    const int number = point / SLV_CLUSTER;
    int room[SLV_NEAR_MOST];
    if (view->clusters.scale[SLV_SCALE_ANEW] > 0.0f) {
        list_near_clusters(&view->clusters, number);
    }
    if (is_held(&view->clusters, number)) {
        find_pairs_plainly(view, part, point);
        return;
    }
    const slv_near_clusters others = find_near_clusters(&view->clusters, number, room);
    const slv_haste haste = find_haste(&view->clusters, number, others);
    // Two meet where they are nearer than 1.1 radii and what they come nearer: slv_search_add.
    const float slack = slv_smaller(view->slack, 0.1001f * view->radii + haste.closing);
    const float near = slv_smaller(view->near, 1.0001f * (view->radii + slack));
    float *left = &view->left[number];
    *left -= slv_smaller(haste.moved, view->moved) + 1e-6f * view->radii;
    *left = slv_smaller(*left, view->cover - view->radii);
    if (*left > slack) {
        memset(view->counts + point, 0, SLV_CLUSTER * sizeof *view->counts);
        return;
    }
    slv_cluster cluster;
    cluster.first = point;
    cluster.begun = false;
    SLV_CLUSTER_LOOP {
        cluster.start[h] = load_slice(view->starts, 0, point + h * SLV_WIDE);
        cluster.rest[h] = load_slice(view->rests, 0, point + h * SLV_WIDE);
        slv_wide apart = 1.001f * (cluster.start[h].w + cluster.start[h].w);
        cluster.apart[h] = apart * apart;
    }
    // Whoever had neighbours will have some again: further than these there is no need to look.
    const float cover = has_neighbours_around(view->counts + point) ? near : view->cover;
    float nearest = sqrtf(search_clusters(view, &cluster, others, near, cover));
    *left = slv_smaller(nearest, cover) - view->radii;
    if (cluster.begun) {
        measure_gaps(view, &cluster);
        end_cluster(view, &cluster);
    } else {
        memset(view->counts + point, 0, SLV_CLUSTER * sizeof *view->counts);
    }
}

enum { SLV_SEARCHES_AHEAD = 2 }; // clusters that are asked for before they are needed

// Asks for what a search will read of a cluster.
static inline void expect_cluster(const slv_bin_view *view, int point) {
    const int number = point / SLV_CLUSTER;
    const float *cluster = view->clusters.clusters + SLV_CLUSTER_FLOATS * number;
    const int *list = view->clusters.lists + (SLV_NEAR_ROOM + 1) * number;
    for (int i = 0; i < SLV_CLUSTER; i += 4) { // a line of the cache has four points
        __builtin_prefetch(view->starts + 4 * (point + i));
        __builtin_prefetch(view->rests + 4 * (point + i));
    }
    __builtin_prefetch(cluster);
    __builtin_prefetch(cluster + SLV_CLUSTER_FLOATS / 2);
    __builtin_prefetch(list, 1);
    __builtin_prefetch(view->counts + point, 1);
}

static inline int wide_pair_find(float *state, int *table, const slv_part *part,
                                 const slv_launch *launch, int first, int end) {
    (void)launch;
    const slv_bin_view view = view_bins(state, table, slv_bins_of(table, part));
    const bool sorted = sorts_points(state, table, view.bins);
    for (int point = first * SLV_BLOCK; point < end * SLV_BLOCK; point += SLV_CLUSTER) {
        if (point + SLV_SEARCHES_AHEAD * SLV_CLUSTER < end * SLV_BLOCK) {
            expect_cluster(&view, point + SLV_SEARCHES_AHEAD * SLV_CLUSTER);
        }
        if (sorted) {
            find_pairs_plainly(&view, part, point);
        } else {
            find_pairs_of_cluster(&view, part, point);
        }
    }
    return end;
}

// As slv_find_late.
static inline int wide_sleep_find(float *state, int *table, const slv_part *part,
                                  const slv_launch *launch, int first, int end) {
    const int bins = slv_bins_of(table, part);
    for (int block = first; block < end; block++) {
        const int home = table[table[bins + SLV_BINS_HOME_OF] + block];
        if (state[slv_sleeper(part, home) + SLV_SLEEP_WOKEN] > 0.0f) {
            float *left = state + table[bins + SLV_BINS_LEFT];
            for (int n = 0; n < SLV_BLOCK / SLV_CLUSTER; n++) {
                left[block * (SLV_BLOCK / SLV_CLUSTER) + n] = 0.0f;
            }
            (void)wide_pair_find(state, table, part, launch, block, block + 1);
        }
    }
    return end;
}

// --- Pushing --------------------------------------------------------------------------------------------

// Whether any of SLV_WIDE points has neighbours.
static inline bool has_neighbours(const int *counts) {
    slv_mask all;
    memcpy(&all, counts, sizeof all);
    return mask_bits(all != 0) != 0;
}

static inline int wide_pair_fetch(float *state, const int *table, const slv_part *part,
                                  const slv_launch *launch, int first, int end) {
    (void)launch;
    const int bins = slv_bins_of(table, part);
    const int *counts = table + table[bins + SLV_BINS_COUNTS];
    const int *place_of = table + table[bins + SLV_BINS_PLACE_OF];
    float *now = state + table[bins + SLV_BINS_NOW];
    for (int block = first; block < end; block++) {
        int home = table[table[bins + SLV_BINS_HOME_OF] + block];
        const int *at = table + table[bins + SLV_BINS_HOMES] + home * SLV_HOME_INTS;
        const int step = at[SLV_HOME_COMPONENT];
        for (int point = block * SLV_BLOCK; point < (block + 1) * SLV_BLOCK; point += SLV_WIDE) {
            if (!has_neighbours(counts + point)) {
                continue;
            }
            for (int i = point; i < point + SLV_WIDE; i++) {
                if (counts[i] != 0) {
                    const float *q = state + at[SLV_HOME_Q] + place_of[i];
                    now[4 * i] = q[0];
                    now[4 * i + 1] = q[step];
                    now[4 * i + 2] = q[2 * step];
                }
            }
        }
    }
    return end;
}

// What pushes need of the tables, found once for many.
typedef struct slv_pair_view {
    const float *now, *goals, *starts, *floats, *gaps;
    const int *counts, *lists, *home_of;
    int room;
    bool kinetic; // differs from friction somewhere
} slv_pair_view;

static inline slv_pair_view view_pairs(const float *state, const int *table, int bins) {
    slv_pair_view view = {
        .now = state + table[bins + SLV_BINS_NOW],
        .goals = state + table[bins + SLV_BINS_GOALS],
        .starts = state + table[bins + SLV_BINS_STARTS],
        .floats = state + table[bins + SLV_BINS_HOME_FLOATS],
        .gaps = state + table[bins + SLV_BINS_GAPS],
        .counts = table + table[bins + SLV_BINS_COUNTS],
        .lists = table + table[bins + SLV_BINS_LISTS],
        .home_of = table + table[bins + SLV_BINS_HOME_OF],
        .room = table[bins + SLV_BINS_ROOM],
        .kinetic = table[bins + SLV_BINS_KINETIC] != 0,
    };
    return view;
}

// SLV_WIDE points as pairs see them: slv_mate. The last of q is the inverse mass, of start the radius.
typedef struct slv_mates {
    slv_wides q, y, start;
    slv_wide friction, kinetic;
} slv_mates;

// Those at places `place` (4 a point) of the arrays, but for q.
static inline slv_mates load_mates(const slv_pair_view *view, const int *place, slv_wides q) {
    slv_mates mates;
    mates.q = q;
    mates.y = load_particles(view->goals, place);
    mates.start = load_particles(view->starts, place);
    mates.friction = mates.y.w;
    mates.kinetic = mates.y.w;
    if (view->kinetic) {
        for (int i = 0; i < SLV_WIDE; i++) {
            int home = view->home_of[place[i] / (4 * SLV_BLOCK)];
            mates.kinetic[i] = view->floats[home * SLV_HOME_FLOATS + SLV_HOME_KINETIC];
        }
    }
    return mates;
}

// As slv_ball_gap around a point; who is there goes down where it is the earlier one, else up.
static inline slv_wides wide_ball_gap(slv_wides p, slv_mask earlier) {
    const slv_wide up = choose_wide(earlier, spread(-1.0f), spread(1.0f));
    slv_wide square = wide_dot(p, p);
    slv_wide length = wide_square_root(square);
    slv_mask away = square > 0.0f;
    slv_wide scale = keep_where(away, 1.0f / length);
    slv_wides gap = {scale * p.x, choose_wide(away, scale * p.y, up), scale * p.z, length - 0.0f};
    return gap;
}

// As slv_pair_gap; the last is the distance.
static inline slv_wides wide_pair_gap(const slv_mates *own, const slv_mates *other, slv_wide radii,
                                      slv_mask passing, slv_mask earlier) {
    slv_wides now = wide_minus(own->q, other->q);
    if (!mask_bits(passing)) {
        return wide_ball_gap(now, earlier);
    }
    slv_wides before = wide_minus(own->start, other->start);
    slv_wides way = wide_minus(wide_minus(own->y, other->y), before);
    slv_wide a = wide_dot(way, way);
    slv_wide b = wide_dot(before, way);
    slv_wide c = wide_dot(before, before) - radii * radii;
    slv_wide root = b * b - a * c;
    slv_mask fast = passing & (a > 0.25f * radii * radii) & (c > 0.0f) & (b < 0.0f) & (root > 0.0f);
    slv_wide share =
        (0.0f - b - wide_square_root(keep_where(fast, root))) / choose_wide(fast, a, spread(1.0f));
    slv_mask swept = fast & (share < 1.0f);
    slv_wides gap =
        wide_ball_gap(choose_wides(swept, wide_along(before, share, way), now), earlier);
    gap.w = choose_wide(swept, wide_dot(now, gap), gap.w);
    return gap;
}

// As slv_pair_want for those that are asked; the last of the sum counts those who touch.
static inline slv_wides push_mates(const slv_mates *own, const slv_mates *other, slv_wide radii,
                                   slv_mask asked, slv_mask passing, slv_mask earlier,
                                   slv_wides sum) {
    const slv_wide none = spread(0.0f);
    slv_wides gap = wide_pair_gap(own, other, radii, asked & passing, earlier);
    slv_wide depth = radii - gap.w;
    slv_mask touches = asked & (depth > 0.0f);
    slv_wides slide =
        wide_minus(wide_minus(own->q, own->start), wide_minus(other->q, other->start));
    slide = wide_along(slide, 0.0f - wide_dot(slide, gap), gap);
    slv_wide length = wide_square_root(wide_dot(slide, slide));
    slv_wide held =
        own->kinetic * other->kinetic * depth / choose_wide(length > 0.0f, length, none + 1.0f);
    held = choose_wide(held < 1.0f, held, none + 1.0f);
    held = choose_wide(length <= own->friction * other->friction * depth, none + 1.0f, held);
    slv_wide share = own->q.w / (own->q.w + other->q.w);
    slv_wides wanted = wide_along(sum, share * depth, gap);
    wanted = wide_along(wanted, 0.0f - share * held, slide);
    slv_wides all = choose_wides(touches, wanted, sum);
    all.w = sum.w + keep_where(touches, none + 1.0f);
    return all;
}

static inline void move_cluster(float *state, const int *table, int bins, int point,
                                slv_wides sum) {
    for (int i = 0; i < SLV_WIDE; i++) {
        if (sum.w[i] > 0.0f) {
            slv_vector one = slv_make_vector(sum.x[i], sum.y[i], sum.z[i]);
            slv_pair_move(state, table, bins, point + i, one, (int)sum.w[i]);
        }
    }
}

// As slv_is_earlier, for the points from `point` on and those at `place` (4 a point).
static slv_mask find_earlier(const slv_pair_view *view, int point, const int *place) {
    slv_mask earlier;
    for (int i = 0; i < SLV_WIDE; i++) {
        const int own = point + i;
        const int other = place[i] / 4;
        earlier[i] = -slv_is_earlier(view->home_of[own / SLV_BLOCK], own,
                                     view->home_of[other / SLV_BLOCK], other);
    }
    return earlier;
}

static inline slv_wides sum_pushes(const slv_pair_view *view, int point) {
    const int first = point / SLV_LANES * SLV_LANES * view->room + point % SLV_LANES;
    const slv_wide none = spread(0.0f);
    slv_mask counts;
    memcpy(&counts, view->counts + point, sizeof counts);
    const slv_mask cut = counts < 0;
    counts = (counts & ~cut) | ((-1 - counts) & cut); // as slv_count_listed
    int place[SLV_WIDE];
    find_places(0, point, place);
    const slv_mates own = load_mates(view, place, load_particles(view->now, place));
    const slv_mask moves = own.q.w > 0.0f;
    slv_wides sum = {none, none, none, none};
    for (int n = 0; mask_bits(counts > n); n++) {
        slv_mask entries;
        memcpy(&entries, view->lists + first + SLV_LANES * n, sizeof entries);
        slv_wide radii = load_wide(view->gaps + first + SLV_LANES * n);
        slv_mask places = (entries >> 1) * 4;
        memcpy(place, &places, sizeof place);
        slv_wides other = load_particles(view->now, place);
        slv_wides apart = wide_minus(own.q, other);
        slv_wide distance = wide_dot(apart, apart);
        slv_mask passing = (entries & 1) != 0;
        slv_mask asked = (passing | (distance < radii * radii)) & moves & (counts > n);
        if (mask_bits(asked)) {
            slv_mates others = load_mates(view, place, other);
            slv_mask earlier = asked & (distance <= 0.0f); // the very same place
            if (mask_bits(earlier)) {
                earlier = find_earlier(view, point, place);
            }
            sum = push_mates(&own, &others, radii, asked, passing, earlier, sum);
        }
    }
    return sum;
}

static inline int wide_pair_push(float *state, const int *table, const slv_part *part,
                                 const slv_launch *launch, int first, int end) {
    (void)launch;
    const int bins = slv_bins_of(table, part);
    const slv_pair_view view = view_pairs(state, table, bins);
    for (int point = first * SLV_BLOCK; point < end * SLV_BLOCK; point += SLV_WIDE) {
        if (has_neighbours(view.counts + point)) {
            move_cluster(state, table, bins, point, sum_pushes(&view, point));
        }
    }
    return end;
}

static inline int wide_pair_calm(float *state, const int *table, const slv_part *part,
                                 const slv_launch *launch, int first, int end) {
    (void)launch;
    const int *counts = table + table[slv_bins_of(table, part) + SLV_BINS_COUNTS];
    for (int point = first * SLV_BLOCK; point < end * SLV_BLOCK; point += SLV_WIDE) {
        for (int i = 0; i < SLV_WIDE && has_neighbours(counts + point); i++) {
            slv_pair_calm(state, table, part, point + i);
        }
    }
    return end;
}
