// SPDX-License-Identifier: MIT
#include "formats/reader.h"

#include "formats/atomic_file.h"
#include "formats/checksum.h"
#include "formats/codec.h"
#include "formats/file_bytes.h"
#include "formats/value_check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Every bit of a file is covered: header and table by their checksum, sections by theirs, the padding
// between sections must be zero, and the last section ends the file.

struct slv_pack {
    slv_file_bytes file;        // that slv_pack_close frees; empty for memory of the caller
    const unsigned char *bytes; // the whole pack
    size_t size;
    const slv_pack_header *header;
    const slv_section_entry *entries;
    const void *sections[SLV_SECTION_COUNT_MAX]; // one per entry, decoded
    void *decoded[SLV_SECTION_COUNT_MAX];        // those that the pack owns
};

slv_open_options slv_default_open_options(void) {
    return (slv_open_options){.mode = SLV_OPEN_MAP};
}

uint64_t slv_default_memory_limit(uint64_t file_size) {
    const uint64_t base = UINT64_C(256) << 20;
    const uint64_t factor = 64;
    return file_size > (UINT64_MAX - base) / factor ? UINT64_MAX : base + factor * file_size;
}

static slv_result fail_section(const slv_section_entry *entry, const char *reason,
                               slv_error *error) {
    char name[5];
    return slv_fail(error, SLV_ERROR_CONTENT, "section %s: %s",
                    slv_section_get_name(entry->kind, name), reason);
}

// --- header ----------------------------------------------------------------------------------------

static slv_result check_identity(const slv_pack_header *header, slv_error *error) {
    if (memcmp(header->magic, SLV_PACK_MAGIC, sizeof header->magic) != 0) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "not a Selvage pack: the file does not begin with \"%s\"", SLV_PACK_MAGIC);
    }
    if (header->byte_order != SLV_PACK_BYTE_ORDER) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "byte-order mark 0x%08X, should be 0x%08X: damaged, or read on a machine "
                        "that is not little-endian",
                        header->byte_order, SLV_PACK_BYTE_ORDER);
    }
    if (header->version_major != SLV_PACK_VERSION_MAJOR) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "pack version %u.%u, this program reads version %d only: %s",
                        header->version_major, header->version_minor, SLV_PACK_VERSION_MAJOR,
                        header->version_major > SLV_PACK_VERSION_MAJOR ? "use a newer program"
                                                                       : "make the pack again");
    }
    return SLV_OK;
}

// Checks that need only the header and the file's size.
static slv_result check_head(const slv_pack_header *header, size_t file_size, slv_error *error) {
    if (file_size < sizeof(slv_pack_header)) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "not a Selvage pack: the file is %zu bytes long, a pack has at least %zu",
                        file_size, sizeof(slv_pack_header));
    }
    slv_result result = check_identity(header, error);
    if (result == SLV_OK && header->file_size != file_size) {
        result =
            slv_fail(error, SLV_ERROR_CONTENT, "the file is %zu bytes long and should be %llu: %s",
                     file_size, (unsigned long long)header->file_size,
                     file_size < header->file_size ? "truncated" : "something was appended");
    }
    return result;
}

static slv_result check_header(const slv_pack *pack, slv_error *error) {
    slv_result result = check_head(pack->header, pack->size, error);
    if (result != SLV_OK) {
        return result;
    }
    const slv_pack_header *header = pack->header;
    if (header->section_count > SLV_SECTION_COUNT_MAX) {
        return slv_fail(error, SLV_ERROR_CONTENT, "%u sections, a pack has at most %u",
                        header->section_count, SLV_SECTION_COUNT_MAX);
    }
    size_t table_end = sizeof *header + header->section_count * sizeof(slv_section_entry);
    if (table_end > pack->size) {
        return slv_fail(error, SLV_ERROR_CONTENT, "the file ends within its table of sections");
    }
    unsigned char sealed[sizeof *header + SLV_SECTION_COUNT_MAX * sizeof(slv_section_entry)];
    memcpy(sealed, pack->bytes, table_end);
    memset(sealed + offsetof(slv_pack_header, checksum), 0, sizeof header->checksum);
    if (slv_checksum(sealed, table_end) != header->checksum) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "the checksum of header and table is wrong: the file is damaged");
    }
    if (!slv_all_zero(header->zero, sizeof header->zero)) {
        return slv_fail(error, SLV_ERROR_CONTENT, "reserved bytes of the header are not zero");
    }
    return SLV_OK;
}

