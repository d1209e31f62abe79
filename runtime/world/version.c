// SPDX-License-Identifier: MIT
#include "runtime/include/selvage/selvage.h"

#include <stdlib.h>

// SLV_VERSION is "MAJOR.MINOR.PATCH", from the project's CMakeLists.txt.
slv_version slv_get_version(void) {
    slv_version version = {0};
    uint32_t *const numbers[] = {&version.major, &version.minor, &version.patch};
    const char *text = SLV_VERSION;
    for (int i = 0; i < 3; i++) {
        char *end = NULL;
        *numbers[i] = (uint32_t)strtoul(text, &end, 10);
        text = *end == '.' ? end + 1 : end;
    }
    return version;
}
