// SPDX-License-Identifier: MIT
// Particles that push each other, several at a time; the same bits as kernels/pairs.h, which a test compares.
// First it is asked whether any of several pairs touch at all.

// Whether any of SLV_WIDE points has neighbors.
static inline bool has_neighbors(const int *counts) {
    slv_mask all;
    memcpy(&all, counts, sizeof all);
    return mask_bits(all != 0) != 0;
}

static inline int wide_pair_fetch(float *state, const int *table, const slv_body_layout *body,
                                  const slv_launch *launch, int first, int end) {
    (void)launch;
    const int bins = slv_bins_of(table, body);
    const int *counts = table + table[bins + SLV_BINS_COUNTS];
    const int *place_of = table + table[bins + SLV_BINS_PLACE_OF];
    float *now = state + table[bins + SLV_BINS_NOW];
    for (int block = first; block < end; block++) {
        int home = table[table[bins + SLV_BINS_BODY_OF] + block];
        const int *at = table + table[bins + SLV_BINS_BODIES] + home * SLV_BIN_BODY_INTS;
        const int step = at[SLV_BIN_BODY_COMPONENT];
        for (int point = block * SLV_BLOCK; point < (block + 1) * SLV_BLOCK; point += SLV_WIDE) {
            if (!has_neighbors(counts + point)) {
                continue;
            }
            for (int i = point; i < point + SLV_WIDE; i++) {
                if (counts[i] != 0) {
                    const float *q = state + at[SLV_BIN_BODY_Q] + place_of[i];
                    now[4 * i] = q[0];
                    now[4 * i + 1] = q[step];
                    now[4 * i + 2] = q[2 * step];
                }
            }
        }
    }
    return end;
}
#define SLV_FORM_pair_fetch SLV_FORM(pair_fetch)

// What pushes need of the tables, found once for many.
typedef struct slv_pair_view {
    const float *now, *goals, *starts, *floats, *gaps;
    const int *counts, *lists, *bin_body_of;
    int room;
    bool kinetic;    // differs from friction somewhere
    slv_vector fall; // what gravity adds to a step's way
} slv_pair_view;

static inline slv_pair_view view_pairs(const float *state, const int *table, int bins,
                                       const slv_launch *launch) {
    slv_pair_view view = {
        .now = state + table[bins + SLV_BINS_NOW],
        .goals = state + table[bins + SLV_BINS_GOALS],
        .starts = state + table[bins + SLV_BINS_STARTS],
        .floats = state + table[bins + SLV_BINS_BODY_FLOATS],
        .gaps = state + table[bins + SLV_BINS_GAPS],
        .counts = table + table[bins + SLV_BINS_COUNTS],
        .lists = table + table[bins + SLV_BINS_LISTS],
        .bin_body_of = table + table[bins + SLV_BINS_BODY_OF],
        .room = table[bins + SLV_BINS_ROOM],
        .kinetic = table[bins + SLV_BINS_KINETIC] != 0,
        .fall = slv_make_vector(launch->drift[0], launch->drift[1], launch->drift[2]),
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
            int home = view->bin_body_of[place[i] / (4 * SLV_BLOCK)];
            mates.kinetic[i] = view->floats[home * SLV_BIN_BODY_FLOATS + SLV_BIN_BODY_KINETIC];
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

// As slv_slide.
static inline slv_wides wide_slide(slv_wides way, slv_wides out) {
    return wide_along(way, 0.0f - wide_dot(way, out), out);
}

// As slv_pair_weight.
static inline slv_wide wide_pair_weight(slv_wide friction, slv_wide fall, slv_wide aim) {
    slv_wide weight = choose_wide(fall < 0.0f, 0.0f - fall, fall);
    slv_wide still = friction * weight;
    return keep_where(aim <= still * still, weight);
}

// As slv_pair_want for those that are asked; the last of the sum counts those who touch.
static inline slv_wides push_mates(const slv_mates *own, const slv_mates *other, slv_wide radii,
                                   slv_mask asked, slv_mask passing, slv_mask earlier,
                                   slv_vector fall, slv_wides sum) {
    const slv_wide none = spread(0.0f);
    slv_wides gap = wide_pair_gap(own, other, radii, asked & passing, earlier);
    slv_wide depth = radii - gap.w;
    slv_mask touches = asked & (depth > 0.0f);
    slv_wides others = wide_minus(other->q, other->start);
    slv_wides slide = wide_slide(wide_minus(wide_minus(own->q, own->start), others), gap);
    slv_wides aim = wide_slide(wide_minus(wide_minus(own->y, own->start), others), gap);
    slv_wide length = wide_square_root(wide_dot(slide, slide));
    slv_wide held =
        own->kinetic * other->kinetic * depth / choose_wide(length > 0.0f, length, none + 1.0f);
    held = choose_wide(held < 1.0f, held, none + 1.0f);
    slv_wide friction = own->friction * other->friction;
    slv_wide fallen = fall.x * gap.x + fall.y * gap.y + fall.z * gap.z;
    slv_wide weight = wide_pair_weight(friction, fallen, wide_dot(aim, aim));
    slv_wide load = choose_wide(weight > depth, weight, depth);
    held = choose_wide(length <= friction * load, none + 1.0f, held);
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
        earlier[i] = -slv_is_earlier(view->bin_body_of[own / SLV_BLOCK], own,
                                     view->bin_body_of[other / SLV_BLOCK], other);
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
            sum = push_mates(&own, &others, radii, asked, passing, earlier, view->fall, sum);
        }
    }
    return sum;
}

static inline int wide_pair_push(float *state, const int *table, const slv_body_layout *body,
                                 const slv_launch *launch, int first, int end) {
    const int bins = slv_bins_of(table, body);
    const slv_pair_view view = view_pairs(state, table, bins, launch);
    for (int point = first * SLV_BLOCK; point < end * SLV_BLOCK; point += SLV_WIDE) {
        if (has_neighbors(view.counts + point)) {
            move_cluster(state, table, bins, point, sum_pushes(&view, point));
        }
    }
    return end;
}
#define SLV_FORM_pair_push SLV_FORM(pair_push)

static inline int wide_pair_rest_damping(float *state, const int *table,
                                         const slv_body_layout *body, const slv_launch *launch,
                                         int first, int end) {
    (void)launch;
    const int *counts = table + table[slv_bins_of(table, body) + SLV_BINS_COUNTS];
    for (int point = first * SLV_BLOCK; point < end * SLV_BLOCK; point += SLV_WIDE) {
        for (int i = 0; i < SLV_WIDE && has_neighbors(counts + point); i++) {
            slv_pair_rest_damp(state, table, body, point + i);
        }
    }
    return end;
}
#define SLV_FORM_pair_rest_damping SLV_FORM(pair_rest_damping)
