// SPDX-License-Identifier: MIT
#include "tools/common/byte_text.h"

#include <math.h>
#include <stdio.h>

void slv_byte_text(double bytes, char text[SLV_BYTE_TEXT]) {
    static const char *const units[] = {"MiB", "GiB", "TiB"};
    size_t unit = 0;
    double value = fmax(ceil(bytes / SLV_MIB), 1);
    for (; value >= 1024 && unit < 2; unit++) {
        value /= 1024;
    }
    (void)snprintf(text, SLV_BYTE_TEXT, value < 1000 ? "%.3g %s" : "%.4g %s", value, units[unit]);
}
