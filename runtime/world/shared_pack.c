// SPDX-License-Identifier: MIT
#include "runtime/world/shared_pack.h"

#include "formats/atomic_file.h"
#include "formats/file_bytes.h"
#include "runtime/world/status.h"

#include <string.h>

// Bytes of a pack that is kept, at most. Of larger ones there are few instances, and copying them takes long.
enum { LARGEST_SHARED = 1 << 20 };

static slv_shared_pack *find(const slv_world *world, const void *bytes, size_t size) {
    slv_shared_pack *one = world->shared_packs;
    while (one && (one->size != size || memcmp(one->bytes, bytes, size) != 0)) {
        one = one->next;
    }
    return one;
}

static void destroy(slv_world *world, slv_shared_pack *shared) {
    slv_world_close_pack(world, &shared->pack);
    slv_memory memory = shared->memory;
    slv_memory_release(&memory);
}

// Copies the bytes, verifies the copy and adds it to the list.
static slv_result keep(slv_world *world, const void *bytes, size_t size, slv_shared_pack **made) {
    slv_memory memory = {.allocator = world->memory.allocator};
    slv_shared_pack *shared = slv_memory_take(&memory, 1, sizeof *shared);
    void *copy = slv_memory_take(&memory, size, 1);
    if (!shared || !copy) {
        slv_memory_release(&memory);
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    memcpy(copy, bytes, size);
    *shared = (slv_shared_pack){.memory = memory, .bytes = copy, .size = size};
    const slv_pack_source source = {.bytes = copy, .size = size};
    slv_result status = slv_world_open_pack(world, &source, &shared->pack);
    slv_memory_limit_remove_pack(&world->memory_limit, size); // the caller has counted it
    if (status == SLV_OK) {
        status = slv_garment_open(shared->pack.pack, &shared->garment, &world->error);
    }
    if (status != SLV_OK) {
        destroy(world, shared);
        return status;
    }
    shared->next = world->shared_packs;
    world->shared_packs = shared;
    *made = shared;
    return SLV_OK;
}

static slv_result open_bytes(slv_world *world, const void *bytes, size_t size,
                             slv_shared_pack **shared) {
    slv_shared_pack *found = find(world, bytes, size);
    const slv_result status = found ? SLV_OK : keep(world, bytes, size, &found);
    if (found) {
        found->users++;
    }
    *shared = found;
    return status;
}

slv_result slv_shared_pack_open(slv_world *world, const slv_pack_source *source,
                                slv_shared_pack **shared, size_t *size) {
    slv_file_bytes file = {.bytes = NULL};
    slv_result status = SLV_OK;
    *shared = NULL;
    *size = slv_pack_source_get_size(source);
    if (*size == 0 || *size > LARGEST_SHARED ||
        (source->path && slv_atomic_is_temporary(source->path))) { // which opening it will report
        return SLV_OK;
    }
    slv_memory_limit_add_pack(&world->memory_limit, *size);
    if (!source->path) {
        return open_bytes(world, source->bytes, source->size, shared);
    }
    status = slv_file_bytes_copy(source->path, &file, &world->error);
    if (status == SLV_OK && file.size != *size) { // it has changed since
        status = slv_refuse(world, SLV_ERROR_FILE, "the file changed while it was read");
    }
    if (status == SLV_OK) {
        status = open_bytes(world, file.bytes, file.size, shared);
    }
    slv_file_bytes_free(&file);
    return status;
}

void slv_shared_pack_leave(slv_world *world, slv_shared_pack *shared) {
    if (!shared || --shared->users > 0) {
        return;
    }
    slv_shared_pack **link = &world->shared_packs;
    while (*link != shared) {
        link = &(*link)->next;
    }
    *link = shared->next;
    destroy(world, shared);
}
