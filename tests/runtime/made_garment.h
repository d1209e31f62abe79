// SPDX-License-Identifier: MIT
// Garments made for tests and benchmarks of the runtime, written as packs.
#ifndef SLV_TESTS_MADE_GARMENT_H
#define SLV_TESTS_MADE_GARMENT_H

#include "formats/garment.h"

#include <stdbool.h>

typedef struct made_garment made_garment;

// Which samples of a box there are; NULL = all.
typedef bool made_cells(uint32_t i, uint32_t j, uint32_t k);

// A box of samples with a spring between any two neighbors, red and black.
made_garment *make_grid(uint32_t nx, uint32_t ny, uint32_t nz, float spacing, made_cells *present);
// The same particles and springs without a grid: only index tables can solve it. Own order is that of
// the grid or, where red_first, all red samples and then all black ones.
made_garment *make_loose_grid(uint32_t nx, uint32_t ny, uint32_t nz, float spacing, bool red_first);
// A cloth of triangles in the x-z plane, nx by nz particles; springs in six colors or in none, and
// bending pairs over inner edges, never colored.
made_garment *make_cloth(uint32_t nx, uint32_t nz, float spacing, bool colored);
// count particles along x, each joined to the next.
made_garment *make_chain(uint32_t count, float spacing);
made_garment *make_empty(void);

// The view that will be written, to be changed at will.
slv_garment *made_view(made_garment *made);
// Adds a spring: own numbers equal stored ones except in grids.
void made_add_spring(made_garment *made, uint32_t a, uint32_t b, float rest);

// Both end the program with a message when something fails.
void made_write(made_garment *made, const char *path);
void made_write_and_free(made_garment *made, const char *path);
void made_free(made_garment *made);

#endif
