// SPDX-License-Identifier: MIT
#include "tests/formats/sample_collider.h"

#include "formats/writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PREDICTORS = 2, MESH_VERTICES = 5, ATTACHMENTS = 3 };

// Parabolas in place of sines: the same bits with every maths library.
static double swing(double frame) {
    const double phase = frame / 40.0 - floor(frame / 40.0);
    return phase < 0.5 ? phase * (0.5 - phase) * 4.0 : -(phase - 0.5) * (1.0 - phase) * 4.0;
}

void sample_collider_at(slv_motion_kind kind, uint32_t point, double frame, double at[3]) {
    const double along = kind == SLV_MOTION_PARTICLES     ? 0.05 * point
                         : kind == SLV_MOTION_ATTACHMENTS ? 0.11 * point
                                                          : 0.07 * point + 0.01;
    at[0] = along;
    at[1] = 1.0 + along * swing(frame);
    at[2] = 0.3 * along * along * swing(frame + 11.0);
}

const double sample_tray_spacing = 0.012;
const double sample_tray_travel = 0.12;
const double sample_ball_radius = 0.25;
static const double radius = 0.04;

static double travelled_at(double frame) {
    const double phase = fmin(fmax((frame - 15.0) / 15.0, 0.0), 1.0);
    const double left = 1.0 - phase;
    return sample_tray_travel * (phase < 0.5 ? 2.0 * phase * phase : 1.0 - 2.0 * left * left);
}

static void tray_at(uint32_t point, uint32_t count, double frame, double at[3]) {
    const uint32_t side = (uint32_t)sqrt((double)count);
    const double row = point / side; // NOLINT(bugprone-integer-division)
    at[0] = sample_tray_spacing * ((double)(point % side) - 0.5 * (side - 1)) + travelled_at(frame);
    at[1] = -radius;
    at[2] = sample_tray_spacing * (row - 0.5 * (side - 1));
}

// Points of equal areas, each turned by the golden angle from the one before.
static void ball_at(uint32_t point, uint32_t count, double frame, double at[3]) {
    const double turn[2] = {-0.7373688780783197, 0.6754902942615238};
    const double y = 1.0 - (2.0 * point + 1.0) / count;
    const double around = sqrt(1.0 - y * y);
    double angle[2] = {1.0, 0.0};
    for (uint32_t i = 0; i < point; i++) {
        const double cosine = angle[0] * turn[0] - angle[1] * turn[1];
        angle[1] = angle[0] * turn[1] + angle[1] * turn[0];
        angle[0] = cosine;
    }
    at[0] = sample_ball_radius * around * angle[0] + travelled_at(frame);
    at[1] = sample_ball_radius * y;
    at[2] = sample_ball_radius * around * angle[1];
}

static slv_motion make_motion(uint32_t count, const sample_collider *sample, uint32_t *points,
                              float *weights) {
    for (uint32_t i = 1; i < count; i++) {
        points[PREDICTORS * i] = i - 1;
        points[PREDICTORS * i + 1] = i > 1 ? i - 2 : 0;
        weights[PREDICTORS * i] = i > 1 ? 2.0f : 1.0f;
        weights[PREDICTORS * i + 1] = i > 1 ? -1.0f : 0.0f;
    }
    return (slv_motion){.count = count,
                        .predictors = PREDICTORS,
                        .step = (float)(sample->error / 1.8),
                        .points = points,
                        .weights = weights,
                        .group_count = slv_motion_get_group_count(sample->frames)};
}

static slv_result write_groups(const slv_motion *motion, slv_motion_kind kind,
                               const sample_collider *sample, slv_writer *writer,
                               slv_clip_info *info, slv_error *error) {
    const slv_motion_kinds kinds = slv_motion_get_sections(kind);
    double *positions = calloc(3 * (size_t)SLV_GROUP_FRAMES * motion->count, sizeof *positions);
    slv_motion_group *index = calloc(motion->group_count, sizeof *index);
    slv_motion_encoder *encoder = slv_motion_encoder_create(motion);
    slv_result result = slv_writer_begin(writer, kinds.groups, SLV_CODEC_RAW, 1, error);
    uint64_t offset = 0;
    for (uint32_t g = 0; result == SLV_OK && g < motion->group_count; g++) {
        slv_motion_encoded encoded;
        for (uint32_t f = 0; f < SLV_GROUP_FRAMES; f++) {
            const uint32_t frame = g * SLV_GROUP_FRAMES + f;
            const uint32_t shown = frame < sample->frames ? frame : sample->frames - 1;
            for (uint32_t i = 0; i < motion->count; i++) {
                double *at = positions + 3 * ((size_t)f * motion->count + i);
                if (sample->tray) {
                    tray_at(i, motion->count, shown, at);
                } else if (sample->ball) {
                    ball_at(i, motion->count, shown, at);
                } else {
                    sample_collider_at(kind, i, shown, at);
                }
            }
        }
        result = slv_motion_encode(encoder, positions, sample->error / sqrt(3.0), &encoded, error);
        index[g] = encoded.group;
        index[g].offset = offset;
        offset += encoded.size;
        for (int d = 0; d < 3; d++) {
            info->bounds_min[d] = fminf(info->bounds_min[d], encoded.min[d]);
            info->bounds_max[d] = fmaxf(info->bounds_max[d], encoded.max[d]);
        }
        info->largest_error = fmaxf(info->largest_error, (float)encoded.largest_error);
        if (result == SLV_OK) {
            result = slv_writer_append(writer, encoded.bytes, encoded.size, error);
        }
    }
    if (result == SLV_OK) {
        result = slv_writer_end(writer, error);
    }
    if (result == SLV_OK) {
        result = slv_writer_add(writer, kinds.index, SLV_CODEC_RAW, 1, index,
                                motion->group_count * sizeof *index, error);
    }
    slv_motion_encoder_destroy(encoder);
    free(index);
    free(positions);
    return result;
}

