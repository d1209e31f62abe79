// SPDX-License-Identifier: MIT
#include "tests/formats/forged_bombs.h"

#include "formats/codec.h"

#include <stdlib.h>
#include <string.h>

static void must(slv_result result) {
    if (result != SLV_OK) {
        abort();
    }
}

void forge_layers(forged_pack *pack, uint32_t layers) {
    slv_grid_info *grid = forged_section(pack, SLV_SECTION_GRID);
    grid->cells[2] = layers;
    forged_pack_seal(pack);
}

typedef struct stored_bytes {
    unsigned char *bytes;
    size_t size, room;
} stored_bytes;

static slv_result store(void *context, const void *bytes, size_t size, slv_error *error) {
    (void)error;
    stored_bytes *stored = context;
    if (stored->size + size > stored->room) {
        return SLV_ERROR_MEMORY;
    }
    memcpy(stored->bytes + stored->size, bytes, size);
    stored->size += size;
    return SLV_OK;
}

void forge_points(forged_pack *pack, uint32_t points) {
    slv_clip_info *info = forged_section(pack, SLV_SECTION_CLIP);
    slv_motion_info table = *(slv_motion_info *)forged_section(pack, SLV_SECTION_PARTICLE_TABLE);
    info->particle_count = points;
    table.point_count = points;
    table.predictors = 1;
    stored_bytes stored = {.bytes = malloc(1 << 20), .room = 1 << 20};
    const slv_codec_sink sink = {store, &stored};
    slv_encoder *encoder = slv_encoder_create();
    static const unsigned char zeros[6 << 10];
    must(slv_encoder_append(encoder, &table, sizeof table, &sink, NULL));
    for (uint32_t i = 0; i < points / 1024; i++) {
        must(slv_encoder_append(encoder, zeros, sizeof zeros, &sink, NULL));
    }
    must(slv_encoder_finish(encoder, &sink, NULL));
    slv_encoder_destroy(encoder);
    forged_pack_replace(pack, SLV_SECTION_PARTICLE_TABLE, stored.bytes, stored.size);
    slv_section_entry *entry = forged_entry(pack, SLV_SECTION_PARTICLE_TABLE);
    entry->codec = SLV_CODEC_ZSTD;
    entry->raw_size = sizeof table + 6 * (uint64_t)points;
    forged_pack_seal(pack);
    free(stored.bytes);
}
