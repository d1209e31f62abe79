// SPDX-License-Identifier: MIT
// Strain, several particles at a time; the same bits as the plain kernels. On grids a spring is hardly ever
// too long: squares of lengths are compared first, and only tiles where one is are summed. The second
// launch looks at those tiles alone.

// --- Sums -------------------------------------------------------------------------------------------

// What the springs of a few particles ask of them, and how many of them are too long.
typedef struct strain_sum {
    slv_wide x, y, z;
    slv_mask count;
} strain_sum;

static inline strain_sum no_strain(void) {
    strain_sum sum = {spread(0.0f), spread(0.0f), spread(0.0f), (slv_mask)spread(0.0f)};
    return sum;
}

// One spring of each particle. `both` tells the sum of the inverse masses at its ends.
static inline void add_strain(strain_sum *sum, slv_wides own, slv_wides there, slv_mask counts,
                              slv_wide longest, slv_wide mass, slv_wide both) {
    slv_wide dx = own.x - there.x;
    slv_wide dy = own.y - there.y;
    slv_wide dz = own.z - there.z;
    slv_wide square = dx * dx + dy * dy + dz * dz;
    slv_mask longer = counts & (square > longest * longest);
    if (mask_bits(longer) != 0) {
        slv_wide scale =
            keep_where(longer, mass / both * (longest / wide_square_root(square) - 1.0f));
        sum->x += scale * dx;
        sum->y += scale * dy;
        sum->z += scale * dz;
        sum->count -= longer;
    }
}

