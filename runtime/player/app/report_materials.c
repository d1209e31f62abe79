// SPDX-License-Identifier: MIT
#include "runtime/player/app/report_materials.h"

#include <inttypes.h>
#include <string.h>

// Fields of slv_garment_material are fields of slv_garment_def in the same order.
static bool ask(slv_world *world, uint32_t number, slv_material_record *record,
                const char *keys[SLV_REPORT_FIELDS]) {
    const slv_garment_id garment = slv_world_get_garment(world, number);
    slv_parameter_info info;
    slv_value_source source;
    int found = 0;
    *record = (slv_material_record){.first = number, .count = 1};
    for (uint32_t i = 0; slv_get_parameter_info(SLV_GROUP_GARMENT, i, &info); i++) {
        if (found < SLV_REPORT_FIELDS &&
            slv_garment_get_material_source(world, garment, info.name, &source) == SLV_OK) {
            keys[found] = info.key;
            record->sources[found++] = source;
        }
    }
    slv_garment_material material;
    if (found < SLV_REPORT_FIELDS ||
        slv_garment_get_material(world, garment, &material) != SLV_OK) {
        return false;
    }
    memcpy(record->values, &material, sizeof material);
    return true;
}

static bool is_like(const slv_material_record *one, const slv_material_record *other) {
    bool like = true;
    for (int f = 0; f < SLV_REPORT_FIELDS; f++) {
        like = like && one->values[f] == other->values[f] && one->sources[f] == other->sources[f];
    }
    return like;
}

void slv_material_report_ask(slv_material_report *report, slv_world *world) {
    const uint32_t garments = slv_world_get_garment_count(world);
    report->count = 0;
    for (uint32_t g = 0; g < garments; g++) {
        slv_material_record record;
        if (!ask(world, g, &record, report->keys)) {
            continue;
        }
        slv_material_record *last = report->count > 0 ? &report->records[report->count - 1] : NULL;
        if (last && last->first + last->count == g && is_like(last, &record)) {
            last->count++;
        } else if (report->count < SLV_REPORT_MATERIALS) {
            report->records[report->count++] = record;
        }
    }
}

static void print_record(FILE *out, const slv_material_report *report,
                         const slv_material_record *record) {
    static const char *const sources[] = {"default", "pack", "fabric", "scene"};
    (void)fprintf(out, "{\"garment\": %" PRIu32 ", \"garments\": %" PRIu32, record->first,
                  record->count);
    for (int f = 0; f < SLV_REPORT_FIELDS; f++) {
        (void)fprintf(out, ",\n     \"%s\": {\"value\": ", report->keys[f]);
        if (record->values[f] < 0.0f) {
            (void)fputs("null", out); // as the garment has it
        } else {
            (void)fprintf(out, "%.9g", (double)record->values[f]);
        }
        (void)fprintf(out, ", \"from\": \"%s\"}", sources[record->sources[f]]);
    }
    (void)fputs("}", out);
}

void slv_material_report_print(FILE *out, const slv_material_report *report) {
    (void)fputs("  \"materials\": [", out);
    for (uint32_t i = 0; i < report->count; i++) {
        (void)fputs(i > 0 ? ",\n    " : "\n    ", out);
        print_record(out, report, &report->records[i]);
    }
    (void)fputs(report->count > 0 ? "\n  ],\n" : "],\n", out);
}
