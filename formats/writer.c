// SPDX-License-Identifier: MIT
#include "formats/writer.h"

#include "formats/checksum.h"
#include "formats/codec.h"
#include "formats/reader.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Header and table are zeros until the commit: what a killed program leaves has no magic.

struct slv_writer {
    slv_atomic_file *file;
    slv_checksum_stream *checksum;
    slv_encoder *encoder; // made with the first compressed section
    bool inside;          // between begin and end
    bool failed;          // to write
    uint32_t contents;
    uint32_t section_count; // sections that slv_writer_open was told to expect
    uint32_t count;         // sections begun
    uint64_t position;      // bytes given to the file
    slv_section_entry entries[SLV_SECTION_COUNT_MAX];
};

static uint64_t table_end(uint32_t section_count) {
    return sizeof(slv_pack_header) + (uint64_t)section_count * sizeof(slv_section_entry);
}

static slv_section_entry *current(slv_writer *writer) {
    return &writer->entries[writer->count - 1];
}

static slv_result put(slv_writer *writer, const void *bytes, size_t size, slv_error *error) {
    const slv_result result = slv_atomic_write(writer->file, bytes, size, error);
    writer->failed |= result != SLV_OK;
    return result;
}

static slv_result write_zeros(slv_writer *writer, uint64_t size, slv_error *error) {
    static const uint8_t zeros[SLV_SECTION_ALIGNMENT];
    while (size > 0) {
        size_t piece = size < sizeof zeros ? (size_t)size : sizeof zeros;
        slv_result result = put(writer, zeros, piece, error);
        if (result != SLV_OK) {
            return result;
        }
        writer->position += piece;
        size -= piece;
    }
    return SLV_OK;
}

static slv_result reserve_table(slv_writer *writer, slv_error *error) {
    slv_result result = write_zeros(writer, table_end(writer->section_count), error);
    if (result != SLV_OK) {
        return result;
    }
    // The header is written last, so the target must support seeking. Checked here, before the work.
    return slv_atomic_write_at(writer->file, 0, "", 1, error);
}

slv_result slv_writer_open(const char *path, uint32_t contents, uint32_t section_count,
                           slv_writer **writer, slv_error *error) {
    *writer = NULL;
    if (section_count > SLV_SECTION_COUNT_MAX) {
        return slv_fail(error, SLV_ERROR_MEMORY, "%u sections, a pack has at most %u",
                        section_count, SLV_SECTION_COUNT_MAX);
    }
    slv_writer *opened = calloc(1, sizeof *opened);
    if (opened) {
        opened->contents = contents;
        opened->section_count = section_count;
        opened->checksum = slv_checksum_create();
    }
    if (!opened || !opened->checksum) {
        slv_writer_abandon(opened);
        return slv_no_memory(error);
    }
    slv_result result = slv_atomic_open(path, &opened->file, error);
    if (result == SLV_OK) {
        result = reserve_table(opened, error);
    }
    if (result != SLV_OK) {
        slv_writer_abandon(opened);
        return result;
    }
    *writer = opened;
    return SLV_OK;
}

// Stored bytes of the current section, as they come from the caller or the encoder.
static slv_result store(void *context, const void *bytes, size_t size, slv_error *error) {
    slv_writer *writer = context;
    slv_checksum_update(writer->checksum, bytes, size);
    writer->position += size;
    current(writer)->stored_size += size;
    return put(writer, bytes, size, error);
}

bool slv_writer_has_failed(const slv_writer *writer) {
    return writer->failed;
}

static slv_codec_sink sink_of(slv_writer *writer) {
    return (slv_codec_sink){store, writer};
}

static slv_result check_begin(const slv_writer *writer, uint32_t kind, slv_error *error) {
    char name[5];
    if (writer->inside || writer->count == writer->section_count) {
        return slv_fail(error, SLV_ERROR_MEMORY, "section %s was not announced",
                        slv_section_get_name(kind, name));
    }
    for (uint32_t i = 0; i < writer->count; i++) {
        if (writer->entries[i].kind == kind) {
            return slv_fail(error, SLV_ERROR_MEMORY, "section %s is written twice",
                            slv_section_get_name(kind, name));
        }
    }
    return SLV_OK;
}

