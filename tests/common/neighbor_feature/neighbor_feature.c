// SPDX-License-Identifier: MIT
#include "tests/common/neighbor_feature/neighbor_feature.h"

slv_neighbor_request neighbor_feature_request;

static void request_neighbors(const slv_body *body, slv_neighbor_request *request) {
    (void)body;
    *request = neighbor_feature_request;
}

const slv_feature slv_feature_neighbors_of_test = {
    .name = "neighbors of a test",
    .neighbors = {.request = request_neighbors, .find = SLV_ID_neighbor_find, .capacity = 16},
};
