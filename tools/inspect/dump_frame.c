// SPDX-License-Identifier: MIT
#include "tools/inspect/dump_frame.h"

#include "formats/file_bytes.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *prefix;
    const char *columns;
} dumps[SLV_MOTION_COUNT] = {
    {"frame:", "particle,x,y,z"},
    {"attachments:", "name,particle,x,y,z"},
    {"mesh:", "vertex,x,y,z"},
};

// Parses the motion and the frame of a name; SLV_MOTION_COUNT for other names.
static slv_motion_kind parse(const char *name, uint32_t *frame) {
    for (int m = 0; m < SLV_MOTION_COUNT; m++) {
        const size_t length = strlen(dumps[m].prefix);
        const char *digits = name + length;
        if (!strncmp(name, dumps[m].prefix, length) && digits[0] != '\0' &&
            strspn(digits, "0123456789") == strlen(digits) && strlen(digits) <= 9) {
            *frame = (uint32_t)strtoul(digits, NULL, 10);
            return (slv_motion_kind)m;
        }
    }
    return SLV_MOTION_COUNT;
}

bool slv_dump_is_frame(const char *name) {
    uint32_t frame = 0;
    return parse(name, &frame) != SLV_MOTION_COUNT;
}

// Groups were verified when the pack was opened, so decoding cannot fail.
float *slv_inspected_pack_frame(const slv_inspected_pack *inspected, slv_motion_kind kind,
                                uint32_t frame) {
    const slv_motion *motion = &inspected->collider.motions[kind];
    slv_motion_decoder *decoder = slv_motion_decoder_create(motion);
    float *rows = slv_aligned_bytes((size_t)motion->count * SLV_ROW_FLOATS * sizeof *rows);
    float *positions = calloc(3 * (size_t)motion->count + 1, sizeof *positions);
    if (!decoder || !rows || !positions ||
        slv_motion_decode(decoder, frame / SLV_GROUP_FRAMES, rows) != NULL) {
        free(positions);
        positions = NULL;
    } else {
        slv_motion_take_frame(rows, motion->count, frame % SLV_GROUP_FRAMES, positions,
                              motion->count);
    }
    free(rows);
    slv_motion_decoder_destroy(decoder);
    return positions;
}

static void print_point(const slv_inspected_pack *inspected, const float *positions, uint32_t count,
                        uint32_t point, slv_table *table) {
    for (size_t d = 0; d < 3; d++) {
        const float value = positions[d * count + point];
        const double frame = inspected->collider.info.frame[d];
        if (frame == 0.0) {
            slv_table_float(table, value);
        } else {
            slv_table_double(table, frame + (double)value);
        }
    }
}

static void print_attachments(const slv_inspected_pack *inspected, const float *positions,
                              slv_table *table) {
    const slv_named_sets *sets = &inspected->collider.attachments;
    uint32_t point = 0;
    for (uint32_t s = 0; s < sets->count; s++) {
        const slv_named_set set = slv_named_sets_get(sets, s);
        for (uint32_t i = 0; i < set.count; i++) {
            slv_table_text(table, set.name, set.name_length);
            slv_table_uint(table, set.particles[i]);
            print_point(inspected, positions, inspected->collider.info.attachment_count, point++,
                        table);
        }
    }
}

slv_result slv_dump_frame_print(const slv_inspected_pack *inspected, const char *name,
                                slv_table_format format, slv_output *output, slv_error *error) {
    uint32_t frame = 0;
    const slv_motion_kind kind = parse(name, &frame);
    if (!inspected->is_collider) {
        return slv_fail(error, SLV_ERROR_CONTENT, "a garment pack has no frames");
    }
    const slv_motion *motion = &inspected->collider.motions[kind];
    if (motion->count == 0) {
        return slv_fail(error, SLV_ERROR_CONTENT, "this pack has no %s",
                        kind == SLV_MOTION_MESH ? "drawn mesh" : "attachments");
    }
    if (frame >= inspected->collider.info.frame_count) {
        return slv_fail(error, SLV_ERROR_ARGUMENT, "--dump %s: the pack has frames 0 to %u", name,
                        inspected->collider.info.frame_count - 1);
    }
    float *positions = slv_inspected_pack_frame(inspected, kind, frame);
    if (!positions) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    slv_table table;
    slv_table_begin(&table, output, format, dumps[kind].columns);
    if (kind == SLV_MOTION_ATTACHMENTS) {
        print_attachments(inspected, positions, &table);
    } else {
        for (uint32_t i = 0; i < motion->count && !slv_table_closed(&table); i++) {
            slv_table_uint(&table, i);
            print_point(inspected, positions, motion->count, i, &table);
        }
    }
    free(positions);
    return slv_table_end(&table, error);
}
