// SPDX-License-Identifier: MIT
// Rotations of scene files as quaternions with the same bits on every machine.
#ifndef SLV_RUNTIME_SCENE_SCENE_ROTATION_H
#define SLV_RUNTIME_SCENE_SCENE_ROTATION_H

#include <stdbool.h>

// Degrees around the fixed axes x, then y, then z; at most 36,000 either way. rotation is x, y, z, w.
void slv_rotation_from_degrees(const double degrees[3], float rotation[4]);

// Scales to unit length. False, and rotation unchanged, for a length below 1e-6.
bool slv_rotation_from_quaternion(const double quaternion[4], float rotation[4]);

#endif
