// SPDX-License-Identifier: MIT
#include "tools/bake-collider/bake_options.h"

#include <math.h>

slv_bake_options slv_default_bake_options(void) {
    return (slv_bake_options){.start = (double)NAN,
                              .end = (double)NAN,
                              .tolerance = 0.1,
                              .error = 0.1,
                              .memory_limit = 4096};
}
