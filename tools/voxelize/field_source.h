// SPDX-License-Identifier: MIT
// The mesh as a field over a lattice: exact distances, signs that are robust for damaged meshes,
// and the cells that the surface intersects. All coordinates are snapped once to a small fraction
// of a cell, so distances, signs and coverage refer to one surface and ties are exact.
#ifndef SLV_VOXELIZE_FIELD_SOURCE_H
#define SLV_VOXELIZE_FIELD_SOURCE_H

#include "formats/result.h"
#include "tools/common/mesh.h"
#include "tools/voxelize/lattice.h"

#include <stdbool.h>

typedef struct slv_field_source slv_field_source;

// Properties of the mesh found by the repair, for reports.
typedef struct slv_field_facts {
    bool closed;                // every edge is used equally often in both directions, after repair
    uint32_t boundary_edges;    // edges whose directed uses do not cancel
    uint32_t flipped_triangles; // flipped to agree with their neighbors
    const char *sign_method;    // "ray crossings" or "winding number"
} slv_field_facts;

// Keeps no pointer into mesh. threads >= 1.
slv_result slv_field_source_create(const slv_mesh *mesh, const slv_lattice *lattice,
                                   unsigned threads, slv_field_source **source, slv_error *error);
void slv_field_source_destroy(slv_field_source *source);
slv_field_facts slv_field_source_facts(const slv_field_source *source);

// Receiver of signed distances in metres, negative inside. emit is called for ascending
// first_layer, one call at a time, with `layers` whole z layers (nx*ny values each, x fastest).
// format, if not NULL, runs in parallel on each block before its emit, for example to write text
// into the buffer of the slot. slot < slv_field_block_window(threads).
typedef struct slv_field_sink {
    slv_result (*format)(void *context, uint32_t first_layer, uint32_t layers, const float *values,
                         unsigned slot, slv_error *error);
    slv_result (*emit)(void *context, uint32_t first_layer, uint32_t layers, const float *values,
                       unsigned slot, slv_error *error);
    void *context;
} slv_field_sink;
#define SLV_FIELD_BLOCK_LAYERS 8u // every block but the last has exactly these many layers
unsigned slv_field_block_window(unsigned threads);
slv_result slv_field_source_distances(const slv_field_source *source, unsigned threads,
                                      const slv_field_sink *sink, slv_error *error);

// Bits of the samples inside: one per sample, x fastest, rows padded to whole 64-bit words:
// ceil(nx/64)*ny*nz words. Samples on the surface are not inside; inside means distance < 0.
slv_result slv_field_source_inside(const slv_field_source *source, unsigned threads, uint64_t *bits,
                                   slv_error *error);
// Bits of the one-cell-thick layer: samples whose half-open cube of side `spacing` intersects the
// surface.
slv_result slv_field_source_cover(const slv_field_source *source, unsigned threads, uint64_t *bits,
                                  slv_error *error);

static inline size_t slv_row_words(const slv_lattice *lattice) {
    return ((size_t)lattice->cells[0] + 63) / 64;
}

#endif
