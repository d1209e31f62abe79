// SPDX-License-Identifier: MIT
// Which of many keys are the same: the one question behind welding positions and sharing vertices.
#ifndef SLV_TOOLS_EQUAL_KEYS_H
#define SLV_TOOLS_EQUAL_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// keys are count blocks of size bytes, equal where their bytes are. first[i] becomes the lowest j
// with the key of i, so first[i] == i exactly where a key is met for the first time. False: no memory.
bool slv_find_equal_keys(const void *keys, size_t size, uint32_t count, uint32_t *first);

#endif
