// SPDX-License-Identifier: MIT
// Sections that name sets of numbers: PSET of garments, ATCH of colliders.
#ifndef SLV_FORMATS_NAMED_SETS_H
#define SLV_FORMATS_NAMED_SETS_H

#include "formats/layout.h"
#include "formats/reader.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slv_named_set {
    const char *name; // not terminated
    uint32_t name_length;
    uint32_t count;
    const uint32_t *particles; // ascending
} slv_named_set;

typedef struct slv_named_sets {
    uint32_t count;
    const slv_particle_set *sets; // read them through slv_named_sets_get
    const uint32_t *particles;
    const char *names;
} slv_named_sets;

// Verifies the section and fills the view, which is valid while the pack is open; empty where there is none.
// Every number must be below limit.
slv_result slv_named_sets_open(const slv_pack *pack, uint32_t kind, uint32_t limit,
                               slv_named_sets *sets, slv_error *error);

slv_named_set slv_named_sets_get(const slv_named_sets *sets, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
