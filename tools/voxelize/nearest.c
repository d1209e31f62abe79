// SPDX-License-Identifier: MIT
#include "tools/voxelize/nearest.h"

#include <math.h>
#include <stdlib.h>

enum {
    LEAF = 4
}; // samples along the side of a block of level 0: the four bits that leaf_is_occupied reads

// --- Building -----------------------------------------------------------------------------------

static bool leaf_is_occupied(const slv_grid_index *index, uint32_t bx, uint32_t by, uint32_t bz) {
    const uint32_t *cells = index->lattice.cells;
    const size_t word = (size_t)bx * LEAF / 64;
    const unsigned shift = (unsigned)((size_t)bx * LEAF % 64);
    uint64_t any = 0;
    for (uint32_t k = bz * LEAF; k < (bz + 1) * LEAF && k < cells[2]; k++) {
        for (uint32_t j = by * LEAF; j < (by + 1) * LEAF && j < cells[1]; j++) {
            any |= slv_grid_index_row(index, j, k)[word] >> shift & 0xFu;
        }
    }
    return any != 0;
}

static size_t block_number(const slv_nearest_level *level, const uint32_t block[3]) {
    return ((size_t)block[2] * level->blocks[1] + block[1]) * level->blocks[0] + block[0];
}

static void fill_leaves(const slv_grid_index *index, slv_nearest_level *level) {
    size_t n = 0;
    for (uint32_t z = 0; z < level->blocks[2]; z++) {
        for (uint32_t y = 0; y < level->blocks[1]; y++) {
            for (uint32_t x = 0; x < level->blocks[0]; x++) {
                level->occupied[n++] = leaf_is_occupied(index, x, y, z);
            }
        }
    }
}

static void fill_from_below(const slv_nearest_level *below, slv_nearest_level *level) {
    size_t n = 0;
    for (uint32_t z = 0; z < below->blocks[2]; z++) {
        for (uint32_t y = 0; y < below->blocks[1]; y++) {
            for (uint32_t x = 0; x < below->blocks[0]; x++) {
                const uint32_t parent[3] = {x / 2, y / 2, z / 2};
                level->occupied[block_number(level, parent)] |= below->occupied[n++];
            }
        }
    }
}

slv_result slv_nearest_create(const slv_grid_index *index, slv_nearest *nearest, slv_error *error) {
    *nearest = (slv_nearest){.index = index};
    uint32_t blocks[3];
    for (int axis = 0; axis < 3; axis++) {
        blocks[axis] = (index->lattice.cells[axis] - 1) / LEAF + 1;
    }
    for (bool done = false; !done;) {
        slv_nearest_level *level = &nearest->levels[nearest->level_count];
        const size_t count = (size_t)blocks[0] * blocks[1] * blocks[2];
        level->occupied = calloc(count, 1);
        if (level->occupied == NULL) {
            slv_nearest_free(nearest);
            return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %zu blocks", count);
        }
        for (int axis = 0; axis < 3; axis++) {
            level->blocks[axis] = blocks[axis];
            blocks[axis] = (blocks[axis] + 1) / 2;
        }
        if (nearest->level_count == 0) {
            fill_leaves(index, level);
        } else {
            fill_from_below(level - 1, level);
        }
        nearest->level_count++;
        done = count == 1;
    }
    return SLV_OK;
}

void slv_nearest_free(slv_nearest *nearest) {
    for (size_t n = 0; n < nearest->level_count; n++) {
        free(nearest->levels[n].occupied);
    }
    *nearest = (slv_nearest){0};
}

// --- Searching ----------------------------------------------------------------------------------

typedef struct search {
    const slv_nearest *nearest;
    const double *cell_position;
    double best; // squared distance in samples
    uint32_t sample[3];
} search;

typedef struct child_block {
    double distance;
    uint32_t block[3];
} child_block;

// Squared distance to the box of a block. Rounding is monotonic, so it never exceeds the distance
// to a sample of the block.
static double distance_to_block(const search *s, size_t level, const uint32_t block[3]) {
    const double side = (double)((uint64_t)LEAF << level);
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double low = block[axis] * side;
        const double high = low + side - 1;
        const double gap =
            fmax(0, fmax(low - s->cell_position[axis], s->cell_position[axis] - high));
        sum += gap * gap;
    }
    return sum;
}

static bool comes_first(const uint32_t a[3], const uint32_t b[3]) { // in own order
    for (int axis = 2; axis > 0; axis--) {
        if (a[axis] != b[axis]) {
            return a[axis] < b[axis];
        }
    }
    return a[0] < b[0];
}

static void try_sample(search *s, uint32_t i, uint32_t j, uint32_t k) {
    const uint32_t sample[3] = {i, j, k};
    double distance = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double gap = fabs(sample[axis] - s->cell_position[axis]);
        distance += gap * gap;
    }
    if (distance < s->best || (distance == s->best && comes_first(sample, s->sample))) {
        s->best = distance;
        for (int axis = 0; axis < 3; axis++) {
            s->sample[axis] = sample[axis];
        }
    }
}

static void search_leaf(search *s, const uint32_t block[3]) {
    const slv_grid_index *index = s->nearest->index;
    const uint32_t *cells = index->lattice.cells;
    const uint32_t i0 = block[0] * LEAF;
    for (uint32_t k = block[2] * LEAF; k < (block[2] + 1) * LEAF && k < cells[2]; k++) {
        for (uint32_t j = block[1] * LEAF; j < (block[1] + 1) * LEAF && j < cells[1]; j++) {
            uint64_t left = slv_grid_index_row(index, j, k)[i0 / 64] >> (i0 % 64) & 0xFu;
            for (; left != 0; left &= left - 1) {
                try_sample(s, i0 + (uint32_t)__builtin_ctzll(left), j, k);
            }
        }
    }
}

// The occupied children of a block, in order of distance.
static size_t list_children(const search *s, size_t level, const uint32_t parent[3],
                            child_block children[8]) {
    const slv_nearest_level *below = &s->nearest->levels[level];
    size_t count = 0;
    for (uint32_t corner = 0; corner < 8; corner++) {
        child_block child = {.block = {2 * parent[0] + (corner & 1u),
                                       2 * parent[1] + (corner >> 1 & 1u),
                                       2 * parent[2] + (corner >> 2)}};
        if (child.block[0] >= below->blocks[0] || child.block[1] >= below->blocks[1] ||
            child.block[2] >= below->blocks[2] ||
            below->occupied[block_number(below, child.block)] == 0) {
            continue;
        }
        child.distance = distance_to_block(s, level, child.block);
        size_t slot = count++;
        for (; slot > 0 && children[slot - 1].distance > child.distance; slot--) {
            children[slot] = children[slot - 1];
        }
        children[slot] = child;
    }
    return count;
}

static void search_block(search *s, size_t level, const uint32_t block[3]) {
    if (level == 0) {
        search_leaf(s, block);
        return;
    }
    child_block children[8];
    const size_t count = list_children(s, level - 1, block, children);
    for (size_t n = 0; n < count && children[n].distance <= s->best; n++) {
        search_block(s, level - 1, children[n].block);
    }
}

void slv_nearest_find(const slv_nearest *nearest, const double cell_position[3],
                      uint32_t sample[3]) {
    search s = {.nearest = nearest, .cell_position = cell_position, .best = HUGE_VAL};
    const uint32_t top[3] = {0, 0, 0};
    search_block(&s, nearest->level_count - 1, top);
    for (int axis = 0; axis < 3; axis++) {
        sample[axis] = s.sample[axis];
    }
}
