// SPDX-License-Identifier: MIT
// How far a triangle stretches over all frames: the longest length of twelve directions in its plane.
#ifndef SLV_BAKE_STRETCH_H
#define SLV_BAKE_STRETCH_H

enum { SLV_STRETCH_DIRECTIONS = 12 };

// Raises the squared lengths to those of the triangle a b c in one frame.
void slv_stretch_measure(const double a[3], const double b[3], const double c[3],
                         float squared[SLV_STRETCH_DIRECTIONS]);

// Upper bound of the length of u (b - a) + v (c - a) in every frame that was measured, and in linear blends of frames.
double slv_stretch_bound(const float squared[SLV_STRETCH_DIRECTIONS], double u, double v);

#endif
