// SPDX-License-Identifier: MIT
#include "runtime/model/stencil.h"

#include "kernels/cloth.h"

#include <string.h>

// Columns and rows from particle a to b of a flat grid, whose rows lie along its second axis.
static void find_offset(const slv_body *body, uint32_t a, uint32_t b, int offset[2]) {
    uint32_t from[3];
    uint32_t to[3];
    const int second = body->cells[1] > 1 ? 1 : 2;
    slv_body_get_grid_coordinates(body, a, from);
    slv_body_get_grid_coordinates(body, b, to);
    offset[0] = (int)to[0] - (int)from[0];
    offset[1] = (int)to[second] - (int)from[second];
}

// The bit of an offset; -1: it is none of the stencil.
static int find_direction(const int offset[2]) {
    static const int offsets[SLV_CLOTH_DIRECTIONS][2] = {
        {-1, 0}, {1, 0},  {0, -1}, {0, 1},  {0, 0}, {0, 0},  {-1, -1},
        {1, 1},  {1, -1}, {-1, 1}, {-2, 0}, {2, 0}, {0, -2}, {0, 2}};
    for (int n = 0; n < SLV_CLOTH_DIRECTIONS; n++) {
        if (offsets[n][0] == offset[0] && offsets[n][1] == offset[1] && n / 2 != 2) {
            return n;
        }
    }
    return -1;
}

// Whether a spring is like the others of its kind.
static bool belongs(slv_stencil_kind *kind, const slv_spring *spring) {
    if (!kind->exists) {
        *kind = (slv_stencil_kind){true, spring->stiffness_class, spring->rest};
    }
    return kind->stiffness_class == spring->stiffness_class && kind->rest == spring->rest;
}

static bool note_spring(const slv_body *body, slv_stencil *stencil, slv_stencil_kind *stretch,
                        uint32_t number) {
    const slv_spring *spring = &body->springs[number];
    int offset[2];
    find_offset(body, spring->a, spring->b, offset);
    const int direction = find_direction(offset);
    slv_stencil_kind *kind = direction < SLV_CLOTH_DIAGONALS ? stretch
                             : direction < SLV_CLOTH_FAR     ? &stencil->shear
                                                             : &stencil->bend;
    if (direction < 0 || (number < body->stretch_count) != (kind == stretch) ||
        stencil->directions[spring->a] >> direction & 1 || !belongs(kind, spring)) {
        return false;
    }
    stencil->directions[spring->a] |= (uint16_t)(1 << direction);
    stencil->directions[spring->b] |= (uint16_t)(1 << (direction ^ 1));
    return true;
}

void slv_stencil_find(slv_body *body) {
    slv_stencil *stencil = &body->stencil;
    slv_stencil_kind stretch = {.exists = false};
    *stencil = (slv_stencil){.directions = stencil->directions};
    bool regular = (body->cells[1] == 1 || body->cells[2] == 1) &&
                   body->neighbor_ends == 2 * (uint64_t)body->stretch_count;
    memset(stencil->directions, 0, body->count * sizeof *stencil->directions);
    for (uint32_t s = 0; regular && s < body->spring_count; s++) {
        regular = note_spring(body, stencil, &stretch, s);
    }
    stencil->regular = regular && stretch.exists && stretch.stiffness_class == 0;
}
