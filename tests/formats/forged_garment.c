// SPDX-License-Identifier: MIT
#include "tests/formats/forged_garment.h"

#include "tests/formats/garment_walk.h"
#include "tests/formats/scratch.h"

forged_pack forged_garment_make(void (*make)(sample_garment *)) {
    scratch temporary;
    sample_garment sample;
    forged_pack pack = {NULL, 0};
    if (scratch_open(&temporary) != 0) {
        return pack;
    }
    const char *path = scratch_path(&temporary, "garment.slv");
    make(&sample);
    if (sample_write(&sample.garment, NULL, path, NULL) == SLV_OK) {
        pack = forged_pack_load(path);
    }
    sample_free(&sample);
    scratch_close(&temporary);
    return pack;
}

slv_result forged_garment_open(const void *bytes, size_t size, double *sum, slv_error *error) {
    slv_pack *pack = NULL;
    slv_garment garment;
    slv_result result = slv_pack_open_memory(bytes, size, NULL, &pack, error);
    if (result == SLV_OK) {
        result = slv_garment_open(pack, &garment, error);
    }
    if (result == SLV_OK && sum) {
        *sum = garment_walk(&garment);
    }
    slv_pack_close(pack);
    return result;
}
