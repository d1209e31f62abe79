// SPDX-License-Identifier: MIT
// Fuzzes the pack reader. Checksums are made valid, so that the input reaches the checks behind them. Every element of
// a pack that opens is read. Inputs of more than a few kilobytes reach no further code.
#include "formats/garment.h"
#include "tests/formats/forged_pack.h"
#include "tests/formats/garment_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    forged_pack bytes;
    slv_pack *pack = forged_pack_open(data, size, &bytes);
    slv_garment garment;
    volatile double sum = 0;
    if (pack) {
        if (slv_garment_open(pack, &garment, NULL) == SLV_OK) {
            sum += garment_walk(&garment);
        }
        sum += field_walk(pack);
    }
    (void)sum;
    slv_pack_close(pack);
    forged_pack_free(&bytes);
    return 0;
}
