// SPDX-License-Identifier: MIT
#include "formats/garment_verify.h"

#include "formats/value_check.h"

#include <math.h>

// GRID, PCEL, NBRS: further sections of garments on a grid. Cells rise strictly in own order, which
// proves them unique. Of the neighbor table only the three minus slots are followed; when each of
// their entries has its counterpart in the opposite slot, and there are as many entries on both sides, then
// every plus slot has its counterpart too. Every particle rests at its cell's sample.

typedef struct grid_walk {
    const slv_garment *garment;
    uint32_t stride[3]; // step of the cell number along each axis
    uint32_t row_first; // cell number at the start of the present x row
    bool at_edge_y;     // the present row is the first of its plane
    double y, z;        // of the present row's samples, metres
} grid_walk;

static slv_result check_grid(const slv_grid_info *grid, slv_error *error) {
    const uint32_t kind = SLV_SECTION_GRID;
    uint64_t product = 1;
    for (int axis = 0; axis < 3; axis++) {
        product *= grid->cells[axis]; // below 2^32 each time, so no overflow
        if (product == 0 || product > UINT32_MAX) {
            return slv_fail_section(error, kind, "%u x %u x %u cells, 1 to %u are possible",
                                    grid->cells[0], grid->cells[1], grid->cells[2], UINT32_MAX);
        }
        if (!isfinite(grid->origin[axis])) {
            return slv_fail_section(error, kind, "the origin is not finite");
        }
    }
    if (!isfinite(grid->spacing) || !(grid->spacing > 0)) {
        return slv_fail_section(error, kind, "spacing %g, should be above zero", grid->spacing);
    }
    if (grid->zero != 0) {
        return slv_fail_section(error, kind, "reserved bytes are not zero");
    }
    return SLV_OK;
}

static slv_result check_cells(const slv_garment *garment, slv_error *error) {
    const uint32_t *cell = garment->cell;
    const uint32_t *stored_of_own = garment->stored_of_own;
    const uint32_t *cells = garment->grid->cells;
    uint64_t next = 0; // the smallest cell that may follow
    for (uint32_t own = 0; own < garment->info.particle_count; own++) {
        uint32_t here = cell[stored_of_own[own]];
        if (here < next) {
            return slv_fail_section(
                error, SLV_SECTION_CELL,
                "stored particle %u is in cell %u, in own order cells must ascend",
                stored_of_own[own], here);
        }
        next = (uint64_t)here + 1;
    }
    uint64_t product = (uint64_t)cells[0] * cells[1] * cells[2];
    if (next > product) {
        return slv_fail_section(error, SLV_SECTION_CELL, "cell %llu, the grid has %llu",
                                (unsigned long long)(next - 1), (unsigned long long)product);
    }
    return SLV_OK;
}

static inline const int32_t *slot_of(const slv_garment *garment, unsigned slot) {
    return garment->neighbors + (size_t)slot * garment->info.particle_count;
}

// Where sample number index lies along an axis, metres.
static inline double sample_at(const slv_grid_info *grid, unsigned axis, uint32_t index) {
    return grid->origin[axis] + index * grid->spacing;
}

static grid_walk begin_walk(const slv_garment *garment) {
    const slv_grid_info *grid = garment->grid;
    return (grid_walk){.garment = garment,
                       .stride = {1, grid->cells[0], grid->cells[0] * grid->cells[1]},
                       .at_edge_y = true,
                       .y = sample_at(grid, 1, 0),
                       .z = sample_at(grid, 2, 0)};
}

// Moves the cursor to the row of a cell. Divides only when the row changes: stored particles follow
// their rows.
static inline void enter_row(grid_walk *walk, uint32_t cell) {
    const slv_grid_info *grid = walk->garment->grid;
    if (cell - walk->row_first >= grid->cells[0]) {
        uint32_t row = cell / grid->cells[0];
        uint32_t layer = row / grid->cells[1];
        uint32_t row_of_layer = row - layer * grid->cells[1];
        walk->row_first = row * grid->cells[0];
        walk->at_edge_y = row_of_layer == 0;
        walk->y = sample_at(grid, 1, row_of_layer);
        walk->z = sample_at(grid, 2, layer);
    }
}

// Whether a coordinate is another than its sample's. A grid and its particles may have been computed
// apart, as floats: slack is a thousandth of a spacing, and what a float loses comes on top, twice.
static inline bool is_off(float position, double sample, double slack) {
    return !(fabs((double)position - sample) <= slack + 0x1p-23 * fabs(sample));
}

static slv_result check_places(const slv_garment *garment, slv_error *error) {
    const slv_grid_info *grid = garment->grid;
    const double slack = 1e-3 * grid->spacing;
    grid_walk walk = begin_walk(garment);
    for (uint32_t s = 0; s < garment->info.particle_count; s++) {
        enter_row(&walk, garment->cell[s]);
        double x = sample_at(grid, 0, garment->cell[s] - walk.row_first);
        if (is_off(garment->x[s], x, slack) || is_off(garment->y[s], walk.y, slack) ||
            is_off(garment->z[s], walk.z, slack)) {
            return slv_fail_section(error, SLV_SECTION_POSITION,
                                    "stored particle %u is at (%g, %g, %g), the sample of its cell "
                                    "%u at (%g, %g, %g)",
                                    s, (double)garment->x[s], (double)garment->y[s],
                                    (double)garment->z[s], garment->cell[s], x, walk.y, walk.z);
        }
    }
    return SLV_OK;
}

