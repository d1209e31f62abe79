// SPDX-License-Identifier: MIT
// Writes distances as SDFGen text, as the SDFG section of a pack, or both in one pass. Blocks are
// formatted in parallel and written in order, so the whole grid is never in memory.
#ifndef SLV_VOXELIZE_FIELD_OUTPUT_H
#define SLV_VOXELIZE_FIELD_OUTPUT_H

#include "formats/atomic_file.h"
#include "formats/writer.h"
#include "tools/common/console.h"
#include "tools/voxelize/field_source.h"

typedef struct slv_field_output {
    const slv_field_source *source;
    slv_lattice lattice;   // lattice of the source
    double frame[3];       // added to the text's origin, metres
    slv_atomic_file *text; // NULL for none
    slv_writer *pack;      // NULL for none; receives one section
    unsigned threads;
    bool pack_failed; // set where the failure is in the pack, not in the text
} slv_field_output;

slv_result slv_field_output_run(slv_field_output *output, slv_console *console, slv_error *error);

#endif
