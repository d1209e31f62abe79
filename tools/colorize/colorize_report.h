// SPDX-License-Identifier: MIT
// What a run of the program did; report.h prints it.
#ifndef SLV_COLORIZE_COLORIZE_REPORT_H
#define SLV_COLORIZE_COLORIZE_REPORT_H

#include "tools/colorize/colorize_options.h"
#include "tools/colorize/constraint_sets.h"

// Results for particles.
typedef struct slv_particle_report {
    uint32_t colors; // 0 where particles were not colored
    uint32_t clique_number;
    bool clique_exact;
    uint32_t *sizes; // [colors]
} slv_particle_report;

typedef struct slv_colorize_report {
    const char *error_source; // the file or option that an error is about, or NULL
    slv_color_what of;
    slv_scheme particle_scheme, constraint_scheme; // scheme chosen by `auto`
    char particle_reason[160], reason[240]; // reason of the choice; empty where the caller chose
    uint32_t particles;
    slv_particle_report of_particles;
    slv_constraint_sets sets;     // constraints with the result of their coloring
    uint32_t phantom_particles;   // copies
    uint32_t phantom_constraints; // particles that have copies
    bool was_colored;             // the pack was colored before
    uint32_t launches_before;     // kernel launches per iteration without phantoms or averaging
    uint32_t launches;            // kernel launches per iteration with the coloring written
    uint64_t factor_values;       // 0 without a factor
    uint32_t factor_blocks;
    double factor_seconds;
    uint64_t pack_bytes;
    double seconds; // of coloring, without reading and writing
} slv_colorize_report;

void slv_colorize_report_free(slv_colorize_report *report);

#endif
