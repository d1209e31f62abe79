// SPDX-License-Identifier: MIT
// The kernels of kernels/list.h and the domains of kernels/domains.h by number.
#ifndef SLV_RUNTIME_STEP_KERNEL_ID_H
#define SLV_RUNTIME_STEP_KERNEL_ID_H

#include "kernels/body_layout.h"

#include <stdbool.h>

#define SLV_KERNEL(name, domain, traits, call) SLV_ID_##name,
typedef enum slv_kernel_id {
#include "kernels/list.h"
    SLV_KERNEL_COUNT
} slv_kernel_id;

#define SLV_DOMAIN(name, columns, dimensions) SLV_DOMAIN_##name,
typedef enum slv_domain {
#include "kernels/domains.h"
    SLV_DOMAIN_COUNT
} slv_domain;
#undef SLV_DOMAIN

// What a backend may know of a kernel, as bits (kernels/list.h says what they mean).
typedef enum slv_trait { SLV_UNEVEN = 1, SLV_SORT = 2, SLV_DISTANT = 4 } slv_trait;

typedef struct slv_kernel_info {
    const char *name;
    slv_domain domain;
    unsigned traits; // slv_trait bits
} slv_kernel_info;

extern const slv_kernel_info slv_kernel_infos[SLV_KERNEL_COUNT];

// Of a domain: elements of a row, and dimensions of the threads on a GPU.
int slv_domain_columns(slv_domain domain, const slv_body_layout *body);
int slv_domain_dimensions(slv_domain domain);

static inline bool slv_domain_is_grid(slv_domain domain) {
    return slv_domain_dimensions(domain) > 1;
}

#endif
