// SPDX-License-Identifier: MIT
// Packs with a distance field, for tests.
#ifndef SLV_TESTS_GENERATED_FIELD_H
#define SLV_TESTS_GENERATED_FIELD_H

// Writes the distance field of a ball around the origin, radius in metres. Fails the running test on an error.
void write_ball_field(const char *path, double radius);

#endif
