// SPDX-License-Identifier: MIT
// What a clip carries: particles of garments that follow its attachments, and those of its surface.
#ifndef SLV_RUNTIME_WORLD_CLIP_LINK_H
#define SLV_RUNTIME_WORLD_CLIP_LINK_H

#include "runtime/world/clip.h"

// The first link of a clip, that of its surface, as long as that body is not there yet.
slv_result slv_clip_link_surface(slv_world *world, slv_clip *clip);
// Lets go of all particles that it carries. The layout must have all of the state.
slv_result slv_clip_release(slv_world *world, slv_clip *clip);

// Drops what clips carry of a body that is about to be removed.
void slv_clips_forget_body(slv_world *world, const slv_body *body);

#endif
