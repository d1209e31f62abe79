// SPDX-License-Identifier: MIT
// Strain limits, several particles at a time; the same bits as the plain kernels. On grids few springs
// are too long: squared lengths are compared first, and only tiles with a long spring are summed. The
// second launch visits those tiles only.

// --- Sums -------------------------------------------------------------------------------------------

// Sum of the corrections of SLV_WIDE particles, and the number of their springs that are too long.
typedef struct strain_sum {
    slv_wide x, y, z;
    slv_mask count;
} strain_sum;

static inline strain_sum no_strain(void) {
    strain_sum sum = {spread(0.0f), spread(0.0f), spread(0.0f), (slv_mask)spread(0.0f)};
    return sum;
}

// Adds one spring of each particle. `inverse_mass_sum`: the sum of the inverse masses of its ends.
static inline void add_strain(strain_sum *sum, slv_wides own, slv_wides there, slv_mask counts,
                              slv_wide longest, slv_wide inverse_mass, slv_wide inverse_mass_sum) {
    slv_wide dx = own.x - there.x;
    slv_wide dy = own.y - there.y;
    slv_wide dz = own.z - there.z;
    slv_wide square = dx * dx + dy * dy + dz * dz;
    slv_mask longer = counts & (square > longest * longest);
    if (mask_bits(longer) != 0) {
        slv_wide scale = select_or_zero(longer, inverse_mass / inverse_mass_sum *
                                                    (longest / wide_square_root(square) - 1.0f));
        sum->x += scale * dx;
        sum->y += scale * dy;
        sum->z += scale * dz;
        sum->count -= longer;
    }
}

// The mean correction, at most `most` metres.
static inline slv_wides mean_strain(const strain_sum *sum, float most) {
    slv_wide length = wide_square_root(sum->x * sum->x + sum->y * sum->y + sum->z * sum->z);
    slv_wide count = __builtin_convertvector(sum->count, slv_wide);
    slv_wide scale = select_or_zero(sum->count > 0, 1.0f / count);
    scale = wide_min(scale, most / wide_max(length, spread(SLV_STRAIN_LENGTH_LEAST)));
    slv_wides mean = {scale * sum->x, scale * sum->y, scale * sum->z, spread(0.0f)};
    return mean;
}

static inline int any_count(const strain_sum *sum) {
    int found = 0;
    for (int i = 0; i < SLV_WIDE; i++) {
        found |= sum->count[i];
    }
    return found;
}

// --- Grids ------------------------------------------------------------------------------------------

// Whether a spring of SLV_TILE_COLUMNS cells side by side is too long.
static inline bool run_is_strained(const float *state, const int *table,
                                   const slv_body_layout *body, int color, int row, int column) {
    const float longest = body->strain_least * body->rest;
    const slv_cell cell = slv_grid_cell(body, color, row, column);
    const float *own = state + body->q + cell.own;
    const int *present = table + body->present + cell.own;
    const int component = body->component;
    int found = 0;
    for (int n = 0; n < (body->layers > 1 ? 6 : 4); n++) {
        const float *near = state + body->q + cell.near[n];
        _Pragma("omp simd reduction(| : found)") for (int i = 0; i < SLV_TILE_COLUMNS; i++) {
            float dx = own[i] - near[i];
            float dy = own[component + i] - near[component + i];
            float dz = own[2 * component + i] - near[2 * component + i];
            int longer = dx * dx + dy * dy + dz * dz > longest * longest ? 1 : 0;
            found |= longer & present[i] >> n;
        }
    }
    return (found & 1) != 0;
}

// The cells of a tile: rows first … end - 1, from one column on.
typedef struct tile_rows {
    int first, end, column;
} tile_rows;

static inline tile_rows rows_of_tile(const slv_body_layout *body, int tile) {
    tile_rows rows = {.first = tile / body->tile_columns * SLV_TILE_ROWS,
                      .column = tile % body->tile_columns * SLV_TILE_COLUMNS};
    rows.end = rows.first + SLV_TILE_ROWS;
    rows.end = rows.end < body->rows * body->layers ? rows.end : body->rows * body->layers;
    return rows;
}

