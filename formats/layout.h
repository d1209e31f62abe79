// SPDX-License-Identifier: MIT
// The bytes of a pack. PACK.md explains them; this file pins them; sections.h lists the sections. Little-endian, IEEE 754,
// fixed-width scalars, explicit padding that is zero, offsets and never pointers.
#ifndef SLV_FORMATS_LAYOUT_H
#define SLV_FORMATS_LAYOUT_H

#include "formats/sections.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define SLV_PACK_MAGIC "SELVAGE" // with its terminating zero: eight bytes
#define SLV_PACK_BYTE_ORDER 0x0A0B0C0Du
#define SLV_PACK_VERSION_MAJOR 1 // a change that old readers cannot read
#define SLV_PACK_VERSION_MINOR 5 // an addition old readers may skip
#define SLV_SECTION_ALIGNMENT 64u
#define SLV_SECTION_COUNT_MAX 64u

// How a section's bytes are stored.
enum { SLV_CODEC_RAW = 0, SLV_CODEC_ZSTD = 1 };

typedef struct slv_pack_header {
    char magic[8];
    uint32_t byte_order;
    uint16_t version_major;
    uint16_t version_minor;
    uint32_t contents;      // SLV_CONTENTS_…
    uint32_t section_count; // entries of the table, which follows this header at once
    uint64_t file_size;     // bytes of the whole file
    uint64_t checksum;      // XXH3-64 of header (this field zero) and table
    uint8_t zero[24];
} slv_pack_header;
static_assert(sizeof(slv_pack_header) == 64, "pack header");
static_assert(offsetof(slv_pack_header, contents) == 16, "pack header");
static_assert(offsetof(slv_pack_header, file_size) == 24, "pack header");
static_assert(offsetof(slv_pack_header, checksum) == 32, "pack header");

typedef struct slv_section_entry {
    uint32_t kind;  // SLV_SECTION_…, each at most once
    uint32_t codec; // SLV_CODEC_…
    uint32_t flags; // SLV_SECTION_REQUIRED
    uint32_t zero;
    uint64_t offset;      // from the file's start; a multiple of 64; ascending through the table
    uint64_t stored_size; // bytes in the file
    uint64_t raw_size;    // bytes after decoding; equal to stored_size when raw
    uint64_t checksum;    // XXH3-64 of the stored bytes
} slv_section_entry;
static_assert(sizeof(slv_section_entry) == 48, "section entry");
static_assert(offsetof(slv_section_entry, offset) == 16, "section entry");
static_assert(offsetof(slv_section_entry, checksum) == 40, "section entry");

// How the particles were made; decides what "own order" means.
enum {
    SLV_GARMENT_SOLID = 1,   // samples inside a mesh: x fastest, then y, then z
    SLV_GARMENT_SHELL = 2,   // samples around a surface: the same order
    SLV_GARMENT_SURFACE = 3, // vertices of a mesh: the file's vertex order
    SLV_GARMENT_SHAPE = 4    // a made shape: x fastest, then y (z where flat), then z
};

typedef struct slv_garment_info {
    uint32_t particle_count;
    uint32_t mode;       // SLV_GARMENT_…
    double frame[3];     // metres; coordinates of the source = frame + coordinates in the pack
    float bounds_min[3]; // of the particles, metres
    float bounds_max[3];
    float spacing; // metres: the grid's, or the mean length of distance constraints
    float mass;    // kilograms, of all particles that can move
    uint8_t zero[32];
} slv_garment_info;
static_assert(sizeof(slv_garment_info) == 96, "garment info");
static_assert(offsetof(slv_garment_info, frame) == 8, "garment info");
static_assert(offsetof(slv_garment_info, bounds_min) == 32, "garment info");
static_assert(offsetof(slv_garment_info, spacing) == 56, "garment info");

typedef struct slv_grid_info {
    uint32_t cells[3]; // samples along x, y, z; the product is below 2^32
    uint32_t zero;
    double origin[3]; // metres, of sample (0, 0, 0), in the pack's coordinates
    double spacing;   // metres between samples
} slv_grid_info;
static_assert(sizeof(slv_grid_info) == 48, "grid info");

