// SPDX-License-Identifier: MIT
// Every feature of a step, once, in the order in which they are laid out, filled, launched at a point and
// saved. Row SLV_FEATURE(name) is the file name.c here, which defines slv_feature_name
// (runtime/step/feature.h); CMake reads this list too. Deliberately without an include guard.
SLV_FEATURE(moves)
SLV_FEATURE(tearing)
SLV_FEATURE(wind)
SLV_FEATURE(limits)
SLV_FEATURE(contacts)
SLV_FEATURE(sleep)
