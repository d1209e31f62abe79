// SPDX-License-Identifier: MIT
#include "runtime/world/pack.h"

#include "formats/file_bytes.h"
#include "runtime/world/status.h"

size_t slv_pack_source_get_size(const slv_pack_source *source) {
    char first;
    size_t size = 0;
    if (!source->path) {
        return source->size;
    }
    return slv_file_bytes_head(source->path, &first, sizeof first, &size, NULL) == SLV_OK ? size
                                                                                          : 0;
}

slv_result slv_world_open_pack(slv_world *world, const slv_pack_source *source,
                               slv_world_pack *pack) {
    *pack = (slv_world_pack){.file_size = slv_pack_source_get_size(source)};
    slv_memory_limit_add_pack(&world->memory_limit, pack->file_size);
    const size_t left = slv_memory_limit_get_left(&world->memory_limit) / 2;
    const slv_open_options options = {.mode = source->copy ? SLV_OPEN_COPY : SLV_OPEN_MAP,
                                      .decoded_limit = left > 0 ? left : 1};
    const slv_result status =
        source->path ? slv_pack_open(source->path, &options, &pack->pack, &world->error)
                     : slv_pack_open_memory(source->bytes, source->size, &options, &pack->pack,
                                            &world->error);
    return status == SLV_OK ? slv_world_count_memory(world, pack, slv_pack_get_memory(pack->pack))
                            : status;
}

slv_result slv_world_count_memory(slv_world *world, slv_world_pack *pack, size_t size) {
    if (!slv_memory_limit_reserve(&world->memory_limit, size)) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    pack->reserved += size;
    return SLV_OK;
}

void slv_world_close_pack(slv_world *world, slv_world_pack *pack) {
    slv_pack_close(pack->pack);
    slv_memory_limit_return(&world->memory_limit, pack->reserved);
    pack->pack = NULL;
    pack->reserved = 0;
}