slv_result slv_writer_begin(slv_writer *writer, uint32_t kind, uint32_t codec, uint32_t flags,
                            slv_error *error) {
    slv_result result = check_begin(writer, kind, error);
    if (result != SLV_OK) {
        return result;
    }
    if (codec == SLV_CODEC_ZSTD && !writer->encoder) {
        writer->encoder = slv_encoder_create();
        if (!writer->encoder) {
            return slv_no_memory(error);
        }
    }
    uint64_t past = writer->position % SLV_SECTION_ALIGNMENT;
    result = write_zeros(writer, past ? SLV_SECTION_ALIGNMENT - past : 0, error);
    if (result != SLV_OK) {
        return result;
    }
    writer->inside = true;
    writer->count++;
    *current(writer) = (slv_section_entry){
        .kind = kind, .codec = codec, .flags = flags, .offset = writer->position};
    slv_checksum_restart(writer->checksum);
    return SLV_OK;
}

slv_result slv_writer_append(slv_writer *writer, const void *bytes, size_t size, slv_error *error) {
    if (!writer->inside) {
        return slv_fail(error, SLV_ERROR_MEMORY, "bytes outside of a section");
    }
    slv_section_entry *entry = current(writer);
    entry->raw_size += size;
    if (entry->codec == SLV_CODEC_RAW) {
        return store(writer, bytes, size, error);
    }
    slv_codec_sink sink = sink_of(writer);
    return slv_encoder_append(writer->encoder, bytes, size, &sink, error);
}

slv_result slv_writer_end(slv_writer *writer, slv_error *error) {
    if (!writer->inside) {
        return slv_fail(error, SLV_ERROR_MEMORY, "the end of a section that never began");
    }
    slv_section_entry *entry = current(writer);
    if (entry->codec == SLV_CODEC_ZSTD) {
        slv_codec_sink sink = sink_of(writer);
        slv_result result = slv_encoder_finish(writer->encoder, &sink, error);
        if (result != SLV_OK) {
            return result;
        }
    }
    entry->checksum = slv_checksum_get_value(writer->checksum);
    writer->inside = false;
    return SLV_OK;
}

slv_result slv_writer_add(slv_writer *writer, uint32_t kind, uint32_t codec, uint32_t flags,
                          const void *bytes, size_t size, slv_error *error) {
    slv_result result = slv_writer_begin(writer, kind, codec, flags, error);
    if (result == SLV_OK) {
        result = slv_writer_append(writer, bytes, size, error);
    }
    return result == SLV_OK ? slv_writer_end(writer, error) : result;
}

// Header and table as they stand in the file, sealed.
static slv_result write_table(slv_writer *writer, slv_error *error) {
    slv_pack_header header = {
        .magic = SLV_PACK_MAGIC,
        .byte_order = SLV_PACK_BYTE_ORDER,
        .version_major = SLV_PACK_VERSION_MAJOR,
        .version_minor = SLV_PACK_VERSION_MINOR,
        .contents = writer->contents,
        .section_count = writer->count,
        .file_size = writer->position,
    };
    size_t table_size = writer->count * sizeof(slv_section_entry);
    slv_checksum_restart(writer->checksum);
    slv_checksum_update(writer->checksum, &header, sizeof header);
    slv_checksum_update(writer->checksum, writer->entries, table_size);
    header.checksum = slv_checksum_get_value(writer->checksum);
    slv_result result =
        slv_atomic_write_at(writer->file, sizeof header, writer->entries, table_size, error);
    return result == SLV_OK ? slv_atomic_write_at(writer->file, 0, &header, sizeof header, error)
                            : result;
}

slv_result slv_writer_seal(slv_writer *writer, slv_atomic_file **file, slv_error *error) {
    slv_result result = SLV_OK;
    *file = NULL;
    if (writer->inside || writer->count != writer->section_count) {
        result = slv_fail(error, SLV_ERROR_MEMORY, "%u sections were written, %u were announced",
                          writer->count, writer->section_count);
    } else {
        result = write_table(writer, error);
    }
    if (result == SLV_OK) {
        *file = writer->file;
        writer->file = NULL;
    }
    slv_writer_abandon(writer);
    return result;
}

slv_result slv_writer_commit(slv_writer *writer, slv_error *error) {
    slv_atomic_file *file = NULL;
    slv_result result = slv_writer_seal(writer, &file, error);
    return result == SLV_OK ? slv_atomic_commit(file, error) : result;
}

void slv_writer_abandon(slv_writer *writer) {
    if (writer) {
        slv_atomic_abandon(writer->file);
        slv_checksum_destroy(writer->checksum);
        slv_encoder_destroy(writer->encoder);
        free(writer);
    }
}
