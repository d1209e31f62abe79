// SPDX-License-Identifier: MIT
// Baseline of the broad phase in plain C: a counting sort of one key a particle, and one pass over the
// 27 cells around each.
#ifndef SLV_BENCH_CONTACT_BASELINE_H
#define SLV_BENCH_CONTACT_BASELINE_H

#include <stdint.h>

typedef struct contact_baseline contact_baseline;

// Points of a cloth of side * side particles, `spacing` apart; NULL without memory.
contact_baseline *contact_baseline_create(int side, float spacing);
void contact_baseline_destroy(contact_baseline *baseline);

void contact_baseline_sort(contact_baseline *baseline);
// Pairs nearer than `radius`, each counted from both ends.
uint64_t contact_baseline_pass(const contact_baseline *baseline, float radius);

#endif
