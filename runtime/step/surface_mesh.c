// SPDX-License-Identifier: MIT
#include "runtime/step/surface_mesh.h"

#include "runtime/model/triangles.h"
#include "runtime/step/spatial_order.h"

bool slv_surface_mesh_exists(const slv_body *body) {
    return slv_triangles_are_drawn(body) || slv_triangles_have_grid(body);
}

static bool has_area(const uint32_t *corners) {
    return corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0];
}

// Centers of the triangles that count, near ones side by side.
static size_t order_triangles(const slv_body *body, const slv_triangles *triangles,
                              slv_resting *order) {
    size_t count = 0;
    for (uint32_t t = 0; t < triangles->count; t++) {
        const uint32_t *corners = triangles->corners + 3 * (size_t)t;
        if (!has_area(corners)) {
            continue;
        }
        double sum[3] = {0.0, 0.0, 0.0};
        for (int n = 0; n < 3; n++) {
            double rest[3];
            slv_find_rest_position(body, corners[n], rest);
            for (int d = 0; d < 3; d++) {
                sum[d] += rest[d] / 3.0;
            }
        }
        order[count].own = t;
        for (int d = 0; d < 3; d++) {
            order[count].position[d] = (float)sum[d];
        }
        count++;
    }
    slv_gather_near(order, count);
    return count;
}

// Numbers vertices in the order in which triangles name them; a vertex belongs to the triangle that does so first.
static void number_vertices(slv_surface_mesh *mesh, const slv_triangles *triangles,
                            const slv_resting *order, size_t count, uint32_t *number) {
    for (size_t t = 0; t < mesh->patch_count * (size_t)SLV_LANES; t++) {
        int *corners = mesh->corners + t / SLV_LANES * (3 * (size_t)SLV_LANES) + t % SLV_LANES;
        for (size_t n = 0; n < 3; n++) {
            corners[n * SLV_LANES] = -1;
            if (t >= count) {
                continue;
            }
            const uint32_t particle = triangles->corners[3 * (size_t)order[t].own + n];
            if (number[particle] == 0) {
                mesh->particles[mesh->vertex_count] = particle;
                mesh->vertex_count++;
                number[particle] = mesh->vertex_count;
                mesh->owned[t] |= 1 << n;
            }
            corners[n * SLV_LANES] = (int)number[particle] - 1;
        }
    }
}

// The edges of a triangle: from a corner to the next, by their lower and their higher vertex.
static void find_edge(const slv_surface_mesh *mesh, size_t triangle, size_t n, int ends[2]) {
    const int *corners =
        mesh->corners + triangle / SLV_LANES * (3 * (size_t)SLV_LANES) + triangle % SLV_LANES;
    const int one = corners[n * SLV_LANES];
    const int other = corners[(n + 1) % 3 * SLV_LANES];
    ends[0] = one < other ? one : other;
    ends[1] = one < other ? other : one;
}

// An edge belongs to the first triangle that has it. `firsts` says where the higher ends of the edges of each lower end
// begin in `others`, `known` how many of them are known.
static void own_edges(slv_surface_mesh *mesh, size_t count, uint32_t *firsts, uint32_t *known,
                      int *others) {
    int ends[2];
    for (size_t i = 0; i < 3 * count; i++) {
        find_edge(mesh, i / 3, i % 3, ends);
        firsts[ends[0] + 1]++;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        firsts[v + 1] += firsts[v];
    }
    for (size_t i = 0; i < 3 * count; i++) {
        find_edge(mesh, i / 3, i % 3, ends);
        int *own = others + firsts[ends[0]];
        uint32_t n = 0;
        while (n < known[ends[0]] && own[n] != ends[1]) {
            n++;
        }
        if (n == known[ends[0]]) {
            own[n] = ends[1];
            known[ends[0]]++;
            mesh->owned[i / 3] |= 8 << i % 3;
        }
    }
}

bool slv_surface_mesh_create(slv_surface_mesh *mesh, const slv_body *body, slv_memory *memory,
                             slv_memory *scratch) {
    slv_triangles triangles = {NULL, 0};
    const bool found = slv_triangles_are_drawn(body)
                           ? slv_triangles_find_drawn(&triangles, body, scratch)
                           : slv_triangles_find_grid(&triangles, body, scratch, scratch);
    const size_t all = (size_t)triangles.count + 1;
    slv_resting *order = found ? slv_memory_take(scratch, all, sizeof *order) : NULL;
    uint32_t *number = slv_memory_take(scratch, body->count, sizeof *number);
    if (!order || !number) {
        return false;
    }
    const size_t count = order_triangles(body, &triangles, order);
    *mesh = (slv_surface_mesh){.patch_count = (uint32_t)((count + SLV_LANES - 1) / SLV_LANES)};
    const size_t padded = mesh->patch_count * (size_t)SLV_LANES;
    mesh->particles = slv_memory_take(memory, (size_t)body->count + 1, sizeof *mesh->particles);
    mesh->corners = slv_memory_take(memory, 3 * padded + 1, sizeof *mesh->corners);
    mesh->owned = slv_memory_take(memory, padded + 1, sizeof *mesh->owned);
    uint32_t *firsts = slv_memory_take(scratch, (size_t)body->count + 1, sizeof *firsts);
    uint32_t *known = slv_memory_take(scratch, (size_t)body->count + 1, sizeof *known);
    int *others = slv_memory_take(scratch, 3 * all, sizeof *others);
    if (!mesh->particles || !mesh->corners || !mesh->owned || !firsts || !known || !others) {
        return false;
    }
    number_vertices(mesh, &triangles, order, count, number);
    own_edges(mesh, count, firsts, known, others);
    return true;
}
