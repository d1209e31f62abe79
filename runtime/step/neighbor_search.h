// SPDX-License-Identifier: MIT
// The neighbor search: for each point a list of the points that may come within reach in a step. A service for
// features (runtime/step/feature.h): a feature says which bodies it means, their reach and which pairs count, and
// has lists of its own. The search reserves and fills its arrays, is launched once a step and has the rule by which
// lists grow.
//
// Points are the particles of all bodies that some request names. They are sorted once a step, in cells as wide as
// the largest reach needs (kernels/bins.h). Lists are made for each request (kernels/neighbors.h): rules and reaches
// differ, and a pass over contacts would otherwise read the many neighbors of a liquid as well.
#ifndef SLV_RUNTIME_STEP_NEIGHBOR_SEARCH_H
#define SLV_RUNTIME_STEP_NEIGHBOR_SEARCH_H

#include "runtime/step/plan.h"
#include "runtime/step/step_settings.h"

// --- Layout -----------------------------------------------------------------------------------------

// The search in a layout.
typedef struct slv_neighbor_layout {
    slv_neighbor_settings settings; // those that it was made with
    int block;                      // in table (kernels/bins.h)
    int points;                     // a multiple of SLV_BLOCK; 0: nothing is requested
    slv_layout_cursor start;        // where the search begins
    slv_extent flags;               // in state: what steps have shown of all requests
    uint32_t request_count;
    struct {
        uint32_t capacity; // 0: no lists
        int find;          // kernel that makes them
        int lists;         // in table
        bool own;          // lists are not of points: the feature makes them
    } requests[SLV_FEATURE_ROOM];
} slv_neighbor_layout;

// Before and after there is a table. Both are false without memory.
bool slv_neighbor_search_reserve(slv_layout *layout, slv_body *const *bodies,
                                 const slv_layout_settings *settings, slv_layout_cursor *cursor);
bool slv_neighbor_search_fill(slv_layout *layout, slv_body *const *bodies, slv_memory *scratch);
// Whether a layout has the lists that these settings would give.
bool slv_neighbor_search_fits(const slv_layout *layout, const slv_layout_settings *settings);

// Of all requests of a body that a layout has lists for: the largest reach, and the reach towards other bodies;
// below 0 without any.
typedef struct slv_body_reach {
    float any, others;
} slv_body_reach;
slv_body_reach slv_neighbor_search_get_reach(const slv_layout *layout, const slv_body *body);

// --- Step -------------------------------------------------------------------------------------------

// Sorts points and makes all lists; nothing where nothing is requested. Features add launches before and after
// (SLV_POINT_SEARCH_BEGIN, SLV_POINT_SEARCH_END).
void slv_neighbor_search_launch(slv_plan_writer *writer);
// Makes the lists of bodies once more that were woken in this step.
void slv_neighbor_search_launch_woken(slv_plan_writer *writer);
// A kernel over all blocks of points; left out while all bodies with points sleep.
void slv_neighbor_search_launch_blocks(slv_plan_writer *writer, slv_kernel_id kernel);

// --- Growth -----------------------------------------------------------------------------------------

// What steps have shown of each request.
typedef struct slv_list_growth {
    uint32_t capacity[SLV_FEATURE_ROOM]; // to which its lists have grown; 0: not yet
    uint32_t longest[SLV_FEATURE_ROOM];  // neighbors that a point has had
    bool cut[SLV_FEATURE_ROOM];          // a list was too short in the last step
} slv_list_growth;

// Reads what the flags of a layout say (slv_neighbor_layout's `flags`), which must be up to date.
void slv_list_growth_read(slv_list_growth *growth, const slv_layout *layout);
bool slv_list_growth_is_cut(const slv_list_growth *growth);
uint32_t slv_list_growth_get_longest(const slv_list_growth *growth);
// Whether a list that was too short could be longer.
bool slv_list_growth_can_mend(const slv_list_growth *growth, const slv_layout *layout);
// Lists are doubled where they were too short (with `mend`) and, ahead of need, where a point has had more than half
// of the neighbors that they hold. Returns whether any should be longer.
bool slv_list_growth_raise(slv_list_growth *growth, const slv_layout *layout, bool mend,
                           bool ahead);

// From now on lists that are too short are cut and do not end the step.
void slv_neighbor_search_fix(slv_layout *layout);

#endif
