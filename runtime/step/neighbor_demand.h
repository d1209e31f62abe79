// SPDX-License-Identifier: MIT
// What a feature requests of the neighbor search (neighbor_search.h).
#ifndef SLV_RUNTIME_STEP_NEIGHBOR_DEMAND_H
#define SLV_RUNTIME_STEP_NEIGHBOR_DEMAND_H

#include "runtime/model/body.h"
#include "runtime/step/kernel_id.h"

// Which pairs of points of one body count.
typedef enum slv_own_pairs {
    SLV_OWN_PAIRS_NONE,
    SLV_OWN_PAIRS_APART, // those further apart at rest than the sum of their reaches
    SLV_OWN_PAIRS_ALL
} slv_own_pairs;

// What a feature requests for one body. All zeros: nothing.
typedef struct slv_neighbor_request {
    float
        reach; // metres; two points are neighbors where they may come within the sum of their reaches
    slv_own_pairs own;
    bool with_others; // pairs with points of other bodies of which the same is requested
} slv_neighbor_request;

// What a feature requests. An immovable point, which is fixed or asleep, is in lists but has none.
typedef struct slv_neighbor_demand {
    // Called for each body; NULL: the feature needs no lists. It must give the same while a layout is in use.
    void (*request)(const slv_body *body, slv_neighbor_request *request);
    // The kernel that makes the lists: SLV_ID_neighbor_find, or one of the feature that does so and measures pairs
    // while their points are in the cache. launch->index is the number of the feature.
    slv_kernel_id find;
    uint32_t capacity; // neighbors of a point, to begin with; lists grow up to SLV_LIST_LIMIT
    // In place of both: the feature makes lists of its own, of something else than points, and has from the search only
    // their capacity, flags and growth. Whether these bodies need them.
    bool (*needs_lists)(slv_body *const *bodies, uint32_t count);
} slv_neighbor_demand;

#endif
