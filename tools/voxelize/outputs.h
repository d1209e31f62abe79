// SPDX-License-Identifier: MIT
// The files of a run: pack, text field, dependency rule.
#ifndef SLV_VOXELIZE_OUTPUTS_H
#define SLV_VOXELIZE_OUTPUTS_H

#include "formats/garment.h"
#include "tools/common/console.h"
#include "tools/common/mesh_import.h"
#include "tools/common/output_files.h"
#include "tools/voxelize/field_source.h"

typedef struct slv_outputs {
    const char *pack, *sdf, *depfile; // NULL for none
    bool field_in_pack;
    const slv_garment *garment;     // what goes into the pack
    const slv_field_source *source; // needed for sdf and field_in_pack
    slv_lattice lattice;            // lattice of the source
    double frame[3];                // added to the text's origin, metres
    const slv_file_list *inputs;    // what the rule depends on
    unsigned threads;
} slv_outputs;

// Checks before the work starts, see output_files.h. *error_source names the file in question, here and
// below.
slv_result slv_outputs_check(const slv_outputs *outputs, const char **error_source,
                             slv_error *error);

// Writes and flushes all files into the list, to be published by the caller. The list is empty on
// failure.
slv_result slv_outputs_write(const slv_outputs *outputs, slv_console *console,
                             slv_output_files *files, const char **error_source, slv_error *error);

#endif
