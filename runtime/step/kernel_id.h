// SPDX-License-Identifier: MIT
// The kernels of kernels/list.h by number, and what each walks over.
#ifndef SLV_RUNTIME_STEP_KERNEL_ID_H
#define SLV_RUNTIME_STEP_KERNEL_ID_H

#define SLV_KERNEL(name, domain, call) SLV_ID_##name,
typedef enum slv_kernel_id {
#include "kernels/list.h"
    SLV_KERNEL_COUNT
} slv_kernel_id;
#undef SLV_KERNEL

// The domains of kernels/list.h.
typedef enum slv_domain {
    SLV_DOMAIN_PAIRS,
    SLV_DOMAIN_STRIPS,
    SLV_DOMAIN_LINES,
    SLV_DOMAIN_COMPONENTS,
    SLV_DOMAIN_SLOTS,
    SLV_DOMAIN_BLOCKS,
    SLV_DOMAIN_SLICES,
    SLV_DOMAIN_BATCHES,
    SLV_DOMAIN_MOVES,
    SLV_DOMAIN_TETRAHEDRA,
    SLV_DOMAIN_LANES,
    SLV_DOMAIN_TILES,
    SLV_DOMAIN_POINTS,
    SLV_DOMAIN_ROWS,
    SLV_DOMAIN_ONCE
} slv_domain;

typedef struct slv_kernel_info {
    const char *name;
    slv_domain domain;
} slv_kernel_info;

extern const slv_kernel_info slv_kernel_infos[SLV_KERNEL_COUNT];

#endif
