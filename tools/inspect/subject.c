// SPDX-License-Identifier: MIT
#include "tools/inspect/subject.h"

#include <string.h>

static slv_result read_provenance(slv_subject *subject, slv_error *error) {
    const slv_garment *garment = &subject->garment;
    if (garment->provenance_size == 0) {
        return SLV_OK;
    }
    const char *text = garment->provenance;
    const char *end = text + garment->provenance_size;
    const char *parsed = text; // end of the parsed text
    subject->provenance =
        cJSON_ParseWithLengthOpts(text, garment->provenance_size, &parsed, /* terminated */ 0);
    while (parsed < end &&
           (*parsed == ' ' || *parsed == '\n' || *parsed == '\r' || *parsed == '\t')) {
        parsed++;
    }
    if (!cJSON_IsObject(subject->provenance) || parsed != end) {
        return slv_fail(error, SLV_ERROR_CONTENT, "section PROV: is not a JSON object");
    }
    return SLV_OK;
}

static slv_result read_garment(slv_subject *subject, slv_error *error) {
    slv_result result = slv_garment_open(subject->pack, &subject->garment, error);
    if (!result) {
        result = read_provenance(subject, error);
    }
    if (!result && slv_subject_has_section(subject, SLV_SECTION_FIELD)) {
        subject->has_field = true;
        result = slv_field_open(subject->pack, &subject->field, &subject->field_coded, error);
    }
    return result;
}

// Groups of frames are verified by decoding all of them.
static slv_result read_collider(slv_subject *subject, slv_error *error) {
    slv_result result = slv_collider_pack_open(subject->pack, &subject->collider, error);
    if (!result) {
        result = slv_collider_pack_verify_groups(&subject->collider, error);
    }
    if (!result) {
        subject->garment.provenance = subject->collider.provenance;
        subject->garment.provenance_size = subject->collider.provenance_size;
        result = read_provenance(subject, error);
    }
    return result;
}

// A pack whose contents cannot be verified is rejected, even where its container is valid.
static slv_result read_contents(slv_subject *subject, slv_error *error) {
    char name[5];
    const uint32_t contents = slv_pack_get_header(subject->pack)->contents;
    subject->is_collider = contents == SLV_CONTENTS_COLLIDER;
    switch (contents) {
    case SLV_CONTENTS_GARMENT:
        return read_garment(subject, error);
    case SLV_CONTENTS_COLLIDER:
        return read_collider(subject, error);
    default:
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "contents %s: not a kind of pack this program knows",
                        slv_section_name(contents, name));
    }
}

slv_result slv_subject_open(const char *path, slv_open_mode mode, slv_subject *subject,
                            slv_error *error) {
    *subject = (slv_subject){.path = path};
    slv_open_options options = slv_default_open_options();
    options.mode = mode;
    slv_result result = slv_pack_open(path, &options, &subject->pack, error);
    if (!result) {
        result = read_contents(subject, error);
    }
    if (result) {
        slv_subject_close(subject);
    }
    return result;
}

void slv_subject_close(slv_subject *subject) {
    cJSON_Delete(subject->provenance);
    slv_collider_pack_close(&subject->collider);
    slv_pack_close(subject->pack);
    *subject = (slv_subject){.path = NULL};
}

bool slv_subject_has_section(const slv_subject *subject, uint32_t kind) {
    uint32_t count = 0;
    const slv_section_entry *entries = slv_pack_get_entries(subject->pack, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (entries[i].kind == kind) {
            return true;
        }
    }
    return false;
}

const char *slv_mode_name(uint32_t mode) {
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