static inline bool tile_is_strained(const float *state, const int *table,
                                    const slv_body_layout *body, tile_rows tile) {
    bool strained = false;
    for (int row = tile.first; row < tile.end; row++) {
        strained = strained || run_is_strained(state, table, body, 0, row, tile.column) ||
                   run_is_strained(state, table, body, 1, row, tile.column);
    }
    return strained;
}

static inline slv_wides load_cells(const float *first, int component) {
    slv_wides cells = {load_wide(first), load_wide(first + component),
                       load_wide(first + 2 * component), spread(0.0f)};
    return cells;
}

// Strain limits of springs: longest length over rest length.
static inline slv_wide limit_of_cells(const float *state, const slv_body_layout *body, int own,
                                      int near) {
    const float *limits = state + body->strain_limits;
    return body->strain_limits > 0 ? wide_min(load_wide(limits + own), load_wide(limits + near))
                                   : spread(body->strain);
}

static inline int strain_cells(float *state, const int *table, const slv_body_layout *body,
                               int color, int row, int column) {
    const slv_cell cell = slv_grid_cell(body, color, row, column);
    const slv_wides own = load_cells(state + body->q + cell.own, body->component);
    const slv_wide inverse_mass = load_wide(state + body->inverse_mass + cell.own);
    slv_mask present;
    memcpy(&present, table + body->present + cell.own, sizeof present);
    strain_sum sum = no_strain();
    for (int n = 0; n < (body->layers > 1 ? 6 : 4); n++) {
        slv_wides there = load_cells(state + body->q + cell.near[n], body->component);
        slv_wide inverse_mass_sum =
            inverse_mass + load_wide(state + body->inverse_mass + cell.near[n]);
        slv_mask counts = -(present >> n & 1) & (inverse_mass > 0.0f);
        slv_wide limit = limit_of_cells(state, body, cell.own, cell.near[n]);
        add_strain(&sum, own, there, counts, limit * body->rest, inverse_mass, inverse_mass_sum);
    }
    slv_wides mean = mean_strain(&sum, body->strain_step);
    float *to = state + body->b + cell.own;
    store_wide(to, mean.x);
    store_wide(to + body->component, mean.y);
    store_wide(to + 2 * body->component, mean.z);
    return any_count(&sum);
}

static inline void apply_to_cells(float *state, const slv_body_layout *body, int color, int row,
                                  int column) {
    const slv_cell cell = slv_grid_cell(body, color, row, column);
    const slv_mask moves = load_wide(state + body->inverse_mass + cell.own) > 0.0f;
    for (int d = 0; d < 3; d++) {
        float *q = state + body->q + cell.own + d * body->component;
        slv_wide from = load_wide(q);
        slv_wide to = from + load_wide(state + body->b + cell.own + d * body->component);
        store_wide(q, select_wide(moves, to, from));
    }
}

static inline int strain_rows(float *state, const int *table, const slv_body_layout *body,
                              int tile) {
    tile_rows rows = rows_of_tile(body, tile);
    int found = 0;
    if (!tile_is_strained(state, table, body, rows)) {
        return found;
    }
    for (int row = rows.first; row < rows.end; row++) {
        for (int column = 0; column < SLV_TILE_COLUMNS; column += SLV_WIDE) {
            found |= strain_cells(state, table, body, 0, row, rows.column + column);
            found |= strain_cells(state, table, body, 1, row, rows.column + column);
        }
    }
    return found;
}

static inline void apply_to_rows(float *state, const slv_body_layout *body, int tile) {
    tile_rows rows = rows_of_tile(body, tile);
    for (int row = rows.first; row < rows.end; row++) {
        for (int column = 0; column < SLV_TILE_COLUMNS; column += SLV_WIDE) {
            apply_to_cells(state, body, 0, row, rows.column + column);
            apply_to_cells(state, body, 1, row, rows.column + column);
        }
    }
}

// --- Meshes -----------------------------------------------------------------------------------------

