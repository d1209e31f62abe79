// SPDX-License-Identifier: MIT
// Colors for constraints of a regular lattice. There, all constraints are translates of a few shapes, and
// those of one shape that share a particle can be told apart by where they lie: with weights w for which
// the corners of the shape have different (w . corner) mod k, k being how many corners there are, so have
// any two translates that share a particle. That makes k colors a shape. A particle inside the lattice has as
// many constraints, so no coloring has fewer colors.
#ifndef SLV_COLORIZE_LATTICE_H
#define SLV_COLORIZE_LATTICE_H

#include "tools/colorize/coloring.h"

// Constraint ends[0 … arity - 1][i], whose particles lie at axes[d][stored_of_own[end]]. Where they are no
// lattice's, or of too many shapes, there are no colors: coloring->color is NULL. The coloring is
// proper unless two constraints have the same corners: the caller checks. False without memory.
bool slv_color_lattice(const float *const axes[3], const uint32_t *stored_of_own,
                       const uint32_t *const *ends, uint32_t arity, uint32_t count,
                       slv_coloring *coloring);

#endif