// --- table -----------------------------------------------------------------------------------------

static const char *entry_fault(const slv_pack *pack, const slv_section_entry *entry, uint64_t end) {
    if (entry->codec != SLV_CODEC_RAW && entry->codec != SLV_CODEC_ZSTD) {
        return "unknown codec";
    }
    if ((entry->flags & ~(uint32_t)SLV_SECTION_REQUIRED) != 0 || entry->zero != 0) {
        return "unknown flags or reserved bits";
    }
    if (entry->offset % SLV_SECTION_ALIGNMENT != 0) {
        return "its offset is no multiple of 64";
    }
    if (entry->offset < end) {
        return "it overlaps what comes before it";
    }
    if (entry->offset > pack->size || entry->stored_size > pack->size - entry->offset) {
        return "it reaches beyond the end of the file";
    }
    if (entry->codec == SLV_CODEC_RAW && entry->stored_size != entry->raw_size) {
        return "it is not compressed, but its two sizes differ";
    }
    if (entry->raw_size > SIZE_MAX / 2) {
        return "it is larger than this machine can address";
    }
    if (!slv_all_zero(pack->bytes + end, (size_t)(entry->offset - end))) {
        return "the padding before it is not zero";
    }
    return NULL;
}

static bool is_repeated(const slv_pack *pack, uint32_t index) {
    for (uint32_t i = 0; i < index; i++) {
        if (pack->entries[i].kind == pack->entries[index].kind) {
            return true;
        }
    }
    return false;
}

static slv_result check_table(const slv_pack *pack, slv_error *error) {
    uint32_t count = pack->header->section_count;
    uint64_t end = sizeof *pack->header + (uint64_t)count * sizeof *pack->entries;
    for (uint32_t i = 0; i < count; i++) {
        const slv_section_entry *entry = &pack->entries[i];
        const char *fault = entry_fault(pack, entry, end);
        if (!fault && is_repeated(pack, i)) {
            fault = "it occurs twice";
        }
        if (fault) {
            return fail_section(entry, fault, error);
        }
        end = entry->offset + entry->stored_size;
    }
    if (end != pack->size) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "%llu bytes follow the last section, a pack ends with it",
                        (unsigned long long)(pack->size - end));
    }
    return SLV_OK;
}

// --- sections --------------------------------------------------------------------------------------

static slv_result decode_section(slv_pack *pack, uint32_t index, slv_error *error) {
    const slv_section_entry *entry = &pack->entries[index];
    void *raw = slv_aligned_bytes((size_t)entry->raw_size);
    if (!raw) {
        char name[5];
        return slv_fail(error, SLV_ERROR_MEMORY, "section %s: out of memory for %llu bytes",
                        slv_section_get_name(entry->kind, name),
                        (unsigned long long)entry->raw_size);
    }
    pack->decoded[index] = raw;
    pack->sections[index] = raw;
    const char *fault = slv_decode(pack->bytes + entry->offset, (size_t)entry->stored_size, raw,
                                   (size_t)entry->raw_size);
    return fault ? fail_section(entry, fault, error) : SLV_OK;
}

static slv_result load_section(slv_pack *pack, uint32_t index, uint64_t *decoded_left,
                               slv_error *error) {
    const slv_section_entry *entry = &pack->entries[index];
    const unsigned char *stored = pack->bytes + entry->offset;
    if (slv_checksum(stored, (size_t)entry->stored_size) != entry->checksum) {
        return fail_section(entry, "its checksum is wrong: the file is damaged", error);
    }
    if (entry->codec == SLV_CODEC_RAW) {
        pack->sections[index] = stored;
        return SLV_OK;
    }
    if (entry->raw_size > *decoded_left) {
        char name[5];
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "section %s: it would expand to %llu bytes, %llu are left of the limit",
                        slv_section_get_name(entry->kind, name),
                        (unsigned long long)entry->raw_size, (unsigned long long)*decoded_left);
    }
    *decoded_left -= entry->raw_size;
    return decode_section(pack, index, error);
}

