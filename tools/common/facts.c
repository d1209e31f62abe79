// SPDX-License-Identifier: MIT
#include "tools/common/facts.h"

#include "tools/common/utf8.h"

#include <stdio.h>
#include <stdlib.h>

static const double large_metres = 20; // larger sizes suggest another unit

void slv_facts_add(cJSON *object, const char *name, double value) {
    (void)cJSON_AddNumberToObject(object, name, value);
}

void slv_facts_add_text(cJSON *object, const char *name, const char *text) {
    char *copy = slv_utf8_copy(text);
    if (copy) {
        (void)cJSON_AddStringToObject(object, name, copy);
    }
    free(copy);
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

bool slv_facts_print(cJSON *root) {
    char *text = cJSON_Print(root);
    const bool printed = text && printf("%s\n", text) > 0 && fflush(stdout) == 0;
    cJSON_free(text);
    cJSON_Delete(root);
    return printed;
}

void slv_print_unit_hint(const char *path, double metres, const char *measured) {
    if (metres > large_metres) {
        printf("%s: %.3g m %s; if its unit is the centimetre, --scale 0.01 makes metres of it\n",
               path, metres, measured);
    }
}
