// SPDX-License-Identifier: MIT
// --depfile: a Make/Ninja rule "outputs: inputs", so that a build repeats exactly what changed.
#ifndef SLV_TOOLS_DEPFILE_H
#define SLV_TOOLS_DEPFILE_H

#include "formats/atomic_file.h"
#include "formats/result.h"

#include <stddef.h>

typedef struct slv_depfile_rule {
    const char *const *outputs;
    size_t output_count;
    const char *const *inputs;
    size_t input_count;
} slv_depfile_rule;

// Writes the rule to an open file, to be closed by the caller.
slv_result slv_depfile_put(const slv_depfile_rule *rule, slv_atomic_file *file, slv_error *error);

#endif
