// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE // madvise
#include "tools/voxelize/garment_builder.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>

struct slv_builder_block {
    slv_builder_block *next;
    max_align_t elements[];
};

// Large arrays use huge pages. A fine grid has hundreds of megabytes, each written once; page
// faults of 4 KiB pages would cost more than the writing.
static void *allocate(size_t bytes) {
#ifdef MADV_HUGEPAGE
    const size_t large_page = (size_t)2 << 20;
    void *memory = NULL;
    if (bytes >= 2 * large_page) {
        if (posix_memalign(&memory, large_page, bytes) != 0) {
            return NULL;
        }
        (void)madvise(memory, bytes, MADV_HUGEPAGE); // a hint; failure means small pages
        return memory;
    }
#endif
    return malloc(bytes);
}

void *slv_builder_array(slv_garment_builder *builder, uint64_t count, size_t size,
                        slv_error *error) {
    slv_builder_block *block = NULL;
    if (count <= (SIZE_MAX - sizeof *block) / size) {
        block = allocate(sizeof *block + (size_t)count * size);
    }
    if (block == NULL) {
        slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %llu elements of %zu bytes",
                 (unsigned long long)count, size);
        return NULL;
    }
    block->next = builder->blocks;
    builder->blocks = block;
    return block->elements;
}

void slv_builder_free(slv_garment_builder *builder) {
    while (builder->blocks != NULL) {
        slv_builder_block *block = builder->blocks;
        builder->blocks = block->next;
        free(block);
    }
    *builder = (slv_garment_builder){0};
}

static void measure_axis(const float *values, uint32_t count, float *min, float *max) {
    *min = values[0];
    *max = values[0];
    for (uint32_t n = 1; n < count; n++) {
        *min = values[n] < *min ? values[n] : *min;
        *max = values[n] > *max ? values[n] : *max;
    }
}

void slv_builder_measure_bounds(slv_garment_builder *builder) {
    const slv_garment *garment = &builder->garment;
    slv_garment_info *info = &builder->garment.info;
    const float *axes[3] = {garment->x, garment->y, garment->z};
    for (int axis = 0; axis < 3; axis++) {
        measure_axis(axes[axis], info->particle_count, &info->bounds_min[axis],
                     &info->bounds_max[axis]);
    }
}

slv_result slv_builder_distribute_mass(slv_garment_builder *builder, double mass,
                                       const double *weights, slv_error *error) {
    const uint32_t count = builder->garment.info.particle_count;
    float *inverse = slv_builder_array(builder, count, sizeof *inverse, error);
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
            return slv_fail(
                error, SLV_ERROR_ARGUMENT,
                "a particle would have %g kg, whose inverse is out of range in single precision; "
                "choose another --mass or --density",
                share);
        }
        inverse[n] = (float)value;
    }
    builder->garment.inverse_mass = inverse;
    builder->garment.info.mass = (float)mass;
    return SLV_OK;
}