static slv_result verify(slv_pack *pack, uint64_t decoded_limit, slv_error *error) {
    slv_result result = check_header(pack, error);
    if (result != SLV_OK) {
        return result;
    }
    pack->entries = (const void *)(pack->header + 1);
    result = check_table(pack, error);
    for (uint32_t i = 0; result == SLV_OK && i < pack->header->section_count; i++) {
        result = load_section(pack, i, &decoded_limit, error);
    }
    return result;
}

// --- opening ---------------------------------------------------------------------------------------

static slv_result adopt(slv_pack *opened, const void *bytes, size_t size,
                        const slv_open_options *options, slv_pack **pack, slv_error *error) {
    opened->bytes = bytes;
    opened->size = size;
    opened->header = bytes;
    const uint64_t limit =
        options->decoded_limit > 0 ? options->decoded_limit : slv_default_memory_limit(size);
    slv_result result = verify(opened, limit, error);
    if (result != SLV_OK) {
        slv_pack_close(opened);
        return result;
    }
    *pack = opened;
    return SLV_OK;
}

static slv_result load_file(const char *path, slv_open_mode mode, slv_file_bytes *file,
                            slv_error *error) {
    slv_pack_header header;
    size_t size = 0;
    slv_result result = slv_file_bytes_head(path, &header, sizeof header, &size, error);
    if (result == SLV_OK) {
        result = check_head(&header, size, error);
    }
    if (result != SLV_OK) {
        return result;
    }
    return mode == SLV_OPEN_COPY ? slv_file_bytes_copy(path, file, error)
                                 : slv_file_bytes_map(path, file, error);
}

slv_result slv_pack_open(const char *path, const slv_open_options *options, slv_pack **pack,
                         slv_error *error) {
    slv_open_options chosen = options ? *options : slv_default_open_options();
    *pack = NULL;
    if (slv_atomic_is_temporary(path)) {
        return slv_fail(error, SLV_ERROR_FILE,
                        "a leftover of a program that was stopped while writing: delete it");
    }
    slv_pack *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return slv_no_memory(error);
    }
    slv_result result = load_file(path, chosen.mode, &opened->file, error);
    if (result != SLV_OK) {
        free(opened);
        return result;
    }
    return adopt(opened, opened->file.bytes, opened->file.size, &chosen, pack, error);
}

slv_result slv_pack_open_memory(const void *bytes, size_t size, const slv_open_options *options,
                                slv_pack **pack, slv_error *error) {
    slv_open_options chosen = options ? *options : slv_default_open_options();
    *pack = NULL;
    if ((uintptr_t)bytes % SLV_SECTION_ALIGNMENT != 0) {
        return slv_fail(error, SLV_ERROR_ARGUMENT, "a pack in memory must be 64-byte aligned");
    }
    slv_pack *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return slv_no_memory(error);
    }
    return adopt(opened, bytes, size, &chosen, pack, error);
}

void slv_pack_close(slv_pack *pack) {
    if (!pack) {
        return;
    }
    for (uint32_t i = 0; i < SLV_SECTION_COUNT_MAX; i++) {
        free(pack->decoded[i]);
    }
    slv_file_bytes_free(&pack->file);
    free(pack);
}

// --- access ----------------------------------------------------------------------------------------

size_t slv_pack_get_memory(const slv_pack *pack) {
    size_t bytes = pack->file.mapped ? 0 : pack->file.size;
    for (uint32_t i = 0; i < pack->header->section_count; i++) {
        bytes += pack->decoded[i] ? (size_t)pack->entries[i].raw_size : 0;
    }
    return bytes;
}

const slv_pack_header *slv_pack_get_header(const slv_pack *pack) {
    return pack->header;
}

const slv_section_entry *slv_pack_get_entries(const slv_pack *pack, uint32_t *count) {
    *count = pack->header->section_count;
    return pack->entries;
}

const void *slv_pack_get_section(const slv_pack *pack, uint32_t kind, size_t *size) {
    for (uint32_t i = 0; i < pack->header->section_count; i++) {
        if (pack->entries[i].kind == kind) {
            *size = (size_t)pack->entries[i].raw_size;
            return pack->sections[i];
        }
    }
    *size = 0;
    return NULL;
}
