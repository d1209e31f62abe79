// SPDX-License-Identifier: MIT
// The origin of a world: the point, in double, that all its floats are relative to.
#ifndef SLV_RUNTIME_WORLD_ORIGIN_H
#define SLV_RUNTIME_WORLD_ORIGIN_H

#include "runtime/world/world.h"

// From the coordinates of the world to those relative to its origin, and back.
void slv_origin_make_local(const slv_world *world, const double position[3], float local[3]);
void slv_origin_make_global(const slv_world *world, const float local[3], double position[3]);

// A position that a caller gives: within SLV_POSITION_LIMIT in the world, and within `limit` metres of its origin.
slv_result slv_origin_check(slv_world *world, const double position[3], double limit);
// A pose that a caller gives, with such a position and a unit quaternion: *pose is relative to the origin.
slv_result slv_origin_take_pose(slv_world *world, const double position[3], const float rotation[4],
                                double limit, slv_pose *pose);

// What has returned to its start, which is relative to the origin that the world had then.
void slv_origin_follow_body(slv_world *world, uint32_t index);
void slv_origin_follow_clip(const slv_world *world, struct slv_clip *clip);
void slv_origin_follow_collider(const slv_world *world, slv_collider_entry *entry);

// A plane that neither turns nor moves to a pose is the same plane at any of its points. Far from the origin its
// position would round the motion of particles on it: the point of the plane nearest to the origin takes its place.
void slv_origin_slide_plane(slv_collider_entry *entry);

#endif
