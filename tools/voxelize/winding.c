// SPDX-License-Identifier: MIT
#include "tools/voxelize/winding.h"
#include <stdlib.h>
slv_result slv_winding_create(const slv_snapped *snapped, const slv_orientation *orientation,
                              unsigned threads, slv_winding *winding, slv_error *error) {
    (void)snapped;
    (void)orientation;
    (void)threads;
    (void)winding;
    (void)error;
    return SLV_OK;
}
void slv_winding_free(slv_winding *winding) {
    (void)winding;
}
void slv_winding_add(const slv_winding *winding, const slv_slab *slab, slv_crossings *crossings) {
    (void)winding;
    (void)slab;
    (void)crossings;
}
