// SPDX-License-Identifier: MIT
// A drawing of a colored garment: constraints as lines or particles as dots in the colors of their
// partitions, seen along the axis in which the garment is thinnest, with a bar for each partition's size.
#ifndef SLV_COLORIZE_SVG_H
#define SLV_COLORIZE_SVG_H

#include "formats/atomic_file.h"
#include "tools/colorize/colorize.h"

// Constraints where they were colored, otherwise particles. The first kind that the garment has is
// drawn: pairs as lines, constraints with more ends as lines from end to end.
slv_result slv_svg_write(const slv_garment *garment, slv_color_what of, slv_atomic_file *file,
                         slv_error *error);

#endif
