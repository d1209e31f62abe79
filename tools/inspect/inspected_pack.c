// SPDX-License-Identifier: MIT
#include "tools/inspect/inspected_pack.h"

#include "tools/common/json_memory.h"

#include <string.h>

static slv_result read_provenance(slv_inspected_pack *inspected, slv_error *error) {
    const slv_garment *garment = &inspected->garment;
    if (garment->provenance_size == 0) {
        return SLV_OK;
    }
    const char *text = garment->provenance;
    const char *end = text + garment->provenance_size;
    const char *parsed = text; // end of the parsed text
    slv_json_begin();
    inspected->provenance =
        cJSON_ParseWithLengthOpts(text, garment->provenance_size, &parsed, /* terminated */ 0);
    if (slv_json_out_of_memory()) {
        return slv_no_memory(error);
    }
    while (parsed < end &&
           (*parsed == ' ' || *parsed == '\n' || *parsed == '\r' || *parsed == '\t')) {
        parsed++;
    }
    if (!cJSON_IsObject(inspected->provenance) || parsed != end) {
        return slv_fail(error, SLV_ERROR_CONTENT, "section PROV: is not a JSON object");
    }
    return SLV_OK;
}

static slv_result read_garment(slv_inspected_pack *inspected, slv_error *error) {
    slv_result result = slv_garment_open(inspected->pack, &inspected->garment, error);
    if (!result) {
        result = read_provenance(inspected, error);
    }
    if (!result && slv_inspected_pack_has_section(inspected, SLV_SECTION_FIELD)) {
        inspected->has_field = true;
        result = slv_field_open(inspected->pack, &inspected->field, &inspected->field_coded, error);
    }
    return result;
}

// Groups of frames are verified by decoding all of them.
static slv_result read_collider(slv_inspected_pack *inspected, slv_error *error) {
    slv_result result = slv_collider_pack_open(inspected->pack, &inspected->collider, error);
    if (!result) {
        result = slv_collider_pack_verify_groups(&inspected->collider, error);
    }
    if (!result) {
        inspected->garment.provenance = inspected->collider.provenance;
        inspected->garment.provenance_size = inspected->collider.provenance_size;
        result = read_provenance(inspected, error);
    }
    return result;
}

// A pack whose contents cannot be verified is rejected, even where its container is valid.
static slv_result read_contents(slv_inspected_pack *inspected, slv_error *error) {
    char name[5];
    const uint32_t contents = slv_pack_get_header(inspected->pack)->contents;
    inspected->is_collider = contents == SLV_CONTENTS_COLLIDER;
    switch (contents) {
    case SLV_CONTENTS_GARMENT:
        return read_garment(inspected, error);
    case SLV_CONTENTS_COLLIDER:
        return read_collider(inspected, error);
    default:
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "contents %s: a kind of pack unknown to this version",
                        slv_section_get_name(contents, name));
    }
}

slv_result slv_inspected_pack_open(const char *path, const slv_open_options *options,
                                   slv_inspected_pack *inspected, slv_error *error) {
    *inspected = (slv_inspected_pack){.path = path};
    slv_result result = slv_pack_open(path, options, &inspected->pack, error);
    if (!result) {
        result = read_contents(inspected, error);
    }
    if (result) {
        slv_inspected_pack_close(inspected);
    }
    return result;
}

void slv_inspected_pack_close(slv_inspected_pack *inspected) {
    cJSON_Delete(inspected->provenance);
    slv_collider_pack_close(&inspected->collider);
    slv_pack_close(inspected->pack);
    *inspected = (slv_inspected_pack){.path = NULL};
}

bool slv_inspected_pack_has_section(const slv_inspected_pack *inspected, uint32_t kind) {
    uint32_t count = 0;
    const slv_section_entry *entries = slv_pack_get_entries(inspected->pack, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (entries[i].kind == kind) {
            return true;
        }
    }
    return false;
}

const char *slv_pack_mode_name(uint32_t mode) {
    switch (mode) {
    case SLV_GARMENT_SOLID:
        return "solid";
    case SLV_GARMENT_SHELL:
        return "shell";
    case SLV_GARMENT_SURFACE:
        return "surface";
    case SLV_GARMENT_SHAPE:
        return "shape";
    default:
        return "unknown";
    }
}

const char *slv_codec_name(uint32_t codec) {
    return codec == SLV_CODEC_ZSTD ? "zstd" : "raw";
}

const char *const slv_paint_names[4] = {"red", "green", "blue", "alpha"};

void slv_paint_range(const slv_garment *garment, size_t channel, uint8_t *least, uint8_t *most) {
    *least = UINT8_MAX;
    *most = 0;
    for (size_t i = 0; i < garment->info.particle_count; i++) {
        const uint8_t value = garment->paint[4 * i + channel];
        *least = value < *least ? value : *least;
        *most = value > *most ? value : *most;
    }
}
