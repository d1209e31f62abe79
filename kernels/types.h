// SPDX-License-Identifier: MIT
// Plain types shared by host, device and pack: the vocabulary of particles and constraints.
// Stays inside what C11, CUDA C and OpenCL C agree on; no pointers, no bool, no vector types.
#ifndef SLV_KERNELS_TYPES_H
#define SLV_KERNELS_TYPES_H

// "No particle" in a neighbor slot.
#define SLV_NO_NEIGHBOR (-1)

// A color that no solver may use: the work has not been colored yet.
#define SLV_UNCOLORED 0xFFFFFFFFu

// The six slots of a grid particle's neighbor table.
enum {
    SLV_SLOT_MINUS_X = 0,
    SLV_SLOT_PLUS_X = 1,
    SLV_SLOT_MINUS_Y = 2,
    SLV_SLOT_PLUS_Y = 3,
    SLV_SLOT_MINUS_Z = 4,
    SLV_SLOT_PLUS_Z = 5,
    SLV_SLOT_COUNT = 6
};

#endif
