// SPDX-License-Identifier: MIT
// Which material each garment of a world has, and where its values come from, for the report of a run.
#ifndef SLV_PLAYER_REPORT_MATERIALS_H
#define SLV_PLAYER_REPORT_MATERIALS_H

#include "runtime/include/selvage/selvage.h"

#include <stdio.h>

enum {
    SLV_REPORT_FIELDS = sizeof(slv_garment_material) / sizeof(float),
    SLV_REPORT_MATERIALS = 64, // garments in a row with one material count once
};

typedef struct slv_material_record {
    uint32_t first, count;           // garments
    float values[SLV_REPORT_FIELDS]; // in the order of the struct
    slv_value_source sources[SLV_REPORT_FIELDS];
} slv_material_record;

typedef struct slv_material_report {
    slv_material_record records[SLV_REPORT_MATERIALS];
    uint32_t count;
    const char *keys[SLV_REPORT_FIELDS]; // of the fields, as in scenes
} slv_material_report;

void slv_material_report_ask(slv_material_report *report, slv_world *world);
// The member "materials" of a JSON object, with a comma after it.
void slv_material_report_print(FILE *out, const slv_material_report *report);

#endif
