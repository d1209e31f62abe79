// SPDX-License-Identifier: MIT
// An SVG drawing of a colored garment: constraints as lines or particles as dots in the colors of
// their partitions, projected along the axis of the smallest extent, with a bar for the size of
// each partition.
#ifndef SLV_COLORIZE_SVG_H
#define SLV_COLORIZE_SVG_H

#include "formats/atomic_file.h"
#include "formats/garment.h"
#include "tools/colorize/colorize_options.h"

// Draws constraints where they were colored, otherwise particles. Only the first kind of the
// garment is drawn: pairs as lines, constraints with more ends as polylines.
slv_result slv_svg_write(const slv_garment *garment, slv_color_what of, slv_atomic_file *file,
                         slv_error *error);

#endif
