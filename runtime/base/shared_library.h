// SPDX-License-Identifier: MIT
// Libraries that are loaded at run time.
#ifndef SLV_RUNTIME_BASE_SHARED_LIBRARY_H
#define SLV_RUNTIME_BASE_SHARED_LIBRARY_H

#include "formats/result.h"

#include <stddef.h>

typedef struct slv_symbol {
    const char *name;
    void *function; // address of a function pointer
} slv_symbol;

// Opens the library that the environment variable names, else `name`, and finds its symbols. NULL: the library
// or a symbol is missing; the message in error begins with title.
void *slv_library_open(const char *title, const char *variable, const char *name,
                       const slv_symbol *symbols, size_t count, slv_error *error);
void slv_library_close(void *library); // NULL is fine

#endif
