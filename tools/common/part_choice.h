// SPDX-License-Identifier: MIT
// Which parts of a file are read: by the names of nodes (groups and objects of an OBJ), meshes and materials. Hidden nodes
// and lower levels of detail are left out unless a node pattern names them.
#ifndef SLV_TOOLS_PART_CHOICE_H
#define SLV_TOOLS_PART_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Patterns separated by commas; * stands for any characters, ? for one. NULL: all, and for exclude none.
typedef struct slv_part_choice {
    const char *node;
    const char *mesh;
    const char *material;
    const char *exclude; // of nodes, meshes and materials
} slv_part_choice;

enum { SLV_PART_KEPT, SLV_PART_NOT_CHOSEN, SLV_PART_HIDDEN, SLV_PART_LOWER_DETAIL, SLV_PART_FATES };

typedef struct slv_part_counts {
    uint32_t parts[SLV_PART_FATES];
} slv_part_counts;

// Whether a name of `length` bytes matches one of the patterns.
bool slv_part_matches(const char *patterns, const char *name, size_t length);

// The level of detail at the end of a name, "arm_LOD2": 2, and the length of the name before it; false without one.
bool slv_part_level(const char *name, size_t length, uint32_t *level, size_t *base);

// "2 hidden parts and 1 of lower detail are left out; --node names parts to keep"; "" where none are.
void slv_part_counts_text(const slv_part_counts *counts, char *text, size_t size);

#endif
