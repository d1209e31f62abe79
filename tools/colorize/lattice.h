// SPDX-License-Identifier: MIT
// Colors for constraints of a regular lattice. There, all constraints are translates of a few shapes, and
// those of one shape that share a particle can be told apart by where they lie: with weights w for which
// the corners of the shape have different (w . corner) mod k, k being how many corners there are, so have
// any two translates that meet. That makes k colors a shape; a particle that all translates reach has as
// many constraints, so it cannot be done with fewer.
#ifndef SLV_COLORIZE_LATTICE_H
#define SLV_COLORIZE_LATTICE_H

#include "tools/colorize/coloring.h"

// Constraint ends[0 … arity - 1][i], whose particles lie at axes[d][stored_of_own[end]]. Where they are no
// lattice's, or of too many shapes, there are no colors: coloring->color is NULL. The coloring is
// proper unless two constraints have the same corners; whoever takes it asks. False without memory.
bool slv_color_lattice(const float *const axes[3], const uint32_t *stored_of_own,
                       const uint32_t *const *ends, uint32_t arity, uint32_t count,
                       slv_coloring *coloring);

#endif
