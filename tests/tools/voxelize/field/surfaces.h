// SPDX-License-Identifier: MIT
// Surfaces with known insides, and brute-force references.
#ifndef SLV_TESTS_FIELD_SURFACES_H
#define SLV_TESTS_FIELD_SURFACES_H

#include "tools/common/mesh.h"
#include "tools/voxelize/field_source.h"
#include "tools/voxelize/lattice.h"

#include <stdbool.h>

// Meshes of outward-facing triangles; free them with slv_mesh_free.
slv_mesh make_mesh(const double (*points)[3], uint32_t point_count, const uint32_t (*triangles)[3],
                   uint32_t triangle_count);
slv_mesh make_box(double x0, double y0, double z0, double x1, double y1, double z1);
// Latitude rings from pole to pole, each of twice as many points.
slv_mesh make_sphere(const double center[3], double radius, uint32_t rings);
slv_mesh make_torus(double major, double minor, uint32_t steps); // around the z axis
// A rectangular sheet of n x n squares: origin + i / n * u + j / n * v.
slv_mesh make_sheet(const double origin[3], const double u[3], const double v[3], uint32_t n);
slv_mesh make_soup(uint32_t seed, uint32_t triangle_count, double size, double spread);

// Both are consumed. Points are not welded.
slv_mesh join_meshes(slv_mesh a, slv_mesh b);
void weld_points(slv_mesh *mesh); // merges points of equal coordinates
void flip_triangle(slv_mesh *mesh, uint32_t triangle);
void flip_at_random(slv_mesh *mesh, uint32_t seed, double share);
void remove_triangle(slv_mesh *mesh, uint32_t triangle); // the last triangle takes its index
void move_points(slv_mesh *mesh, double scale, double x, double y, double z);

// Reproducible pseudo-random number in [0, 1).
double random_fraction(uint32_t *seed);

// A lattice around the mesh with this many samples along its longest side.
slv_lattice lattice_round(const slv_mesh *mesh, uint32_t samples);
// A lattice whose samples lie on multiples of spacing.
slv_lattice lattice_of(uint32_t nx, uint32_t ny, uint32_t nz, double origin, double spacing);

// All results of the field engine for a mesh; free it with free_field.
typedef struct field {
    slv_lattice lattice;
    slv_field_facts facts;
    float *values;    // x fastest
    uint64_t *inside; // as slv_field_source_inside
    uint64_t *cover;
} field;
field measure_field(const slv_mesh *mesh, const slv_lattice *lattice, unsigned threads);
void free_field(field *f);
bool bit_at(const field *f, const uint64_t *bits, uint32_t i, uint32_t j, uint32_t k);
float value_at(const field *f, uint32_t i, uint32_t j, uint32_t k);
void sample_position(const slv_lattice *lattice, uint32_t i, uint32_t j, uint32_t k, double out[3]);

// Brute force over all triangles in long double.
long double plain_distance(const slv_mesh *mesh, const double point[3]);
double plain_winding(const slv_mesh *mesh, const double point[3]);

#endif
