// SPDX-License-Identifier: MIT
// The program as a function: options in, files and a report out. main.c only parses and prints.
#ifndef SLV_COLORIZE_COLORIZE_H
#define SLV_COLORIZE_COLORIZE_H

#include "tools/colorize/constraint_sets.h"
#include "tools/common/console.h"
#include "tools/common/output_files.h"

typedef enum slv_scheme {
    SLV_SCHEME_AUTO,
    SLV_SCHEME_RED_BLACK,
    SLV_SCHEME_GREEDY,
    SLV_SCHEME_PHANTOM,
    SLV_SCHEME_HYBRID,
} slv_scheme;

typedef enum slv_color_what { // bits
    SLV_OF_DEFAULT = 0,       // default of the scheme
    SLV_OF_PARTICLES = 1,
    SLV_OF_CONSTRAINTS = 2,
    SLV_OF_BOTH = 3,
} slv_color_what;

typedef struct slv_colorize_options {
    const char *input;
    const char *output;
    const char *svg;     // NULL for none
    const char *depfile; // NULL for none
    slv_scheme scheme;
    slv_color_what of;
    // Colors left by phantoms or solved by the hybrid, >= 2; 0: half the clique number.
    uint64_t colors;
} slv_colorize_options;

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
    uint64_t pack_bytes;
    double seconds; // of coloring, without reading and writing
} slv_colorize_report;

slv_colorize_options slv_default_colorize_options(void);

// Writes the files that the options name, all or none. They are in *files (zeroed before) and are
// published or abandoned by the caller. The report must be freed in any case.
slv_result slv_colorize(const slv_colorize_options *options, slv_console *console,
                        slv_colorize_report *report, slv_output_files *files, slv_error *error);
void slv_colorize_report_free(slv_colorize_report *report);

const char *slv_scheme_name(slv_scheme scheme);

#endif
