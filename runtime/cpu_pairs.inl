// SPDX-License-Identifier: MIT
// Particles against particles, several at a time; the same bits as the plain kernels, which a test
// compares. Points that follow each other lie near each other: SLV_WIDE of them are searched for
// together, in the cells around them all. Nearly all they meet is their own cloth, and what is left goes
// the plain way. Pushes look first whether any of several pairs could touch at all.

// --- Finding --------------------------------------------------------------------------------------------

enum {
    SLV_SEARCH_ROWS = 48,  // a search in more rows of cells goes the plain way,
    SLV_SEARCH_WORK = 1024 // or with more candidates
};
#define SLV_CLUSTER_LOOP for (int h = 0; h < SLV_CLUSTER / SLV_WIDE; h++)

// Points around a cluster: the rank of each, and the row of cells it was looked for in.
typedef struct slv_candidates {
    int count;
    int rank[SLV_SEARCH_WORK];
    int row_count;
    struct {
        int end, y, z; // end: candidates of this and earlier rows
    } rows[SLV_SEARCH_ROWS];
} slv_candidates;

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
    int cells, mark_count;
    int *counts, *lists;
    const int *firsts, *marks, *ids, *place_of;
    const float *sorted, *starts, *rests, *now;
    float *left; // metres, of a cluster: see search_cluster
    float slack, scale, radii, moved;
    float near;  // metres: the square root of reach
    float cover; // metres: nearer strangers than this are all in the cells around
    float reach; // of any two; its square
} slv_bin_view;

// NOLINTNEXTLINE(readability-non-const-parameter): searches write through the view
static inline slv_bin_view view_bins(float *state, int *table, int bins) {
    const float *scale = state + table[bins + SLV_BINS_SCALE];
    float reach = 2.0f * scale[SLV_SCALE_RADIUS] + scale[SLV_SCALE_SLACK];
    slv_bin_view view = {
        .state = state,
        .table = table,
        .bins = bins,
        .room = table[bins + SLV_BINS_ROOM],
        .cells = table[bins + SLV_BINS_CELLS],
        .mark_count = table[bins + SLV_BINS_MARK_COUNT],
        .counts = table + table[bins + SLV_BINS_COUNTS],
        .lists = table + table[bins + SLV_BINS_LISTS],
        .firsts = table + table[bins + SLV_BINS_FIRSTS],
        .marks = table + table[bins + SLV_BINS_MARKS],
        .ids = table + table[bins + SLV_BINS_IDS],
        .place_of = table + table[bins + SLV_BINS_PLACE_OF],
        .sorted = state + table[bins + SLV_BINS_SORTED],
        .starts = state + table[bins + SLV_BINS_STARTS],
        .rests = state + table[bins + SLV_BINS_RESTS],
        .now = state + table[bins + SLV_BINS_NOW],
        .left = state + table[bins + SLV_BINS_LEFT],
        .slack = scale[SLV_SCALE_SLACK],
        .radii = 2.0f * scale[SLV_SCALE_RADIUS],
        .moved = 1.0001f * scale[SLV_SCALE_MOVED] + 1e-6f * scale[SLV_SCALE_RADIUS],
        .scale = scale[SLV_SCALE_RECIPROCAL],
        .near = 1.0001f * reach,
        .cover = 0.995f / scale[SLV_SCALE_RECIPROCAL],
        .reach = reach * reach,
    };
    return view;
}

// Where the points of a cluster are, and what is near enough to them to matter; and the cells these
// are in, with one more on either side.
typedef struct slv_cluster_box {
    slv_quad low, high;
    int first[3], last[3];
} slv_cluster_box;

static inline slv_cluster_box bound_cluster(const slv_bin_view *view, const slv_cluster *cluster,
                                            float cover) {
    slv_wides low = cluster->start[0];
    slv_wides high = cluster->start[0];
    SLV_CLUSTER_LOOP {
        low.x = wide_smaller(low.x, cluster->start[h].x);
        low.y = wide_smaller(low.y, cluster->start[h].y);
        low.z = wide_smaller(low.z, cluster->start[h].z);
        high.x = wide_larger(high.x, cluster->start[h].x);
        high.y = wide_larger(high.y, cluster->start[h].y);
        high.z = wide_larger(high.z, cluster->start[h].z);
    }
    slv_cluster_box box = {
        .low = {least_of(low.x), least_of(low.y), least_of(low.z), 0.0f},
        .high = {most_of(high.x), most_of(high.y), most_of(high.z), 0.0f},
    };
    for (int d = 0; d < 3; d++) {
        box.first[d] = slv_bin_coordinate(box.low[d], view->scale) - 1;
        box.last[d] = slv_bin_coordinate(box.high[d], view->scale) + 1;
    }
    box.low -= cover;
    box.high += cover;
    return box;
}

