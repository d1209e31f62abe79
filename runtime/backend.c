// SPDX-License-Identifier: MIT
#include "runtime/backend.h"

#include <string.h>

static const slv_backend *const backends[] = {&slv_cpu_backend, NULL};

const slv_backend *slv_find_backend(const char *name, slv_error *error) {
    const char *wanted = strcmp(name, "auto") == 0 ? "cpu" : name;
    for (const slv_backend *const *one = backends; *one; one++) {
        if (strcmp(wanted, (*one)->name) == 0) {
            return *one;
        }
    }
    (void)slv_fail(error, SLV_ERROR_UNSUPPORTED, "backend '%s': this library has \"cpu\"", name);
    return NULL;
}
