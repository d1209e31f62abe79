// SPDX-License-Identifier: MIT
// Shape matching (kernels/match.h) of several small clusters, or of several members of a large one, at a time: the same
// mathematics (kernels/match_math.h) on vectors.
#define SLV_MATCH_NUMBER slv_wide
#define SLV_MATCH_BITS slv_mask
#define SLV_MATCH(name) wide_match_##name
#define SLV_MATCH_SPREAD(x) spread(x)
#define SLV_MATCH_ROOT(x) wide_square_root(x)
#define SLV_MATCH_PICK_BITS(condition, a, b) (((a) & (condition)) | ((b) & ~(condition)))
#define SLV_MATCH_PICK(condition, a, b)                                                            \
    ((slv_wide)SLV_MATCH_PICK_BITS(condition, (slv_mask)(a), (slv_mask)(b)))
#define SLV_MATCH_AS_BITS(x) ((slv_mask)(x))
#define SLV_MATCH_AS_NUMBER(bits) ((slv_wide)(bits))
#define SLV_MATCH_CONVERT(bits) __builtin_convertvector(bits, slv_wide)
#include "kernels/match_math.h"

// As slv_match_particle and slv_match_record.
typedef struct wide_match_particle {
    wide_match_vector q, u, start, start_remainder;
} wide_match_particle;

typedef struct wide_match_record {
    wide_match_particle origin;
    wide_match_vector center;
    wide_match_matrix goals;
    wide_match_vector linear, turn;
} wide_match_record;

// What the functions below read.
typedef struct wide_match_view {
    float *state;
    const int *table;
    const slv_body_layout *body;
    float *q, *u;
    const float *start, *remainders;
    float blend;
} wide_match_view;

static inline wide_match_view wide_match_look(float *state, const int *table,
                                              const slv_body_layout *body,
                                              const slv_launch *launch) {
    return (wide_match_view){.state = state,
                             .table = table,
                             .body = body,
                             .q = state + slv_match_positions(body, launch),
                             .u = state + body->u,
                             .start = state + slv_step_start(body, launch),
                             .remainders = state + body->remainders,
                             .blend = launch->relaxation};
}

static inline wide_match_vector wide_match_of(slv_wides p) {
    return (wide_match_vector){p.x, p.y, p.z};
}

// Members in lanes from `lane` on of a row.
static inline const int *wide_match_offsets(const wide_match_view *view, int row, int lane) {
    return view->table + view->body->match_members + row * SLV_LANES + lane;
}

// Where they are; of their start only where it is asked for.
static inline wide_match_particle wide_match_find(const wide_match_view *view, const int *offsets,
                                                  bool with_start) {
    wide_match_particle particle;
    particle.q = wide_match_of(load_particles(view->q, offsets));
    particle.u = wide_match_of(load_particles(view->u, offsets));
    if (with_start) {
        const wide_match_vector words = wide_match_of(load_particles(view->remainders, offsets));
        particle.start = wide_match_of(load_particles(view->start, offsets));
        particle.start_remainder =
            (wide_match_vector){wide_match_get_remainder(words.x, particle.start.x),
                                wide_match_get_remainder(words.y, particle.start.y),
                                wide_match_get_remainder(words.z, particle.start.z)};
    } else {
        particle.start = particle.start_remainder = particle.u;
    }
    return particle;
}

static inline wide_match_vector wide_match_away(wide_match_particle a, wide_match_particle b) {
    return wide_match_add(wide_match_subtract(a.q, b.q), wide_match_subtract(a.u, b.u));
}

static inline wide_match_vector wide_match_start_away(wide_match_particle a,
                                                      wide_match_particle b) {
    return wide_match_add(wide_match_subtract(a.start, b.start),
                          wide_match_subtract(a.start_remainder, b.start_remainder));
}

