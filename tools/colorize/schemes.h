// SPDX-License-Identifier: MIT
// The schemes: which colors particles and constraints get, and why.
#ifndef SLV_COLORIZE_SCHEMES_H
#define SLV_COLORIZE_SCHEMES_H

#include "tools/colorize/colorize.h"

// Colors particles by own numbers: parity where that is possible or asked for, else greedily. Fills
// the report's part about particles.
slv_result slv_scheme_particles(const slv_garment *garment, const slv_constraint_sets *sets,
                                const slv_phantoms *phantoms, slv_scheme scheme,
                                slv_colorize_report *report, slv_coloring *coloring,
                                slv_error *error);

// Colors the constraints of report->sets, making phantoms where the scheme has them. colors: 0 for
// half the clique number.
slv_result slv_scheme_constraints(const slv_garment *garment, slv_scheme scheme, uint32_t colors,
                                  slv_console *console, slv_colorize_report *report,
                                  slv_phantoms *phantoms, slv_error *error);

// Kernel launches per iteration that the constraints of the sets take: one a color; one for what is
// averaged of a set, and one to sum all of that; one for the phantoms of all pairs, one for those of each
// kind with more ends.
uint32_t slv_scheme_launches(const slv_constraint_sets *sets, bool greedy, uint32_t phantoms);

#endif
