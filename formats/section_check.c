// SPDX-License-Identifier: MIT
#include "formats/section_check.h"

#include "formats/value_check.h"

#include <stdarg.h>
#include <stdio.h>

slv_result slv_fail_section(slv_error *error, uint32_t kind, const char *format, ...) {
    char reason[400];
    char name[5];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return slv_fail(error, SLV_ERROR_CONTENT, "section %s: %s", slv_section_get_name(kind, name),
                    reason);
}

// "garment (GARM)", or the four letters of contents unknown to this version.
static const char *describe_contents(uint32_t contents, char text[5]) {
    return contents == SLV_CONTENTS_GARMENT    ? "garment (GARM)"
           : contents == SLV_CONTENTS_COLLIDER ? "collider (COLL)"
                                               : slv_section_get_name(contents, text);
}

slv_result slv_check_contents(const slv_pack *pack, uint32_t contents, slv_error *error) {
    const uint32_t found = slv_pack_get_header(pack)->contents;
    if (found != contents) {
        char is[5];
        char should[5];
        return slv_fail(error, SLV_ERROR_CONTENT, "a %s pack, should be a %s",
                        describe_contents(found, is), describe_contents(contents, should));
    }
    const uint32_t packs = contents == SLV_CONTENTS_GARMENT ? SLV_IN_GARMENT : SLV_IN_COLLIDER;
    uint32_t count = 0;
    const slv_section_entry *entries = slv_pack_get_entries(pack, &count);
    for (uint32_t i = 0; i < count; i++) {
        const slv_section_info *info = slv_section_find(entries[i].kind);
        const bool known = info && (info->packs & packs) != 0;
        if (!known && (entries[i].flags & SLV_SECTION_REQUIRED) != 0) {
            return slv_fail_section(error, entries[i].kind,
                                    "required, but unknown to this version: use a newer program");
        }
    }
    return SLV_OK;
}

slv_result slv_take_section(const slv_pack *pack, uint32_t kind, uint64_t count, const void **bytes,
                            slv_error *error) {
    const uint64_t needed = count * slv_section_find(kind)->size;
    size_t size = 0;
    *bytes = slv_pack_get_section(pack, kind, &size);
    if (!*bytes) {
        return slv_fail_section(error, kind, "missing");
    }
    if (size != needed) {
        return slv_fail_section(error, kind, "%zu bytes long, should be %llu", size,
                                (unsigned long long)needed);
    }
    return SLV_OK;
}

slv_result slv_take_list(const slv_pack *pack, uint32_t kind, uint32_t *count, const void **bytes,
                         slv_error *error) {
    const uint32_t element = slv_section_find(kind)->size;
    size_t size = 0;
    *count = 0;
    *bytes = slv_pack_get_section(pack, kind, &size);
    if (!*bytes) {
        return slv_fail_section(error, kind, "missing");
    }
    if (size % element != 0 || size / element >= UINT32_MAX) {
        return slv_fail_section(error, kind, "%zu bytes long, its elements have %u each", size,
                                element);
    }
    *count = (uint32_t)(size / element);
    return SLV_OK;
}

slv_result slv_take_provenance(const slv_pack *pack, const char **text, size_t *size,
                               slv_error *error) {
    *text = slv_pack_get_section(pack, SLV_SECTION_PROVENANCE, size);
    return slv_is_utf8(*text, *size)
               ? SLV_OK
               : slv_fail_section(error, SLV_SECTION_PROVENANCE, "not UTF-8 text");
}
