// SPDX-License-Identifier: MIT
#include "formats/garment_verify.h"

#include "formats/value_check.h"

#include <math.h>

// RPOS, RNRM, RUVS, RTEX, RTRI, RSRC, REMB: the render mesh and its embedding in the particles.

static const double weight_tolerance = 1e-4; // how far a row of weights may be from summing to 1
static const float normal_tolerance = 1e-3f; // how far a squared normal may be from 1

static slv_result check_floats(uint32_t kind, const float *values, size_t count, slv_error *error) {
    size_t bad = slv_find_not_finite(values, count);
    return bad < count ? slv_fail_section(error, kind, "value %zu is not finite", bad) : SLV_OK;
}

static inline bool is_bad_normal(const float *normal) {
    float square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
    return !((square == 0) | (fabsf(square - 1) <= normal_tolerance));
}

static slv_result check_normals(const slv_render_mesh *mesh, slv_error *error) {
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        if (is_bad_normal(mesh->normals + 3 * v)) {
            return slv_fail_section(error, SLV_SECTION_RENDER_NORMAL,
                                    "the normal of vertex %zu is neither of unit length nor zero",
                                    v);
        }
    }
    return SLV_OK;
}

static slv_result take_vertices(const slv_pack *pack, slv_render_mesh *mesh, slv_error *error) {
    const void *positions = NULL;
    const void *normals = NULL;
    slv_result result =
        slv_take_list(pack, SLV_SECTION_RENDER_POSITION, &mesh->vertex_count, &positions, error);
    mesh->positions = positions;
    if (result == SLV_OK) {
        result = check_floats(SLV_SECTION_RENDER_POSITION, mesh->positions,
                              3 * (size_t)mesh->vertex_count, error);
    }
    if (result == SLV_OK) {
        result =
            slv_take_section(pack, SLV_SECTION_RENDER_NORMAL, mesh->vertex_count, &normals, error);
    }
    mesh->normals = normals;
    return result == SLV_OK ? check_normals(mesh, error) : result;
}

static slv_result take_triangles(const slv_pack *pack, slv_render_mesh *mesh, slv_error *error) {
    const uint32_t kind = SLV_SECTION_RENDER_TRIANGLE;
    const void *triangles = NULL;
    slv_result result = slv_take_list(pack, kind, &mesh->triangle_count, &triangles, error);
    mesh->triangles = triangles;
    if (result != SLV_OK) {
        return result;
    }
    const size_t corners = 3 * (size_t)mesh->triangle_count;
    size_t bad = slv_find_not_below(mesh->triangles, corners, mesh->vertex_count);
    if (bad < corners) {
        return slv_fail_section(error, kind, "triangle %zu names vertex %u, there are %u", bad / 3,
                                mesh->triangles[bad], mesh->vertex_count);
    }
    return SLV_OK;
}

static slv_result take_texture(const slv_pack *pack, slv_render_mesh *mesh, slv_error *error) {
    const uint32_t kind = SLV_SECTION_RENDER_TEXTURE;
    slv_error why;
    mesh->texture = slv_pack_get_section(pack, kind, &mesh->texture_size);
    if (!mesh->texture) {
        mesh->texture_size = 0;
        return SLV_OK;
    }
    if (!mesh->uvs) {
        return slv_fail_section(error, kind, "has no meaning without an RUVS section");
    }
    return slv_texture_check(mesh->texture, mesh->texture_size, &mesh->texture_info, &why) == SLV_OK
               ? SLV_OK
               : slv_fail_section(error, kind, "%s", why.text);
}

static slv_result take_optional(const slv_pack *pack, slv_render_mesh *mesh, slv_error *error) {
    uint64_t v = mesh->vertex_count;
    size_t size = 0;
    const void *bytes = NULL;
    slv_result result = SLV_OK;
    if (slv_pack_get_section(pack, SLV_SECTION_RENDER_UV, &size)) {
        result = slv_take_section(pack, SLV_SECTION_RENDER_UV, v, &bytes, error);
        mesh->uvs = bytes;
        if (result == SLV_OK) {
            result = check_floats(SLV_SECTION_RENDER_UV, mesh->uvs, 2 * (size_t)v, error);
        }
    }
    if (result == SLV_OK && slv_pack_get_section(pack, SLV_SECTION_RENDER_SOURCE, &size)) {
        result = slv_take_section(pack, SLV_SECTION_RENDER_SOURCE, v, &bytes, error);
        mesh->source = bytes;
    }
    return result == SLV_OK ? take_texture(pack, mesh, error) : result;
}

// --- embedding -------------------------------------------------------------------------------------

