// SPDX-License-Identifier: MIT
// A step feature that only requests neighbor lists. Programs that link selvage_neighbor_feature have it beside the
// features of the library.
#ifndef SLV_TESTS_NEIGHBOR_FEATURE_H
#define SLV_TESTS_NEIGHBOR_FEATURE_H

#include "runtime/step/feature.h"

extern const slv_feature slv_feature_neighbors_of_test;

// What it requests for every body; all zeros at first. Set before bodies are added.
extern slv_neighbor_request neighbor_feature_request;

#endif
