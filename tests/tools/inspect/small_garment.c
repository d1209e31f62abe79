// SPDX-License-Identifier: MIT
#include "tests/tools/inspect/small_garment.h"

#include "formats/field.h"

#include <string.h>

enum { N = 6, PAIRS = 7 };

static const slv_grid_info grid = {.cells = {3, 1, 2}, .spacing = 0.1};
static const uint32_t own_of_stored[N] = {0, 2, 4, 1, 3, 5};
static const uint32_t stored_of_own[N] = {0, 3, 1, 4, 2, 5};
static const float x[N] = {0.0f, 0.2f, 0.1f, 0.1f, 0.0f, 0.2f};
static const float y[N];
static const float z[N] = {0.0f, 0.0f, 0.1f, 0.0f, 0.1f, 0.1f};
static const float inverse_mass[N] = {10.0f, 10.0f, 10.0f, 10.0f, 10.0f, 0.0f};
static const int32_t neighbors[SLV_SLOT_COUNT * N] = {
    -1, 3,  4,  0,  -1, 2,  // -x
    3,  -1, 5,  1,  2,  -1, // +x
    -1, -1, -1, -1, -1, -1, // -y
    -1, -1, -1, -1, -1, -1, // +y
    -1, -1, 3,  -1, 0,  1,  // -z
    4,  5,  -1, 2,  -1, -1, // +z
};
static const slv_color_range colors[2] = {{0, 0, 3, 0}, {1, 3, 3, 0}};

// In own numbers: 0-1 3-4 | 1-2 4-5 | 0-3 1-4 2-5.
static const uint32_t distance_a[PAIRS] = {0, 4, 3, 2, 0, 3, 1};
static const uint32_t distance_b[PAIRS] = {3, 2, 1, 5, 4, 2, 5};
static const float distance_rest[PAIRS] = {0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f};
// 0-2, 3-5.
static const uint32_t bending_a[2] = {0, 4};
static const uint32_t bending_b[2] = {1, 5};
static const float bending_rest[2] = {0.2f, 0.2f};
static const slv_constraint_group groups[4] = {
    {SLV_CONSTRAINT_DISTANCE, 0, 0, 0, 0, 2},
    {SLV_CONSTRAINT_DISTANCE, 1, 0, 0, 2, 2},
    {SLV_CONSTRAINT_DISTANCE, 2, 0, 0, 4, 3},
    {SLV_CONSTRAINT_BENDING, SLV_UNCOLORED, 0, 0, 0, 2},
};

// The four corners as render mesh.
static const float positions[12] = {0, 0, 0, 0.2f, 0, 0, 0, 0, 0.1f, 0.2f, 0, 0.1f};
static const float normals[12] = {0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0};
static const float uvs[8] = {0, 0, 1, 0, 0, 1, 1, 1};
static const uint32_t triangles[6] = {0, 2, 1, 1, 2, 3};
static const uint32_t source[4] = {10, 11, 12, 13};
static const uint32_t embedding[4] = {0, 1, 4, 5};
static const float weights[4] = {1, 1, 1, 1};

static const slv_particle_set sets[2] = {{0, 6, 0, 2}, {6, 9, 2, 2}};
static const uint32_t set_particles[4] = {0, 5, 0, 4};
static const char set_names[] = "cornerhem, left"; // "corner" and "hem, left"

static const slv_material material = {.name = "test cloth",
                                      .stretch_stiffness = 1000.0f,
                                      .shear_stiffness = 500.0f,
                                      .bending_stiffness = 10.0f,
                                      .damping = 0.1f,
                                      .static_friction = 0.5f,
                                      .kinetic_friction = 0.4f,
                                      .restitution = 0.25f,
                                      .thickness = 0.001f,
                                      .color = {0.8f, 0.7f, 0.6f, 1.0f}};
static const char provenance[] =
    "{\"tool\":\"a test\",\"options\":{\"spacing\":0.1,\"flat\":true},\"inputs\":[\"none\"]}";

slv_garment slv_small_garment(void) {
    slv_garment garment = {
        .info = {.particle_count = N,
                 .mode = SLV_GARMENT_SHAPE,
                 .bounds_max = {0.2f, 0.0f, 0.1f},
                 .spacing = 0.1f,
                 .mass = 0.5f},
        .grid = &grid,
        .x = x,
        .y = y,
        .z = z,
        .inverse_mass = inverse_mass,
        .cell = own_of_stored, // every cell is taken, in own order
        .own_of_stored = own_of_stored,
        .stored_of_own = stored_of_own,
        .neighbors = neighbors,
        .color_count = 2,
        .colors = colors,
        .group_count = 4,
        .groups = groups,
        .constraints = {[SLV_CONSTRAINT_DISTANCE] = {PAIRS,
                                                     {distance_a, distance_b},
                                                     distance_rest},
                        [SLV_CONSTRAINT_BENDING] = {2, {bending_a, bending_b}, bending_rest}},
        .render = {.vertex_count = 4,
                   .triangle_count = 2,
                   .positions = positions,
                   .normals = normals,
                   .uvs = uvs,
                   .triangles = triangles,
                   .source = source,
                   .influences = 1,
                   .particles = embedding,
                   .weights = weights},
        .set_count = 2,
        .sets = sets,
        .set_particles = set_particles,
        .set_names = set_names,
        .material_count = 1,
        .materials = &material,
        .provenance = provenance,
        .provenance_size = sizeof provenance - 1,
    };
    return garment;
}

static slv_result write_field(slv_writer *writer, slv_error *error) {
    struct {
        slv_field_info info;
        uint8_t coded[18 * sizeof(float)];
    } field = {.info = {.cells = {2, 1, 9}, .slab = SLV_FIELD_SLAB, .spacing = 0.1}};
    float values[18];
    for (int i = 0; i < 18; i++) {
        int layer = i / 2;
        values[i] = (float)(i % 2) + (float)layer / 8.0f - 0.1f;
    }
    slv_field_encode_slab(values, 2, 1, SLV_FIELD_SLAB, field.coded);
    slv_field_encode_slab(values + 16, 2, 1, 1, field.coded + 16 * sizeof(float));
    return slv_writer_add(writer, SLV_SECTION_FIELD, SLV_CODEC_ZSTD, 0, &field,
                          sizeof field.info + sizeof field.coded, error);
}

slv_result slv_small_pack_write(const char *path, slv_error *error) {
    slv_garment garment = slv_small_garment();
    slv_writer *writer = NULL;
    slv_result result = slv_writer_open(
        path, SLV_CONTENTS_GARMENT, slv_garment_get_section_count(&garment) + 1, &writer, error);
    if (result) {
        return result;
    }
    result = slv_garment_write(&garment, writer, error);
    if (!result) {
        result = write_field(writer, error);
    }
    if (result) {
        slv_writer_abandon(writer);
        return result;
    }
    return slv_writer_commit(writer, error);
}
