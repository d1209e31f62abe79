// SPDX-License-Identifier: MIT
// Contacts of triangles with colliders (kernels/triangle_contact.h). They come before each of the last passes of
// contacts of particles, which find the colliders near each tile and have the last word.
#include "runtime/step/features/triangles.h"

#include "kernels/triangle_contact.h"
#include "runtime/step/feature.h"
#include "runtime/step/features/contacts.h"
#include "runtime/step/features/tearing.h"
#include "runtime/step/spatial_order.h"
#include "runtime/step/surface_mesh.h"

#include <math.h>
#include <string.h>

// Before a pass of contacts of particles. Means of corrections reach their end in several rounds.
enum { ROUNDS = 2 };

static const double longest_stretch =
    1.2; // of an edge whose triangles still find all colliders near them

extern const slv_feature slv_feature_triangles;

typedef struct triangle_data {
    slv_surface_mesh mesh; // without patches: no such contacts
    float longest;         // metres: of its edges at rest
    bool enabled;
} triangle_data;

static triangle_data *get_data(const slv_body *body) {
    return slv_feature_get_body_data(&slv_feature_triangles, body);
}

// --- Body -------------------------------------------------------------------------------------------

static float find_longest(const slv_surface_mesh *mesh, const slv_body *body) {
    double longest = 0.0;
    for (size_t t = 0; t < (size_t)mesh->patch_count * SLV_LANES; t++) {
        const int *corners =
            mesh->corners + t / SLV_LANES * (3 * (size_t)SLV_LANES) + t % SLV_LANES;
        for (size_t n = 0; n < 3 && corners[0] >= 0; n++) {
            double one[3];
            double other[3];
            slv_find_rest_position(body, mesh->particles[corners[n * SLV_LANES]], one);
            slv_find_rest_position(body, mesh->particles[corners[(n + 1) % 3 * SLV_LANES]], other);
            const double along[3] = {other[0] - one[0], other[1] - one[1], other[2] - one[2]};
            longest =
                fmax(longest, along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
        }
    }
    return (float)sqrt(longest);
}

static slv_result define(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                         slv_memory *scratch, slv_error *error) {
    triangle_data *data = get_data(body);
    const bool wanted = def->collides &&
                        (def->triangle_collision || def->contact == SLV_CONTACT_SURFACES) &&
                        !slv_tearing_is_possible(body) && slv_surface_mesh_exists(body);
    (void)garment;
    if (wanted && !data->mesh.corners) {
        if (!slv_surface_mesh_create(&data->mesh, body, &body->memory, scratch)) {
            return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
        }
        data->longest = find_longest(&data->mesh, body);
    }
    data->enabled = wanted && data->mesh.patch_count > 0;
    return SLV_OK;
}

// --- Layout -----------------------------------------------------------------------------------------

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    (void)settings;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        const triangle_data *data = get_data(bodies[i]);
        if (slv_contacts_get_layout(layout)->colliders && data->enabled) {
            const size_t triangles = (size_t)data->mesh.patch_count * SLV_LANES;
            body_layout->triangle_rows = (int)data->mesh.patch_count;
            body_layout->triangle_corners = slv_reserve_table(cursor, 3 * triangles);
            body_layout->triangle_tiles = slv_reserve_table(cursor, triangles);
            body_layout->triangle_moves =
                slv_reserve_state(cursor, SLV_TRIANGLE_FLOATS * triangles);
            body_layout->triangle_first = slv_reserve_table(cursor, (size_t)body_layout->slots + 1);
            body_layout->triangle_fans = slv_reserve_table(cursor, 3 * triangles);
        }
    }
}

// Own numbers of particles become slots.
static void fill_corners(const slv_layout *layout, uint32_t index, const slv_surface_mesh *mesh) {
    int *corners = layout->table + layout->bodies[index].triangle_corners;
    for (size_t t = 0; t < (size_t)mesh->patch_count * SLV_LANES; t++) {
        const int *from = mesh->corners + t / SLV_LANES * (3 * (size_t)SLV_LANES) + t % SLV_LANES;
        for (size_t n = 0; n < 3; n++) {
            const int vertex = from[n * SLV_LANES];
            corners[3 * t + n] =
                vertex < 0 ? -1 : (int)layout->slots[index][mesh->particles[vertex]];
        }
    }
}

