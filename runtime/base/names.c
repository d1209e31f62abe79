// SPDX-License-Identifier: MIT
#include "runtime/base/parameter.h"

#include <string.h>

// In the order of the enums, which need not begin at 0.
#define SLV_SOLVER(id, doc, file) #id,
const char *const slv_solver_names[] = {"AUTO",
#include "runtime/base/solvers.def"
                                        NULL};
#undef SLV_SOLVER
const char *const slv_shape_names[] = {"plane", "sphere", "capsule", "box",
                                       "wedge", "funnel", "field",   NULL};
const char *const slv_contact_names[] = {"particles", "surfaces", NULL};
const char *const slv_channel_names[] = {"red", "green", "blue", "alpha", NULL};

int slv_find_name(const char *const *names, const char *name) {
    for (int i = 0; names[i]; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}
