// SPDX-License-Identifier: MIT
#include "tools/common/equal_keys.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

// A hash table with open addressing, at most half full, that holds the numbers of first keys.

#define EMPTY UINT32_MAX

bool slv_find_equal_keys(const void *keys, size_t size, uint32_t count, uint32_t *first) {
    size_t slots = 16;
    while (slots < 2 * (size_t)count) {
        slots *= 2;
    }
    uint32_t *table = malloc(slots * sizeof *table);
    if (table == NULL) {
        return false;
    }
    memset(table, 0xff, slots * sizeof *table); // all EMPTY
    const unsigned char *bytes = keys;
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *key = bytes + size * i;
        size_t slot = (size_t)XXH3_64bits(key, size) & (slots - 1);
        while (table[slot] != EMPTY && memcmp(bytes + size * table[slot], key, size) != 0) {
            slot = (slot + 1) & (slots - 1);
        }
        if (table[slot] == EMPTY) {
            table[slot] = i;
        }
        first[i] = table[slot];
    }
    free(table);
    return true;
}
