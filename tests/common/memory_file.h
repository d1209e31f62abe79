// SPDX-License-Identifier: MIT
// The bytes of a fuzzer as a file in memory, for code that takes a path.
#ifndef SLV_TESTS_MEMORY_FILE_H
#define SLV_TESTS_MEMORY_FILE_H

#include <stddef.h>

// The path of a file with these bytes, until the next call; NULL where there is no memory.
const char *memory_file(const void *bytes, size_t size);

#endif
