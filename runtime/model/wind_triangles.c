// SPDX-License-Identifier: MIT
#include "runtime/model/wind_triangles.h"

static slv_result out_of_memory(slv_error *error) {
    return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
}

static bool is_flat(const slv_body *body) {
    return body->cells[0] > 0 && (body->cells[1] == 1 || body->cells[2] == 1);
}

// Two triangles for each square of a flat grid that has all its corners.
static bool find_grid_triangles(slv_body *body, slv_memory *scratch) {
    size_t across = body->cells[0];
    size_t along = body->cells[1] > 1 ? body->cells[1] : body->cells[2];
    uint32_t *own = slv_memory_take(scratch, across * along, sizeof *own); // one more; 0 = none
    uint32_t *found = slv_memory_take(&body->memory, 6 * across * along, sizeof *found);
    if (!own || !found) {
        return false;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        own[body->cell[p]] = p + 1; // flat: cells count along the two axes there are
    }
    for (size_t n = 0; n + across + 1 < across * along; n++) {
        const uint32_t corner[4] = {own[n], own[n + 1], own[n + across], own[n + across + 1]};
        if (n % across + 1 < across && corner[0] && corner[1] && corner[2] && corner[3]) {
            static const int order[6] = {0, 1, 3, 0, 3, 2};
            for (int i = 0; i < 6; i++) {
                found[3 * (size_t)body->triangle_count + (size_t)i] = corner[order[i]] - 1;
            }
            body->triangle_count += 2;
        }
    }
    body->triangles = found;
    return true;
}

static slv_result find_triangles(slv_body *body, slv_memory *scratch, slv_error *error) {
    if (is_flat(body)) {
        return find_grid_triangles(body, scratch) ? SLV_OK : out_of_memory(error);
    }
    const slv_surface *surface = &body->surface;
    if (surface->influences != 1 || surface->triangle_count == 0) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "drag: the air needs a flat grid or a mesh whose vertices are particles "
                        "(selvage-voxelize --mode surface)");
    }
    size_t corners = 3 * (size_t)surface->triangle_count;
    body->triangles = slv_memory_take(&body->memory, corners, sizeof *body->triangles);
    if (!body->triangles) {
        return out_of_memory(error);
    }
    for (size_t i = 0; i < corners; i++) {
        body->triangles[i] = surface->particles[surface->triangles[i]];
    }
    body->triangle_count = surface->triangle_count;
    return SLV_OK;
}

slv_result slv_wind_triangles_create(slv_body *body, const slv_garment_def *def,
                                     slv_memory *scratch, slv_error *error) {
    body->drag = def->drag;
    return body->drag > 0.0f ? find_triangles(body, scratch, error) : SLV_OK;
}
