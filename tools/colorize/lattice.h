// SPDX-License-Identifier: MIT
// Coloring of the constraints of a regular lattice. All constraints are translates of a few shapes.
// With weights w for which the k corners of a shape have distinct (w . corner) mod k, two
// translates that share a particle differ in (w . base) mod k. This gives k colors per shape. An
// interior particle has as many constraints, so no coloring has fewer colors.
#ifndef SLV_COLORIZE_LATTICE_H
#define SLV_COLORIZE_LATTICE_H

#include "tools/colorize/coloring.h"

// Constraint i has the particles ends[0 … arity - 1][i] at positions axes[d][stored_of_own[end]].
// Without a lattice, or with too many shapes, coloring->color is NULL. The coloring is proper
// unless two constraints have the same corners; the caller checks this. False where memory is
// short.
bool slv_color_lattice(const float *const axes[3], const uint32_t *stored_of_own,
                       const uint32_t *const *ends, uint32_t arity, uint32_t count,
                       slv_coloring *coloring);

#endif
