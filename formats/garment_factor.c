// SPDX-License-Identifier: MIT
#include "formats/garment_verify.h"
#include "formats/value_check.h"

#include <float.h>
#include <math.h>

// MFAC: the factor of the matrix of mass-spring solvers.

static slv_result refuse(slv_error *error, const char *what) {
    return slv_fail_section(error, SLV_SECTION_FACTOR, "%s", what);
}

// The blocks divide the columns; their rows lie further down; the values are as many as both give.
static const char *find_wrong_block(const slv_factor *factor, uint32_t n) {
    uint32_t column = 0;
    uint32_t row = 0;
    uint64_t values = 0;
    for (uint32_t b = 0; b < factor->block_count; b++) {
        const uint32_t column_end = factor->column_end[b];
        const uint32_t row_end = factor->row_end[b];
        if (column_end <= column || column_end > n || row_end < row ||
            row_end > factor->row_count) {
            return "ends of blocks must ascend within its columns and rows";
        }
        for (uint32_t i = row; i < row_end; i++) {
            const uint32_t before = i == row ? column_end - 1 : factor->row[i - 1];
            if (factor->row[i] <= before || factor->row[i] >= n) {
                return "rows of a block must ascend from its last column on and stay below the number "
                       "of particles";
            }
        }
        const uint64_t columns = column_end - column;
        values += columns * (columns - 1) / 2 + columns * (row_end - row);
        column = column_end;
        row = row_end;
    }
    return column != n                     ? "its blocks do not have all columns"
           : row != factor->row_count      ? "its blocks do not have all rows"
           : values != factor->value_count ? "its values are not as many as its blocks have"
                                           : NULL;
}

static const char *find_wrong_number(const slv_garment *garment) {
    const slv_factor *factor = &garment->factor;
    const uint32_t n = garment->info.particle_count;
    const bool in_range = slv_find_not_below(factor->particle, n, n) == n &&
                          slv_find_not_below(factor->position, n, n) == n &&
                          slv_find_outside(factor->mass, n, 0.0f, FLT_MAX) == n &&
                          slv_find_outside(factor->diagonal, n, FLT_MIN, FLT_MAX) == n &&
                          slv_find_outside(factor->pivot, n, FLT_MIN, FLT_MAX) == n;
    if (!in_range) {
        return "particle numbers and positions must be below the number of particles, masses 0 or more, diagonal and "
               "pivots above 0";
    }
    return slv_find_not_finite(factor->value, (size_t)factor->value_count) < factor->value_count
               ? "a value is not finite"
               : NULL;
}

// The order of elimination and its inverse agree, so that it has each particle once.
static bool has_each_once(const slv_garment *garment) {
    const slv_factor *factor = &garment->factor;
    bool inverse = true;
    for (uint32_t p = 0; p < garment->info.particle_count; p++) {
        inverse = inverse && factor->particle[factor->position[p]] == p;
    }
    return inverse;
}

static slv_result take_arrays(const slv_factor_info *info, size_t size, slv_garment *garment,
                              slv_error *error) {
    const uint64_t n = garment->info.particle_count;
    const uint64_t limit = UINT64_MAX / 16;
    const bool counts = info->block_count > 0 && info->block_count <= n && info->time_step > 0.0 &&
                        isfinite(info->time_step) && info->value_count < limit;
    if (!counts || size != sizeof *info + 20 * n + 8 * (uint64_t)info->block_count +
                               4 * (uint64_t)info->row_count + 4 * info->value_count) {
        return refuse(
            error,
            "its size should be 32 and 20 for each particle, 8 for each block, of which there "
            "is one at least, and 4 for each row and value; its time step above 0");
    }
    if (!slv_all_zero(info->zero, sizeof info->zero)) {
        return refuse(error, "reserved bytes are not zero");
    }
    const uint32_t *numbers = (const uint32_t *)(const void *)(info + 1);
    slv_factor *factor = &garment->factor;
    *factor = (slv_factor){.time_step = info->time_step,
                           .block_count = info->block_count,
                           .row_count = info->row_count,
                           .value_count = info->value_count,
                           .particle = numbers,
                           .position = numbers + n,
                           .mass = (const float *)(const void *)(numbers + 2 * n),
                           .diagonal = (const float *)(const void *)(numbers + 3 * n),
                           .pivot = (const float *)(const void *)(numbers + 4 * n),
                           .column_end = numbers + 5 * n};
    factor->row_end = factor->column_end + factor->block_count;
    factor->row = factor->row_end + factor->block_count;
    factor->value = (const float *)(const void *)(factor->row + factor->row_count);
    return SLV_OK;
}

slv_result slv_verify_factor(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    size_t size = 0;
    const slv_factor_info *info = slv_pack_get_section(pack, SLV_SECTION_FACTOR, &size);
    if (!info) {
        return SLV_OK;
    }
    if (size < sizeof *info) {
        return refuse(error, "it is shorter than its header of 32 bytes");
    }
    slv_result result = take_arrays(info, size, garment, error);
    const char *wrong = result == SLV_OK ? find_wrong_number(garment) : NULL;
    wrong = result == SLV_OK && !wrong
                ? find_wrong_block(&garment->factor, garment->info.particle_count)
                : wrong;
    if (result == SLV_OK && !wrong && !has_each_once(garment)) {
        wrong = "its particles are not each particle once";
    }
    return wrong ? refuse(error, wrong) : result;
}
