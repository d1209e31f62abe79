// SPDX-License-Identifier: MIT
// Copies of particles (runtime/model/phantoms.h) in a graph layout: slots behind those of the particles.
#ifndef SLV_RUNTIME_LAYOUT_PHANTOM_LAYOUT_H
#define SLV_RUNTIME_LAYOUT_PHANTOM_LAYOUT_H

#include "runtime/layout/layout.h"

// Slots that copies need in a layout of these parts (SLV_PART_…).
uint32_t slv_phantom_count_copies(const slv_body *body, unsigned parts);

// copy_slot: the slot of the first copy. Filling does nothing without copies.
void slv_phantom_layout_reserve(slv_body_layout *body_layout, const slv_body *body, unsigned parts,
                                int copy_slot, slv_layout_cursor *cursor);
void slv_phantom_layout_fill(const slv_body_layout *body_layout, const slv_body *body,
                             const uint32_t *slots, int *table);

// The slot of a constraint's end, which may be a copy; and that of end 0 or 1 of a spring.
uint32_t slv_phantom_slot(const slv_body_layout *body_layout, const slv_body *body,
                          const uint32_t *slots, uint32_t end);
uint32_t slv_phantom_spring_slot(const slv_body_layout *body_layout, const slv_body *body,
                                 const uint32_t *slots, uint32_t spring, int end);

// Copies have the inverse mass of their particle. While a phase is solved, a particle and its
// copies of that phase share the mass: the inverse mass of what lies at `offset` (in floats from q) then.
void slv_phantom_copy_inverse_masses(const slv_body_layout *body_layout, float *state,
                                     const int *table);
float slv_phantom_inverse_mass(const slv_body_layout *body_layout, const float *state,
                               const int *table, int phase, int offset);

#endif
