// SPDX-License-Identifier: MIT
// --depfile: a Make/Ninja rule "output: inputs", so that builds redo exactly what changed.
#ifndef SLV_TOOLS_DEPFILE_H
#define SLV_TOOLS_DEPFILE_H

#include "formats/result.h"

#include <stddef.h>

slv_result slv_depfile_write(const char *path, const char *output, const char *const *inputs,
                             size_t input_count, slv_error *error);

#endif
