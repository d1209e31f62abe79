// SPDX-License-Identifier: MIT
// Fuzzes what tells from the bytes of a file that Assimp reads whether its keys are straight.
#include "tests/tools/common/fuzz_text.h"
#include "tools/common/key_curves.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"a.dae", "a.x", "a.bvh"};
    char *bytes = malloc(size + 1); // no zero at the end: reading beyond is a fault
    if (bytes == NULL) {
        return 0;
    }
    memcpy(bytes, data, size);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        (void)slv_keys_are_straight(names[n], bytes, size);
    }
    free(bytes);
    return 0;
}
