// SPDX-License-Identifier: MIT
// Garment packs that garments of a world share: instances of one pack open and verify it once. A pack is found by its
// bytes, not by its name: all are compared with a copy that the world keeps while a garment made from it exists.
#ifndef SLV_RUNTIME_WORLD_SHARED_PACK_H
#define SLV_RUNTIME_WORLD_SHARED_PACK_H

#include "runtime/world/pack.h"

typedef struct slv_shared_pack {
    slv_memory memory; // of this struct and of the bytes
    struct slv_shared_pack *next;
    const void *bytes;
    size_t size;
    slv_world_pack pack; // opened from the bytes
    slv_garment garment;
    uint32_t users;  // garments made from it
    slv_body *model; // the latest of them, from which others may be copied; NULL: none
} slv_shared_pack;

// The pack of a source, opened, as one user more. *shared is NULL where packs of its size are not kept. Counts the
// file as slv_world_open_pack does, also where it fails; *size is what it counted.
slv_result slv_shared_pack_open(slv_world *world, const slv_pack_source *source,
                                slv_shared_pack **shared, size_t *size);
// A user less; the last one closes it. NULL is fine.
void slv_shared_pack_leave(slv_world *world, slv_shared_pack *shared);

#endif
