// SPDX-License-Identifier: MIT
#include "formats/garment_verify.h"

#include "formats/value_check.h"

#include <stdarg.h>
#include <stdio.h>

// What this version understands.
static const uint32_t known_kinds[] = {
    SLV_SECTION_INFO,          SLV_SECTION_GRID,       SLV_SECTION_POSITION,
    SLV_SECTION_INVMASS,       SLV_SECTION_CELL,       SLV_SECTION_ORDER,
    SLV_SECTION_COLOR,         SLV_SECTION_NEIGHBOR,   SLV_SECTION_GROUP,
    SLV_SECTION_DISTANCE,      SLV_SECTION_BENDING,    SLV_SECTION_RENDER_POSITION,
    SLV_SECTION_RENDER_NORMAL, SLV_SECTION_RENDER_UV,  SLV_SECTION_RENDER_TRIANGLE,
    SLV_SECTION_RENDER_SOURCE, SLV_SECTION_EMBEDDING,  SLV_SECTION_SETS,
    SLV_SECTION_MATERIAL,      SLV_SECTION_PROVENANCE, SLV_SECTION_FIELD,
    SLV_SECTION_TETRAHEDRON,   SLV_SECTION_PHANTOM,    SLV_SECTION_RENDER_TEXTURE,
};

slv_result slv_fail_section(slv_error *error, uint32_t kind, const char *format, ...) {
    char reason[400];
    char name[5];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return slv_fail(error, SLV_ERROR_CONTENT, "section %s: %s", slv_section_name(kind, name),
                    reason);
}

slv_result slv_take_section(const slv_pack *pack, uint32_t kind, uint64_t size, const void **bytes,
                            slv_error *error) {
    size_t have = 0;
    *bytes = slv_pack_get_section(pack, kind, &have);
    if (!*bytes) {
        return slv_fail_section(error, kind, "missing");
    }
    if (have != size) {
        return slv_fail_section(error, kind, "%zu bytes long, should be %llu", have,
                                (unsigned long long)size);
    }
    return SLV_OK;
}

static slv_result check_contents(const slv_pack *pack, slv_error *error) {
    uint32_t contents = slv_pack_get_header(pack)->contents;
    if (contents == SLV_CONTENTS_GARMENT) {
        return SLV_OK;
    }
    char name[5];
    return slv_fail(error, SLV_ERROR_CONTENT, "a %s pack, should be a garment (GARM)",
                    contents == SLV_CONTENTS_COLLIDER ? "collider (COLL)"
                                                      : slv_section_name(contents, name));
}

static slv_result verify_provenance(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    garment->provenance =
        slv_pack_get_section(pack, SLV_SECTION_PROVENANCE, &garment->provenance_size);
    if (!slv_is_utf8(garment->provenance, garment->provenance_size)) {
        return slv_fail_section(error, SLV_SECTION_PROVENANCE, "not UTF-8 text");
    }
    return SLV_OK;
}

slv_result slv_garment_open(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    static slv_result (*const parts[])(const slv_pack *, slv_garment *, slv_error *) = {
        slv_verify_particles, slv_verify_grid, slv_verify_materials, slv_verify_constraints,
        slv_verify_render,    slv_verify_sets, verify_provenance,
    };
    *garment = (slv_garment){0};
    slv_result result = check_contents(pack, error);
    if (result == SLV_OK) {
        result = slv_pack_check_kinds(pack, known_kinds, sizeof known_kinds / sizeof *known_kinds,
                                      error);
    }
    for (size_t i = 0; result == SLV_OK && i < sizeof parts / sizeof *parts; i++) {
        result = parts[i](pack, garment, error);
    }
    return result;
}
