// SPDX-License-Identifier: MIT
// Rasterizer: a depth buffer and the nearest primitive of each sample, for camera and shadow maps.
#ifndef SLV_INSPECT_RASTER_H
#define SLV_INSPECT_RASTER_H

#include "tools/inspect/scene.h"
#include "tools/inspect/view.h"

#define SLV_RASTER_NOTHING 0xFFFFFFFFu

// Rows first_row … first_row + row_count - 1 of the image of a view.
typedef struct slv_raster {
    uint32_t width;
    uint32_t first_row;
    uint32_t row_count;
    float *depth; // [row_count][width]; larger is nearer; -FLT_MAX: empty
    uint32_t
        *id; // [row_count][width] sphere number, or sphere_count + triangle number; may be NULL
} slv_raster;

void slv_raster_clear(slv_raster *raster);
void slv_raster_draw(slv_raster *raster, const slv_view *view, const slv_scene *scene);

#endif