// Three values of each lane that lie SLV_LANES apart.
static inline wide_match_vector wide_match_load(const float *from) {
    return (wide_match_vector){load_wide(from), load_wide(from + SLV_LANES),
                               load_wide(from + 2 * SLV_LANES)};
}

static inline void wide_match_store(float *to, wide_match_vector v) {
    store_wide(to, v.x);
    store_wide(to + SLV_LANES, v.y);
    store_wide(to + 2 * SLV_LANES, v.z);
}

static inline wide_match_matrix wide_match_measure(const wide_match_view *view, int first, int end,
                                                   int lane, wide_match_record *record) {
    const wide_match_vector zero = {spread(0.0f), spread(0.0f), spread(0.0f)};
    wide_match_matrix a = {zero, zero, zero};
    record->center = zero;
    for (int n = first; n < end; n++) {
        const float *rest = view->state + slv_match_rest(view->body, n, lane);
        const wide_match_particle particle =
            wide_match_find(view, wide_match_offsets(view, n, lane), false);
        const wide_match_vector heavy = wide_match_scale(load_wide(rest + 3 * SLV_LANES),
                                                         wide_match_away(particle, record->origin));
        record->center = wide_match_add(record->center, heavy);
        a = wide_match_add_product(a, heavy, wide_match_load(rest));
    }
    return a;
}

static inline wide_match_vector wide_match_correct(const wide_match_view *view,
                                                   const wide_match_record *record,
                                                   const float *rest, wide_match_vector p) {
    const wide_match_vector goal = wide_match_transform(record->goals, wide_match_load(rest));
    return wide_match_scale(spread(view->blend), wide_match_subtract(goal, p));
}

static inline wide_match_momentum wide_match_weigh(const wide_match_view *view, int first, int end,
                                                   int lane, const wide_match_record *record) {
    const wide_match_vector zero = {spread(0.0f), spread(0.0f), spread(0.0f)};
    wide_match_momentum sum = {zero, zero, zero, {zero, zero, zero}};
    for (int n = first; n < end; n++) {
        const float *rest = view->state + slv_match_rest(view->body, n, lane);
        const wide_match_particle particle =
            wide_match_find(view, wide_match_offsets(view, n, lane), true);
        const wide_match_vector p =
            wide_match_subtract(wide_match_away(particle, record->origin), record->center);
        sum = wide_match_add_momentum(sum, load_wide(rest + 3 * SLV_LANES), p,
                                      wide_match_start_away(particle, record->origin),
                                      wide_match_correct(view, record, rest, p));
    }
    return sum;
}

// q + u as slv_add_exactly does it; the sum replaces q, its rounded error u.
static inline void wide_match_add_exactly(slv_wide *q, slv_wide *u) {
    const slv_wide sum = *q + *u;
    *u = wide_match_round(*u - (sum - *q), sum);
    *q = sum;
}

static inline void wide_match_put(const wide_match_view *view, const int *offsets,
                                  const int *outputs, const wide_match_particle *particle,
                                  wide_match_vector correction) {
    slv_wides q = {particle->q.x, particle->q.y, particle->q.z, spread(0.0f)};
    slv_wides u = {particle->u.x + correction.x, particle->u.y + correction.y,
                   particle->u.z + correction.z, spread(0.0f)};
    wide_match_add_exactly(&q.x, &u.x);
    wide_match_add_exactly(&q.y, &u.y);
    wide_match_add_exactly(&q.z, &u.z);
    bool all = true;
    for (int i = 0; i < SLV_WIDE; i++) {
        all = all && outputs[i] == SLV_MATCH_MOVES;
    }
    if (all) {
        store_particles(view->q, offsets, q);
        store_particles(view->u, offsets, u);
        return;
    }
    for (int i = 0; i < SLV_WIDE; i++) {
        if (outputs[i] == SLV_MATCH_MOVES) {
            store_quad(view->q + offsets[i], (slv_quad){q.x[i], q.y[i], q.z[i], 0.0f});
            store_quad(view->u + offsets[i], (slv_quad){u.x[i], u.y[i], u.z[i], 0.0f});
        } else if (outputs[i] >= 0) {
            store_quad(view->state + view->body->match_corrections + outputs[i],
                       (slv_quad){correction.x[i], correction.y[i], correction.z[i], 0.0f});
        }
    }
}

