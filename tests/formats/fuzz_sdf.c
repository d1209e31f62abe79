// SPDX-License-Identifier: MIT
// Fuzzes the reader of distance fields as text: an accepted field has finite numbers only.
#include "formats/field.h"
#include "tests/common/memory_file.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = memory_file(data, size);
    slv_error error = {.code = SLV_OK};
    slv_sdf_grid grid;
    if (path == NULL || slv_sdf_read(path, 1 << 20, &grid, &error) != SLV_OK) {
        return 0;
    }
    const size_t count = (size_t)grid.cells[0] * grid.cells[1] * grid.cells[2];
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(grid.values[i])) {
            abort();
        }
    }
    slv_sdf_free(&grid);
    return 0;
}
