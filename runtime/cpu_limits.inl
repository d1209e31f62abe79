// SPDX-License-Identifier: MIT
// Strain, a tile at a time; the same bits as the plain kernels. Hardly ever is a spring too long: first
// squares of lengths are compared, several at a time, and only a tile where one is goes the plain way. The
// second launch looks at those tiles alone.

// Whether a spring of SLV_TILE_COLUMNS cells side by side is too long.
static inline bool run_is_strained(const float *state, const int *table, const slv_part *part,
                                   int colour, int row, int column) {
    const float longest = part->strain_least * part->rest;
    const slv_cell cell = slv_grid_cell(part, colour, row, column);
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

static inline bool tile_may_be_strained(const float *state, const int *table, const slv_part *part,
                                        int tile) {
    if (part->stride != 1) {
        return true;
    }
    int first = tile / part->tile_columns * SLV_TILE_ROWS;
    int column = tile % part->tile_columns * SLV_TILE_COLUMNS;
    int end = first + SLV_TILE_ROWS;
    end = end < part->rows * part->layers ? end : part->rows * part->layers;
    bool strained = false;
    for (int row = first; row < end; row++) {
        strained = strained || run_is_strained(state, table, part, 0, row, column) ||
                   run_is_strained(state, table, part, 1, row, column);
    }
    return strained;
}

static inline int wide_limit_strain(float *state, int *table, const slv_part *part,
                                    const slv_launch *launch, int first, int end) {
    (void)launch;
    for (int tile = first; tile < end; tile++) {
        int found = 0;
        bool strained = tile_may_be_strained(state, table, part, tile);
        for (int column = 0; strained && column < SLV_BLOCK; column++) {
            found |= slv_strain(state, table, part, slv_tile_slot(part, tile, column));
        }
        table[part->strains + tile] = found;
    }
    return end;
}

// NOLINTNEXTLINE(readability-non-const-parameter): as the others have it
static inline int wide_limit_unstrain(float *state, int *table, const slv_part *part,
                                      const slv_launch *launch, int first, int end) {
    (void)launch;
    for (int tile = first; tile < end; tile++) {
        for (int column = 0; table[part->strains + tile] && column < SLV_BLOCK; column++) {
            slv_unstrain(state, part, slv_tile_slot(part, tile, column));
        }
    }
    return end;
}
