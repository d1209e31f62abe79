// SPDX-License-Identifier: MIT
// The features of a step and, last, the one of neighbor_feature.c. Deliberately without an include guard.
#include "runtime/step/features/list.h"
SLV_FEATURE(neighbors_of_test)
