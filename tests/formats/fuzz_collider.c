// SPDX-License-Identifier: MIT
// As fuzz_pack.c, for collider packs: a pack that opens is decoded to the last frame.
#include "formats/collider_pack.h"
#include "tests/formats/forged_pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const slv_open_options options = {.decoded_limit = 1 << 20};
    forged_pack bytes = forged_pack_copy(data, size);
    slv_pack *pack = NULL;
    slv_collider_pack collider;
    if (!bytes.bytes) {
        return 0;
    }
    forged_pack_seal(&bytes);
    if (slv_pack_open_memory(bytes.bytes, bytes.size, &options, &pack, NULL) == SLV_OK &&
        slv_collider_pack_open(pack, &collider, NULL) == SLV_OK) {
        (void)slv_collider_pack_verify_groups(&collider, NULL);
        slv_collider_pack_close(&collider);
    }
    slv_pack_close(pack);
    forged_pack_free(&bytes);
    return 0;
}
