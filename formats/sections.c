// SPDX-License-Identifier: MIT
#include "formats/sections.h"

#include <assert.h>
#include <stddef.h>

// A number that occurs twice, or lies beyond the end, does not compile: so numbers have no gaps.
const slv_constraint_kind slv_constraint_kinds[SLV_CONSTRAINT_END] = {
    {.name = "unknown", .plural = "unknown", .quantity = ""},
#define ROW(NAME, number, a, b, c, d, particles, one, all, kept, scales)                           \
    [SLV_CONSTRAINT_##NAME] = {#one, #all, (kept), SLV_SECTION_##NAME, (particles), (scales)},
    SLV_CONSTRAINT_KINDS(ROW)
#undef ROW
};

#define ROW(NAME, number, a, b, c, d, arity, ...)                                                  \
    static_assert((arity) == 0 || ((arity) >= 2 && (arity) <= SLV_ARITY_MAX), "arity of " #NAME);
SLV_CONSTRAINT_KINDS(ROW)
#undef ROW
#define ROW(NAME, number, a, b, c, d, arity, ...)                                                  \
    static_assert((arity) > 2, #NAME " is a pair: no batched kind");
SLV_BATCHED_KINDS(ROW)
#undef ROW

// Phantom constraints hold two numbers each; all others their particles and a rest value.
static const slv_section_info sections[] = {
#define ROW(NAME, a, b, c, d, in, flag, bytes, per, what)                                          \
    {SLV_SECTION_##NAME, SLV_IN_##in, SLV_SECTION_##flag, (bytes), SLV_PER_##per, (what)},
    SLV_SECTIONS(ROW)
#undef ROW
#define ROW(NAME, number, a, b, c, d, arity, name, ...)                                            \
    {SLV_SECTION_##NAME,   SLV_IN_GARMENT,                                                         \
     SLV_SECTION_REQUIRED, (arity) > 0 ? 4 * (arity) + 4 : 8,                                      \
     SLV_PER_CONSTRAINT,   #name " constraints"},
        SLV_CONSTRAINT_KINDS(ROW)
#undef ROW
};

const slv_section_info *slv_section_find(uint32_t kind) {
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (sections[i].kind == kind) {
            return &sections[i];
        }
    }
    return NULL;
}

const slv_section_info *slv_section_get_list(uint32_t *count) {
    *count = sizeof sections / sizeof *sections;
    return sections;
}

const char *slv_section_get_name(uint32_t kind, char text[5]) {
    for (int i = 0; i < 4; i++) {
        unsigned char letter = (unsigned char)(kind >> (8 * i));
        text[i] = (char)(letter >= 32 && letter < 127 ? letter : '?');
    }
    text[4] = '\0';
    return text;
}