static slv_result write_motion(slv_motion_kind kind, uint32_t count, const sample_collider *sample,
                               slv_writer *writer, slv_clip_info *info, slv_error *error) {
    uint32_t *points = calloc(PREDICTORS * (size_t)count, sizeof *points);
    float *weights = calloc(PREDICTORS * (size_t)count, sizeof *weights);
    const slv_motion motion = make_motion(count, sample, points, weights);
    size_t size = 0;
    void *table = slv_motion_make_table(&motion, &size);
    slv_result result =
        slv_writer_add(writer, slv_motion_get_sections(kind).table,
                       sample->table_raw ? SLV_CODEC_RAW : SLV_CODEC_ZSTD, 1, table, size, error);
    if (result == SLV_OK) {
        result = write_groups(&motion, kind, sample, writer, info, error);
    }
    free(table);
    free(points);
    free(weights);
    return result;
}

static slv_result write_more(const sample_collider *sample, slv_writer *writer, slv_clip_info *info,
                             slv_error *error) {
    static const uint32_t triangles[9] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    static const struct {
        slv_sets_info info;
        slv_particle_set sets[2];
        uint32_t particles[ATTACHMENTS];
        char names[8];
    } attachments = {{2, ATTACHMENTS, 8, 0}, {{0, 4, 0, 2}, {4, 4, 2, 1}}, {1, 4, 0}, "belthook"};
    slv_result result =
        write_motion(SLV_MOTION_ATTACHMENTS, ATTACHMENTS, sample, writer, info, error);
    if (result == SLV_OK) {
        result = write_motion(SLV_MOTION_MESH, MESH_VERTICES, sample, writer, info, error);
    }
    if (result == SLV_OK) {
        result = slv_writer_add(writer, SLV_SECTION_ATTACHMENTS, SLV_CODEC_RAW, 1, &attachments,
                                sizeof attachments, error);
    }
    info->attachment_count = ATTACHMENTS;
    info->vertex_count = MESH_VERTICES;
    info->triangle_count = 3;
    return result == SLV_OK ? slv_writer_add(writer, SLV_SECTION_RENDER_TRIANGLE, SLV_CODEC_RAW, 0,
                                             triangles, sizeof triangles, error)
                            : result;
}

slv_result sample_collider_write(const sample_collider *sample, const char *path,
                                 slv_error *error) {
    slv_clip_info info = {.particle_count = sample->particles,
                          .frame_count = sample->frames,
                          .frame_rate = 30.0,
                          .start = 0.5,
                          .duration = (sample->frames - 1) / 30.0,
                          .bounds_min = {INFINITY, INFINITY, INFINITY},
                          .bounds_max = {-INFINITY, -INFINITY, -INFINITY},
                          .radius = (float)radius,
                          .coverage = 0.043f,
                          .error = (float)sample->error};
    static const char provenance[] = "{\"tool\":\"sample\"}";
    slv_writer *writer = NULL;
    slv_result result =
        slv_writer_open(path, SLV_CONTENTS_COLLIDER, sample->more ? 13 : 5, &writer, error);
    if (result != SLV_OK) {
        return result;
    }
    result = write_motion(SLV_MOTION_PARTICLES, sample->particles, sample, writer, &info, error);
    if (result == SLV_OK && sample->more) {
        result = write_more(sample, writer, &info, error);
    }
    if (result == SLV_OK) {
        result =
            slv_writer_add(writer, SLV_SECTION_CLIP, SLV_CODEC_RAW, 1, &info, sizeof info, error);
    }
    if (result == SLV_OK) {
        result = slv_writer_add(writer, SLV_SECTION_PROVENANCE, SLV_CODEC_RAW, 0, provenance,
                                sizeof provenance - 1, error);
    }
    if (result != SLV_OK) {
        slv_writer_abandon(writer);
        return result;
    }
    return slv_writer_commit(writer, error);
}
