// SPDX-License-Identifier: MIT
#include "runtime/base/float_modes.h"

slv_float_modes slv_float_modes_set_default(void) {
    slv_float_modes modes;
    (void)fegetenv(&modes.environment);
    (void)fesetenv(FE_DFL_ENV);
    return modes;
}

void slv_float_modes_restore(const slv_float_modes *modes) {
    (void)fesetenv(&modes->environment);
}
