// SPDX-License-Identifier: MIT
// Contacts in the form and in the step: room for colliders, lists and the broad phase (kernels/contact.h,
// bins.h, pairs.h), and where in a step these run. A world without colliders and without cloth that
// meets cloth has neither.
#ifndef SLV_RUNTIME_STEP_FEATURES_CONTACT_H
#define SLV_RUNTIME_STEP_FEATURES_CONTACT_H

#include "runtime/step/plan.h"

void slv_contact_reserve(slv_layout *layout, slv_body *const *bodies,
                         const slv_contact_settings *settings, slv_layout_cursor *cursor);
// Whether a body meets anything at all in a form that has been laid out.
bool slv_contact_meets(const slv_layout *layout, const slv_body *body);
// False without memory.
bool slv_contact_fill(slv_layout *layout, slv_body *const *bodies, double time_step,
                      slv_memory *scratch);

// Whether a list of neighbors was too short in the last step.
bool slv_contact_was_cut(const slv_layout *layout);
// Whether particles of a body collide with particles.
bool slv_contact_has_pairs(const slv_body *body);

// Launches of the step: before everything else, where colliders go; after integration, after each pass over the constraints, after the last, and
// after the alarm.
void slv_contact_move(slv_plan_writer *writer);
void slv_contact_begin(slv_plan_writer *writer);
void slv_contact_pass(slv_plan_writer *writer);
void slv_contact_end(slv_plan_writer *writer);
void slv_contact_rollback(slv_plan_writer *writer);

#endif