static inline void wide_match_move(const wide_match_view *view, int first, int end, int lane,
                                   const wide_match_record *record) {
    for (int n = first; n < end; n++) {
        const int *offsets = wide_match_offsets(view, n, lane);
        const float *rest = view->state + slv_match_rest(view->body, n, lane);
        const wide_match_particle particle = wide_match_find(view, offsets, false);
        const wide_match_vector p =
            wide_match_subtract(wide_match_away(particle, record->origin), record->center);
        const wide_match_vector correction = wide_match_settle(
            wide_match_correct(view, record, rest, p), record->linear, record->turn, p);
        wide_match_put(view, offsets,
                       view->table + view->body->match_outputs + n * SLV_LANES + lane, &particle,
                       correction);
    }
}

// --- Small clusters ---------------------------------------------------------------------------------

static inline wide_match_matrix wide_match_find_goals(const wide_match_view *view,
                                                      const float *shape, wide_match_quaternion q,
                                                      wide_match_matrix a) {
    const wide_match_matrix rotation = wide_match_get_rotation(q);
    if (!(view->body->match_linear > 0.0f)) {
        return rotation;
    }
    return wide_match_deform(rotation, a, wide_match_load(shape),
                             wide_match_load(shape + 3 * SLV_LANES),
                             load_wide(shape + 6 * SLV_LANES), view->body->match_linear);
}

static inline void wide_match_project_row(const wide_match_view *view, int row, int lane) {
    const slv_body_layout *body = view->body;
    const int first = view->table[body->match_rows + 2 * row];
    const int end = first + view->table[body->match_rows + 2 * row + 1];
    const int cluster = row * SLV_LANES + lane;
    float *rotation = view->state + slv_match_row_value(body->match_rotations, 4, cluster, 0);
    const float *shape =
        view->state + slv_match_row_value(body->match_shapes, SLV_MATCH_SHAPE_FLOATS, cluster, 0);
    const slv_wide inverse_weight = load_wide(shape + 7 * SLV_LANES);
    wide_match_record record;
    record.origin = wide_match_find(view, wide_match_offsets(view, first, lane), true);
    const wide_match_matrix a = wide_match_measure(view, first, end, lane, &record);
    record.center = wide_match_scale(inverse_weight, record.center);
    const wide_match_quaternion before = {load_wide(rotation), load_wide(rotation + SLV_LANES),
                                          load_wide(rotation + 2 * SLV_LANES),
                                          load_wide(rotation + 3 * SLV_LANES)};
    const wide_match_quaternion q = wide_match_follow(before, a);
    wide_match_store(rotation, (wide_match_vector){q.x, q.y, q.z});
    store_wide(rotation + 3 * SLV_LANES, q.w);
    record.goals = wide_match_find_goals(view, shape, q, a);
    const wide_match_momentum sum = wide_match_weigh(view, first, end, lane, &record);
    record.linear = wide_match_scale(inverse_weight, sum.linear);
    record.turn = wide_match_find_turn(sum, record.linear);
    wide_match_move(view, first, end, lane, &record);
}

static inline int wide_match_project(float *state, const int *table, const slv_body_layout *body,
                                     const slv_launch *launch, int first, int end) {
    const wide_match_view view = wide_match_look(state, table, body, launch);
    for (int row = first; row < end; row++) {
        for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
            wide_match_project_row(&view, row, lane);
        }
    }
    return end;
}
#define SLV_FORM_match_project SLV_FORM(match_project)

// --- Large clusters ---------------------------------------------------------------------------------

