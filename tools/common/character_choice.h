// SPDX-License-Identifier: MIT
// Keeps the chosen parts of a character, and lists all.
#ifndef SLV_TOOLS_CHARACTER_CHOICE_H
#define SLV_TOOLS_CHARACTER_CHOICE_H

#include "tools/common/character.h"
#include "tools/common/part_choice.h"

// Removes the parts that are not chosen with their vertices and triangles; nodes, joints and clips stay.
// SLV_ERROR_ARGUMENT where none is left.
slv_result slv_character_choose(slv_character *character, const slv_part_choice *choice,
                                slv_part_counts *counts, slv_error *error);

// The tree of nodes with parts, a line each: names, triangles, size in metres at rest, and why a part is left out. To be
// freed; NULL where memory is short.
char *slv_character_list(const slv_character *character, const slv_part_choice *choice,
                         const slv_import_space *space);

#endif
