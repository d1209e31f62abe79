// SPDX-License-Identifier: MIT
// Coarse levels of a body whose springs form any graph, by smoothed aggregation: which particles form an aggregate, the
// interpolation between levels, and the matrices of levels. Which entries exist follows from the springs alone; values
// follow from masses and from which particles are fixed. Kernels use them as kernels/aggregate.h says.
#ifndef SLV_RUNTIME_MODEL_AGGREGATES_H
#define SLV_RUNTIME_MODEL_AGGREGATES_H

#include "kernels/aggregate.h"
#include "runtime/model/body.h"

// Which entries of a matrix exist, row by row.
typedef struct slv_pattern {
    uint32_t rows;
    uint32_t *first;   // [rows + 1]
    uint32_t *columns; // [first[rows]]
} slv_pattern;

// A matrix without its diagonal. Entries that are strong join the aggregates of the next level.
typedef struct slv_coupling {
    slv_pattern pattern;
    uint8_t *strong; // beside columns
} slv_coupling;

typedef struct slv_aggregation {
    uint32_t nodes;
    uint32_t *aggregate;       // of each row of the finer level; UINT32_MAX: none
    slv_pattern interpolation; // from nodes to the finer level
    slv_pattern restriction;   // the other way
    uint32_t *transposed;      // the entry of interpolation beside each of restriction
    slv_coupling coupling;     // of the nodes
} slv_aggregation;

typedef struct slv_aggregates {
    slv_coupling springs;
    uint8_t *classes;               // of stiffness, beside springs
    double ratios[SLV_CLASS_LIMIT]; // stiffness of a class over that of the first
    slv_aggregation levels[SLV_AGGREGATE_LEVELS];
    uint32_t level_count; // 0: no coarse levels
} slv_aggregates;

// Values of one level, in units of the first class's stiffness.
typedef struct slv_aggregation_values {
    double *interpolation; // beside its entries
    double *entries;       // of the coupling of its nodes
    double *diagonal;      // [nodes]; 0 where all particles of a node are fixed
} slv_aggregation_values;

// Takes the levels from memory, and leaves them empty for a body without distance constraints. False without memory.
bool slv_aggregates_build(slv_aggregates *aggregates, const slv_body *body, slv_memory *memory);

// Doubles that the values of all levels take.
size_t slv_aggregates_count_values(const slv_aggregates *aggregates);

// Where the values of a level lie in so many doubles.
slv_aggregation_values slv_aggregates_get_values(const slv_aggregates *aggregates, uint32_t level,
                                                 double *room);

// Computes the values of all levels. The room begins with the diagonals of the particles' own matrix, 0 of a fixed
// particle; there is one for each.
void slv_aggregates_evaluate(const slv_aggregates *aggregates, double *room);

#endif
