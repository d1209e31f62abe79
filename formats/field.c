// SPDX-License-Identifier: MIT
#include "formats/field.h"

#include "formats/value_check.h"
#include "formats/zigzag.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// SDFG. Floats become integers of the same order, so that neighbors in value are neighbors in
// number. Each is predicted from its seven decoded neighbors below (the corner of a cube that makes
// the mixed difference vanish; 0 outside the slab), modulo 2^32, without loss. The
// residuals are small and of either sign. They are zigzag coded and split into byte planes, of which the
// upper ones are nearly all zero, for zstd to compress.

enum { SLAB_MAX = 64 }; // layers; bounds the memory that verification needs

static inline uint32_t ordered_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x80000000u) ? ~bits : bits | 0x80000000u;
}

static inline float float_of_ordered(uint32_t ordered) {
    uint32_t bits = (ordered & 0x80000000u) ? ordered & 0x7FFFFFFFu : ~ordered;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// The rows that a row is predicted from, NULL outside the slab.
typedef struct prediction_rows {
    const float *below_y;
    const float *below_z;
    const float *below_both;
} prediction_rows;

static prediction_rows rows_below(const float *row, uint32_t y, uint32_t z, uint32_t nx,
                                  uint32_t ny) {
    size_t plane = (size_t)nx * ny;
    return (prediction_rows){
        .below_y = y > 0 ? row - nx : NULL,
        .below_z = z > 0 ? row - plane : NULL,
        .below_both = y > 0 && z > 0 ? row - plane - nx : NULL,
    };
}

// The part of the prediction at sample x from the other rows, without the step along x.
static inline uint32_t predict(const prediction_rows *rows, uint32_t x) {
    uint32_t sum = 0;
    sum += rows->below_y ? ordered_of_float(rows->below_y[x]) : 0;
    sum += rows->below_z ? ordered_of_float(rows->below_z[x]) : 0;
    sum -= rows->below_both ? ordered_of_float(rows->below_both[x]) : 0;
    return sum;
}

void slv_field_encode_slab(const float *values, uint32_t nx, uint32_t ny, uint32_t layers,
                           uint8_t *bytes) {
    size_t count = (size_t)nx * ny * layers;
    size_t next = 0;
    for (uint32_t z = 0; z < layers; z++) {
        for (uint32_t y = 0; y < ny; y++) {
            const float *row = values + next;
            prediction_rows rows = rows_below(row, y, z, nx, ny);
            uint32_t before = 0;
            for (uint32_t x = 0; x < nx; x++, next++) {
                uint32_t step = ordered_of_float(row[x]) - predict(&rows, x);
                uint32_t folded = slv_zigzag(step - before);
                before = step;
                for (unsigned plane = 0; plane < 4; plane++) {
                    bytes[plane * count + next] = (uint8_t)(folded >> (8 * plane));
                }
            }
        }
    }
}

void slv_field_decode_slab(const uint8_t *bytes, uint32_t nx, uint32_t ny, uint32_t layers,
                           float *values) {
    size_t count = (size_t)nx * ny * layers;
    size_t next = 0;
    for (uint32_t z = 0; z < layers; z++) {
        for (uint32_t y = 0; y < ny; y++) {
            float *row = values + next;
            prediction_rows rows = rows_below(row, y, z, nx, ny);
            uint32_t step = 0;
            for (uint32_t x = 0; x < nx; x++, next++) {
                uint32_t folded = 0;
                for (unsigned plane = 0; plane < 4; plane++) {
                    folded |= (uint32_t)bytes[plane * count + next] << (8 * plane);
                }
                step += slv_zigzag_undo(folded);
                row[x] = float_of_ordered(step + predict(&rows, x));
            }
        }
    }
}

static uint32_t slab_layers(const slv_field_info *info, uint32_t first) {
    uint32_t left = info->cells[2] - first;
    return left < info->slab ? left : info->slab;
}

void slv_field_decode(const slv_field_info *info, const uint8_t *coded, float *values) {
    size_t plane = (size_t)info->cells[0] * info->cells[1];
    for (uint32_t z = 0; z < info->cells[2]; z += slab_layers(info, z)) {
        slv_field_decode_slab(coded + 4 * plane * z, info->cells[0], info->cells[1],
                              slab_layers(info, z), values + plane * z);
    }
}

// --- verification ----------------------------------------------------------------------------------

static const char *info_fault(const slv_field_info *info, size_t size) {
    uint64_t count = 1;
    for (int axis = 0; axis < 3; axis++) {
        count *= info->cells[axis]; // below 2^32 each time, so no overflow
        if (count == 0 || count > UINT32_MAX) {
            return "its number of cells is zero or too large";
        }
        if (!isfinite(info->origin[axis])) {
            return "the origin is not finite";
        }
    }
    if (info->slab < 1 || info->slab > SLAB_MAX) {
        return "slabs have 1 to 64 layers";
    }
    if (!isfinite(info->spacing) || !(info->spacing > 0)) {
        return "the spacing is not above zero";
    }
    return size - sizeof *info == 4 * count ? NULL : "its size does not fit its number of cells";
}

// Any bits decode to some float; only decoding shows whether all are finite.
static slv_result check_values(const slv_field_info *info, const uint8_t *coded, slv_error *error) {
    size_t plane = (size_t)info->cells[0] * info->cells[1];
    float *values = malloc(plane * slab_layers(info, 0) * sizeof *values);
    if (!values) {
        return slv_no_memory(error);
    }
    slv_result result = SLV_OK;
    for (uint32_t z = 0; result == SLV_OK && z < info->cells[2]; z += slab_layers(info, z)) {
        uint32_t layers = slab_layers(info, z);
        slv_field_decode_slab(coded + 4 * plane * z, info->cells[0], info->cells[1], layers,
                              values);
        if (slv_find_not_finite(values, plane * layers) < plane * layers) {
            result = slv_fail(error, SLV_ERROR_CONTENT,
                              "section SDFG: a value in layers %u to %u is not finite", z,
                              z + layers - 1);
        }
    }
    free(values);
    return result;
}

slv_result slv_field_open(const slv_pack *pack, slv_field_info *info, const uint8_t **coded,
                          slv_error *error) {
    size_t size = 0;
    const slv_field_info *stored = slv_pack_get_section(pack, SLV_SECTION_FIELD, &size);
    if (!stored) {
        return slv_fail(error, SLV_ERROR_CONTENT, "section SDFG: missing");
    }
    const char *fault = size < sizeof *stored ? "it is too short" : info_fault(stored, size);
    if (fault) {
        return slv_fail(error, SLV_ERROR_CONTENT, "section SDFG: %s", fault);
    }
    *info = *stored;
    *coded = (const uint8_t *)(stored + 1);
    return check_values(info, *coded, error);
}
