// SPDX-License-Identifier: MIT
// A collider pack whose every point is known by a formula: a rope of particles that swings, two
// attachments on it, a fan of triangles as render mesh; or a tray of particles that moves sideways; or a ball.
#ifndef SLV_TESTS_SAMPLE_COLLIDER_H
#define SLV_TESTS_SAMPLE_COLLIDER_H

#include "formats/collider_pack.h"

typedef struct sample_collider { // NOLINT(clang-analyzer-optin.performance.Padding)
    uint32_t particles;
    uint32_t frames;
    bool more;      // attachments ("belt", particles 1 and 4; "hook", particle 0) and a mesh
    double error;   // metres
    bool table_raw; // uncompressed tables, which a test can change
    bool tray;      // a square of particles whose tops are at y = 0, in place of the rope
    bool ball;      // a closed ball of particles around the origin, in place of the rope
} sample_collider;

// A tray of n² particles rests for 15 frames, then moves along x for 15: constant acceleration, then deceleration.
extern const double sample_tray_spacing, sample_tray_travel; // metres
// A ball moves along x in the same way.
extern const double sample_ball_radius; // metres, to the centers of its particles

slv_result sample_collider_write(const sample_collider *sample, const char *path, slv_error *error);

// Position of point i of a motion, in a frame or between two frames.
void sample_collider_at(slv_motion_kind kind, uint32_t point, double frame, double at[3]);

#endif