static slv_result check_embedding_info(const slv_embedding_info *info, size_t size,
                                       uint32_t vertex_count, slv_error *error) {
    const uint32_t kind = SLV_SECTION_EMBEDDING;
    if (size < sizeof *info) {
        return slv_fail_section(error, kind, "%zu bytes, at least %zu are needed", size,
                                sizeof *info);
    }
    if (info->vertex_count != vertex_count) {
        return slv_fail_section(error, kind, "it embeds %u vertices, RPOS has %u",
                                info->vertex_count, vertex_count);
    }
    if (info->influences != 1 && info->influences != 4 && info->influences != 8) {
        return slv_fail_section(error, kind, "%u influences, should be 1, 4 or 8",
                                info->influences);
    }
    if ((info->flags & ~(uint32_t)SLV_EMBEDDING_OFFSETS) != 0 || info->zero != 0) {
        return slv_fail_section(error, kind, "unknown flags or reserved bits");
    }
    uint64_t offsets = (info->flags & SLV_EMBEDDING_OFFSETS) ? 12 : 0;
    uint64_t needed = sizeof *info + vertex_count * (8 * (uint64_t)info->influences + offsets);
    if (size != needed) {
        return slv_fail_section(error, kind, "%zu bytes long, should be %llu", size,
                                (unsigned long long)needed);
    }
    return SLV_OK;
}

static slv_result check_weights(const slv_render_mesh *mesh, slv_error *error) {
    const float *weight = mesh->weights;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double sum = 0;
        for (uint32_t k = 0; k < mesh->influences; k++) {
            sum += (double)*weight++;
        }
        if (!(fabs(sum - 1) <= weight_tolerance)) {
            return slv_fail_section(error, SLV_SECTION_EMBEDDING,
                                    "the weights of vertex %u sum to %g, should be 1", v, sum);
        }
    }
    return SLV_OK;
}

static slv_result check_embedding(const slv_render_mesh *mesh, uint32_t particle_count,
                                  slv_error *error) {
    const uint32_t kind = SLV_SECTION_EMBEDDING;
    size_t count = (size_t)mesh->vertex_count * mesh->influences;
    size_t bad = slv_find_not_below(mesh->particles, count, particle_count);
    if (bad < count) {
        return slv_fail_section(error, kind, "vertex %zu follows stored particle %u, there are %u",
                                bad / mesh->influences, mesh->particles[bad], particle_count);
    }
    slv_result result = check_floats(kind, mesh->weights, count, error);
    if (result == SLV_OK && mesh->offsets) {
        result = check_floats(kind, mesh->offsets, 3 * (size_t)mesh->vertex_count, error);
    }
    return result == SLV_OK ? check_weights(mesh, error) : result;
}

static slv_result take_embedding(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    slv_render_mesh *mesh = &garment->render;
    size_t size = 0;
    const slv_embedding_info *info = slv_pack_get_section(pack, SLV_SECTION_EMBEDDING, &size);
    if (!info) {
        return slv_fail_section(error, SLV_SECTION_EMBEDDING, "missing");
    }
    slv_result result = check_embedding_info(info, size, mesh->vertex_count, error);
    if (result != SLV_OK) {
        return result;
    }
    size_t count = (size_t)mesh->vertex_count * info->influences;
    mesh->influences = info->influences;
    mesh->particles = (const void *)(info + 1);
    mesh->weights = (const void *)(mesh->particles + count);
    mesh->offsets = (info->flags & SLV_EMBEDDING_OFFSETS) ? mesh->weights + count : NULL;
    return check_embedding(mesh, garment->info.particle_count, error);
}

static slv_result verify_no_mesh(const slv_pack *pack, slv_error *error) {
    static const uint32_t kinds[] = {SLV_SECTION_RENDER_NORMAL,  SLV_SECTION_RENDER_UV,
                                     SLV_SECTION_RENDER_TEXTURE, SLV_SECTION_RENDER_TRIANGLE,
                                     SLV_SECTION_RENDER_SOURCE,  SLV_SECTION_EMBEDDING};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t size = 0;
        if (slv_pack_get_section(pack, kinds[i], &size)) {
            return slv_fail_section(error, kinds[i], "has no meaning without an RPOS section");
        }
    }
    return SLV_OK;
}

slv_result slv_verify_render(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    size_t size = 0;
    if (!slv_pack_get_section(pack, SLV_SECTION_RENDER_POSITION, &size)) {
        return verify_no_mesh(pack, error);
    }
    slv_result result = take_vertices(pack, &garment->render, error);
    if (result == SLV_OK) {
        result = take_triangles(pack, &garment->render, error);
    }
    if (result == SLV_OK) {
        result = take_optional(pack, &garment->render, error);
    }
    return result == SLV_OK ? take_embedding(pack, garment, error) : result;
}
