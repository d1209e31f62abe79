// SPDX-License-Identifier: MIT
// What reserving a graph layout finds out and filling it needs.
#ifndef SLV_RUNTIME_LAYOUT_GRAPH_DRAFT_H
#define SLV_RUNTIME_LAYOUT_GRAPH_DRAFT_H

#include "runtime/layout/layout.h"

typedef struct slv_graph_draft {
    unsigned parts;        // given: SLV_PART_…
    uint32_t *first_slice; // [color_count + 1]
    uint32_t *spans;       // [slices][SLV_SLICE_INTS], as in the table
    uint32_t slice_count;
    size_t end_count;      // ends of springs, empty ones included
    uint32_t *vertex_rows; // [slice_count + 1] with SLV_PART_VERTEX_TETRAHEDRA; else NULL
} slv_graph_draft;

#endif
