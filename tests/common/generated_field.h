// SPDX-License-Identifier: MIT
// Sampled distances for tests, as packs.
#ifndef SLV_TESTS_GENERATED_FIELD_H
#define SLV_TESTS_GENERATED_FIELD_H

// Writes the field of a ball around the origin, metres, as a pack; fails the running test where it can not.
void write_ball_field(const char *path, double radius);

#endif