// Whether the minus slot of an axis is neither empty nor a true neighbor. at_edge: there is no cell
// in that direction.
static inline bool is_wrong(const grid_walk *walk, unsigned axis, uint32_t particle, bool at_edge) {
    const slv_garment *garment = walk->garment;
    int32_t other = slot_of(garment, 2 * axis)[particle];
    if (other == SLV_NO_NEIGHBOR) {
        return false;
    }
    return (uint32_t)other >= garment->info.particle_count || at_edge ||
           slot_of(garment, 2 * axis + 1)[other] != (int32_t)particle ||
           garment->cell[other] + walk->stride[axis] != garment->cell[particle];
}

static slv_result check_minus_slots(const slv_garment *garment, slv_error *error) {
    grid_walk walk = begin_walk(garment);
    for (uint32_t s = 0; s < garment->info.particle_count; s++) {
        uint32_t cell = garment->cell[s];
        enter_row(&walk, cell);
        bool wrong[3] = {
            is_wrong(&walk, 0, s, cell == walk.row_first),
            is_wrong(&walk, 1, s, walk.at_edge_y),
            is_wrong(&walk, 2, s, cell < walk.stride[2]),
        };
        if (wrong[0] | wrong[1] | wrong[2]) {
            int axis = wrong[0] ? 0 : wrong[1] ? 1 : 2;
            return slv_fail_section(
                error, SLV_SECTION_NEIGHBOR,
                "stored particle %u names %d in slot -%c, which is not the particle "
                "of the next cell or does not name it back",
                s, slot_of(garment, 2 * (unsigned)axis)[s], 'x' + axis);
        }
    }
    return SLV_OK;
}

static uint32_t count_neighbors(const int32_t *slot, uint32_t count) {
    uint32_t present = 0;
    for (uint32_t s = 0; s < count; s++) {
        present += slot[s] != SLV_NO_NEIGHBOR;
    }
    return present;
}

static slv_result check_plus_slots(const slv_garment *garment, slv_error *error) {
    uint32_t n = garment->info.particle_count;
    for (unsigned axis = 0; axis < 3; axis++) {
        uint32_t minus = count_neighbors(slot_of(garment, 2 * axis), n);
        uint32_t plus = count_neighbors(slot_of(garment, 2 * axis + 1), n);
        if (minus != plus) {
            return slv_fail_section(error, SLV_SECTION_NEIGHBOR,
                                    "%u entries in slot +%c, but %u in slot -%c", plus,
                                    'x' + (int)axis, minus, 'x' + (int)axis);
        }
    }
    return SLV_OK;
}

// Whether any entry lies within the range; an empty slot, -1, never does.
static bool meets_range(const int32_t *entries, const slv_color_range *range) {
    uint32_t bad = 0;
    for (uint32_t i = 0; i < range->count; i++) {
        bad |= (uint32_t)entries[i] - range->first < range->count;
    }
    return bad != 0;
}

static slv_result check_neighbor_colors(const slv_garment *garment, slv_error *error) {
    for (uint32_t c = 0; c < garment->color_count; c++) {
        const slv_color_range *range = &garment->colors[c];
        if (range->color == SLV_UNCOLORED) {
            return SLV_OK;
        }
        for (unsigned axis = 0; axis < 3; axis++) { // the table is symmetric: minus slots suffice
            if (meets_range(slot_of(garment, 2 * axis) + range->first, range)) {
                return slv_fail_section(error, SLV_SECTION_COLOR,
                                        "two neighbors along %c both have color %u",
                                        'x' + (int)axis, range->color);
            }
        }
    }
    return SLV_OK;
}

static slv_result check_absent(const slv_pack *pack, uint32_t kind, slv_error *error) {
    size_t size = 0;
    return slv_pack_get_section(pack, kind, &size)
               ? slv_fail_section(error, kind, "has no meaning without a GRID section")
               : SLV_OK;
}

static slv_result verify_no_grid(const slv_pack *pack, const slv_garment *garment,
                                 slv_error *error) {
    if (garment->info.mode == SLV_GARMENT_SOLID || garment->info.mode == SLV_GARMENT_SHELL) {
        return slv_fail_section(error, SLV_SECTION_GRID, "missing in a garment made on a grid");
    }
    slv_result result = check_absent(pack, SLV_SECTION_CELL, error);
    return result == SLV_OK ? check_absent(pack, SLV_SECTION_NEIGHBOR, error) : result;
}

static slv_result take_grid(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    uint64_t n = garment->info.particle_count;
    const void *grid = NULL;
    const void *cell = NULL;
    const void *neighbors = NULL;
    slv_result result = slv_take_section(pack, SLV_SECTION_GRID, 1, &grid, error);
    if (result == SLV_OK) {
        result = check_grid(grid, error);
    }
    if (result == SLV_OK) {
        result = slv_take_section(pack, SLV_SECTION_CELL, n, &cell, error);
    }
    if (result == SLV_OK) {
        result = slv_take_section(pack, SLV_SECTION_NEIGHBOR, n, &neighbors, error);
    }
    garment->grid = grid;
    garment->cell = cell;
    garment->neighbors = neighbors;
    return result;
}

slv_result slv_verify_grid(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    size_t size = 0;
    if (!slv_pack_get_section(pack, SLV_SECTION_GRID, &size)) {
        return verify_no_grid(pack, garment, error);
    }
    if (garment->info.mode == SLV_GARMENT_SURFACE) {
        return slv_fail_section(error, SLV_SECTION_GRID, "a surface has no grid");
    }
    slv_result result = take_grid(pack, garment, error);
    if (result == SLV_OK) {
        result = check_cells(garment, error);
    }
    if (result == SLV_OK) {
        result = check_places(garment, error);
    }
    if (result == SLV_OK) {
        result = check_minus_slots(garment, error);
    }
    if (result == SLV_OK) {
        result = check_plus_slots(garment, error);
    }
    return result == SLV_OK ? check_neighbor_colors(garment, error) : result;
}
