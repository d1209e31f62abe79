// SPDX-License-Identifier: MIT
#include "tools/common/import_options.h"

slv_import_options slv_default_import_options(void) {
    return (slv_import_options){.scale = 0.0};
}