// The average, of `most` metres at most.
static inline slv_wides mean_strain(const strain_sum *sum, float most) {
    slv_wide length = wide_square_root(sum->x * sum->x + sum->y * sum->y + sum->z * sum->z);
    slv_wide count = __builtin_convertvector(sum->count, slv_wide);
    slv_wide share = keep_where(sum->count > 0, 1.0f / count);
    share = wide_smaller(share, most / wide_larger(length, spread(1e-30f)));
    slv_wides mean = {share * sum->x, share * sum->y, share * sum->z, spread(0.0f)};
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
static inline bool run_is_strained(const float *state, const int *table, const slv_part *part,
                                   int color, int row, int column) {
    const float longest = part->strain_least * part->rest;
    const slv_cell cell = slv_grid_cell(part, color, row, column);
    const float *own = state + part->q + cell.own;
    const int *present = table + part->present + cell.own;
    const int component = part->component;
    int found = 0;
    for (int n = 0; n < (part->layers > 1 ? 6 : 4); n++) {
        const float *near = state + part->q + cell.near[n];
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

static inline tile_rows rows_of_tile(const slv_part *part, int tile) {
    tile_rows rows = {.first = tile / part->tile_columns * SLV_TILE_ROWS,
                      .column = tile % part->tile_columns * SLV_TILE_COLUMNS};
    rows.end = rows.first + SLV_TILE_ROWS;
    rows.end = rows.end < part->rows * part->layers ? rows.end : part->rows * part->layers;
    return rows;
}

static inline bool tile_is_strained(const float *state, const int *table, const slv_part *part,
                                    tile_rows tile) {
    bool strained = false;
    for (int row = tile.first; row < tile.end; row++) {
        strained = strained || run_is_strained(state, table, part, 0, row, tile.column) ||
                   run_is_strained(state, table, part, 1, row, tile.column);
    }
    return strained;
}

static inline slv_wides load_cells(const float *first, int component) {
    slv_wides cells = {load_wide(first), load_wide(first + component),
                       load_wide(first + 2 * component), spread(0.0f)};
    return cells;
}

// How long springs may be, over their length at rest.
static inline slv_wide limit_of_cells(const float *state, const slv_part *part, int own, int near) {
    const float *limits = state + part->strain_limits;
    return part->strain_limits > 0 ? wide_smaller(load_wide(limits + own), load_wide(limits + near))
                                   : spread(part->strain);
}

static inline int strain_cells(float *state, const int *table, const slv_part *part, int color,
                               int row, int column) {
    const slv_cell cell = slv_grid_cell(part, color, row, column);
    const slv_wides own = load_cells(state + part->q + cell.own, part->component);
    const slv_wide mass = load_wide(state + part->inverse_mass + cell.own);
    slv_mask present;
    memcpy(&present, table + part->present + cell.own, sizeof present);
    strain_sum sum = no_strain();
    for (int n = 0; n < (part->layers > 1 ? 6 : 4); n++) {
        slv_wides there = load_cells(state + part->q + cell.near[n], part->component);
        slv_wide both = mass + load_wide(state + part->inverse_mass + cell.near[n]);
        slv_mask counts = -(present >> n & 1) & (mass > 0.0f);
        slv_wide limit = limit_of_cells(state, part, cell.own, cell.near[n]);
        add_strain(&sum, own, there, counts, limit * part->rest, mass, both);
    }
    slv_wides mean = mean_strain(&sum, part->strain_step);
    float *to = state + part->b + cell.own;
    store_wide(to, mean.x);
    store_wide(to + part->component, mean.y);
    store_wide(to + 2 * part->component, mean.z);
    return any_count(&sum);
}

static inline void unstrain_cells(float *state, const slv_part *part, int color, int row,
                                  int column) {
    const slv_cell cell = slv_grid_cell(part, color, row, column);
    const slv_mask moves = load_wide(state + part->inverse_mass + cell.own) > 0.0f;
    for (int d = 0; d < 3; d++) {
        float *q = state + part->q + cell.own + d * part->component;
        slv_wide from = load_wide(q);
        slv_wide to = from + load_wide(state + part->b + cell.own + d * part->component);
        store_wide(q, choose_wide(moves, to, from));
    }
}

static inline int strain_rows(float *state, const int *table, const slv_part *part, int tile) {
    tile_rows rows = rows_of_tile(part, tile);
    int found = 0;
    if (!tile_is_strained(state, table, part, rows)) {
        return found;
    }
    for (int row = rows.first; row < rows.end; row++) {
        for (int column = 0; column < SLV_TILE_COLUMNS; column += SLV_WIDE) {
            found |= strain_cells(state, table, part, 0, row, rows.column + column);
            found |= strain_cells(state, table, part, 1, row, rows.column + column);
        }
    }
    return found;
}

static inline void unstrain_rows(float *state, const slv_part *part, int tile) {
    tile_rows rows = rows_of_tile(part, tile);
    for (int row = rows.first; row < rows.end; row++) {
        for (int column = 0; column < SLV_TILE_COLUMNS; column += SLV_WIDE) {
            unstrain_cells(state, part, 0, row, rows.column + column);
            unstrain_cells(state, part, 1, row, rows.column + column);
        }
    }
}

// --- Meshes -----------------------------------------------------------------------------------------

static inline slv_wide limit_of_lanes(const float *state, const slv_part *part, int slot,
                                      const int *places) {
    slv_wide there = spread(part->strain);
    if (part->strain_limits > 0) {
        for (int i = 0; i < SLV_WIDE; i++) {
            there[i] = state[part->strain_limits + places[i] / SLV_PARTICLE_FLOATS];
        }
        there = wide_smaller(load_wide(state + part->strain_limits + slot), there);
    }
    return there;
}

static inline int strain_lanes(float *state, const int *table, const slv_part *part, int slice,
                               int lane) {
    const float *q = state + part->q;
    const slv_wides own = load_slice(q, slice, lane);
    const int slot = slice * SLV_LANES + lane;
    const slv_wide mass = load_wide(state + part->inverse_mass + slot);
    slv_span span = {0, 0};
    if (slice < table[part->colors + part->color_count]) {
        span = slv_graph_span(table, part, slice, 0);
    }
    strain_sum sum = no_strain();
    for (int n = span.first; n < span.end; n++) {
        int at = n * SLV_LANES + lane;
        const int *places = table + part->neighbors + at;
        slv_wide rest = load_wide(state + part->rests + at);
        slv_wide longest = limit_of_lanes(state, part, slot, places) * rest;
        add_strain(&sum, own, load_particles(q, places), (rest >= 0.0f) & (mass > 0.0f), longest,
                   mass, load_wide(state + part->end_masses + at));
    }
    store_slice(state + part->b, slice, lane, mean_strain(&sum, part->strain_step));
    return any_count(&sum);
}

static inline void unstrain_lanes(float *state, const slv_part *part, int slice, int lane) {
    const slv_mask moves = load_wide(state + part->inverse_mass + slice * SLV_LANES + lane) > 0.0f;
    slv_wides q = load_slice(state + part->q, slice, lane);
    slv_wides b = load_slice(state + part->b, slice, lane);
    q.x = choose_wide(moves, q.x + b.x, q.x);
    q.y = choose_wide(moves, q.y + b.y, q.y);
    q.z = choose_wide(moves, q.z + b.z, q.z);
    store_slice(state + part->q, slice, lane, q);
}

static inline int strain_slices(float *state, const int *table, const slv_part *part, int tile) {
    enum { A_TILE = SLV_BLOCK / SLV_LANES };
    int found = 0;
    for (int slice = tile * A_TILE; slice < (tile + 1) * A_TILE; slice++) {
        for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
            found |= strain_lanes(state, table, part, slice, lane);
        }
    }
    return found;
}

static inline void unstrain_slices(float *state, const slv_part *part, int tile) {
    enum { A_TILE = SLV_BLOCK / SLV_LANES };
    for (int slice = tile * A_TILE; slice < (tile + 1) * A_TILE; slice++) {
        for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
            unstrain_lanes(state, part, slice, lane);
        }
    }
}

// --- Tiles ------------------------------------------------------------------------------------------

static inline int wide_limit_strain(float *state, int *table, const slv_part *part,
                                    const slv_launch *launch, int first, int end) {
    (void)launch;
    for (int tile = first; tile < end; tile++) {
        table[part->strains + tile] = part->stride == 1 ? strain_rows(state, table, part, tile)
                                                        : strain_slices(state, table, part, tile);
    }
    return end;
}

// NOLINTNEXTLINE(readability-non-const-parameter): as the others have it
static inline int wide_limit_unstrain(float *state, int *table, const slv_part *part,
                                      const slv_launch *launch, int first, int end) {
    (void)launch;
    for (int tile = first; tile < end; tile++) {
        if (table[part->strains + tile] != 0) {
            if (part->stride == 1) {
                unstrain_rows(state, part, tile);
            } else {
                unstrain_slices(state, part, tile);
            }
        }
    }
    return end;
}
