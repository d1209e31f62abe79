// SPDX-License-Identifier: MIT
// Conjugate gradients of implicit Euler (kernels/implicit.h), several particles at a time; the same sums in the same
// order.

// --- Matrix times direction ---------------------------------------------------------------------------

static inline slv_wides multiply_lanes(const float *state, const int *table,
                                       const slv_body_layout *body, int first, int end, int slice,
                                       int lane) {
    const float *directions = state + body->directions;
    const slv_wides own = load_slice(directions, slice, lane);
    slv_wides sum = {spread(0.0f), spread(0.0f), spread(0.0f), spread(0.0f)};
    for (int n = first; n < end; n++) {
        const slv_wides there =
            load_particles(directions, table + body->neighbors + n * SLV_LANES + lane);
        const float *block = state + slv_block_offset(body, n, 0, lane);
        const slv_wide x = own.x - there.x;
        const slv_wide y = own.y - there.y;
        const slv_wide z = own.z - there.z;
        const slv_wide bx = load_wide(block);
        const slv_wide by = load_wide(block + SLV_LANES);
        const slv_wide bz = load_wide(block + 2 * SLV_LANES);
        const slv_wide across = load_wide(block + 3 * SLV_LANES);
        const slv_wide along = bx * x + by * y + bz * z;
        sum.x += across * x + along * bx;
        sum.y += across * y + along * by;
        sum.z += across * z + along * bz;
    }
    const slv_wide inverse_mass = load_wide(state + body->inverse_mass + slice * SLV_LANES + lane);
    const slv_mask moves = inverse_mass > 0.0f;
    const slv_wide mass = select_or_zero(moves, 1.0f / inverse_mass);
    const slv_wides product = {select_or_zero(moves, mass * own.x + sum.x),
                               select_or_zero(moves, mass * own.y + sum.y),
                               select_or_zero(moves, mass * own.z + sum.z), spread(0.0f)};
    return product;
}

static inline int wide_gradients_multiply(float *state, const int *table,
                                          const slv_body_layout *body, const slv_launch *launch,
                                          int first, int end) {
    (void)launch;
    if (slv_gradients_are_done(state, body)) {
        return end;
    }
    for (int slice = first; slice < end; slice++) {
        const int last = body->class_count - 1;
        const int begin = slv_graph_span(table, body, slice, 0).first;
        const int stop = last < 0 ? begin : slv_graph_span(table, body, slice, last).end;
        for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
            store_slice(state + body->products, slice, lane,
                        multiply_lanes(state, table, body, begin, stop, slice, lane));
        }
    }
    return end;
}
#define SLV_FORM_gradients_multiply SLV_FORM(gradients_multiply)

// --- Blocks of slots ----------------------------------------------------------------------------------

enum { SLV_BLOCK_SLICES = SLV_BLOCK / SLV_LANES };

static inline slv_wide dot_lanes(slv_wides a, slv_wides b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Inverse diagonal blocks times these residuals.
static inline slv_wides precondition_lanes(const float *state, const slv_body_layout *body,
                                           int slice, int lane, slv_wides r) {
    int offsets[SLV_WIDE];
    for (int i = 0; i < SLV_WIDE; i++) {
        offsets[i] = 2 * SLV_PARTICLE_FLOATS * (slice * SLV_LANES + lane + i);
    }
    const float *inverses = state + body->block_inverses;
    const slv_wides a = load_particles(inverses, offsets);                       // xx, yy, zz, xy
    const slv_wides b = load_particles(inverses + SLV_PARTICLE_FLOATS, offsets); // yz, zx
    const slv_wides z = {a.x * r.x + a.w * r.y + b.y * r.z, a.w * r.x + a.y * r.y + b.x * r.z,
                         b.y * r.x + b.x * r.y + a.z * r.z, spread(0.0f)};
    return z;
}

static inline void add_to_lanes(float *lanes, int lane, slv_wide values) {
    store_wide(lanes + lane, load_wide(lanes + lane) + values);
}

static inline int wide_gradients_measure(float *state, const int *table,
                                         const slv_body_layout *body, const slv_launch *launch,
                                         int first, int end) {
    (void)table;
    (void)launch;
    for (int block = first; block < end && !slv_gradients_are_done(state, body); block++) {
        float lanes[SLV_LANES] = {0.0f};
        for (int n = 0; n < SLV_BLOCK_SLICES; n++) {
            const int slice = block * SLV_BLOCK_SLICES + n;
            for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
                add_to_lanes(lanes, lane,
                             dot_lanes(load_slice(state + body->directions, slice, lane),
                                       load_slice(state + body->products, slice, lane)));
            }
        }
        state[body->gradients + SLV_GRADIENTS_SUMS + block] = slv_sum_lanes(lanes);
    }
    return end;
}
#define SLV_FORM_gradients_measure SLV_FORM(gradients_measure)

// a + factor b
static inline slv_wides add_scaled_lanes(slv_wides a, float factor, slv_wides b) {
    const slv_wides sum = {a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z,
                           spread(0.0f)};
    return sum;
}

static inline slv_wide advance_lanes(float *state, const slv_body_layout *body, float alpha,
                                     int slice, int lane) {
    const slv_wides direction = load_slice(state + body->directions, slice, lane);
    const slv_wides product = load_slice(state + body->products, slice, lane);
    const slv_wides solution =
        add_scaled_lanes(load_slice(state + body->solution, slice, lane), alpha, direction);
    const slv_wides residual =
        add_scaled_lanes(load_slice(state + body->residuals, slice, lane), 0.0f - alpha, product);
    store_slice(state + body->solution, slice, lane, solution);
    store_slice(state + body->residuals, slice, lane, residual);
    return dot_lanes(residual, precondition_lanes(state, body, slice, lane, residual));
}

static inline int wide_gradients_advance(float *state, const int *table,
                                         const slv_body_layout *body, const slv_launch *launch,
                                         int first, int end) {
    (void)table;
    (void)launch;
    const float alpha = state[body->gradients + SLV_GRADIENTS_ALPHA];
    for (int block = first; block < end && !slv_gradients_are_done(state, body); block++) {
        float lanes[SLV_LANES] = {0.0f};
        for (int n = 0; n < SLV_BLOCK_SLICES; n++) {
            for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
                add_to_lanes(lanes, lane,
                             advance_lanes(state, body, alpha, block * SLV_BLOCK_SLICES + n, lane));
            }
        }
        state[body->gradients + SLV_GRADIENTS_SUMS + block] = slv_sum_lanes(lanes);
    }
    return end;
}
#define SLV_FORM_gradients_advance SLV_FORM(gradients_advance)

static inline int wide_gradients_turn(float *state, const int *table, const slv_body_layout *body,
                                      const slv_launch *launch, int first, int end) {
    (void)table;
    (void)launch;
    const float beta = state[body->gradients + SLV_GRADIENTS_BETA];
    if (slv_gradients_are_done(state, body)) {
        return end;
    }
    for (int slice = first * SLV_BLOCK_SLICES; slice < end * SLV_BLOCK_SLICES; slice++) {
        for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
            const slv_wides residual = load_slice(state + body->residuals, slice, lane);
            const slv_wides z = precondition_lanes(state, body, slice, lane, residual);
            const slv_wides old = load_slice(state + body->directions, slice, lane);
            store_slice(state + body->directions, slice, lane, add_scaled_lanes(z, beta, old));
        }
    }
    return end;
}
#define SLV_FORM_gradients_turn SLV_FORM(gradients_turn)
