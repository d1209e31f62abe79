// SPDX-License-Identifier: MIT
// The list of pack sections. The reader, the writer and selvage-inspect read it, and a test compares the
// tables of PACK.md with it. Sections of constraints come from the list of kinds (kernels/types.h).
#ifndef SLV_FORMATS_SECTIONS_H
#define SLV_FORMATS_SECTIONS_H

#include "kernels/types.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SLV_FOURCC(a, b, c, d)                                                                     \
    ((uint32_t)(a) | ((uint32_t)(b) << 8) | ((uint32_t)(c) << 16) | ((uint32_t)(d) << 24))

// Contents of a pack.
#define SLV_CONTENTS_GARMENT SLV_FOURCC('G', 'A', 'R', 'M')
#define SLV_CONTENTS_COLLIDER SLV_FOURCC('C', 'O', 'L', 'L')

// Section flags. A reader refuses a pack with an unknown required section and skips other unknown sections.
enum { SLV_SECTION_REQUIRED = 1u, SLV_SECTION_OPTIONAL = 0u };

// Packs that a section occurs in; bits.
enum { SLV_IN_GARMENT = 1, SLV_IN_COLLIDER = 2, SLV_IN_BOTH = 3 };

// What the element size of a section counts.
typedef enum slv_section_unit {
    SLV_PER_PACK,       // the section is one element
    SLV_PER_PARTICLE,   // of the garment
    SLV_PER_CONSTRAINT, // of the kind
    SLV_PER_VERTEX,     // of the render mesh
    SLV_PER_TRIANGLE,   // of the render mesh
    SLV_PER_ENTRY,      // of a list whose length follows from the section's size
    SLV_PER_NOTHING,    // the section's own header gives its size; the element size is 0
} slv_section_unit;

// Columns: NAME of the constant SLV_SECTION_NAME; letters; packs; flag that writers set; element size in
// bytes and what it counts; what the section holds, for a person. layout.h has the structures.
#define SLV_SECTIONS(X)                                                                            \
    X(INFO, 'I', 'N', 'F', 'O', GARMENT, REQUIRED, 96, PACK, "counts, bounds, mass")               \
    X(GRID, 'G', 'R', 'I', 'D', GARMENT, REQUIRED, 48, PACK, "grid")                               \
    X(POSITION, 'P', 'P', 'O', 'S', GARMENT, REQUIRED, 12, PARTICLE, "particle positions")         \
    X(INVMASS, 'P', 'I', 'N', 'V', GARMENT, REQUIRED, 4, PARTICLE, "particle inverse masses")      \
    X(CELL, 'P', 'C', 'E', 'L', GARMENT, REQUIRED, 4, PARTICLE, "particle grid cells")             \
    X(ORDER, 'P', 'O', 'R', 'D', GARMENT, REQUIRED, 8, PARTICLE, "particle order, stored and own") \
    X(COLOR, 'P', 'C', 'O', 'L', GARMENT, REQUIRED, 16, ENTRY, "particle colors")                  \
    X(NEIGHBOR, 'N', 'B', 'R', 'S', GARMENT, REQUIRED, 24, PARTICLE, "particle neighbors")         \
    X(CLUSTER, 'C', 'C', 'L', 'U', GARMENT, REQUIRED, 0, NOTHING, "clusters of bodies")            \
    X(GROUP, 'C', 'G', 'R', 'P', GARMENT, REQUIRED, 32, ENTRY, "constraint groups")                \
    X(FACTOR, 'M', 'F', 'A', 'C', GARMENT, OPTIONAL, 0, NOTHING, "factor of a spring matrix")      \
    X(MATERIAL, 'M', 'A', 'T', 'L', GARMENT, REQUIRED, 128, ENTRY, "materials")                    \
    X(PAINT, 'P', 'P', 'N', 'T', GARMENT, OPTIONAL, 4, PARTICLE, "particle paint")                 \
    X(RENDER_POSITION, 'R', 'P', 'O', 'S', GARMENT, OPTIONAL, 12, VERTEX, "render vertices")       \
    X(RENDER_NORMAL, 'R', 'N', 'R', 'M', GARMENT, OPTIONAL, 12, VERTEX, "render normals")          \
    X(RENDER_UV, 'R', 'U', 'V', 'S', BOTH, OPTIONAL, 8, VERTEX, "render UVs")                      \
    X(RENDER_TEXTURE, 'R', 'T', 'E', 'X', GARMENT, OPTIONAL, 0, NOTHING,                           \
      "render texture, a PNG file")                                                                \
    X(RENDER_TRIANGLE, 'R', 'T', 'R', 'I', BOTH, OPTIONAL, 12, TRIANGLE, "render triangles")       \
    X(RENDER_SOURCE, 'R', 'S', 'R', 'C', GARMENT, OPTIONAL, 4, VERTEX,                             \
      "render vertices in the source file")                                                        \
    X(EMBEDDING, 'R', 'E', 'M', 'B', GARMENT, OPTIONAL, 0, NOTHING, "render mesh embedding")       \
    X(SETS, 'P', 'S', 'E', 'T', GARMENT, OPTIONAL, 0, NOTHING, "named particle sets")              \
    X(PROVENANCE, 'P', 'R', 'O', 'V', BOTH, OPTIONAL, 0, NOTHING, "provenance")                    \
    X(FIELD, 'S', 'D', 'F', 'G', GARMENT, OPTIONAL, 0, NOTHING, "signed distance field")           \
    X(CLIP, 'C', 'L', 'I', 'P', COLLIDER, REQUIRED, 128, PACK, "frames, coverage, bounds")         \
    X(PARTICLE_TABLE, 'P', 'P', 'R', 'D', COLLIDER, REQUIRED, 0, NOTHING, "particle predictors")   \
    X(PARTICLE_GROUPS, 'P', 'G', 'R', 'P', COLLIDER, REQUIRED, 0, NOTHING, "particle frames")      \
    X(PARTICLE_INDEX, 'P', 'I', 'D', 'X', COLLIDER, REQUIRED, 24, ENTRY,                           \
      "particle groups of frames")                                                                 \
    X(ATTACHMENT_TABLE, 'A', 'P', 'R', 'D', COLLIDER, REQUIRED, 0, NOTHING,                        \
      "attachment predictors")                                                                     \
    X(ATTACHMENT_GROUPS, 'A', 'G', 'R', 'P', COLLIDER, REQUIRED, 0, NOTHING, "attachment frames")  \
    X(ATTACHMENT_INDEX, 'A', 'I', 'D', 'X', COLLIDER, REQUIRED, 24, ENTRY,                         \
      "attachment groups of frames")                                                               \
    X(MESH_TABLE, 'M', 'P', 'R', 'D', COLLIDER, REQUIRED, 0, NOTHING, "mesh predictors")           \
    X(MESH_GROUPS, 'M', 'G', 'R', 'P', COLLIDER, REQUIRED, 0, NOTHING, "mesh frames")              \
    X(MESH_INDEX, 'M', 'I', 'D', 'X', COLLIDER, REQUIRED, 24, ENTRY, "mesh groups of frames")      \
    X(ATTACHMENTS, 'A', 'T', 'C', 'H', COLLIDER, REQUIRED, 0, NOTHING, "attachment names")

