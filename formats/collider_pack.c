// SPDX-License-Identifier: MIT
#include "formats/collider_pack.h"

#include "formats/file_bytes.h"
#include "formats/section_check.h"
#include "formats/value_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

slv_motion_kinds slv_motion_get_sections(slv_motion_kind kind) {
    static const slv_motion_kinds kinds[SLV_MOTION_COUNT] = {
        {SLV_SECTION_PARTICLE_TABLE, SLV_SECTION_PARTICLE_GROUPS, SLV_SECTION_PARTICLE_INDEX},
        {SLV_SECTION_ATTACHMENT_TABLE, SLV_SECTION_ATTACHMENT_GROUPS, SLV_SECTION_ATTACHMENT_INDEX},
        {SLV_SECTION_MESH_TABLE, SLV_SECTION_MESH_GROUPS, SLV_SECTION_MESH_INDEX},
    };
    return kinds[kind];
}

// --- CLIP ---------------------------------------------------------------------------------------

// Seconds and rates within which doubles can distinguish frames.
static bool is_time(double seconds) {
    return isfinite(seconds) && fabs(seconds) <= 1e9;
}

static const char *info_fault(const slv_clip_info *info) {
    if (info->particle_count == 0 || info->particle_count >= (UINT32_C(1) << 31) / SLV_ROW_FLOATS) {
        return "no particles, or too many";
    }
    if (info->frame_count == 0 || info->frame_count > SLV_FRAMES_MAX ||
        info->coverage_frame >= info->frame_count) {
        return "no frames, or too many";
    }
    if (!(info->frame_rate >= 1e-6 && info->frame_rate <= 1e6) || !is_time(info->start) ||
        !is_time(info->duration) ||
        !(info->duration * info->frame_rate >= (double)(info->frame_count - 1) - 1e-3) ||
        !(info->duration * info->frame_rate <= (double)info->frame_count + 1e-3)) {
        return "frame rate, start and duration do not fit its frames";
    }
    for (int d = 0; d < 3; d++) {
        if (!isfinite(info->frame[d]) || !isfinite(info->bounds_min[d]) ||
            !isfinite(info->bounds_max[d]) || info->bounds_min[d] > info->bounds_max[d]) {
            return "its frame or bounds are invalid";
        }
    }
    if (!isfinite(info->radius) || !(info->radius > 0.0f) || !isfinite(info->coverage) ||
        info->coverage < 0.0f || !isfinite(info->error) || !(info->error > 0.0f) ||
        !isfinite(info->largest_error) || info->largest_error < 0.0f) {
        return "radius, coverage or error are invalid";
    }
    const uint32_t most = (UINT32_C(1) << 31) / SLV_ROW_FLOATS;
    if (info->vertex_count >= most || info->attachment_count >= most ||
        (info->vertex_count == 0) != (info->triangle_count == 0)) {
        return "its numbers of vertices, triangles and attachments are invalid";
    }
    return slv_all_zero(info->zero, sizeof info->zero) ? NULL : "bytes that should be zero are not";
}

static slv_result take_info(const slv_pack *pack, slv_collider_pack *collider, slv_error *error) {
    const void *info = NULL;
    slv_result result = slv_take_section(pack, SLV_SECTION_CLIP, 1, &info, error);
    if (result == SLV_OK) {
        memcpy(&collider->info, info, sizeof collider->info);
        const char *fault = info_fault(&collider->info);
        result = fault ? slv_fail_section(error, SLV_SECTION_CLIP, "%s", fault) : SLV_OK;
    }
    return result;
}

// --- The rest -----------------------------------------------------------------------------------

static slv_result take_motions(const slv_pack *pack, slv_collider_pack *collider,
                               slv_error *error) {
    const slv_clip_info *info = &collider->info;
    const uint32_t counts[SLV_MOTION_COUNT] = {info->particle_count, info->attachment_count,
                                               info->vertex_count};
    for (int m = 0; m < SLV_MOTION_COUNT; m++) {
        if (counts[m] == 0) {
            continue;
        }
        slv_motion *motion = &collider->motions[m];
        slv_result result =
            slv_motion_open(pack, slv_motion_get_sections((slv_motion_kind)m), counts[m],
                            info->frame_count, motion, &collider->tables[m], error);
        if (result != SLV_OK) {
            return result;
        }
        memcpy(motion->bounds_min, info->bounds_min, sizeof motion->bounds_min);
        memcpy(motion->bounds_max, info->bounds_max, sizeof motion->bounds_max);
    }
    return SLV_OK;
}

