// SPDX-License-Identifier: MIT
// Opening a pack: map (or copy), verify the container, hand out sections.
// After slv_pack_open succeeds every section's bytes are as their writer left them and lie where the
// table says; their meaning is verified by the module of the contents (garment.h).
#ifndef SLV_FORMATS_READER_H
#define SLV_FORMATS_READER_H

#include "formats/layout.h"
#include "formats/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slv_pack slv_pack;

typedef enum slv_open_mode {
    SLV_OPEN_MAP = 0,  // shared read-only mapping; the file must not be truncated while open
    SLV_OPEN_COPY = 1, // read into memory: for files that another process may truncate
} slv_open_mode;

typedef struct slv_open_options {
    slv_open_mode mode;
    // Bytes that all compressed sections together may expand to. 0: slv_default_memory_limit of the pack's size.
    uint64_t decoded_limit;
} slv_open_options;

slv_open_options slv_default_open_options(void); // map; the default limit

// Bytes of memory that a file of this size may cause by default: 64 times its size and 256 MiB. Garments with
// contacts took 5 to 10 times the size of their packs; a forged pack of some kilobytes may ask for gigabytes.
uint64_t slv_default_memory_limit(uint64_t file_size);

// On success *pack owns the mapping; close it with slv_pack_close. On failure *pack is NULL and the
// message names the section and the reason (not the file, which the caller has). options may be NULL.
slv_result slv_pack_open(const char *path, const slv_open_options *options, slv_pack **pack,
                         slv_error *error);

// The same for bytes in memory, which must be 64-byte aligned, stay as they are and outlive the pack.
slv_result slv_pack_open_memory(const void *bytes, size_t size, const slv_open_options *options,
                                slv_pack **pack, slv_error *error);

void slv_pack_close(slv_pack *pack); // NULL is fine

// Bytes of memory that the pack itself takes: decoded sections, and the file where it was copied.
size_t slv_pack_get_memory(const slv_pack *pack);

const slv_pack_header *slv_pack_get_header(const slv_pack *pack);
const slv_section_entry *slv_pack_get_entries(const slv_pack *pack, uint32_t *count);

// Decoded bytes of a section, valid until close, 64-byte aligned; NULL where there is none.
const void *slv_pack_get_section(const slv_pack *pack, uint32_t kind, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
