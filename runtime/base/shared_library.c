// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // secure_getenv
#include "runtime/base/shared_library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

void *slv_library_open(const char *title, const char *variable, const char *name,
                       const slv_symbol *symbols, size_t count, slv_error *error) {
    const char *chosen = secure_getenv(variable);
    // Never unmapped: drivers leave threads behind.
    void *library = dlopen(chosen ? chosen : name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
        const char *why = dlerror();
        (void)slv_fail(error, SLV_ERROR_UNSUPPORTED, "%s: no driver here: %s", title,
                       why ? why : name);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        void *address = dlsym(library, symbols[i].name);
        if (!address) {
            (void)slv_fail(error, SLV_ERROR_UNSUPPORTED, "%s: %s has no %s: it is too old", title,
                           chosen ? chosen : name, symbols[i].name);
            (void)dlclose(library);
            return NULL;
        }
        memcpy(symbols[i].function, &address, sizeof address);
    }
    return library;
}

void slv_library_close(void *library) {
    if (library) {
        (void)dlclose(library);
    }
}