static inline slv_wide limit_of_lanes(const float *state, const slv_body_layout *body, int slot,
                                      const int *offsets) {
    slv_wide there = spread(body->strain);
    if (body->strain_limits > 0) {
        for (int i = 0; i < SLV_WIDE; i++) {
            there[i] = state[body->strain_limits + offsets[i] / SLV_PARTICLE_FLOATS];
        }
        there = wide_min(load_wide(state + body->strain_limits + slot), there);
    }
    return there;
}

static inline int strain_lanes(float *state, const int *table, const slv_body_layout *body,
                               int slice, int lane) {
    const float *q = state + body->q;
    const slv_wides own = load_slice(q, slice, lane);
    const int slot = slice * SLV_LANES + lane;
    const slv_wide inverse_mass = load_wide(state + body->inverse_mass + slot);
    slv_span span = {0, 0};
    if (slice < table[body->colors + body->color_count]) {
        span = slv_graph_span(table, body, slice, 0);
    }
    strain_sum sum = no_strain();
    for (int n = span.first; n < span.end; n++) {
        int at = n * SLV_LANES + lane;
        const int *offsets = table + body->neighbors + at;
        slv_wide rest = load_wide(state + body->rests + at);
        slv_wide longest = limit_of_lanes(state, body, slot, offsets) * rest;
        add_strain(&sum, own, load_particles(q, offsets), (rest >= 0.0f) & (inverse_mass > 0.0f),
                   longest, inverse_mass, load_wide(state + body->end_inverse_masses + at));
    }
    store_slice(state + body->b, slice, lane, mean_strain(&sum, body->strain_step));
    return any_count(&sum);
}

static inline void apply_to_lanes(float *state, const slv_body_layout *body, int slice, int lane) {
    const slv_mask moves = load_wide(state + body->inverse_mass + slice * SLV_LANES + lane) > 0.0f;
    slv_wides q = load_slice(state + body->q, slice, lane);
    slv_wides b = load_slice(state + body->b, slice, lane);
    q.x = select_wide(moves, q.x + b.x, q.x);
    q.y = select_wide(moves, q.y + b.y, q.y);
    q.z = select_wide(moves, q.z + b.z, q.z);
    store_slice(state + body->q, slice, lane, q);
}

static inline int strain_slices(float *state, const int *table, const slv_body_layout *body,
                                int tile) {
    enum { A_TILE = SLV_BLOCK / SLV_LANES };
    int found = 0;
    for (int slice = tile * A_TILE; slice < (tile + 1) * A_TILE; slice++) {
        for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
            found |= strain_lanes(state, table, body, slice, lane);
        }
    }
    return found;
}

static inline void apply_to_slices(float *state, const slv_body_layout *body, int tile) {
    enum { A_TILE = SLV_BLOCK / SLV_LANES };
    for (int slice = tile * A_TILE; slice < (tile + 1) * A_TILE; slice++) {
        for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
            apply_to_lanes(state, body, slice, lane);
        }
    }
}

// --- Tiles ------------------------------------------------------------------------------------------

static inline int wide_limit_strain(int *strained, float *state, const int *table,
                                    const slv_body_layout *body, const slv_launch *launch,
                                    int first, int end) {
    (void)launch;
    for (int tile = first; tile < end; tile++) {
        strained[tile] = slv_body_is_grid(body) ? strain_rows(state, table, body, tile)
                                                : strain_slices(state, table, body, tile);
    }
    return end;
}
#define SLV_FORM_limit_strain SLV_STRAIN_FORM(limit_strain)

static inline int wide_limit_apply_strain(const int *strained, float *state, const int *table,
                                          const slv_body_layout *body, const slv_launch *launch,
                                          int first, int end) {
    (void)table;
    (void)launch;
    for (int tile = first; tile < end; tile++) {
        if (strained[tile] != 0) {
            if (slv_body_is_grid(body)) {
                apply_to_rows(state, body, tile);
            } else {
                apply_to_slices(state, body, tile);
            }
        }
    }
    return end;
}
#define SLV_FORM_limit_apply_strain SLV_STRAIN_FORM(limit_apply_strain)
