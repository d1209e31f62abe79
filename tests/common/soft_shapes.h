// SPDX-License-Identifier: MIT
// Soft bodies of tetrahedra, for tests and benchmarks of the runtime and of coloring: a spring along every edge, a
// volume constraint per tetrahedron.
#ifndef SLV_TESTS_SOFT_SHAPES_H
#define SLV_TESTS_SOFT_SHAPES_H

#include "formats/garment.h"

typedef struct soft_shape {
    uint32_t particle_count, spring_count, tetrahedron_count;
    uint32_t particle_room, spring_room, tetrahedron_room;
    float (*positions)[3]; // metres
    uint32_t (*springs)[2];
    uint32_t (*corners)[4];
} soft_shape;

// Everything here ends the program when memory is short.

// Cubes of a grid whose corners all lie inside, six tetrahedra each.
typedef bool soft_inside(double x, double y, double z); // in cells, from the middle of the grid
soft_shape soft_lattice(uint32_t nx, uint32_t ny, uint32_t nz, float spacing, soft_inside *inside);
// A hollow rubber ball with spikes, each a cone of 16 wedges around an axis with 17 hairs at its end: 6 k²
// spikes, `wall` and `spike` layers, hairs of so many springs. Very many constraints share a particle
// of an axis; elsewhere few do.
soft_shape soft_ball(uint32_t k, uint32_t wall, uint32_t spike, uint32_t hair);
// Tori of `around` slices of 2 x 3 cubes, side by side.
soft_shape soft_tori(uint32_t count, uint32_t around);
// A square cloth of side x side particles with one diagonal a cell, every second row the other way.
soft_shape soft_cloth(uint32_t side, float spacing);
void soft_free(soft_shape *shape);

// As a surface garment of that mass, nothing colored.
void soft_write(const soft_shape *shape, float kilograms, const char *path);

#endif
