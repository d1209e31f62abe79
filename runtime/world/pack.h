// SPDX-License-Identifier: MIT
// Packs that a world opens, within its memory limit.
#ifndef SLV_RUNTIME_WORLD_PACK_H
#define SLV_RUNTIME_WORLD_PACK_H

#include "formats/reader.h"
#include "runtime/world/world.h"

typedef struct slv_pack_source {
    const char *path;  // or, where NULL,
    const void *bytes; // of the caller
    size_t size;       // of them
    bool copy;         // read the file in place of mapping it
} slv_pack_source;

// The size before it is opened; 0 where there is no such file, which opening it will report.
size_t slv_pack_source_get_size(const slv_pack_source *source);

typedef struct slv_world_pack {
    slv_pack *pack;   // NULL where it is not open
    size_t file_size; // bytes by which the default memory limit of the world is larger
    size_t reserved;  // bytes of memory that count as the world's
} slv_world_pack;

// Adds the pack to the default limit, also where it fails: slv_memory_limit_remove_pack, once what the pack was opened
// for is gone. Half of the memory that is left may be decoded sections; the rest is for what is made from them.
slv_result slv_world_open_pack(slv_world *world, const slv_pack_source *source,
                               slv_world_pack *pack);
// Counts bytes that are taken for the pack by another allocator, until it is closed.
slv_result slv_world_count_memory(slv_world *world, slv_world_pack *pack, size_t size);
// Closes the pack and returns what was reserved; file_size stays.
void slv_world_close_pack(slv_world *world, slv_world_pack *pack);

#endif
