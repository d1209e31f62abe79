// SPDX-License-Identifier: MIT
// Every feature of a step, once, in the order in which they are laid out, filled, launched at a point and
// saved. Row SLV_FEATURE(name) is the file name.c here, which defines slv_feature_name
// (runtime/step/feature.h); CMake reads this list too. A feature has the aspect SLV_ASPECT_name; those that it has
// beside it, which are copied at other times, are rows SLV_FEATURE_ASPECT below it. Deliberately without an include
// guard.
#ifndef SLV_FEATURE_ASPECT
#define SLV_FEATURE_ASPECT(name)
#endif
SLV_FEATURE(moves)
SLV_FEATURE(tearing)
SLV_FEATURE(wind)
SLV_FEATURE(speed)
SLV_FEATURE(limits)
SLV_FEATURE(clusters)
SLV_FEATURE_ASPECT(cluster_weights)
SLV_FEATURE(locks)
SLV_FEATURE(contacts)
SLV_FEATURE_ASPECT(fields)
SLV_FEATURE(triangles)
SLV_FEATURE(surfaces)
SLV_FEATURE(sleep)
SLV_FEATURE_ASPECT(rest_positions)
#undef SLV_FEATURE_ASPECT
