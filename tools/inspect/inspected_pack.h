// SPDX-License-Identifier: MIT
// The pack under inspection, opened and verified: the container and every section of its garment or
// collider. Other contents are rejected. Reports rely on this verification.
#ifndef SLV_INSPECT_INSPECTED_PACK_H
#define SLV_INSPECT_INSPECTED_PACK_H

#include "formats/collider_pack.h"
#include "formats/field.h"
#include "formats/garment.h"
#include "formats/reader.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

typedef struct slv_inspected_pack {
    const char *path; // as given by the user
    slv_pack *pack;
    bool is_collider; // collider is valid, and of garment only the provenance
    slv_collider_pack collider;
    slv_garment garment;
    cJSON *provenance; // an object; NULL where the pack has none
    bool has_field;
    slv_field_info field;
    const uint8_t *field_coded;
} slv_inspected_pack;

// On failure everything is closed. path must outlive it.
slv_result slv_inspected_pack_open(const char *path, const slv_open_options *options,
                                   slv_inspected_pack *inspected, slv_error *error);
void slv_inspected_pack_close(slv_inspected_pack *inspected);

// Names of the numeric codes of a pack in summaries, reports and dumps.
const char *slv_pack_mode_name(uint32_t mode); // "solid", "shell", …
const char *slv_codec_name(uint32_t codec);    // "raw", "zstd"
bool slv_inspected_pack_has_section(const slv_inspected_pack *inspected, uint32_t kind);

// Names of the channels, and the range of one channel over the particles; 255 and 0 without
// particles. The pack must have vertex colors.
extern const char *const slv_paint_names[4];
void slv_paint_range(const slv_garment *garment, size_t channel, uint8_t *least, uint8_t *most);

#endif
