// SPDX-License-Identifier: MIT
// A plain solver for comparison: projective dynamics by Gauss-Seidel with over-relaxation, one particle after another,
// neighbors by lists, scalar code. Directions are found once in an outer iteration and kept, as ours are.
#ifndef SLV_BENCH_PLAIN_CLOTH_H
#define SLV_BENCH_PLAIN_CLOTH_H

typedef struct plain_cloth plain_cloth;

// A square cloth of 1 m and 0.2 kg, held at two corners; without shear where `shear` is 0. N/m. NULL without memory.
plain_cloth *plain_cloth_create(int side, float stretch, float shear);
void plain_cloth_destroy(plain_cloth *cloth);
void plain_cloth_step(plain_cloth *cloth, float seconds, float damping, int iterations,
                      float relaxation);
double plain_cloth_measure_stretch(
    const plain_cloth *cloth); // largest length over rest length along threads

#endif
