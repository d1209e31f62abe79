// SPDX-License-Identifier: MIT
#include "runtime/model/triangles.h"

bool slv_triangles_have_grid(const slv_body *body) {
    return body->cells[0] > 0 && (body->cells[1] == 1 || body->cells[2] == 1);
}

bool slv_triangles_are_drawn(const slv_body *body) {
    return body->surface.influences == 1 && body->surface.triangle_count > 0;
}

// Both halves of a square of particles, which are counted from 1.
static void add_halves(uint32_t *triangles, const uint32_t *corner) {
    static const int order[6] = {0, 1, 3, 0, 3, 2};
    for (int i = 0; i < 6; i++) {
        triangles[i] = corner[order[i]] - 1;
    }
}

bool slv_triangles_find_grid(slv_triangles *triangles, const slv_body *body, slv_memory *memory,
                             slv_memory *scratch) {
    size_t across = body->cells[0];
    size_t along = body->cells[1] > 1 ? body->cells[1] : body->cells[2];
    uint32_t *own = slv_memory_take(scratch, across * along, sizeof *own); // one more; 0 = none
    uint32_t *found = slv_memory_take(memory, 6 * across * along, sizeof *found);
    uint32_t count = 0;
    if (!own || !found) {
        return false;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        own[body->cell[p]] = p + 1; // flat: cells count along the two axes there are
    }
    for (size_t k = 0; k + 1 < along; k++) {
        for (size_t i = 0; i + 1 < across; i++) {
            const uint32_t *at = own + k * across + i;
            const uint32_t corner[4] = {at[0], at[1], at[across], at[across + 1]};
            if (corner[0] && corner[1] && corner[2] && corner[3]) {
                add_halves(found + 3 * (size_t)count, corner);
                count += 2;
            }
        }
    }
    *triangles = (slv_triangles){found, count};
    return true;
}

bool slv_triangles_find_drawn(slv_triangles *triangles, const slv_body *body, slv_memory *memory) {
    const slv_surface *surface = &body->surface;
    const size_t corners = 3 * (size_t)surface->triangle_count;
    uint32_t *found = slv_memory_take(memory, corners, sizeof *found);
    if (!found) {
        return false;
    }
    for (size_t i = 0; i < corners; i++) {
        found[i] = surface->particles[surface->triangles[i]];
    }
    *triangles = (slv_triangles){found, surface->triangle_count};
    return true;
}
