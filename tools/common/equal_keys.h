// SPDX-License-Identifier: MIT
// Finds equal keys, for welding positions and sharing vertices.
#ifndef SLV_TOOLS_EQUAL_KEYS_H
#define SLV_TOOLS_EQUAL_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// keys are count blocks of size bytes, compared bytewise. first[i] becomes the lowest j with the
// key of i, so first[i] == i for first occurrences. False: out of memory.
bool slv_find_equal_keys(const void *keys, size_t size, uint32_t count, uint32_t *first);

#endif
