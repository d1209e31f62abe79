// SPDX-License-Identifier: MIT
// The contents of a garment pack: typed, verified views into its sections, and functions to write them.
// After slv_garment_open every index is in range, every float finite, every count agrees with every
// other, colorings are proper: code that reads a garment needs no checks.
#ifndef SLV_FORMATS_GARMENT_H
#define SLV_FORMATS_GARMENT_H

#include "formats/layout.h"
#include "formats/named_sets.h"
#include "formats/reader.h"
#include "formats/result.h"
#include "formats/texture.h"
#include "formats/writer.h"
#include "kernels/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// All constraints of a kind. The list of kinds (kernels/types.h) gives the number of their ends.
typedef struct slv_constraints {
    uint64_t count;
    const uint32_t
        *ends[SLV_ARITY_MAX]; // stored particle numbers or copies, of different particles
    const float *rest;        // >= 0; metres, or what the kind keeps
} slv_constraints;

// Copies of particles, which reduce the number of constraints that share a particle. An end of a constraint may be a
// copy: numbers from particle_count on. Those of particle original[i] are particle_count + end[i - 1] …
// particle_count + end[i] - 1 (from particle_count on for the first); they rest where it does and share
// its mass with it equally.
typedef struct slv_phantom_constraints {
    uint32_t count;           // particles that have copies
    uint32_t copies;          // of all of them
    const uint32_t *original; // stored numbers, ascending
    const uint32_t *end;      // ascending, the last is `copies`
} slv_phantom_constraints;

// Clusters: particles that keep the shape in which they rest (shape matching). Members of cluster i are
// member[end[i - 1]] … member[end[i] - 1] (from 0 on for the first).
typedef struct slv_clusters {
    uint32_t count;
    uint32_t member_count;
    const uint32_t *end;    // ascending, the last is member_count
    const uint32_t *member; // stored numbers, ascending within a cluster
} slv_clusters;

// The factor L D L' of the matrix of mass-spring solvers for one time step, masses, stiffnesses and fixed particles; columns
// and rows are numbered in the order of elimination. Columns of block i are column_end[i - 1] … column_end[i] - 1 (from 0 on
// for the first), c of them; its rows further down, r of them, row[row_end[i - 1]] …, ascending. Its values are those of L
// below the unit diagonal, row by row: c (c - 1) / 2 of its own rows, then c r.
typedef struct slv_factor {
    double time_step;     // s
    uint32_t block_count; // 0: none
    uint32_t row_count;
    uint64_t value_count;
    const uint32_t *particle;             // [n] own numbers in the order of elimination
    const uint32_t *position;             // [n] the inverse: column of each own number
    const float *mass;                    // [n] kg; 0: fixed
    const float *diagonal;                // [n] kg, of the matrix
    const float *pivot;                   // [n] kg, D; > 0
    const uint32_t *column_end, *row_end; // [block_count], ascending
    const uint32_t *row;
    const float *value;
} slv_factor;

// The render mesh; vertex_count == 0 where the pack has none.
typedef struct slv_render_mesh {
    uint32_t vertex_count;
    uint32_t triangle_count;
    const float *positions; // [vertex_count][3]
    const float *normals;   // [vertex_count][3]
    const float *uvs;       // [vertex_count][2], or NULL
    const uint8_t
        *texture; // [texture_size] a PNG file, or NULL; its lower left corner is UV (0, 0)
    size_t texture_size;
    slv_texture_info texture_info; // where a pack was read
    const uint32_t *triangles;     // [triangle_count][3]
    const uint32_t *source;        // [vertex_count], or NULL
    uint32_t influences;           // per vertex: 1, 4 or 8
    const uint32_t *particles;     // [vertex_count][influences]
    const float *weights;          // [vertex_count][influences], each row sums to 1
    const float *offsets;          // [vertex_count][3], or NULL
} slv_render_mesh;

// A view: pointers into the pack (or into the caller's arrays, when writing).
typedef struct slv_garment {
    slv_garment_info info;
    const slv_grid_info *grid; // NULL for surfaces
    const float *x, *y, *z;    // [n] each
    const float *inverse_mass;
    const uint32_t *cell; // NULL without a grid
    const uint32_t *own_of_stored;
    const uint32_t *stored_of_own;
    const uint8_t *paint;     // [n][4] red, green, blue, alpha as the mesh was painted; or NULL
    const int32_t *neighbors; // [6][n], slot by slot; NULL without a grid
    uint32_t color_count;
    const slv_color_range *colors;
    uint32_t group_count;
    const slv_constraint_group *groups;
    slv_constraints constraints[SLV_CONSTRAINT_END]; // by kind; those without ends stay empty
    slv_phantom_constraints phantoms;
    slv_clusters clusters;
    slv_factor factor;
    slv_render_mesh render;
    uint32_t set_count;
    const slv_particle_set *sets; // read them through slv_garment_get_set
    const uint32_t *set_particles;
    const char *set_names;
    uint32_t material_count;
    const slv_material *materials;
    const char *provenance; // JSON, not terminated
    size_t provenance_size;
} slv_garment;

// Verifies all sections of an open pack and fills the view, which is valid while the pack is open.
slv_result slv_garment_open(const slv_pack *pack, slv_garment *garment, slv_error *error);

slv_named_sets slv_garment_get_sets(const slv_garment *garment);
slv_named_set slv_garment_get_set(const slv_garment *garment, uint32_t index);

// Color of a stored particle, SLV_UNCOLORED where it has none.
uint32_t slv_garment_get_particle_color(const slv_garment *garment, uint32_t stored);

// The stored number of the particle that a copy, a number from particle_count on, belongs to.
uint32_t slv_garment_get_copied(const slv_garment *garment, uint32_t copy);
// The stored particle that a constraint's end stands for.
static inline uint32_t slv_garment_get_original(const slv_garment *garment, uint32_t end) {
    return end < garment->info.particle_count ? end : slv_garment_get_copied(garment, end);
}

// How many constraints of a kind (SLV_CONSTRAINT_…) there are, phantoms included.
uint64_t slv_garment_get_constraint_count(const slv_garment *garment, uint32_t kind);

// How many sections slv_garment_write will add, for slv_writer_open (add your own on top).
uint32_t slv_garment_get_section_count(const slv_garment *garment);
// Adds them to an open writer, so that further sections (a field) can follow before the commit.
slv_result slv_garment_write(const slv_garment *garment, slv_writer *writer, slv_error *error);

slv_material slv_default_material(void); // "cotton"

// The values of a material, and the bit of slv_material.given that lets a runtime use each of them; 0: always used;
// UINT32_MAX: never, they are notes. Ended by a name that is NULL.
typedef struct slv_material_use {
    const char *name;
    uint32_t given;
} slv_material_use;
extern const slv_material_use slv_material_uses[];

#ifdef __cplusplus
}
#endif

#endif