static slv_result take_attachments(const slv_pack *pack, slv_collider_pack *collider,
                                   slv_error *error) {
    slv_named_sets *sets = &collider->attachments;
    slv_result result = slv_named_sets_open(pack, SLV_SECTION_ATTACHMENTS, UINT32_MAX, sets, error);
    if (result != SLV_OK) {
        return result;
    }
    const slv_particle_set *last = sets->count > 0 ? &sets->sets[sets->count - 1] : NULL;
    const uint32_t points = last ? last->first + last->count : 0;
    return points == collider->info.attachment_count
               ? SLV_OK
               : slv_fail_section(error, SLV_SECTION_ATTACHMENTS, "it names %u points, CLIP has %u",
                                  points, collider->info.attachment_count);
}

static slv_result take_mesh(const slv_pack *pack, slv_collider_pack *collider, slv_error *error) {
    const slv_clip_info *info = &collider->info;
    if (info->vertex_count == 0) {
        return SLV_OK;
    }
    const void *triangles = NULL;
    slv_result result = slv_take_section(pack, SLV_SECTION_RENDER_TRIANGLE, info->triangle_count,
                                         &triangles, error);
    if (result != SLV_OK) {
        return result;
    }
    const size_t corners = 3 * (size_t)info->triangle_count;
    collider->triangles = triangles;
    if (slv_find_not_below(collider->triangles, corners, info->vertex_count) < corners) {
        return slv_fail_section(error, SLV_SECTION_RENDER_TRIANGLE,
                                "a triangle names a vertex that does not exist");
    }
    size_t size = 0;
    collider->uvs = slv_pack_get_section(pack, SLV_SECTION_RENDER_UV, &size);
    if (collider->uvs && (size != 8 * (size_t)info->vertex_count ||
                          slv_find_not_finite(collider->uvs, size / 4) < size / 4)) {
        return slv_fail_section(error, SLV_SECTION_RENDER_UV, "its size or a value is bad");
    }
    return SLV_OK;
}

static slv_result take_provenance(const slv_pack *pack, slv_collider_pack *collider,
                                  slv_error *error) {
    return slv_take_provenance(pack, &collider->provenance, &collider->provenance_size, error);
}

slv_result slv_collider_pack_open(const slv_pack *pack, slv_collider_pack *collider,
                                  slv_error *error) {
    static slv_result (*const parts[])(const slv_pack *, slv_collider_pack *, slv_error *) = {
        take_info, take_motions, take_attachments, take_mesh, take_provenance};
    *collider = (slv_collider_pack){0};
    slv_result result = slv_check_contents(pack, SLV_CONTENTS_COLLIDER, error);
    for (size_t i = 0; result == SLV_OK && i < sizeof parts / sizeof *parts; i++) {
        result = parts[i](pack, collider, error);
    }
    if (result != SLV_OK) {
        slv_collider_pack_close(collider);
    }
    return result;
}

void slv_collider_pack_close(slv_collider_pack *collider) {
    for (int m = 0; m < SLV_MOTION_COUNT; m++) {
        free(collider->tables[m]);
    }
    *collider = (slv_collider_pack){0};
}

size_t slv_collider_pack_get_memory(const slv_collider_pack *collider) {
    size_t bytes = 0;
    for (int m = 0; m < SLV_MOTION_COUNT; m++) {
        const slv_motion *motion = &collider->motions[m];
        const size_t predictors = (size_t)motion->count * motion->predictors;
        bytes += predictors * (sizeof *motion->points + sizeof *motion->weights);
        bytes += motion->count > 0 ? slv_motion_decoder_get_memory(motion) : 0;
    }
    return bytes;
}

static slv_result verify_motion(const slv_motion *motion, uint32_t kind, slv_error *error) {
    slv_motion_decoder *decoder = slv_motion_decoder_create(motion);
    float *rows = slv_aligned_bytes((size_t)motion->count * SLV_ROW_FLOATS * sizeof *rows);
    slv_result result = decoder && rows ? SLV_OK : slv_no_memory(error);
    for (uint32_t g = 0; result == SLV_OK && g < motion->group_count; g++) {
        const char *fault = slv_motion_decode(decoder, g, rows);
        if (fault) {
            result = slv_fail_section(error, kind, "group %u: %s", g, fault);
        }
    }
    free(rows);
    slv_motion_decoder_destroy(decoder);
    return result;
}

slv_result slv_collider_pack_verify_groups(const slv_collider_pack *collider, slv_error *error) {
    slv_result result = SLV_OK;
    for (int m = 0; result == SLV_OK && m < SLV_MOTION_COUNT; m++) {
        if (collider->motions[m].count > 0) {
            result = verify_motion(&collider->motions[m],
                                   slv_motion_get_sections((slv_motion_kind)m).groups, error);
        }
    }
    return result;
}
