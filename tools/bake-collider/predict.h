// SPDX-License-Identifier: MIT
// Spatial prediction of the points of a motion. The order goes from coarse to fine, so most points
// have earlier ones around them. Each point has the weights of earlier points that predict it best
// in a few dozen frames.
#ifndef SLV_BAKE_PREDICT_H
#define SLV_BAKE_PREDICT_H

#include "formats/motion.h"
#include "tools/bake-collider/frames.h"
#include "tools/bake-collider/points.h"

typedef struct slv_predictors {
    uint32_t *points; // [count][SLV_PREDICTORS]
    float *weights;
    uint32_t *order; // [count]: stored point i is given point order[i]
} slv_predictors;

enum { SLV_PREDICTORS = 8 };

// keep_order: points are stored in the given order. precision: error of decoded points in metres,
// which the weights must not amplify.
slv_result slv_predictors_find(const slv_frames *frames, const slv_point *points, uint32_t count,
                               bool keep_order, double precision, unsigned threads,
                               slv_predictors *predictors, slv_error *error);
void slv_predictors_free(slv_predictors *predictors);

#endif
