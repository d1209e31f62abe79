// SPDX-License-Identifier: MIT
// Which springs of a body are torn or cut, and the triangles of the drawn surface that this leaves out.
#ifndef SLV_RUNTIME_MODEL_TEARS_H
#define SLV_RUNTIME_MODEL_TEARS_H

#include "runtime/model/body.h"

// Times its rest length: the threshold of springs that are cut by a call and never tear by themselves.
extern const float slv_tearing_never;

// From now on springs tear when longer than `threshold` times their rest length, and can be cut. False
// without memory.
bool slv_body_make_tearable(slv_body *body, float threshold);
// A body that is only ever cut is as before once no spring is cut any more.
void slv_body_settle_tearing(slv_body *body);

// Leaves out the triangles of the drawn surface that a tear goes through.
void slv_surface_open_tears(slv_body *body);

#endif
