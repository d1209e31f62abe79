// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE // madvise
#include "tools/voxelize/draft.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>

struct slv_draft_block {
    slv_draft_block *next;
    max_align_t elements[];
};

// A fine grid has hundreds of megabytes of arrays, each written once: taking them from the system in
// pages of four kilobytes costs more than filling them.
static void *allocate(size_t bytes) {
#ifdef MADV_HUGEPAGE
    const size_t large_page = (size_t)2 << 20;
    void *memory = NULL;
    if (bytes >= 2 * large_page) {
        if (posix_memalign(&memory, large_page, bytes) != 0) {
            return NULL;
        }
        (void)madvise(memory, bytes, MADV_HUGEPAGE); // a hint; without it the pages are small
        return memory;
    }
#endif
    return malloc(bytes);
}

void *slv_draft_array(slv_draft *draft, uint64_t count, size_t size, slv_error *error) {
    slv_draft_block *block = NULL;
    if (count <= (SIZE_MAX - sizeof *block) / size) {
        block = allocate(sizeof *block + (size_t)count * size);
    }
    if (block == NULL) {
        slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %llu elements of %zu bytes",
                 (unsigned long long)count, size);
        return NULL;
    }
    block->next = draft->blocks;
    draft->blocks = block;
    return block->elements;
}

void slv_draft_free(slv_draft *draft) {
    while (draft->blocks != NULL) {
        slv_draft_block *block = draft->blocks;
        draft->blocks = block->next;
        free(block);
    }
    *draft = (slv_draft){0};
}

static void measure_axis(const float *values, uint32_t count, float *min, float *max) {
    *min = values[0];
    *max = values[0];
    for (uint32_t n = 1; n < count; n++) {
        *min = values[n] < *min ? values[n] : *min;
        *max = values[n] > *max ? values[n] : *max;
    }
}

void slv_draft_measure_bounds(slv_draft *draft) {
    const slv_garment *garment = &draft->garment;
    slv_garment_info *info = &draft->garment.info;
    const float *axes[3] = {garment->x, garment->y, garment->z};
    for (int axis = 0; axis < 3; axis++) {
        measure_axis(axes[axis], info->particle_count, &info->bounds_min[axis],
                     &info->bounds_max[axis]);
    }
}

slv_result slv_draft_spread_mass(slv_draft *draft, double mass, const double *weights,
                                 slv_error *error) {
    const uint32_t count = draft->garment.info.particle_count;
    float *inverse = slv_draft_array(draft, count, sizeof *inverse, error);
    if (inverse == NULL) {
        return SLV_ERROR_MEMORY;
    }
    double total = weights == NULL ? count : 0;
    for (uint32_t n = 0; weights != NULL && n < count; n++) {
        total += weights[n];
    }
    for (uint32_t n = 0; n < count; n++) {
        const double share = mass * ((weights == NULL ? 1 : weights[n]) / total);
        const double value = 1 / share;
        if (!(value >= (double)FLT_MIN && value <= (double)FLT_MAX)) {
            return slv_fail(error, SLV_ERROR_ARGUMENT,
                            "a particle would weigh %g kg, which single precision cannot invert; "
                            "choose another --mass or --density",
                            share);
        }
        inverse[n] = (float)value;
    }
    draft->garment.inverse_mass = inverse;
    draft->garment.info.mass = (float)mass;
    return SLV_OK;
}
