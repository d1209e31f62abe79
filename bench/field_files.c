// SPDX-License-Identifier: MIT
// Speed of writing distance fields: as text, against printf, and as a section of a pack, with its size.
//   bench-field-files [--json FILE]
#include "bench/bench_report.h"
#include "formats/codec.h"
#include "formats/field.h"
#include "tests/formats/sample_garment.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS = 128, ROUNDS = 5 };

typedef struct bench_field {
    size_t count;
    float *values;
    char *text;
    uint8_t *coded;
    slv_field_info info;
} bench_field;

static void format_fast(bench_field *field) {
    (void)slv_sdf_format_values(field->values, field->count, field->text);
}

static void format_printf(bench_field *field) {
    char *next = field->text;
    for (size_t i = 0; i < field->count; i++) {
        next += sprintf(next, "%g\n", (double)field->values[i]);
    }
}

static void encode(bench_field *field) {
    size_t slab = (size_t)CELLS * CELLS * SLV_FIELD_SLAB;
    for (size_t first = 0; first < field->count; first += slab) {
        slv_field_encode_slab(field->values + first, CELLS, CELLS, SLV_FIELD_SLAB,
                              field->coded + 4 * first);
    }
}

static void decode(bench_field *field) {
    slv_field_decode(&field->info, field->coded, field->values);
}

static slv_result count_bytes(void *context, const void *bytes, size_t size, slv_error *error) {
    (void)bytes;
    (void)error;
    *(size_t *)context += size;
    return SLV_OK;
}

static size_t compressed_size(const void *bytes, size_t size) {
    size_t total = 0;
    const slv_codec_sink sink = {count_bytes, &total};
    slv_encoder *encoder = slv_encoder_create();
    if (!encoder || slv_encoder_append(encoder, bytes, size, &sink, NULL) != SLV_OK ||
        slv_encoder_finish(encoder, &sink, NULL) != SLV_OK) {
        exit(4);
    }
    slv_encoder_destroy(encoder);
    return total;
}

// Nanoseconds per value of the best round.
static double cost(void (*work)(bench_field *field), bench_field *field) {
    double best = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        double start = slv_bench_seconds();
        work(field);
        double seconds = slv_bench_seconds() - start;
        best = seconds < best ? seconds : best;
    }
    return 1e9 * best / (double)field->count;
}

static void measure(bench_field *field, const char *json_path) {
    slv_bench_report report;
    slv_bench_begin(&report, json_path);
    double fast = cost(format_fast, field);
    double plain = cost(format_printf, field);
    slv_bench_at_most(&report, "text, per value", fast, 15, "ns");
    slv_bench_note(&report, "printf, per value", plain, "ns");
    slv_bench_note(&report, "printf / text", plain / fast, "x");
    slv_bench_note(&report, "encode, per value", cost(encode, field), "ns");
    double start = slv_bench_seconds();
    size_t coded_size = compressed_size(field->coded, 4 * field->count);
    double seconds = slv_bench_seconds() - start;
    slv_bench_note(&report, "compress, per value", 1e9 * seconds / (double)field->count, "ns");
    slv_bench_note(&report, "decode, per value", cost(decode, field), "ns");
    size_t plain_size = compressed_size(field->values, 4 * field->count);
    slv_bench_note(&report, "raw bytes / compressed, encoded",
                   (double)(4 * field->count) / (double)coded_size, "x");
    slv_bench_note(&report, "raw bytes / compressed, not encoded",
                   (double)(4 * field->count) / (double)plain_size, "x");
    slv_bench_end(&report);
}

int main(int argc, char **argv) {
    const char *json = slv_bench_arguments(
        argc, argv, "Distance fields as text and in packs: time and size.", NULL, 0);
    bench_field field = {.count = (size_t)CELLS * CELLS * CELLS,
                         .info = {.cells = {CELLS, CELLS, CELLS}, .slab = SLV_FIELD_SLAB}};
    field.values = sample_sphere(CELLS, CELLS, CELLS);
    field.text = malloc(slv_sdf_get_text_bound(field.count));
    field.coded = malloc(4 * field.count);
    bool ready = field.values && field.text && field.coded;
    if (ready) {
        measure(&field, json);
    }
    free(field.values);
    free(field.text);
    free(field.coded);
    return ready ? 0 : 4;
}
