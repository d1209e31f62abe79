// SPDX-License-Identifier: MIT
#include "tools/inspect/dump.h"

#include "tools/inspect/dump_constraints.h"
#include "tools/inspect/dump_frame.h"

#include <stdio.h>
#include <string.h>

static bool is_section_name(const char *name) {
    return strlen(name) == 4 && strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == 4;
}

static uint32_t section_kind(const char *name) {
    return SLV_FOURCC((unsigned char)name[0], (unsigned char)name[1], (unsigned char)name[2],
                      (unsigned char)name[3]);
}

static bool shows_section(const slv_dump *dump, const char *name) {
    return dump->constraint_kind != 0
               ? slv_constraint_kinds[dump->constraint_kind].section == section_kind(name)
               : strstr(dump->sections, name) != NULL;
}

static const slv_dump *find_dump(const char *name) {
    const bool by_section = is_section_name(name);
    for (const slv_dump *dump = slv_dumps; dump->name; dump++) {
        if (by_section ? shows_section(dump, name) : strcmp(dump->name, name) == 0) {
            return dump;
        }
    }
    return NULL;
}

slv_result slv_dump_check_name(const char *name, slv_error *error) {
    if (is_section_name(name) || find_dump(name) || slv_dump_is_frame(name)) {
        return SLV_OK;
    }
    char names[400];
    size_t used = 0;
    for (const slv_dump *dump = slv_dumps; dump->name && used < sizeof names; dump++) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s, ", dump->name);
    }
    return slv_fail(
        error, SLV_ERROR_ARGUMENT,
        "no section is called '%.40s'; there are %sframe:N, attachments:N, mesh:N or a section's four "
        "capitals",
        name, names);
}

// A section without a dump, for example of a newer version, as bytes.
static void print_bytes(const slv_inspected_pack *inspected, uint32_t kind, slv_table *table) {
    size_t size = 0;
    const uint8_t *bytes = slv_pack_get_section(inspected->pack, kind, &size);
    for (size_t i = 0; bytes && i < size && !slv_table_closed(table); i++) {
        slv_table_uint(table, i);
        slv_table_uint(table, bytes[i]);
    }
}

// The CSV header; dump is NULL where the bytes are printed.
static const char *columns_of(const slv_inspected_pack *inspected, const slv_dump *dump,
                              char text[SLV_CONSTRAINT_COLUMNS]) {
    if (!dump) {
        return "offset,byte";
    }
    return dump->print ? dump->columns : slv_dump_constraint_columns(&inspected->garment, text);
}

slv_result slv_dump_print(const slv_inspected_pack *inspected, const char *name,
                          slv_table_format format, slv_output *output, slv_error *error) {
    slv_result result = slv_dump_check_name(name, error);
    if (result) {
        return result;
    }
    if (slv_dump_is_frame(name)) {
        return slv_dump_frame_print(inspected, name, format, output, error);
    }
    const slv_dump *dump = find_dump(name);
    const char *section = is_section_name(name) ? name : dump->sections;
    if (inspected->is_collider && dump && section[0] != '\0' && strcmp(section, "PROV") != 0) {
        if (section != name) {
            return slv_fail(error, SLV_ERROR_CONTENT,
                            "a collider pack has no %s; frame:0 shows its particles", name);
        }
        dump = NULL; // sections of the same name have another meaning in garments
    }
    if (section[0] != '\0' && !slv_inspected_pack_has_section(inspected, section_kind(section))) {
        return slv_fail(error, SLV_ERROR_CONTENT, "this pack has no section %.4s%s%s", section,
                        section == name ? "" : ", which holds the ", section == name ? "" : name);
    }
    slv_table table;
    char columns[SLV_CONSTRAINT_COLUMNS];
    slv_table_begin(&table, output, format, columns_of(inspected, dump, columns));
    if (dump && dump->print) {
        dump->print(inspected, &table);
    } else if (dump) {
        slv_dump_constraints(&inspected->garment, dump->constraint_kind, &table);
    } else {
        print_bytes(inspected, section_kind(section), &table);
    }
    return slv_table_end(&table, error);
}
