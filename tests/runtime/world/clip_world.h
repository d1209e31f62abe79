// SPDX-License-Identifier: MIT
// Worlds with a clip whose points are known by a formula (tests/formats/sample_collider.h). These functions fail the
// running test when a call fails.
#ifndef SLV_TESTS_CLIP_WORLD_H
#define SLV_TESTS_CLIP_WORLD_H

#include "tests/common/test_world.h"
#include "tests/formats/sample_collider.h"

enum { CLIP_PARTICLES = 12, CLIP_FRAMES = 41 }; // 30 frames a second
#define CLIP_ERROR 1e-4 // metres: the largest error of the pack's compression
#define CLIP_STEP 0.002 // seconds a step

// Set-up and tear-down of the group of tests: the pack that add_clip reads.
int write_clip_pack(void **state);
int remove_clip_pack(void **state);
const char *clip_path(void);

slv_world *make_clip_world(void);
slv_clip_id add_clip(slv_world *world, slv_clip_def def);
slv_clip_report get_report(slv_world *world, slv_clip_id id);

// The position that the formula gives a point, linear between whole frames.
void expected_position(slv_motion_kind kind, uint32_t point, double frame, double at[3]);
// Compares all particles of a clip's surface with the formula.
void check_clip_surface(slv_world *world, slv_garment_id surface, double frame);

#endif
