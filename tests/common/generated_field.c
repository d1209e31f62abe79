// SPDX-License-Identifier: MIT
#include "tests/common/generated_field.h"

#include "formats/field.h"
#include "formats/writer.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { CELLS = 24 };

void write_ball_field(const char *path, double radius) {
    slv_field_info info = {.cells = {CELLS, CELLS, CELLS}, .slab = SLV_FIELD_SLAB, .spacing = 0.02};
    float *values = malloc(sizeof(float) * CELLS * CELLS * CELLS);
    uint8_t *coded = malloc((size_t)4 * CELLS * CELLS * SLV_FIELD_SLAB);
    slv_writer *writer = NULL;
    slv_error error = {.text = ""};
    assert_true(values && coded);
    for (int d = 0; d < 3; d++) {
        info.origin[d] = -0.01 * (CELLS - 1);
    }
    for (int n = 0; n < CELLS * CELLS * CELLS; n++) {
        double x = info.origin[0] + 0.02 * (n % CELLS);
        double y = info.origin[1] + 0.02 * (n / CELLS % CELLS);
        int layer = n / (CELLS * CELLS);
        double z = info.origin[2] + 0.02 * layer;
        values[n] = (float)(sqrt(x * x + y * y + z * z) - radius);
    }
    assert_int_equal(slv_writer_open(path, SLV_CONTENTS_GARMENT, 1, &writer, &error), SLV_OK);
    assert_int_equal(slv_writer_begin(writer, SLV_SECTION_FIELD, SLV_CODEC_RAW, 0, &error), SLV_OK);
    assert_int_equal(slv_writer_append(writer, &info, sizeof info, &error), SLV_OK);
    for (uint32_t z = 0; z < CELLS; z += SLV_FIELD_SLAB) {
        slv_field_encode_slab(values + (size_t)CELLS * CELLS * z, CELLS, CELLS, SLV_FIELD_SLAB,
                              coded);
        assert_int_equal(slv_writer_append(writer, coded,
                                           sizeof(float) * CELLS * CELLS * SLV_FIELD_SLAB, &error),
                         SLV_OK);
    }
    assert_int_equal(slv_writer_end(writer, &error), SLV_OK);
    assert_int_equal(slv_writer_commit(writer, &error), SLV_OK);
    free(coded);
    free(values);
}
