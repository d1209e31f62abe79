// SPDX-License-Identifier: MIT
// Packs as selvage-colorize writes them, for tests.
#ifndef SLV_TESTS_COLORED_PACK_H
#define SLV_TESTS_COLORED_PACK_H

#include "tools/colorize/colorize.h"

// Colors the pack `input` with a scheme. The running test fails where that fails, or where the scheme of phantoms
// makes none.
void write_colored(const char *input, const char *output, slv_scheme scheme);

#endif
