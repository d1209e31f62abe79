// SPDX-License-Identifier: MIT
#include "formats/result.h"

#include <stdarg.h>
#include <stdio.h>

slv_result slv_fail(slv_error *error, slv_result code, const char *format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        error->code = code;
        (void)vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return code;
}
