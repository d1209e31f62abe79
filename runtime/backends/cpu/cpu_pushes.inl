// SPDX-License-Identifier: MIT
// Contacts between particles, several at a time; the same bits as kernels/pairs.h, which a test
// compares. A first test skips vectors of pairs of which none touches.

// Whether any of SLV_WIDE points has neighbors.
static inline bool has_neighbors(const int *counts) {
    slv_mask all;
    memcpy(&all, counts, sizeof all);
    return mask_bits(all != 0) != 0;
}

// --- Lists ----------------------------------------------------------------------------------------------

// Lengths of the lists of SLV_WIDE points, as slv_count_listed.
static inline slv_mask load_counts(const int *counts) {
    slv_mask all;
    memcpy(&all, counts, sizeof all);
    const slv_mask cut = all < 0;
    return (all & ~cut) | ((-1 - all) & cut);
}

// As slv_pair_measure, for the lists of SLV_WIDE points.
static inline void measure_lists(const slv_bin_view *view, float *gaps, int point) {
    const slv_mask counts = load_counts(view->counts + point);
    const int first = slv_find_entry(view->table, view->lists, point);
    const slv_wides start = load_slice(view->starts, 0, point);
    const slv_wides displacement = wide_subtract(load_slice(view->now, 0, point), start);
    const slv_wide radius = wide_absolute(load_slice(view->rests, 0, point).w);
    for (int n = 0; mask_bits(counts > n); n++) {
        int *at = view->entries + first + SLV_LANES * n;
        slv_mask entries;
        memcpy(&entries, at, sizeof entries);
        slv_mask other_offsets = (entries >> 1) * 4;
        int offsets[SLV_WIDE];
        memcpy(offsets, &other_offsets, sizeof offsets);
        slv_wides other = load_particles(view->starts, offsets);
        slv_wides others = wide_subtract(load_particles(view->now, offsets), other);
        slv_wides away = wide_subtract(other, start);
        slv_wides closing = wide_subtract(displacement, others);
        slv_wide radii = radius + wide_absolute(load_particles(view->rests, offsets).w);
        slv_wide apart = wide_square_root(wide_dot(away, away));
        slv_wide fast = SLV_FAST_SQUARE * radii * radii;
        slv_mask passing = (apart > radii) & ((wide_dot(closing, closing) > fast) |
                                              (wide_dot(others, others) > fast) |
                                              (wide_dot(displacement, displacement) > fast));
        entries = (entries & ~1) | (passing & 1 & (counts > n));
        memcpy(at, &entries, sizeof entries);
        store_wide(gaps + first + SLV_LANES * n,
                   select_wide(apart < radii, apart + view->overlap_step * (radii - apart), radii));
    }
}

// The rest of slv_pair_find, for the points of a cluster whose lists have been made.
static void measure_cluster(const slv_bin_view *view, const slv_body_layout *body, int point) {
    float *gaps = view->state + view->table[body->contact + SLV_CONTACT_PAIR_GAPS];
    for (int n = 0; n < SLV_CLUSTER; n += SLV_WIDE) {
        measure_lists(view, gaps, point + n);
    }
    for (int i = point; i < point + SLV_CLUSTER && view->offset_of[i] >= 0; i++) {
        if (view->counts[i] != 0 || !(view->now[4 * i + 3] > 0.0f)) {
            slv_store_predicted(view->state, view->table, body, i);
        }
    }
}

static inline int wide_pair_find(slv_cpu_clusters *clusters, float *state, int *table,
                                 const slv_body_layout *body, const slv_launch *launch, int first,
                                 int end) {
    find_lists(clusters, state, table, body, launch, first, end, measure_cluster);
    return end;
}
#define SLV_FORM_pair_find SLV_CLUSTER_FORM(pair_find)

// --- Passes ---------------------------------------------------------------------------------------------

