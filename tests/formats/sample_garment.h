// SPDX-License-Identifier: MIT
// Sample garments that together have every section of a pack, for tests and benchmarks.
#ifndef SLV_TESTS_SAMPLE_GARMENT_H
#define SLV_TESTS_SAMPLE_GARMENT_H

#include "formats/garment.h"

typedef struct sample_garment {
    slv_garment garment; // points into the arrays below
    void *arrays[32];    // owned
    unsigned array_count;
} sample_garment;

// A box of nx * ny * nz samples: red and black particles, six colors of distance constraints,
// uncolored bending pairs, a render mesh with eight influences and offsets, sets, two materials.
void sample_grid(sample_garment *sample, uint32_t nx, uint32_t ny, uint32_t nz);
// A strip of triangles with nothing colored and one influence per vertex.
void sample_surface(sample_garment *sample, uint32_t steps);
// Two tetrahedra with a common face, springs in three colors and one to be averaged, phantoms.
void sample_tetrahedra(sample_garment *sample);
// Clusters that overlap, in place of springs.
void sample_body(sample_garment *sample);
// No particles at all.
void sample_empty(sample_garment *sample);
void sample_free(sample_garment *sample);

// A field of nx * ny * nz distances to a sphere that fills most of the box, off its center so that
// symmetry does not repeat values. For free().
float *sample_sphere(uint32_t nx, uint32_t ny, uint32_t nz);

typedef struct sample_field {
    uint32_t cells[3];
    uint32_t codec; // SLV_CODEC_…
} sample_field;

// Writes the garment and, unless field is NULL, a sphere's field.
slv_result sample_write(const slv_garment *garment, const sample_field *field, const char *path,
                        slv_error *error);

// A PNG file of 2 x 1 pixels: the texture of the grid's mesh.
enum { SAMPLE_PICTURE_SIZE = 72 };
extern const uint8_t sample_picture[SAMPLE_PICTURE_SIZE];

#endif
