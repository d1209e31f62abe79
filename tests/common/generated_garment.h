// SPDX-License-Identifier: MIT
// Garments made for tests and benchmarks of the runtime, written as packs.
#ifndef SLV_TESTS_GENERATED_GARMENT_H
#define SLV_TESTS_GENERATED_GARMENT_H

#include "formats/garment.h"

#include <stdbool.h>

typedef struct generated_garment generated_garment;

// Which samples of a box there are; NULL = all.
typedef bool generated_cells(uint32_t i, uint32_t j, uint32_t k);

// A box of samples with a spring between any two neighbors, red and black.
generated_garment *make_grid(uint32_t nx, uint32_t ny, uint32_t nz, float spacing,
                             generated_cells *present);
// The same particles and springs without a grid: only index tables can solve it. Own order is that of
// the grid or, where red_first, all red samples and then all black ones.
generated_garment *make_loose_grid(uint32_t nx, uint32_t ny, uint32_t nz, float spacing,
                                   bool red_first);
// A cloth of triangles in the x-z plane, nx by nz particles; springs in six colors or in none, and
// bending pairs over inner edges, never colored.
generated_garment *make_cloth(uint32_t nx, uint32_t nz, float spacing, bool colored);
// count particles along x, each joined to the next.
generated_garment *make_chain(uint32_t count, float spacing);
generated_garment *make_empty(void);

// The view that will be written; the caller may change it. Its constraints are in it once it is finished.
slv_garment *generated_view(generated_garment *made);
slv_garment *generated_finish(generated_garment *made);
// Arrays from malloc that the view names; freed with the garment.
void generated_keep(generated_garment *made, void *one, void *other);
// What is left are particles.
void generated_remove_springs(generated_garment *made);
// Adds a spring: own numbers equal stored ones except in grids.
void generated_add_spring(generated_garment *made, uint32_t a, uint32_t b, float rest);

// Both end the program with a message when something fails.
void generated_write(generated_garment *made, const char *path);
void generated_write_and_free(generated_garment *made, const char *path);
void generated_free(generated_garment *made);

#endif