static inline int wide_pair_fetch(float *state, const int *table, const slv_body_layout *body,
                                  const slv_launch *launch, int first, int end) {
    (void)launch;
    const int bins = body->search;
    const int *counts = table + table[slv_pair_lists_of(table, body) + SLV_LISTS_COUNTS];
    const int *offset_of = table + table[bins + SLV_BINS_OFFSET_OF];
    float *now = state + table[bins + SLV_BINS_NOW];
    for (int block = first; block < end; block++) {
        int bin_body = table[table[bins + SLV_BINS_BODY_OF] + block];
        const int *at = table + table[bins + SLV_BINS_BODIES] + bin_body * SLV_BIN_BODY_INTS;
        const int step = at[SLV_BIN_BODY_COMPONENT];
        for (int point = block * SLV_BLOCK; point < (block + 1) * SLV_BLOCK; point += SLV_WIDE) {
            if (!has_neighbors(counts + point)) {
                continue;
            }
            for (int i = point; i < point + SLV_WIDE; i++) {
                if (counts[i] != 0) {
                    const float *q = state + at[SLV_BIN_BODY_Q] + offset_of[i];
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

// Pointers and values that contacts read.
typedef struct slv_pair_view {
    const float *now, *predicted, *starts, *frictions, *gaps;
    const int *counts, *entries, *bin_body_of;
    int capacity;
    bool kinetic;       // some kinetic friction differs from the static one
    slv_vector gravity; // displacement by gravity in a step, metres
} slv_pair_view;

static inline slv_pair_view view_pairs(const float *state, const int *table,
                                       const slv_body_layout *body, const slv_launch *launch) {
    const int bins = body->search;
    const int contact = body->contact;
    const int lists = slv_pair_lists_of(table, body);
    slv_pair_view view = {
        .now = state + table[bins + SLV_BINS_NOW],
        .predicted = state + table[contact + SLV_CONTACT_PREDICTED],
        .starts = state + table[bins + SLV_BINS_STARTS],
        .frictions = state + table[contact + SLV_CONTACT_PAIR_FRICTIONS],
        .gaps = state + table[contact + SLV_CONTACT_PAIR_GAPS],
        .counts = table + table[lists + SLV_LISTS_COUNTS],
        .entries = table + table[lists + SLV_LISTS_ENTRIES],
        .bin_body_of = table + table[bins + SLV_BINS_BODY_OF],
        .capacity = table[lists + SLV_LISTS_CAPACITY],
        .kinetic = table[contact + SLV_CONTACT_HAS_KINETIC] != 0,
        .gravity = slv_make_vector(launch->gravity_step[0], launch->gravity_step[1],
                                   launch->gravity_step[2]),
    };
    return view;
}

// SLV_WIDE points as slv_pair_point. The last of q is the inverse mass.
typedef struct slv_pair_points {
    slv_wides q, y, start;
    slv_wide friction, kinetic;
} slv_pair_points;

// Loads the points at `offsets` (4 a point); q is given.
static inline slv_pair_points load_pair_points(const slv_pair_view *view, const int *offsets,
                                               slv_wides q) {
    slv_pair_points points;
    points.q = q;
    points.y = load_particles(view->predicted, offsets);
    points.start = load_particles(view->starts, offsets);
    points.friction = points.y.w;
    points.kinetic = points.y.w;
    if (view->kinetic) {
        for (int i = 0; i < SLV_WIDE; i++) {
            int bin_body = view->bin_body_of[offsets[i] / (4 * SLV_BLOCK)];
            points.kinetic[i] =
                view->frictions[bin_body * SLV_PAIR_FRICTION_FLOATS + SLV_PAIR_KINETIC_FRICTION];
        }
    }
    return points;
}

// As slv_sphere_gap around a point; at distance 0 the normal leads down for the first point, else up.
static inline slv_wides wide_sphere_gap(slv_wides p, slv_mask earlier) {
    const slv_wide up = select_wide(earlier, spread(-1.0f), spread(1.0f));
    slv_wide square = wide_dot(p, p);
    slv_wide length = wide_square_root(square);
    slv_mask away = square > 0.0f;
    slv_wide scale = select_or_zero(away, 1.0f / length);
    slv_wides gap = {scale * p.x, select_wide(away, scale * p.y, up), scale * p.z, length - 0.0f};
    return gap;
}

// As slv_pair_gap; the last is the distance.
static inline slv_wides wide_pair_gap(const slv_pair_points *own, const slv_pair_points *other,
                                      slv_wide radii, slv_mask passing, slv_mask earlier) {
    slv_wides now = wide_subtract(own->q, other->q);
    if (!mask_bits(passing)) {
        return wide_sphere_gap(now, earlier);
    }
    slv_wides before = wide_subtract(own->start, other->start);
    slv_wides displacement = wide_subtract(wide_subtract(own->y, other->y), before);
    slv_wide a = wide_dot(displacement, displacement);
    slv_wide b = wide_dot(before, displacement);
    slv_wide c = wide_dot(before, before) - radii * radii;
    slv_wide root = b * b - a * c;
    slv_mask fast =
        passing & (a > SLV_SWEEP_SQUARE * radii * radii) & (c > 0.0f) & (b < 0.0f) & (root > 0.0f);
    slv_wide impact_time = (0.0f - b - wide_square_root(select_or_zero(fast, root))) /
                           select_wide(fast, a, spread(1.0f));
    slv_mask swept = fast & (impact_time < 1.0f);
    slv_wides gap = wide_sphere_gap(
        select_wides(swept, wide_add_scaled(before, impact_time, displacement), now), earlier);
    gap.w = select_wide(swept, wide_dot(now, gap), gap.w);
    return gap;
}

// As slv_tangential_part.
static inline slv_wides wide_tangential_part(slv_wides displacement, slv_wides normal) {
    return wide_add_scaled(displacement, 0.0f - wide_dot(displacement, normal), normal);
}

// As slv_gravity_load.
static inline slv_wide wide_gravity_load(slv_wide friction, slv_wide gravity,
                                         slv_wide predicted_tangential) {
    slv_wide weight = select_wide(gravity < 0.0f, 0.0f - gravity, gravity);
    slv_wide still = friction * weight;
    return select_or_zero(predicted_tangential <= still * still, weight);
}

// As slv_add_pair_correction for the pairs of a mask; the last of the sum counts the pairs that touch.
static inline slv_wides add_corrections(const slv_pair_points *own, const slv_pair_points *other,
                                        slv_wide radii, slv_mask tested, slv_mask passing,
                                        slv_mask earlier, slv_vector gravity, slv_wides sum) {
    const slv_wide none = spread(0.0f);
    slv_wides gap = wide_pair_gap(own, other, radii, tested & passing, earlier);
    slv_wide depth = radii - gap.w;
    slv_mask touches = tested & (depth > 0.0f);
    slv_wides others = wide_subtract(other->q, other->start);
    slv_wides tangential =
        wide_tangential_part(wide_subtract(wide_subtract(own->q, own->start), others), gap);
    slv_wides predicted_tangential =
        wide_tangential_part(wide_subtract(wide_subtract(own->y, own->start), others), gap);
    slv_wide length = wide_square_root(wide_dot(tangential, tangential));
    slv_wide fraction =
        own->kinetic * other->kinetic * depth / select_wide(length > 0.0f, length, none + 1.0f);
    fraction = select_wide(fraction < 1.0f, fraction, none + 1.0f);
    slv_wide friction = own->friction * other->friction;
    slv_wide gravity_normal = gravity.x * gap.x + gravity.y * gap.y + gravity.z * gap.z;
    slv_wide weight = wide_gravity_load(friction, gravity_normal,
                                        wide_dot(predicted_tangential, predicted_tangential));
    slv_wide load = select_wide(weight > depth, weight, depth);
    fraction = select_wide(length <= friction * load, none + 1.0f, fraction);
    slv_wide mass_ratio = own->q.w / (own->q.w + other->q.w);
    slv_wides corrected = wide_add_scaled(sum, mass_ratio * depth, gap);
    corrected = wide_add_scaled(corrected, 0.0f - mass_ratio * fraction, tangential);
    slv_wides all = select_wides(touches, corrected, sum);
    all.w = sum.w + select_or_zero(touches, none + 1.0f);
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

// As slv_comes_first, for the points from `point` on and those at `offsets` (4 a point).
static slv_mask find_earlier(const slv_pair_view *view, int point, const int *offsets) {
    slv_mask earlier;
    for (int i = 0; i < SLV_WIDE; i++) {
        const int own = point + i;
        const int other = offsets[i] / 4;
        earlier[i] = -slv_comes_first(view->bin_body_of[own / SLV_BLOCK], own,
                                      view->bin_body_of[other / SLV_BLOCK], other);
    }
    return earlier;
}

static inline slv_wides sum_pushes(const slv_pair_view *view, int point) {
    const int first = point / SLV_LANES * SLV_LANES * view->capacity + point % SLV_LANES;
    const slv_wide none = spread(0.0f);
    const slv_mask counts = load_counts(view->counts + point);
    int offsets[SLV_WIDE];
    find_offsets(0, point, offsets);
    const slv_pair_points own = load_pair_points(view, offsets, load_particles(view->now, offsets));
    const slv_mask moves = own.q.w > 0.0f;
    slv_wides sum = {none, none, none, none};
    for (int n = 0; mask_bits(counts > n); n++) {
        slv_mask entries;
        memcpy(&entries, view->entries + first + SLV_LANES * n, sizeof entries);
        slv_wide radii = load_wide(view->gaps + first + SLV_LANES * n);
        slv_mask other_offsets = (entries >> 1) * 4;
        memcpy(offsets, &other_offsets, sizeof offsets);
        slv_wides other = load_particles(view->now, offsets);
        slv_wides apart = wide_subtract(own.q, other);
        slv_wide distance = wide_dot(apart, apart);
        slv_mask passing = (entries & 1) != 0;
        slv_mask tested = (passing | (distance < radii * radii)) & moves & (counts > n);
        if (mask_bits(tested)) {
            slv_pair_points others = load_pair_points(view, offsets, other);
            slv_mask earlier = tested & (distance <= 0.0f); // exactly the same position
            if (mask_bits(earlier)) {
                earlier = find_earlier(view, point, offsets);
            }
            sum =
                add_corrections(&own, &others, radii, tested, passing, earlier, view->gravity, sum);
        }
    }
    return sum;
}

static inline int wide_pair_push(float *state, const int *table, const slv_body_layout *body,
                                 const slv_launch *launch, int first, int end) {
    const int bins = body->search;
    const slv_pair_view view = view_pairs(state, table, body, launch);
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
    const int *counts = table + table[slv_pair_lists_of(table, body) + SLV_LISTS_COUNTS];
    for (int point = first * SLV_BLOCK; point < end * SLV_BLOCK; point += SLV_WIDE) {
        for (int i = 0; i < SLV_WIDE && has_neighbors(counts + point); i++) {
            slv_pair_rest_damp(state, table, body, point + i);
        }
    }
    return end;
}
#define SLV_FORM_pair_rest_damping SLV_FORM(pair_rest_damping)
