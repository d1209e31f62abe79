// SPDX-License-Identifier: MIT
// Tears (kernels/tear.h) as the host sees them: which springs of a body are gone. The form has them while
// steps run; snapshots, new forms and the drawn surface get them from the body.
#ifndef SLV_RUNTIME_STEP_FEATURES_TEAR_H
#define SLV_RUNTIME_STEP_FEATURES_TEAR_H

#include "runtime/world/world.h"

void slv_tear_reserve(slv_layout *layout, slv_body *const *bodies, slv_layout_cursor *cursor);
// Writes down which springs there are, and how particles answer them.
void slv_tear_write(slv_layout *layout, uint32_t index, const slv_body *body, double time_step);
// From now on springs can tear, at this many lengths at rest, or be cut. False without memory.
bool slv_body_make_tearable(slv_body *body, float threshold);
// What was only cut is as it was before once nothing is cut any more.
void slv_body_settle_tearing(slv_body *body);
// Takes over which springs are gone: all at once, or first what may fail and then what cannot.
slv_result slv_tear_fetch(slv_world *world);
slv_result slv_tear_download(slv_world *world);
void slv_tear_read(slv_world *world);

// Leaves out the triangles of the drawn surface that a tear goes through.
void slv_surface_open_tears(slv_body *body);

void slv_tear_launch(slv_plan_writer *writer);

#endif
