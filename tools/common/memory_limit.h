// SPDX-License-Identifier: MIT
// --memory-limit of programs that read packs: the memory of the process is limited, so that a forged pack ends as any
// lack of memory does, with status 4 and without a file.
#ifndef SLV_TOOLS_MEMORY_LIMIT_H
#define SLV_TOOLS_MEMORY_LIMIT_H

#include "formats/result.h"

#include <stdint.h>

#define SLV_MEMORY_LIMIT_HELP                                                                      \
    "Memory that the program may take, in MiB. Default: 256 and 64 times the size of the pack."

// Allows the process to take that many MiB more than now, and the stacks of its threads. mib 0: slv_default_memory_limit
// of the file. work: bytes for what the options request, on top of a default. Sanitizer builds, which need terabytes,
// have no such limit. Returns the bytes for slv_open_options.
uint64_t slv_limit_memory(uint64_t mib, const char *file, unsigned threads, uint64_t work);

// To be appended to the message of a failure: names the limit where memory was short and a limit is set.
const char *slv_memory_limit_hint(slv_result result);

#endif
