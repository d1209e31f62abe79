// SPDX-License-Identifier: MIT
#include "runtime/player/view/field_mesh.h"

#include "formats/garment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- Surface nets --------------------------------------------------------------------------------

typedef struct net {
    slv_solid_mesh *mesh;
    const slv_field_info *info;
    const float *samples;
    size_t columns, rows; // cells of a layer
    uint32_t *layers[2];  // vertex index of each cell, of the layer below and of the current layer
} net;

static const float *sample_at(const net *n, uint32_t x, uint32_t y, uint32_t z) {
    const uint32_t *cells = n->info->cells;
    return n->samples + x + (size_t)cells[0] * (y + (size_t)cells[1] * z);
}

// Reads the eight samples of a cell: bit 0 of a corner's number is x, bit 1 y, bit 2 z. Returns how many are inside.
static int read_corners(const net *n, uint32_t x, uint32_t y, uint32_t z, float corners[8]) {
    int inside = 0;
    for (uint32_t c = 0; c < 8; c++) {
        corners[c] = *sample_at(n, x + (c & 1), y + (c >> 1 & 1), z + (c >> 2));
        inside += corners[c] < 0.0f;
    }
    return inside;
}

// Adds the zero crossing of the edge from a corner along an axis, in cells. Returns 1 where there is one.
static int add_cut(const float corners[8], int from, int axis, float sum[3]) {
    const float a = corners[from];
    const float b = corners[from | 1 << axis];
    if ((a < 0.0f) == (b < 0.0f)) {
        return 0;
    }
    for (int d = 0; d < 3; d++) {
        sum[d] += d == axis ? a / (a - b) : (float)(from >> d & 1);
    }
    return 1;
}

static uint32_t add_cell(const net *n, uint32_t x, uint32_t y, uint32_t z, const float corners[8]) {
    float sum[3] = {0.0f, 0.0f, 0.0f};
    float out[3] = {0.0f, 0.0f, 0.0f};
    int cuts = 0;
    for (int axis = 0; axis < 3; axis++) {
        for (int c = 0; c < 8; c++) {
            if ((c >> axis & 1) == 0) {
                cuts += add_cut(corners, c, axis, sum);
                out[axis] += corners[c | 1 << axis] - corners[c];
            }
        }
    }
    const uint32_t cell[3] = {x, y, z};
    float position[3];
    const float length = sqrtf(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    const float scale = length > 0.0f ? 1.0f / length : 0.0f;
    for (int d = 0; d < 3; d++) {
        const double at = cell[d] + (double)(sum[d] / (float)cuts);
        position[d] = (float)(n->info->origin[d] + n->info->spacing * at);
    }
    return slv_solid_mesh_add_vertex(
        n->mesh, position, (const float[3]){scale * out[0], scale * out[1], scale * out[2]});
}

// Adds the quad of the edge from a cell's first corner along an axis, if the surface crosses it. Its corners are the
// vertices of the four cells at the edge, which precede this cell or are in its layer.
static void add_face(const net *n, uint32_t x, uint32_t y, int axis, const float corners[8],
                     bool first_layer) {
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    const uint32_t cell[3] = {x, y, first_layer ? 0 : 1};
    const bool from_inside = corners[0] < 0.0f;
    if (from_inside == (corners[1 << axis] < 0.0f) || cell[u] == 0 || cell[v] == 0) {
        return;
    }
    uint32_t around[4];
    for (int i = 0; i < 4; i++) { // the cell, then back along u, then u and v, then v
        uint32_t at[3] = {x, y, 1};
        at[u] -= i == 1 || i == 2;
        at[v] -= i >= 2;
        around[i] = n->layers[at[2]][at[0] + n->columns * at[1]];
    }
    const int second = from_inside ? 1 : 3;
    slv_solid_mesh_add_triangle(n->mesh, around[0], around[second], around[2]);
    slv_solid_mesh_add_triangle(n->mesh, around[0], around[2], around[4 - second]);
}

static void add_layer(const net *n, uint32_t z) {
    for (uint32_t y = 0; y < n->rows; y++) {
        for (uint32_t x = 0; x < n->columns; x++) {
            float corners[8];
            const int inside = read_corners(n, x, y, z, corners);
            if (inside == 0 || inside == 8) {
                continue;
            }
            n->layers[1][x + n->columns * y] = add_cell(n, x, y, z, corners);
            for (int axis = 0; axis < 3; axis++) {
                add_face(n, x, y, axis, corners, z == 0);
            }
        }
    }
}

void slv_field_mesh_add(slv_solid_mesh *mesh, const slv_field_info *info, const float *samples) {
    net n = {.mesh = mesh,
             .info = info,
             .samples = samples,
             .columns = info->cells[0] - 1,
             .rows = info->cells[1] - 1};
    if (info->cells[0] < 2 || info->cells[1] < 2 || info->cells[2] < 2) {
        return;
    }
    uint32_t *room = calloc(2 * n.columns * n.rows, sizeof *room);
    mesh->failed = mesh->failed || room == NULL;
    for (uint32_t z = 0; !mesh->failed && z + 1 < info->cells[2]; z++) {
        n.layers[0] = room + (z + 1) % 2 * n.columns * n.rows;
        n.layers[1] = room + z % 2 * n.columns * n.rows;
        add_layer(&n, z);
    }
    free(room);
}

// --- Packs ---------------------------------------------------------------------------------------

static void copy_mesh(slv_solid_mesh *mesh, const slv_render_mesh *from) {
    for (size_t v = 0; v < from->vertex_count && !mesh->failed; v++) {
        (void)slv_solid_mesh_add_vertex(mesh, from->positions + 3 * v, from->normals + 3 * v);
    }
    for (size_t t = 0; t < from->triangle_count && !mesh->failed; t++) {
        const uint32_t *corner = from->triangles + 3 * t;
        slv_solid_mesh_add_triangle(mesh, corner[0], corner[1], corner[2]);
    }
}

static void add_field(slv_solid_mesh *mesh, const slv_pack *pack) {
    slv_error error;
    slv_field_info info;
    const uint8_t *coded = NULL;
    if (slv_field_open(pack, &info, &coded, &error) != SLV_OK) {
        return;
    }
    const size_t count = (size_t)info.cells[0] * info.cells[1] * info.cells[2];
    float *samples = malloc(count * sizeof *samples);
    mesh->failed = samples == NULL;
    if (samples) {
        slv_field_decode(&info, coded, samples);
        slv_field_mesh_add(mesh, &info, samples);
    }
    free(samples);
}

// The world has just read this pack. If it can no longer be read, nothing is drawn.
slv_solid_mesh slv_field_mesh_make(const char *pack_path) {
    slv_solid_mesh mesh = {.failed = false};
    slv_garment garment;
    slv_error error;
    slv_pack *pack = NULL;
    if (slv_pack_open(pack_path, NULL, &pack, &error) != SLV_OK) {
        return mesh;
    }
    if (slv_pack_get_header(pack)->contents == SLV_CONTENTS_GARMENT &&
        slv_garment_open(pack, &garment, &error) == SLV_OK && garment.render.triangle_count > 0) {
        copy_mesh(&mesh, &garment.render);
    } else {
        add_field(&mesh, pack);
    }
    slv_pack_close(pack);
    return mesh;
}
