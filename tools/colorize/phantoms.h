// SPDX-License-Identifier: MIT
// Phantoms (Fratarcangeli and Pellacini 2015): where more constraints share a particle than
// there are to be colors, some of them get a copy of it. All copies of a particle are brought together again by
// one phantom constraint. The paper gives each constraint of a clique a copy of its own; here a copy
// serves as many constraints as there are colors, so far fewer are needed and less is averaged.
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
// A new copy and its number; it is the last in its original's list. False without memory.
bool slv_phantoms_add(slv_phantoms *phantoms, uint32_t original, uint32_t *place);
// The particle that a number stands for.
uint32_t slv_phantoms_original(const slv_phantoms *phantoms, uint32_t place);
uint32_t slv_phantoms_split_particles(const slv_phantoms *phantoms); // that have copies

// What splitting did for one kind of constraint.
typedef struct slv_split {
    uint32_t rounds;  // of searching cliques and breaking them
    uint64_t cliques; // broken
    uint32_t single;  // constraints that got a copy only because no color was left for them
    bool bounded; // the search for cliques was given up: only the stars of particles were broken
} slv_split;

// Gives copies to the ends of constraints, ends[0 … arity - 1][count], until `colors` colors (at least
// 2) suffice, and colors them so. False without memory.
bool slv_phantoms_split(uint32_t *const *ends, uint32_t arity, uint32_t count, uint32_t colors,
                        slv_phantoms *phantoms, slv_coloring *coloring, slv_split *split);

#endif
