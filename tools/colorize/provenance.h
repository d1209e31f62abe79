// SPDX-License-Identifier: MIT
// Adds the coloring to the provenance of the pack, replacing entries of an earlier coloring of the
// same elements.
#ifndef SLV_COLORIZE_PROVENANCE_H
#define SLV_COLORIZE_PROVENANCE_H

#include "tools/colorize/colorize_report.h"

// JSON text, to be freed; NULL where memory is short.
char *slv_color_provenance(const slv_garment *garment, const slv_colorize_options *options,
                           const slv_colorize_report *report);

#endif