// Particles first … first + count - 1 carry this color. Ranges follow one another without a gap.
typedef struct slv_color_range {
    uint32_t color; // 0, 1, 2, … each once; or one single range of SLV_UNCOLORED
    uint32_t first;
    uint32_t count;
    uint32_t zero;
} slv_color_range;
static_assert(sizeof(slv_color_range) == 16, "color range");

// Constraints first … first + count - 1 of the section of their kind. Inside a colored group no two
// constraints share a particle. Groups are sorted by kind, then follow one another without a gap; of
// a kind, the colored ones come first, and uncolored ones after them are to be averaged.
typedef struct slv_constraint_group {
    uint32_t kind;     // SLV_CONSTRAINT_…
    uint32_t color;    // 0, 1, 2, … per kind; or SLV_UNCOLORED
    uint32_t material; // index into MATL
    uint32_t zero;
    uint64_t first;
    uint64_t count;
} slv_constraint_group;
static_assert(sizeof(slv_constraint_group) == 32, "constraint group");

// Particles that keep a common shape.
typedef struct slv_clusters_info {
    uint32_t cluster_count; // at least 1
    uint32_t member_count;
    uint32_t zero[2];
    // u32 end[cluster_count], ascending: number of members before the next cluster; then u32 stored particle
    // numbers[member_count], ascending within a cluster.
} slv_clusters_info;
static_assert(sizeof(slv_clusters_info) == 16, "clusters info");

// L D L' of the matrix of mass-spring solvers (kernels/constant_matrix.h), n particles.
typedef struct slv_factor_info {
    double time_step;     // s, that it is made for; > 0
    uint32_t block_count; // 1 … n
    uint32_t row_count;   // of all blocks
    uint64_t value_count; // of all blocks
    uint32_t zero[2];
    // u32 own particle numbers[n] in the order of elimination, its inverse[n]; f32 mass[n], diagonal[n], pivot[n]; u32
    // column_end[block_count]; u32 row_end[block_count]; u32 row[row_count]; f32 value[value_count].
} slv_factor_info;
static_assert(sizeof(slv_factor_info) == 32, "factor info");

enum { SLV_EMBEDDING_OFFSETS = 1u };

// A render vertex at rest or in motion = sum of weight[k] * particle[k], plus, where the flag is set,
// its offset turned by the frame of its first three particles (PACK.md has the formula).
typedef struct slv_embedding_info {
    uint32_t vertex_count;
    uint32_t influences; // k per vertex: 1, 4 or 8
    uint32_t flags;      // SLV_EMBEDDING_OFFSETS
    uint32_t zero;
    // u32 particle[vertex_count][influences]; float weight[vertex_count][influences];
    // float offset[vertex_count][3] where the flag is set. Unused slots: particle[0] again, weight 0.
} slv_embedding_info;
static_assert(sizeof(slv_embedding_info) == 16, "embedding info");

typedef struct slv_sets_info {
    uint32_t set_count;
    uint32_t index_count;
    uint32_t name_bytes;
    uint32_t zero;
    // slv_particle_set[set_count]; u32 stored particle numbers[index_count], ascending within a set;
    // then name_bytes of UTF-8 without terminators.
} slv_sets_info;
static_assert(sizeof(slv_sets_info) == 16, "sets info");

// Numbers and names of a set begin where those of the set before ended.
typedef struct slv_particle_set {
    uint32_t name_offset; // into the names
    uint32_t name_length; // bytes, 1 … 255; names differ from one another
    uint32_t first;       // into the indices
    uint32_t count;
} slv_particle_set;
static_assert(sizeof(slv_particle_set) == 16, "particle set");