enum {
#define SLV_SECTION_CODE(NAME, a, b, c, d, ...) SLV_SECTION_##NAME = SLV_FOURCC(a, b, c, d),
#define SLV_CONSTRAINT_CODE(NAME, number, a, b, c, d, ...)                                         \
    SLV_SECTION_##NAME = SLV_FOURCC(a, b, c, d),
    SLV_SECTIONS(SLV_SECTION_CODE) SLV_CONSTRAINT_KINDS(SLV_CONSTRAINT_CODE)
#undef SLV_SECTION_CODE
#undef SLV_CONSTRAINT_CODE
};

// The list of constraint kinds as a table.
typedef struct slv_constraint_kind {
    const char *name;     // "tetrahedron"
    const char *plural;   // "tetrahedra"
    const char *quantity; // "volume"
    uint32_t section;     // SLV_SECTION_…
    uint32_t arity;
    uint32_t power;
} slv_constraint_kind;

// By number, SLV_CONSTRAINT_FIRST … SLV_CONSTRAINT_END - 1. Number 0 is no kind: its arity is 0.
extern const slv_constraint_kind slv_constraint_kinds[SLV_CONSTRAINT_END];

typedef struct slv_section_info {
    uint32_t kind;  // SLV_SECTION_…
    uint32_t packs; // SLV_IN_…
    uint32_t flags; // SLV_SECTION_REQUIRED or SLV_SECTION_OPTIONAL
    uint32_t size;  // bytes of an element
    slv_section_unit unit;
    const char *holds; // "particle positions"
} slv_section_info;

// The row of a kind of section; NULL where this version has none.
const slv_section_info *slv_section_find(uint32_t kind);
// All known sections in the order of the list.
const slv_section_info *slv_section_get_list(uint32_t *count);

// "PPOS" for its number; characters that do not print become '?'. Returns text.
const char *slv_section_get_name(uint32_t kind, char text[5]);

#ifdef __cplusplus
}
#endif

#endif
