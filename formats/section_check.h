// SPDX-License-Identifier: MIT
// First checks of every section: it exists, it has the size that the list of sections
// (sections.h) gives; and the wording of messages about it.
#ifndef SLV_FORMATS_SECTION_CHECK_H
#define SLV_FORMATS_SECTION_CHECK_H

#include "formats/reader.h"

// SLV_ERROR_CONTENT with "section NAME: …".
slv_result slv_fail_section(slv_error *error, uint32_t kind, const char *format, ...)
    SLV_PRINTF(3, 4);

// The pack must hold the contents (SLV_CONTENTS_…), and every section that is marked as required must be
// known to this version for such contents.
slv_result slv_check_contents(const slv_pack *pack, uint32_t contents, slv_error *error);

// The bytes of a section, which must be there and hold exactly count elements.
slv_result slv_take_section(const slv_pack *pack, uint32_t kind, uint64_t count, const void **bytes,
                            slv_error *error);

// The bytes of a section, which must be there, and how many elements it holds, below 2^32 - 1.
slv_result slv_take_list(const slv_pack *pack, uint32_t kind, uint32_t *count, const void **bytes,
                         slv_error *error);

// *text is NULL and *size 0 where the pack has no provenance (PROV).
slv_result slv_take_provenance(const slv_pack *pack, const char **text, size_t *size,
                               slv_error *error);

#endif
