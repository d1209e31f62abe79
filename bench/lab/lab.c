// SPDX-License-Identifier: MIT
// Studies of the mass-spring solvers:
//   lab stability FOLDER [--quick]   longest stable steps against theory: stability.csv
//   lab order FOLDER [--quick]       orders of accuracy, energy, numerical damping: order.csv, energy.csv, damping.csv
//   lab cost FOLDER [--quick]        time of a step by integrator, on an idle machine: cost.csv
//   lab quality FOLDER [--quick]     processor time for the same error, by solver and stiffness: quality.csv
//   lab fabric FOLDER [--quick]      frame rate against free particles, on an idle machine: fabric.csv
//   lab stretch FOLDER [--quick]     lengths of springs with a strain limit and without: stretch.csv
//   lab plan FOLDER LIST.json        the integrators paper's tests: plan.csv
// bench/lab/pages.py draws the files and writes a page for each study.
#include "bench/lab/lab.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const slv_solver lab_integrators[LAB_INTEGRATORS] = {SLV_MS_EXPLICIT_EULER, SLV_MS_SYMPLECTIC_EULER,
                                                     SLV_MS_MIDPOINT,       SLV_MS_RK4,
                                                     SLV_MS_VERLET,         SLV_MS_IMPLICIT_EULER};

_Noreturn void lab_stop(const char *what, const char *why) {
    (void)fprintf(stderr, "lab: error: %s: %s\n", what, why);
    exit(1);
}

FILE *lab_open_csv(const char *folder, const char *name) {
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    FILE *file = fopen(path, "w");
    if (!file) {
        lab_stop(path, strerror(errno));
    }
    return file;
}

int main(int argc, char **argv) {
    const char *study = argc > 2 ? argv[1] : "";
    const bool quick = argc > 3 && strcmp(argv[3], "--quick") == 0;
    if (strcmp(study, "stability") == 0) {
        lab_study_stability(argv[2], quick);
    } else if (strcmp(study, "order") == 0) {
        lab_study_order(argv[2], quick);
    } else if (strcmp(study, "quality") == 0) {
        lab_study_quality(argv[2], quick);
    } else if (strcmp(study, "fabric") == 0) {
        lab_study_fabric(argv[2], quick);
    } else if (strcmp(study, "stretch") == 0) {
        lab_study_stretch(argv[2], quick);
    } else if (strcmp(study, "cost") == 0) {
        lab_study_cost(argv[2], quick);
    } else if (strcmp(study, "plan") == 0 && argc > 3) {
        lab_study_test_plan(argv[2], argv[3]);
    } else {
        (void)fprintf(stderr,
                      "usage: lab stability|order|cost|quality|fabric|stretch FOLDER [--quick]\n"
                      "       lab plan FOLDER LIST.json\n");
        return 1;
    }
    return 0;
}