// The tile of each triangle's first corner, and the edges that belong to it. False without memory.
static bool fill_tiles(const slv_layout *layout, uint32_t index, const slv_surface_mesh *mesh,
                       slv_memory *scratch) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    const int *corners = layout->table + body_layout->triangle_corners;
    int *tiles = layout->table + body_layout->triangle_tiles;
    int *tile_of = slv_memory_take(scratch, (size_t)body_layout->slots, sizeof *tile_of);
    if (!tile_of) {
        return false;
    }
    for (int tile = 0; tile < body_layout->tiles; tile++) {
        for (int column = 0; column < SLV_BLOCK; column++) {
            const int slot = slv_tile_slot(body_layout, tile, column);
            if (slot >= 0) {
                tile_of[slot] = tile;
            }
        }
    }
    for (size_t t = 0; t < (size_t)mesh->patch_count * SLV_LANES; t++) {
        const int edges = mesh->owned[t] >> 3 & SLV_TRIANGLE_EDGES;
        const int tile = corners[3 * t] < 0 ? 0 : tile_of[corners[3 * t]];
        tiles[t] = tile << SLV_TRIANGLE_SHIFT | edges;
    }
    return true;
}

// Of each slot, where its corrections by triangles lie, in the order of the triangles.
static void fill_fans(const slv_layout *layout, uint32_t index, size_t triangles) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    const int *corners = layout->table + body_layout->triangle_corners;
    int *first = layout->table + body_layout->triangle_first;
    int *fans = layout->table + body_layout->triangle_fans;
    for (size_t i = 0; i < 3 * triangles; i++) {
        if (corners[i] >= 0) {
            first[corners[i]]++;
        }
    }
    for (int slot = 0; slot < body_layout->slots; slot++) {
        first[slot + 1] += first[slot];
    }
    for (size_t i = 3 * triangles; i-- > 0;) { // fills each from its end, where first now is
        if (corners[i] >= 0) {
            fans[--first[corners[i]]] = body_layout->triangle_moves + 4 * (int)i;
        }
    }
}

static bool fill(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch) {
    (void)settings;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        const slv_surface_mesh *mesh = &get_data(bodies[i])->mesh;
        if (layout->bodies[i].triangle_rows > 0) {
            // Colliders near a triangle are those near its first corner.
            layout->bodies[i].reach +=
                (float)(longest_stretch * (double)get_data(bodies[i])->longest);
            fill_corners(layout, i, mesh);
            fill_fans(layout, i, (size_t)mesh->patch_count * SLV_LANES);
            if (!fill_tiles(layout, i, mesh, scratch)) {
                return false;
            }
        }
    }
    return true;
}

// --- The step ---------------------------------------------------------------------------------------

static void launch_all(slv_plan_writer *writer, slv_kernel_id kernel, bool triangles) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        if (body_layout->triangle_rows > 0) {
            slv_plan_launch_rows(writer, kernel, i, 0, 0,
                                 triangles ? body_layout->triangle_rows : body_layout->tiles);
        }
    }
    slv_plan_barrier(writer);
}

static bool exist(const slv_layout *layout) {
    for (uint32_t i = 0; i < layout->body_count; i++) {
        if (layout->bodies[i].triangle_rows > 0) {
            return true;
        }
    }
    return false;
}

void slv_triangles_push_out(slv_plan_writer *writer) {
    if (exist(writer->layout)) {
        slv_plan_begin_loop(writer, ROUNDS);
        launch_all(writer, SLV_ID_triangle_collide, true);
        launch_all(writer, SLV_ID_triangle_apply, false);
        slv_plan_end_loop(writer);
    }
}

const slv_feature slv_feature_triangles = {
    .name = "triangles",
    .body_size = sizeof(triangle_data),
    .define = define,
    .reserve = reserve,
    .fill = fill,
    .launch = {[SLV_POINT_LAST_PASS] = slv_triangles_push_out},
};