typedef struct slv_material {
    char name[32];           // UTF-8, zero-padded, at least one zero
    float stretch_stiffness; // N/m per constraint
    float shear_stiffness;   // N/m per constraint
    float bending_stiffness; // N/m per constraint
    float damping;           // 1/s: fraction of velocity lost per second at small values
    float static_friction;   // coefficient
    float kinetic_friction;  // coefficient
    float restitution;       // 0 … 1
    float thickness;         // metres
    float color[4];          // linear RGBA, 0 … 1
    uint32_t given;          // SLV_GIVEN_…
    float flexural_rigidity; // N m
    uint8_t zero[40];
} slv_material;
// Which values of a material a runtime takes where the scene gives none; besides these the stretch stiffness, always.
enum {
    SLV_GIVEN_SHEAR = 1 << 0,       // shear_stiffness
    SLV_GIVEN_BENDING = 1 << 1,     // bending_stiffness and flexural_rigidity
    SLV_GIVEN_FRICTION = 1 << 2,    // static_friction and kinetic_friction
    SLV_GIVEN_RESTITUTION = 1 << 3, // restitution
    SLV_GIVEN_THICKNESS = 1 << 4,   // thickness
    SLV_GIVEN_ALL = (1 << 5) - 1,
};
static_assert(sizeof(slv_material) == 128, "material");
static_assert(offsetof(slv_material, color) == 64, "material");

typedef struct slv_field_info {
    uint32_t cells[3];
    uint32_t slab;    // z layers per independently coded slab
    double origin[3]; // metres, of sample (0, 0, 0), in the pack's coordinates
    double spacing;   // metres
    // Then each slab's values as in PACK.md, "SDFG": predicted, in byte planes.
} slv_field_info;
static_assert(sizeof(slv_field_info) == 48, "field info");

enum {
    SLV_GROUP_FRAMES = 8,    // coded together; the last group repeats its last frame
    SLV_PREDICTORS_MAX = 16, // earlier points that a point is predicted from
};
#define SLV_WEIGHT_UNIT (1.0f / 4096.0f) // of predictor weights
#define SLV_FRAMES_MAX (UINT32_C(1) << 28)

typedef struct slv_clip_info {
    uint32_t particle_count;
    uint32_t attachment_count; // points that garments hang on
    uint32_t vertex_count;     // of the drawn mesh; 0 = none
    uint32_t triangle_count;
    uint32_t frame_count;
    uint32_t coverage_frame; // frame in which `coverage` below occurs
    double frame_rate;       // frames per second
    double start;            // seconds: frame f shows the source at start + f / frame_rate
    double duration;         // seconds: after it a loop is back at frame 0
    double frame[3];         // coordinates of the source = frame + coordinates in the pack
    float bounds_min[3];     // of everything, in all frames
    float bounds_max[3];
    float radius;   // of the particles, metres
    float coverage; // no point of the surface is farther than this from a particle, in any frame
    float error;    // metres: largest permitted error of a position
    float largest_error; // metres: largest actual error
    uint8_t zero[16];
} slv_clip_info;
static_assert(sizeof(slv_clip_info) == 128, "clip info");
static_assert(offsetof(slv_clip_info, frame_rate) == 24, "clip info");
static_assert(offsetof(slv_clip_info, bounds_min) == 72, "clip info");
static_assert(offsetof(slv_clip_info, radius) == 96, "clip info");

typedef struct slv_motion_info {
    uint32_t point_count;
    uint32_t predictors; // K per point, 1 … SLV_PREDICTORS_MAX
    float step;          // metres per unit of a residual
    uint32_t zero;
    // Then point[n][K] (u32) in four byte planes and weight[n][K] (i16) in two: PACK.md, "Motions".
} slv_motion_info;
static_assert(sizeof(slv_motion_info) == 16, "motion info");

// Three zstd frames that follow one another in the section of groups.
typedef struct slv_motion_group {
    uint64_t offset;      // of the first; where the group before ended
    uint32_t key_size;    // bytes of the first frame's residuals
    uint32_t token_size;  // of the steps to the other frames
    uint32_t escape_size; // of those steps that are no token; 0 where there is none
    uint32_t escape_count;
} slv_motion_group;
static_assert(sizeof(slv_motion_group) == 24, "motion group");

#endif
