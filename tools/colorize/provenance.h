// SPDX-License-Identifier: MIT
// What the pack says about its coloring: beside what it said before, in place of what an earlier
// coloring said of the same things.
#ifndef SLV_COLORIZE_PROVENANCE_H
#define SLV_COLORIZE_PROVENANCE_H

#include "tools/colorize/colorize.h"

// JSON text, for free(); NULL without memory.
char *slv_color_provenance(const slv_garment *garment, const slv_colorize_options *options,
                           const slv_colorize_report *report);

#endif
