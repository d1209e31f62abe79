// SPDX-License-Identifier: MIT
// A depth buffer, and which thing is in front in each sample. The same code sees for the camera and
// for the lights.
#ifndef SLV_INSPECT_RASTER_H
#define SLV_INSPECT_RASTER_H

#include "tools/inspect/scene.h"
#include "tools/inspect/view.h"

#define SLV_RASTER_NOTHING 0xFFFFFFFFu

// Rows first_row … first_row + row_count - 1 of a view's image.
typedef struct slv_raster {
    uint32_t width;
    uint32_t first_row;
    uint32_t row_count;
    float *depth; // [row_count][width]; toward the eye is larger; -FLT_MAX for nothing
    uint32_t *id; // the same; sphere number, or sphere_count + triangle number; NULL if unwanted
} slv_raster;

void slv_raster_clear(slv_raster *raster);
void slv_raster_draw(slv_raster *raster, const slv_view *view, const slv_scene *scene);

#endif
