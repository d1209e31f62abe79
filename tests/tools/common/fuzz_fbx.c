// SPDX-License-Identifier: MIT
// Fuzz target: arbitrary bytes as an FBX file are read and posed or rejected, without faults.
#include "tests/tools/common/read_fbx.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    slv_character character;
    slv_error error = {.code = SLV_OK};
    if (read_fbx(data, size, &character, &error) == SLV_OK) {
        (void)pose_all(&character);
        slv_character_free(&character);
    } else if (error.text[0] == '\0') {
        abort(); // each refusal has a reason
    }
    return 0;
}
