// SPDX-License-Identifier: MIT
// The coloring schemes and the choice among them.
#ifndef SLV_COLORIZE_SCHEMES_H
#define SLV_COLORIZE_SCHEMES_H

#include "tools/colorize/colorize_report.h"
#include "tools/common/console.h"

// Colors particles by own numbers: by parity where possible or requested, otherwise greedily. Fills
// the part of the report about particles.
slv_result slv_scheme_particles(const slv_garment *garment, const slv_constraint_sets *sets,
                                const slv_phantoms *phantoms, slv_scheme scheme,
                                slv_colorize_report *report, slv_coloring *coloring,
                                slv_error *error);

// Colors the constraints of report->sets and makes phantoms where the scheme uses them. colors: 0
// for half the clique number.
slv_result slv_scheme_constraints(const slv_garment *garment, slv_scheme scheme, uint32_t colors,
                                  slv_console *console, slv_colorize_report *report,
                                  slv_phantoms *phantoms, slv_error *error);

// Kernel launches per iteration for the constraints: one per color; one for the averaged
// constraints of a set, and one to sum all of these; one for the phantoms of all pairs, one for
// those of each kind with more ends.
uint32_t slv_scheme_launches(const slv_constraint_sets *sets, bool greedy, uint32_t phantoms);

#endif
