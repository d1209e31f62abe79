// SPDX-License-Identifier: MIT
// As fuzz_pack.c, for collider packs: a pack that opens is decoded to the last frame.
#include "formats/collider_pack.h"
#include "tests/formats/forged_pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    forged_pack bytes;
    slv_pack *pack = forged_pack_open(data, size, &bytes);
    slv_collider_pack collider;
    if (pack && slv_collider_pack_open(pack, &collider, NULL) == SLV_OK) {
        (void)slv_collider_pack_verify_groups(&collider, NULL);
        slv_collider_pack_close(&collider);
    }
    slv_pack_close(pack);
    forged_pack_free(&bytes);
    return 0;
}
