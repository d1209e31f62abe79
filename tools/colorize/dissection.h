// SPDX-License-Identifier: MIT
// A nested order of elimination: cloth is cut in two along its longest axis, again and again; the particles along a cut
// come after those on both sides (George 1973). Few entries of the factor are new then, and both sides are independent.
#ifndef SLV_COLORIZE_DISSECTION_H
#define SLV_COLORIZE_DISSECTION_H

#include "tools/colorize/factor_matrix.h"

typedef struct slv_dissection {
    uint32_t *particle;   // [count] own numbers in the order of elimination
    uint32_t *position;   // [count] the inverse
    uint32_t *column_end; // [block_count] blocks: cuts, and pieces too small to be cut
    uint32_t block_count;
} slv_dissection;

// False without memory; then nothing is left.
bool slv_dissection_create(const slv_garment *garment, const slv_factor_matrix *matrix,
                           slv_dissection *dissection);
void slv_dissection_destroy(slv_dissection *dissection);

#endif
