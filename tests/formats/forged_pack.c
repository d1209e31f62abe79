// SPDX-License-Identifier: MIT
#include "tests/formats/forged_pack.h"

#include "formats/checksum.h"
#include "formats/file_bytes.h"

#include <stdlib.h>
#include <string.h>

forged_pack forged_pack_copy(const void *bytes, size_t size) {
    forged_pack pack = {slv_aligned_bytes(size), size};
    if (pack.bytes && size > 0) {
        memcpy(pack.bytes, bytes, size);
    }
    return pack;
}

forged_pack forged_pack_load(const char *path) {
    slv_file_bytes file;
    if (slv_file_bytes_map(path, &file, NULL) != SLV_OK) {
        return (forged_pack){NULL, 0};
    }
    forged_pack pack = forged_pack_copy(file.bytes, file.size);
    slv_file_bytes_free(&file);
    return pack;
}

void forged_pack_free(forged_pack *pack) {
    free(pack->bytes);
    *pack = (forged_pack){NULL, 0};
}

slv_pack *forged_pack_open(const void *bytes, size_t size, forged_pack *copy) {
    const slv_open_options options = {.decoded_limit = 1 << 20};
    slv_pack *pack = NULL;
    *copy = forged_pack_copy(bytes, size);
    if (copy->bytes) {
        forged_pack_seal(copy);
        (void)slv_pack_open_memory(copy->bytes, size, &options, &pack, NULL);
    }
    return pack;
}

static slv_section_entry *entries_of(const forged_pack *pack) {
    return (slv_section_entry *)(void *)(pack->bytes + sizeof(slv_pack_header));
}

slv_section_entry *forged_entry(const forged_pack *pack, uint32_t kind) {
    slv_section_entry *entries = entries_of(pack);
    for (uint32_t i = 0; i < forged_header(pack)->section_count; i++) {
        if (entries[i].kind == kind) {
            return &entries[i];
        }
    }
    return NULL;
}

void *forged_section(const forged_pack *pack, uint32_t kind) {
    const slv_section_entry *entry = forged_entry(pack, kind);
    return entry ? pack->bytes + entry->offset : NULL;
}

void forged_pack_seal(forged_pack *pack) {
    if (pack->size < sizeof(slv_pack_header)) {
        return;
    }
    slv_pack_header *header = forged_header(pack);
    header->file_size = pack->size;
    size_t room = (pack->size - sizeof *header) / sizeof(slv_section_entry);
    if (header->section_count > room) {
        return;
    }
    for (uint32_t i = 0; i < header->section_count; i++) {
        slv_section_entry *entry = &entries_of(pack)[i];
        if (entry->offset <= pack->size && entry->stored_size <= pack->size - entry->offset) {
            entry->checksum = slv_checksum(pack->bytes + entry->offset, (size_t)entry->stored_size);
        }
    }
    header->checksum = 0;
    header->checksum = slv_checksum(pack->bytes, sizeof *header + header->section_count *
                                                                      sizeof(slv_section_entry));
}

// --- rebuilding ------------------------------------------------------------------------------------

typedef struct part {
    slv_section_entry entry;
    const void *bytes;
} part;

static uint64_t align(uint64_t position) {
    return (position + SLV_SECTION_ALIGNMENT - 1) / SLV_SECTION_ALIGNMENT * SLV_SECTION_ALIGNMENT;
}

static void rebuild(forged_pack *pack, part *parts, uint32_t count) {
    uint64_t end = sizeof(slv_pack_header) + count * sizeof(slv_section_entry);
    for (uint32_t i = 0; i < count; i++) {
        parts[i].entry.offset = align(end);
        end = parts[i].entry.offset + parts[i].entry.stored_size;
    }
    forged_pack built = {slv_aligned_bytes((size_t)end), (size_t)end};
    if (!built.bytes) {
        abort();
    }
    memset(built.bytes, 0, built.size);
    *forged_header(&built) = *forged_header(pack);
    forged_header(&built)->section_count = count;
    for (uint32_t i = 0; i < count; i++) {
        entries_of(&built)[i] = parts[i].entry;
        if (parts[i].entry.stored_size > 0) {
            memcpy(built.bytes + parts[i].entry.offset, parts[i].bytes,
                   (size_t)parts[i].entry.stored_size);
        }
    }
    free(pack->bytes);
    *pack = built;
    forged_pack_seal(pack);
}

// All sections but one kind (0: all). Room for one more.
static uint32_t list_parts(const forged_pack *pack, uint32_t without, part *parts) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < forged_header(pack)->section_count; i++) {
        const slv_section_entry *entry = &entries_of(pack)[i];
        if (entry->kind != without) {
            parts[count++] = (part){*entry, pack->bytes + entry->offset};
        }
    }
    return count;
}

static part raw_part(uint32_t kind, uint32_t flags, const void *bytes, size_t size) {
    return (part){.entry = {.kind = kind, .flags = flags, .stored_size = size, .raw_size = size},
                  .bytes = bytes};
}

void forged_pack_remove(forged_pack *pack, uint32_t kind) {
    part parts[SLV_SECTION_COUNT_MAX + 1];
    rebuild(pack, parts, list_parts(pack, kind, parts));
}

void forged_pack_append(forged_pack *pack, uint32_t kind, uint32_t flags, const void *bytes,
                        size_t size) {
    part parts[SLV_SECTION_COUNT_MAX + 1];
    uint32_t count = list_parts(pack, 0, parts);
    parts[count] = raw_part(kind, flags, bytes, size);
    rebuild(pack, parts, count + 1);
}

void forged_pack_replace(forged_pack *pack, uint32_t kind, const void *bytes, size_t size) {
    part parts[SLV_SECTION_COUNT_MAX + 1];
    uint32_t count = list_parts(pack, 0, parts);
    for (uint32_t i = 0; i < count; i++) {
        if (parts[i].entry.kind == kind) {
            parts[i] = raw_part(kind, parts[i].entry.flags, bytes, size);
        }
    }
    rebuild(pack, parts, count);
}
