// SPDX-License-Identifier: MIT
#include "tools/common/facts.h"

#include "tools/common/json_memory.h"
#include "tools/common/utf8.h"

#include <stdio.h>
#include <stdlib.h>

static const double large_metres = 20; // larger sizes suggest another unit

cJSON *slv_facts_create(void) {
    slv_json_begin();
    return cJSON_CreateObject();
}

void slv_facts_add(cJSON *object, const char *name, double value) {
    (void)cJSON_AddNumberToObject(object, name, value);
}

void slv_facts_add_text(cJSON *object, const char *name, const char *text) {
    char *copy = slv_utf8_copy(text);
    if (copy) {
        (void)cJSON_AddStringToObject(object, name, copy);
    } else {
        slv_json_set_failed();
    }
    free(copy);
}

void slv_facts_add_space(cJSON *root, const slv_import_space *space) {
    char text[160];
    slv_import_space_text(space, text, sizeof text);
    cJSON *object = cJSON_AddObjectToObject(root, "import");
    (void)cJSON_AddStringToObject(object, "text", text);
    slv_facts_add(object, "scale", space->scale);
    (void)cJSON_AddStringToObject(object, "scale_from",
                                  slv_import_space_source(space->scale_source));
    (void)cJSON_AddStringToObject(object, "up", slv_import_space_up(space));
    (void)cJSON_AddStringToObject(object, "up_from", slv_import_space_source(space->turn_source));
}

void slv_facts_add_parts(cJSON *root, const slv_part_counts *counts) {
    static const char *const names[SLV_PART_FATES] = {"kept", "not_chosen", "hidden",
                                                      "lower_detail"};
    cJSON *object = cJSON_AddObjectToObject(root, "parts");
    for (int i = 0; i < SLV_PART_FATES; i++) {
        slv_facts_add(object, names[i], counts->parts[i]);
    }
}

void slv_facts_add_bounds(cJSON *root, const double bounds[2][3]) {
    cJSON *object = cJSON_AddObjectToObject(root, "bounds");
    (void)cJSON_AddItemToObject(object, "min", cJSON_CreateDoubleArray(bounds[0], 3));
    (void)cJSON_AddItemToObject(object, "max", cJSON_CreateDoubleArray(bounds[1], 3));
}

double slv_facts_add_seconds(cJSON *root, const char *(*stage_name)(int stage),
                             const double *seconds, int stage_count) {
    cJSON *object = cJSON_AddObjectToObject(root, "seconds");
    double sum = 0.0;
    for (int stage = 0; stage < stage_count; stage++) {
        slv_facts_add(object, stage_name(stage), seconds[stage]);
        sum += seconds[stage];
    }
    return sum;
}

slv_result slv_facts_flush(slv_error *error) {
    return fflush(stdout) == 0 && ferror(stdout) == 0
               ? SLV_OK
               : slv_fail(error, SLV_ERROR_FILE, "cannot be written");
}

slv_result slv_facts_print(cJSON *root, slv_error *error) {
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    if (text == NULL || slv_json_out_of_memory()) {
        cJSON_free(text);
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the report");
    }
    (void)printf("%s\n", text);
    cJSON_free(text);
    return slv_facts_flush(error);
}

void slv_print_space(const char *path, const slv_import_space *space) {
    char text[160];
    slv_import_space_text(space, text, sizeof text);
    printf("%s: %s\n", path, text);
}

void slv_print_unit_hint(const char *path, double metres, const char *measured) {
    if (metres > large_metres) {
        printf("%s: %.3g m %s; if its unit is the centimetre, --scale 0.01 makes metres of it\n",
               path, metres, measured);
    }
}
