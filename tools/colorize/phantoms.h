// SPDX-License-Identifier: MIT
// Phantoms (Fratarcangeli and Pellacini 2015): where more constraints share a particle than there
// should be colors, some of them get a copy of it. One phantom constraint merges all copies of a
// particle again. The paper gives each constraint of a clique its own copy; here a copy serves as
// many constraints as there are colors, so far fewer copies are needed and less is averaged. Copies
// have numbers from particle_count on and are shared by all kinds of constraints.
#ifndef SLV_COLORIZE_PHANTOMS_H
#define SLV_COLORIZE_PHANTOMS_H

#include "tools/colorize/coloring.h"

// Copies have numbers from particle_count on. All kinds of constraint share them.
typedef struct slv_phantoms {
    uint32_t particle_count;
    uint32_t count, room;
    uint32_t *original; // [count] of each copy, below particle_count
    uint32_t *next;     // [count] the next copy of the same original, plus one; 0 ends
    uint32_t *first;    // [particle_count] the first copy of a particle, plus one; 0 = none
} slv_phantoms;

bool slv_phantoms_create(uint32_t particle_count, slv_phantoms *phantoms);
void slv_phantoms_destroy(slv_phantoms *phantoms);
// Adds a copy at the end of the list of its original and gives its number. False where memory is
// short.
bool slv_phantoms_add(slv_phantoms *phantoms, uint32_t original, uint32_t *copy);
// The particle of a number: itself, or the original of a copy.
uint32_t slv_phantoms_original(const slv_phantoms *phantoms, uint32_t particle);
uint32_t slv_phantoms_split_particles(const slv_phantoms *phantoms); // particles with copies

// Statistics of the splitting for one kind of constraint.
typedef struct slv_split {
    uint32_t rounds;  // rounds of clique search and splitting
    uint64_t cliques; // cliques split
    uint32_t single;  // constraints that got a copy because no color was free
    bool bounded;     // the clique search was aborted: only stars of particles were split
} slv_split;

// Gives copies to ends of constraints, ends[0 … arity - 1][count], until `colors` colors (at least
// 2) are sufficient, and colors them. False where memory is short.
bool slv_phantoms_split(uint32_t *const *ends, uint32_t arity, uint32_t count, uint32_t colors,
                        slv_phantoms *phantoms, slv_coloring *coloring, slv_split *split);

#endif