// Takes those of ranks first … end - 1 that are within the box.
static inline void take_ranks(const slv_bin_view *view, const slv_cluster_box *box,
                              slv_candidates *candidates, int first, int end) {
    int count = candidates->count;
    for (int rank = first; rank < end; rank++) {
        candidates->rank[count] = rank;
        count += is_within(load_quad(view->sorted + 4 * rank), box->low, box->high);
    }
    candidates->count = count;
}

// Whether cells low … high of a row may have points.
static inline bool is_marked(const slv_bin_view *view, int row, int low, int high) {
    int marked = view->marks[slv_bin_mark(row, low, view->mark_count)] |
                 view->marks[slv_bin_mark(row, high, view->mark_count)];
    return marked != 0 || high - low > 1 << SLV_STRETCH_SHIFT;
}

// All in the cells around a cluster, row by row. False where there are too many rows or points.
static inline bool find_candidates(const slv_bin_view *view, const slv_cluster *cluster,
                                   float cover, slv_candidates *candidates) {
    const slv_cluster_box box = bound_cluster(view, cluster, cover);
    const int *low = box.first;
    const int *high = box.last;
    const int length = high[0] - low[0] + 1;
    if (length > SLV_SEARCH_ROWS || high[1] - low[1] >= SLV_SEARCH_ROWS ||
        high[2] - low[2] >= SLV_SEARCH_ROWS ||
        (high[1] - low[1] + 1) * (high[2] - low[2] + 1) > SLV_SEARCH_ROWS) {
        return false;
    }
    candidates->count = 0;
    candidates->row_count = 0;
    int work = 0;
    for (int z = low[2]; z <= high[2]; z++) {
        for (int y = low[1]; y <= high[1]; y++) {
            int row = slv_bin_row(y, z);
            if (!is_marked(view, row, low[0], high[0])) {
                continue;
            }
            slv_run_of_cells run = slv_find_run(view->firsts, 0, view->cells, row, low[0], length);
            work += run.end[0] - run.first[0] + run.end[1] - run.first[1];
            if (work >= SLV_SEARCH_WORK) {
                return false;
            }
            take_ranks(view, &box, candidates, run.first[0], run.end[0]);
            take_ranks(view, &box, candidates, run.first[1], run.end[1]);
            candidates->rows[candidates->row_count].end = candidates->count;
            candidates->rows[candidates->row_count].y = y;
            candidates->rows[candidates->row_count].z = z;
            candidates->row_count++;
        }
    }
    return true;
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

static inline void add_to_list(const slv_bin_view *view, slv_cluster *cluster, int i, int entry) {
    int point = cluster->first + i;
    int count = cluster->count[i];
    if (count == view->room) {
        cluster->cut[i] = 1;
        return;
    }
    view->lists[(point / SLV_LANES * view->room + count) * SLV_LANES + point % SLV_LANES] = entry;
    cluster->count[i] = count + 1;
}

// As slv_search_add, for a cluster and the point of a rank in the row of cells (y, z).
static void meet_cluster(const slv_bin_view *view, slv_cluster *cluster, int rank, int y, int z) {
    const float *at = view->sorted + 4 * rank;
    const int point = view->ids[rank];
    const float *flat = view->rests + 4 * point;
    const int x = slv_bin_coordinate(at[0], view->scale);
    if (slv_bin_coordinate(at[1], view->scale) != y ||
        slv_bin_coordinate(at[2], view->scale) != z) {
        return;
    }
    if (!cluster->begun) {
        begin_cluster(view, cluster);
    }
    const slv_wide none = spread(0.0f);
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
        if (!mask_bits(wanted)) {
            continue;
        }
        wanted &= (x - cluster->x[h] <= 1) & (x - cluster->x[h] >= -1);
        wanted &= (y - cluster->y[h] <= 1) & (y - cluster->y[h] >= -1);
        wanted &= (z - cluster->z[h] <= 1) & (z - cluster->z[h] >= -1);
        slv_wide apart = wide_square_root(distance);
        wanted &= apart < 1.1f * radii + wide_square_root(nearer);
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

// Returns the square of the least distance of a stranger that was looked at. First all are measured, and
// those within reach noted without a branch; then these are dealt with.
static inline float search_cluster(const slv_bin_view *view, const slv_candidates *candidates,
                                   slv_cluster *cluster) {
    const slv_cluster own = *cluster;
    const slv_wide far = spread(SLV_FAR);
    slv_wide least = far;
    int met[SLV_SEARCH_WORK];
    int count = 0;
    for (int n = 0; n < candidates->count; n++) {
        int rank = candidates->rank[n];
        slv_wide near = measure_strangers(&own, view->sorted + 4 * rank,
                                          view->rests + 4 * view->ids[rank], far);
        least = wide_smaller(near, least);
        met[count] = n;
        count += mask_bits(near < view->reach) != 0;
    }
    for (int n = 0, row = 0; n < count; n++) {
        while (candidates->rows[row].end <= met[n]) {
            row++;
        }
        meet_cluster(view, cluster, candidates->rank[met[n]], candidates->rows[row].y,
                     candidates->rows[row].z);
    }
    return least_of(least);
}

static inline void end_cluster(const slv_bin_view *view, const slv_cluster *cluster) {
    for (int i = 0; i < SLV_CLUSTER; i++) {
        const int point = cluster->first + i;
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

// Whether all points of a cluster are held still.
static inline bool is_held(const slv_bin_view *view, int point) {
    bool held = true;
    for (int i = 0; i < SLV_CLUSTER && held; i++) {
        held = !(view->now[4 * (point + i) + 3] > 0.0f);
    }
    return held;
}

// A search finds how near the next stranger is, so it is known how far all may move before it could
// matter. While it can not, there is no need to look; what is skipped is empty, not forgotten. Points that
// are not looked at are a cell away at least.
static inline void find_pairs_of_cluster(const slv_bin_view *view, const slv_part *part,
                                         int point) {
    float *left = &view->left[point / SLV_CLUSTER];
    if (is_held(view, point)) {
        for (int i = 0; i < SLV_CLUSTER; i++) {
            slv_pair_find(view->state, view->table, part, point + i);
        }
        *left = 0.0f;
        return;
    }
    *left -= view->moved;
    if (*left > view->slack) {
        memset(view->counts + point, 0, SLV_CLUSTER * sizeof *view->counts);
        return;
    }
    slv_cluster cluster;
    slv_candidates candidates;
    cluster.first = point;
    cluster.begun = false;
    SLV_CLUSTER_LOOP {
        cluster.start[h] = load_slice(view->starts, 0, point + h * SLV_WIDE);
        cluster.rest[h] = load_slice(view->rests, 0, point + h * SLV_WIDE);
        slv_wide apart = 1.001f * (cluster.start[h].w + cluster.start[h].w);
        cluster.apart[h] = apart * apart;
    }
    // Whoever had neighbours will have some again: further than these there is no need to look.
    const bool busy = has_neighbours_around(view->counts + point);
    const float cover = busy ? view->near : view->cover;
    const bool whole = view->place_of[point + SLV_CLUSTER - 1] >= 0;
    if (!whole || !find_candidates(view, &cluster, cover, &candidates)) {
        for (int i = 0; i < SLV_CLUSTER; i++) {
            slv_pair_find(view->state, view->table, part, point + i);
        }
        *left = 0.0f;
        return;
    }
    float nearest = sqrtf(search_cluster(view, &candidates, &cluster));
    *left = slv_smaller(nearest, cover) - view->radii;
    if (cluster.begun) {
        end_cluster(view, &cluster);
    } else {
        memset(view->counts + point, 0, SLV_CLUSTER * sizeof *view->counts);
    }
}

static inline int wide_pair_find(float *state, int *table, const slv_part *part,
                                 const slv_launch *launch, int first, int end) {
    (void)launch;
    const slv_bin_view view = view_bins(state, table, slv_bins_of(table, part));
    for (int point = first * SLV_BLOCK; point < end * SLV_BLOCK; point += SLV_CLUSTER) {
        find_pairs_of_cluster(&view, part, point);
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
    const float *now, *goals, *starts, *floats;
    const int *counts, *lists, *home_of;
    int room;
    bool kinetic; // differs from friction somewhere
    float touch;
} slv_pair_view;

static inline slv_pair_view view_pairs(const float *state, const int *table, int bins) {
    slv_pair_view view = {
        .now = state + table[bins + SLV_BINS_NOW],
        .goals = state + table[bins + SLV_BINS_GOALS],
        .starts = state + table[bins + SLV_BINS_STARTS],
        .floats = state + table[bins + SLV_BINS_HOME_FLOATS],
        .counts = table + table[bins + SLV_BINS_COUNTS],
        .lists = table + table[bins + SLV_BINS_LISTS],
        .home_of = table + table[bins + SLV_BINS_HOME_OF],
        .room = table[bins + SLV_BINS_ROOM],
        .kinetic = table[bins + SLV_BINS_KINETIC] != 0,
        .touch = slv_pair_touch(state, table, bins),
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
static inline slv_wides wide_pair_gap(const slv_mates *own, const slv_mates *other,
                                      slv_wides before, slv_wide radii, slv_mask earlier) {
    slv_wides now = wide_minus(own->q, other->q);
    slv_wides way = wide_minus(wide_minus(own->y, other->y), before);
    slv_wide a = wide_dot(way, way);
    slv_wide b = wide_dot(before, way);
    slv_wide c = wide_dot(before, before) - radii * radii;
    slv_wide root = b * b - a * c;
    slv_mask fast = (a > 0.25f * radii * radii) & (c > 0.0f) & (b < 0.0f) & (root > 0.0f);
    if (!mask_bits(fast)) {
        return wide_ball_gap(now, earlier);
    }
    slv_wide share =
        (0.0f - b - wide_square_root(keep_where(fast, root))) / choose_wide(fast, a, spread(1.0f));
    slv_mask swept = fast & (share < 1.0f);
    slv_wides gap =
        wide_ball_gap(choose_wides(swept, wide_along(before, share, way), now), earlier);
    gap.w = choose_wide(swept, wide_dot(now, gap), gap.w);
    return gap;
}

// As slv_pair_want for those that are asked; the last of the sum counts those who touch.
static inline slv_wides push_mates(const slv_mates *own, const slv_mates *other, slv_mask asked,
                                   slv_mask earlier, slv_wides sum) {
    const slv_wide none = spread(0.0f);
    slv_wides before = wide_minus(own->start, other->start);
    slv_wide apart = wide_square_root(wide_dot(before, before));
    slv_wide radii = own->start.w + other->start.w;
    radii = choose_wide(apart < radii, apart + 0.1f * (radii - apart), radii);
    slv_wides gap = wide_pair_gap(own, other, before, radii, earlier);
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
    const int *list = view->lists + point / SLV_LANES * SLV_LANES * view->room + point % SLV_LANES;
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
        memcpy(&entries, list + SLV_LANES * n, sizeof entries);
        slv_mask places = (entries >> 1) * 4;
        memcpy(place, &places, sizeof place);
        slv_wides other = load_particles(view->now, place);
        slv_wides apart = wide_minus(own.q, other);
        slv_wide distance = wide_dot(apart, apart);
        slv_mask near = distance < view->touch;
        slv_mask asked = (((entries & 1) != 0) | near) & moves & (counts > n);
        if (mask_bits(asked)) {
            slv_mates others = load_mates(view, place, other);
            slv_mask earlier = asked & (distance <= 0.0f); // the very same place
            if (mask_bits(earlier)) {
                earlier = find_earlier(view, point, place);
            }
            sum = push_mates(&own, &others, asked, earlier, sum);
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

// --- The rest of their kind -----------------------------------------------------------------------------

#define SLV_PLAINLY(name)                                                                          \
    static inline int wide_##name(float *state, int *table, const slv_part *part,                  \
                                  const slv_launch *launch, int first, int end) {                  \
        (void)state;                                                                               \
        (void)table;                                                                               \
        (void)part;                                                                                \
        (void)launch;                                                                              \
        (void)end;                                                                                 \
        return first;                                                                              \
    }
// NOLINTBEGIN(readability-non-const-parameter): as the others have it
SLV_PLAINLY(collider_move)
SLV_PLAINLY(bin_tally)
SLV_PLAINLY(bin_deal)
SLV_PLAINLY(tear_slice)
SLV_PLAINLY(tear_batch)
// NOLINTEND(readability-non-const-parameter)
#undef SLV_PLAINLY
