// SPDX-License-Identifier: MIT
#ifndef SLV_COLORIZE_OPTIONS_H
#define SLV_COLORIZE_OPTIONS_H

#include "tools/colorize/factor_matrix.h"

#include <stdint.h>

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
    uint64_t memory_limit;     // MiB; 0: the default of slv_limit_memory
    slv_factor_options factor; // time_step 0: none
} slv_colorize_options;

slv_colorize_options slv_default_colorize_options(void);

// Names of the values of an enum, in their order; ended by NULL.
extern const char *const slv_scheme_names[];
const char *slv_scheme_name(slv_scheme scheme);

#endif
