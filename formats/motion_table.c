// SPDX-License-Identifier: MIT
#include "formats/motion.h"
#include "formats/motion_code.h"
#include "formats/section_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The predictors: numbers in four byte planes and weights in two, so that zstd finds the upper ones
// nearly constant.

static size_t table_size(const slv_motion_info *info) {
    return sizeof *info + 6 * (size_t)info->point_count * info->predictors;
}

void *slv_motion_make_table(const slv_motion *motion, size_t *size) {
    const slv_motion_info info = {
        .point_count = motion->count, .predictors = motion->predictors, .step = motion->step};
    const size_t count = (size_t)motion->count * motion->predictors;
    *size = table_size(&info);
    uint8_t *bytes = malloc(*size);
    if (!bytes) {
        return NULL;
    }
    memcpy(bytes, &info, sizeof info);
    uint8_t *planes = bytes + sizeof info;
    for (size_t i = 0; i < count; i++) {
        const uint32_t weight = (uint32_t)(int32_t)(motion->weights[i] / SLV_WEIGHT_UNIT);
        for (size_t p = 0; p < 4; p++) {
            planes[p * count + i] = (uint8_t)(motion->points[i] >> (8 * p));
        }
        planes[4 * count + i] = (uint8_t)weight;
        planes[5 * count + i] = (uint8_t)(weight >> 8);
    }
    return bytes;
}

// --- Reading ------------------------------------------------------------------------------------

static slv_result check_info(const slv_motion_info *info, size_t size, uint32_t kind,
                             uint32_t count, slv_error *error) {
    if (size < sizeof *info) {
        return slv_fail_section(error, kind, "it is too short");
    }
    if (info->point_count != count || info->zero != 0) {
        return slv_fail_section(error, kind, "it has %u points, should have %u", info->point_count,
                                count);
    }
    if (info->predictors < 1 || info->predictors > SLV_PREDICTORS_MAX) {
        return slv_fail_section(error, kind, "%u predictors, should be 1 to %d", info->predictors,
                                SLV_PREDICTORS_MAX);
    }
    if (!isfinite(info->step) || !(info->step > 0.0f)) {
        return slv_fail_section(error, kind, "the step is not above zero");
    }
    if (size != table_size(info)) {
        return slv_fail_section(error, kind, "%zu bytes long, should be %zu", size,
                                table_size(info));
    }
    return SLV_OK;
}

static slv_result read_table(const uint8_t *planes, uint32_t kind, slv_motion *motion,
                             void **tables, slv_error *error) {
    const size_t count = (size_t)motion->count * motion->predictors;
    uint32_t *points = malloc(count * (sizeof *points + sizeof(float)));
    if (!points) {
        return slv_no_memory(error);
    }
    float *weights = (float *)(void *)(points + count);
    *tables = points;
    uint32_t bad = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t row = i / motion->predictors;
        points[i] = (uint32_t)planes[i] | (uint32_t)planes[count + i] << 8 |
                    (uint32_t)planes[2 * count + i] << 16 | (uint32_t)planes[3 * count + i] << 24;
        const uint32_t weight = (uint32_t)planes[4 * count + i] | (uint32_t)planes[5 * count + i]
                                                                      << 8;
        weights[i] = SLV_WEIGHT_UNIT * (float)(int32_t)((weight ^ 0x8000u) - 0x8000u);
        bad |= row == 0 ? points[i] | weight : points[i] >= row;
    }
    motion->points = points;
    motion->weights = weights;
    return bad ? slv_fail_section(error, kind, "a point is predicted from one that comes later")
               : SLV_OK;
}

static slv_result check_groups(const slv_pack *pack, slv_motion_kinds kinds, slv_motion *motion,
                               slv_error *error) {
    size_t size = 0;
    motion->coded = slv_pack_get_section(pack, kinds.groups, &size);
    if (!motion->coded) {
        return slv_fail_section(error, kinds.groups, "missing");
    }
    const uint64_t most = SLV_TOKEN_STEPS * (uint64_t)motion->count;
    uint64_t end = 0;
    for (uint32_t g = 0; g < motion->group_count; g++) {
        const slv_motion_group *group = &motion->groups[g];
        const uint64_t sizes = (uint64_t)group->key_size + group->token_size + group->escape_size;
        if (group->offset != end || sizes > size - end || group->escape_count > most ||
            (group->escape_count == 0) != (group->escape_size == 0)) {
            return slv_fail_section(error, kinds.index, "group %u does not fit its bytes", g);
        }
        end += sizes;
    }
    return end == size ? SLV_OK
                       : slv_fail_section(error, kinds.groups, "bytes that belong to no group");
}

slv_result slv_motion_open(const slv_pack *pack, slv_motion_kinds kinds, uint32_t count,
                           uint32_t frame_count, slv_motion *motion, void **tables,
                           slv_error *error) {
    *motion = (slv_motion){.count = count, .group_count = slv_motion_get_group_count(frame_count)};
    *tables = NULL;
    size_t size = 0;
    const slv_motion_info *info = slv_pack_get_section(pack, kinds.table, &size);
    if (!info) {
        return slv_fail_section(error, kinds.table, "missing");
    }
    slv_result result = check_info(info, size, kinds.table, count, error);
    if (result == SLV_OK) {
        motion->predictors = info->predictors;
        motion->step = info->step;
        result = read_table((const uint8_t *)(info + 1), kinds.table, motion, tables, error);
    }
    const void *groups = NULL;
    if (result == SLV_OK) {
        result = slv_take_section(pack, kinds.index, motion->group_count, &groups, error);
    }
    if (result == SLV_OK) {
        motion->groups = groups;
        result = check_groups(pack, kinds, motion, error);
    }
    if (result != SLV_OK) {
        free(*tables);
        *tables = NULL;
    }
    return result;
}
