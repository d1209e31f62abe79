// SPDX-License-Identifier: MIT
// A pack in memory that a test changes, with valid checksums afterwards ("sealed"), as a malicious file would have.
#ifndef SLV_TESTS_FORGED_PACK_H
#define SLV_TESTS_FORGED_PACK_H

#include "formats/layout.h"
#include "formats/reader.h"

#include <stddef.h>

typedef struct forged_pack {
    unsigned char *bytes; // 64-byte aligned, owned
    size_t size;
} forged_pack;

forged_pack forged_pack_load(const char *path); // bytes is NULL when that fails
forged_pack forged_pack_copy(const void *bytes, size_t size);
// Opens a sealed copy of the bytes of a fuzzer, which must decode to at most 1 MiB. NULL where it is refused.
slv_pack *forged_pack_open(const void *bytes, size_t size, forged_pack *copy);
void forged_pack_free(forged_pack *pack);

static inline slv_pack_header *forged_header(const forged_pack *pack) {
    return (slv_pack_header *)(void *)pack->bytes;
}
slv_section_entry *forged_entry(const forged_pack *pack, uint32_t kind); // NULL where there is none
void *forged_section(const forged_pack *pack, uint32_t kind);

// Recomputes all checksums and the size in the header, as far as the section table is valid.
void forged_pack_seal(forged_pack *pack);

// Replaces a section by other bytes, moving what follows. Sealed afterwards.
void forged_pack_replace(forged_pack *pack, uint32_t kind, const void *bytes, size_t size);
// Removes a section; adds an uncompressed one at the end. Sealed afterwards.
void forged_pack_remove(forged_pack *pack, uint32_t kind);
void forged_pack_append(forged_pack *pack, uint32_t kind, uint32_t flags, const void *bytes,
                        size_t size);

#endif
