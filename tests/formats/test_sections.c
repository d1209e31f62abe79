// SPDX-License-Identifier: MIT
// The lists of sections and constraint kinds agree with the structures, with themselves and with PACK.md.
#include "formats/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *read_document(void) {
    FILE *file = fopen(SLV_PACK_DOCUMENT, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    assert_true(size > 0);
    rewind(file);
    char *text = calloc(1, (size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    assert_int_equal(fclose(file), 0);
    return text;
}

static void expect_text(const char *document, const char *text) {
    if (!strstr(document, text)) {
        fail_msg("PACK.md does not say \"%s\"", text);
    }
}

// "12n", "16 each", "96", "any".
static void print_bytes(const slv_section_info *info, char text[24]) {
    static const char *const units[] = {
        [SLV_PER_PACK] = "",    [SLV_PER_PARTICLE] = "n", [SLV_PER_CONSTRAINT] = "m",
        [SLV_PER_VERTEX] = "v", [SLV_PER_TRIANGLE] = "t", [SLV_PER_ENTRY] = " each",
    };
    if (info->unit == SLV_PER_NOTHING) {
        (void)snprintf(text, 24, "any");
    } else {
        (void)snprintf(text, 24, "%u%s", info->size, units[info->unit]);
    }
}

// The cell of a row: from behind its bar to the next one, without the spaces around it.
static void copy_cell(const char *row, unsigned index, char cell[64]) {
    for (unsigned i = 0; i <= index; i++) {
        row = strchr(row, '|') + 1;
    }
    row += strspn(row, " ");
    size_t length = strcspn(row, "|");
    assert_true(length < 64);
    memcpy(cell, row, length);
    while (length > 0 && cell[length - 1] == ' ') {
        length--;
    }
    cell[length] = '\0';
}

// Rows of sections in one part of the document, which ends at the next "\n## ".
static void check_table(const char *document, const char *heading, uint32_t packs) {
    const char *part = strstr(document, heading);
    assert_non_null(part);
    const char *end = strstr(part + 1, "\n## ");
    uint32_t count = 0;
    uint32_t rows = 0;
    const slv_section_info *list = slv_section_get_list(&count);
    for (uint32_t i = 0; i < count; i++) {
        char name[5];
        char begin[16];
        (void)snprintf(begin, sizeof begin, "\n| `%s` |", slv_section_get_name(list[i].kind, name));
        const char *row = strstr(part, begin);
        const bool there = row && row < end;
        if (there != ((list[i].packs & packs) != 0)) {
            fail_msg("%s: a row of the table%s is %s", name, heading, there ? "wrong" : "missing");
        }
        if (there) {
            char expected[24];
            char cell[64];
            print_bytes(&list[i], expected);
            copy_cell(row, 2, cell);
            assert_string_equal(cell, list[i].flags == SLV_SECTION_REQUIRED ? "yes" : "");
            copy_cell(row, 3, cell);
            assert_string_equal(cell, expected);
            rows++;
        }
    }
    for (const char *row = strstr(part, "\n| `"); row && row < end;
         row = strstr(row + 1, "\n| `")) {
        rows--; // those of sections that the list does not have remain
    }
    assert_int_equal(rows, 0);
}

static void the_document_lists_the_sections(void **state) {
    (void)state;
    char *document = read_document();
    check_table(document, "\n## Garment packs", SLV_IN_GARMENT);
    check_table(document, "\n## Collider packs", SLV_IN_COLLIDER);
    free(document);
}

static void the_document_lists_the_constraint_kinds(void **state) {
    (void)state;
    char *document = read_document();
    for (uint32_t kind = SLV_CONSTRAINT_FIRST; kind < SLV_CONSTRAINT_END; kind++) {
        const slv_constraint_kind *info = &slv_constraint_kinds[kind];
        char name[5];
        char row[80];
        (void)snprintf(row, sizeof row, "\n| %u %s | `%s` | %u | ", kind, info->name,
                       slv_section_get_name(info->section, name), info->arity);
        expect_text(document, row);
    }
    free(document);
}

static void the_document_describes_this_version(void **state) {
    (void)state;
    char *document = read_document();
    char text[64];
    (void)snprintf(text, sizeof text, "Version described: **%d.%d**.", SLV_PACK_VERSION_MAJOR,
                   SLV_PACK_VERSION_MINOR);
    expect_text(document, text);
    (void)snprintf(text, sizeof text, "| 14 | u16 | version_minor | %d. ", SLV_PACK_VERSION_MINOR);
    expect_text(document, text);
    (void)snprintf(text, sizeof text, "\n| %d.%d | ", SLV_PACK_VERSION_MAJOR,
                   SLV_PACK_VERSION_MINOR);
    expect_text(document, text);
    (void)snprintf(text, sizeof text, "\n| %d.%d | ", SLV_PACK_VERSION_MAJOR,
                   SLV_PACK_VERSION_MINOR + 1);
    assert_null(strstr(document, text));
    free(document);
}

static void sizes_are_those_of_the_structures(void **state) {
    (void)state;
    static const struct {
        uint32_t kind;
        size_t size;
    } structures[] = {
        {SLV_SECTION_INFO, sizeof(slv_garment_info)},
        {SLV_SECTION_GRID, sizeof(slv_grid_info)},
        {SLV_SECTION_COLOR, sizeof(slv_color_range)},
        {SLV_SECTION_GROUP, sizeof(slv_constraint_group)},
        {SLV_SECTION_MATERIAL, sizeof(slv_material)},
        {SLV_SECTION_CLIP, sizeof(slv_clip_info)},
        {SLV_SECTION_PARTICLE_INDEX, sizeof(slv_motion_group)},
        {SLV_SECTION_ATTACHMENT_INDEX, sizeof(slv_motion_group)},
        {SLV_SECTION_MESH_INDEX, sizeof(slv_motion_group)},
    };
    for (size_t i = 0; i < sizeof structures / sizeof *structures; i++) {
        assert_int_equal(slv_section_find(structures[i].kind)->size, structures[i].size);
    }
}

static void no_two_sections_have_the_same_letters(void **state) {
    (void)state;
    uint32_t count = 0;
    const slv_section_info *list = slv_section_get_list(&count);
    for (uint32_t i = 0; i < count; i++) {
        assert_ptr_equal(slv_section_find(list[i].kind), &list[i]);
        assert_true(list[i].holds[0] != '\0');
        assert_int_equal(list[i].size == 0, list[i].unit == SLV_PER_NOTHING);
    }
    assert_null(slv_section_find(SLV_FOURCC('N', 'O', 'N', 'E')));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_document_lists_the_sections),
        cmocka_unit_test(the_document_lists_the_constraint_kinds),
        cmocka_unit_test(the_document_describes_this_version),
        cmocka_unit_test(sizes_are_those_of_the_structures),
        cmocka_unit_test(no_two_sections_have_the_same_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
