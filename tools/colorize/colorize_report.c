// SPDX-License-Identifier: MIT
#include "tools/colorize/colorize_report.h"

#include <stdlib.h>

void slv_colorize_report_free(slv_colorize_report *report) {
    slv_constraint_sets_destroy(&report->sets);
    free(report->of_particles.sizes);
    report->of_particles.sizes = NULL;
}
