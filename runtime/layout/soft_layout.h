// SPDX-License-Identifier: MIT
// How batches of constraints, copies and averaged constraints lie in the layout with index tables.
#ifndef SLV_RUNTIME_LAYOUT_SOFT_LAYOUT_H
#define SLV_RUNTIME_LAYOUT_SOFT_LAYOUT_H

#include "runtime/layout/layout.h"

// Whether constraints are averaged after the others.
bool slv_soft_averages(const slv_body_layout *body_layout);

// Slots that copies need with this solver.
uint32_t slv_soft_copies(const slv_body *body, slv_solver solver);

// Reserves room, after the form's own arrays. copy_slot: where copies begin.
void slv_soft_reserve(slv_body_layout *body_layout, slv_body_extents *extents, const slv_body *body,
                      slv_solver solver, int copy_slot, slv_layout_cursor *cursor);

// Writes what never changes. False without memory.
bool slv_soft_fill(const slv_body_layout *body_layout, const slv_body *body, const uint32_t *slots,
                   slv_solver solver, slv_memory *scratch, float *state, int *table);

// The slot of end 0 or 1 of a spring.
uint32_t slv_soft_slot(const slv_body_layout *body_layout, const slv_body *body,
                       const uint32_t *slots, uint32_t spring, int end);

// Copies are as heavy as their particles; while a phase is solved, all of the phase share the mass. Inverse
// mass that constraints of a phase have at a place.
void slv_soft_copy_inverse_masses(const slv_body_layout *body_layout, float *state,
                                  const int *table);
float slv_phantom_inverse_mass(const slv_body_layout *body_layout, const float *state,
                               const int *table, int phase, int place);
// Writes inverse masses beside the ends of batched constraints.
void slv_soft_set_inverse_masses(const slv_body_layout *body_layout, float *state,
                                 const int *table);

#endif
