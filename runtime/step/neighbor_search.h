// SPDX-License-Identifier: MIT
// Neighbor search by a spatial hash (kernels/bins.h, pairs.h): for each point, which are the particles of
// searched bodies in blocks of SLV_BLOCK, a list of the points within reach. A service for features; contacts
// use it. One search a step serves all of them.
#ifndef SLV_RUNTIME_STEP_NEIGHBOR_SEARCH_H
#define SLV_RUNTIME_STEP_NEIGHBOR_SEARCH_H

#include "runtime/step/plan.h"

// Counts the points of all bodies that slv_body_is_searched names.
void slv_neighbor_search_count(slv_layout *layout, slv_body *const *bodies);
// Reserves the block of the search and, for lists of list_room neighbors, all that it names; 0: the block
// alone. Called twice from the same cursor: before there is a table, and then to write the block into it.
void slv_neighbor_search_reserve(slv_layout *layout, int list_room, slv_layout_cursor *cursor);
// Fills what never changes. False without memory.
bool slv_neighbor_search_fill(const slv_layout *layout, slv_body *const *bodies,
                              slv_memory *scratch);

// Sorts points and finds the neighbors of each. Features have their say before and after it
// (SLV_POINT_SEARCH_BEGIN, SLV_POINT_SEARCH_END).
void slv_neighbor_search_launch(slv_plan_writer *writer);
// A kernel over rows of points; left out while all searched bodies sleep.
void slv_neighbor_search_launch_rows(slv_plan_writer *writer, slv_kernel_id kernel, int rows);

// The most neighbors that a list has had since the layout was made. There must be a search.
uint32_t slv_neighbor_search_get_longest(const slv_layout *layout);
// Whether a list was too short in the last step.
bool slv_neighbor_search_was_cut(const slv_layout *layout);

#endif