static inline wide_match_vector wide_match_spread(slv_match_vector v) {
    return (wide_match_vector){spread(v.x), spread(v.y), spread(v.z)};
}

static inline wide_match_particle wide_match_spread_particle(slv_match_particle p) {
    return (wide_match_particle){wide_match_spread(p.q), wide_match_spread(p.u),
                                 wide_match_spread(p.start), wide_match_spread(p.start_remainder)};
}

static inline wide_match_record wide_match_spread_record(const slv_match_record *record) {
    return (wide_match_record){.origin = wide_match_spread_particle(record->origin),
                               .center = wide_match_spread(record->center),
                               .goals = {wide_match_spread(record->goals.x),
                                         wide_match_spread(record->goals.y),
                                         wide_match_spread(record->goals.z)},
                               .linear = wide_match_spread(record->linear),
                               .turn = wide_match_spread(record->turn)};
}

static inline int wide_match_sum(float *state, const int *table, const slv_body_layout *body,
                                 const slv_launch *launch, int first, int end) {
    const wide_match_view view = wide_match_look(state, table, body, launch);
    for (int chunk = first; chunk < end; chunk++) {
        const int large = table[body->match_chunks + chunk];
        const int row = slv_match_first_row(body, chunk);
        wide_match_record record;
        record.origin =
            wide_match_spread_particle(slv_match_find_origin(state, table, body, launch, large));
        for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
            const wide_match_matrix a =
                wide_match_measure(&view, row, row + SLV_MATCH_CHUNK_ROWS, lane, &record);
            float *sums = state + slv_match_sums_of(body, chunk) + lane;
            wide_match_store(sums, record.center);
            wide_match_store(sums + 3 * SLV_LANES, a.x);
            wide_match_store(sums + 6 * SLV_LANES, a.y);
            wide_match_store(sums + 9 * SLV_LANES, a.z);
        }
    }
    return end;
}
#define SLV_FORM_match_sum SLV_FORM(match_sum)

static inline int wide_match_pull(float *state, const int *table, const slv_body_layout *body,
                                  const slv_launch *launch, int first, int end) {
    const wide_match_view view = wide_match_look(state, table, body, launch);
    for (int chunk = first; chunk < end; chunk++) {
        const slv_match_record own =
            slv_match_load_record(state, body, table[body->match_chunks + chunk]);
        const wide_match_record record = wide_match_spread_record(&own);
        const int row = slv_match_first_row(body, chunk);
        for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
            const wide_match_momentum sum =
                wide_match_weigh(&view, row, row + SLV_MATCH_CHUNK_ROWS, lane, &record);
            float *sums = state + slv_match_sums_of(body, chunk) + lane;
            wide_match_store(sums, sum.linear);
            wide_match_store(sums + 3 * SLV_LANES, sum.angular);
            wide_match_store(sums + 6 * SLV_LANES, sum.start);
            wide_match_store(sums + 9 * SLV_LANES, sum.levers.x);
            wide_match_store(sums + 12 * SLV_LANES, sum.levers.y);
            wide_match_store(sums + 15 * SLV_LANES, sum.levers.z);
        }
    }
    return end;
}
#define SLV_FORM_match_pull SLV_FORM(match_pull)

static inline int wide_match_finish(float *state, const int *table, const slv_body_layout *body,
                                    const slv_launch *launch, int first, int end) {
    const wide_match_view view = wide_match_look(state, table, body, launch);
    for (int chunk = first; chunk < end; chunk++) {
        const slv_match_record own =
            slv_match_load_record(state, body, table[body->match_chunks + chunk]);
        const wide_match_record record = wide_match_spread_record(&own);
        const int row = slv_match_first_row(body, chunk);
        for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
            wide_match_move(&view, row, row + SLV_MATCH_CHUNK_ROWS, lane, &record);
        }
    }
    return end;
}
#define SLV_FORM_match_finish SLV_FORM(match_finish)
