// SPDX-License-Identifier: MIT
// How points of a motion are predicted from one another: an order from coarse to fine, so that most
// points have earlier ones all around them, and for each the weights that predict it best in a
// few dozen frames of the clip.
#ifndef SLV_BAKE_PREDICT_H
#define SLV_BAKE_PREDICT_H

#include "formats/motion.h"
#include "tools/bake-collider/frames.h"
#include "tools/bake-collider/points.h"

typedef struct slv_predictors {
    uint32_t *points; // [count][SLV_PREDICTORS]
    float *weights;
    uint32_t *order; // [count]: stored point i is order[i] of those given
} slv_predictors;

enum { SLV_PREDICTORS = 8 };

// keep_order: the points are stored as they are given. precision: metres that decoded points are off by,
// which weights must not amplify.
slv_result slv_predictors_find(const slv_frames *frames, const slv_point *points, uint32_t count,
                               bool keep_order, double precision, unsigned threads,
                               slv_predictors *predictors, slv_error *error);
void slv_predictors_free(slv_predictors *predictors);

#endif
