// SPDX-License-Identifier: MIT
#include "tools/bake-collider/provenance.h"

#include "tools/common/json_memory.h"
#include "tools/common/utf8.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_text(cJSON *root, const char *name, const char *text) {
    char *copy = slv_utf8_copy(text); // names of files and clips may contain any bytes
    if (copy) {
        (void)cJSON_AddStringToObject(root, name, copy);
    } else {
        slv_json_set_failed();
    }
    free(copy);
}

char *slv_bake_provenance(const slv_bake_options *options, const slv_frames *frames) {
    const char *slash = strrchr(options->character, '/');
    char hash[17];
    (void)snprintf(hash, sizeof hash, "%016llx", (unsigned long long)frames->input_hash);
    slv_json_begin();
    cJSON *root = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(root, "tool", "selvage-bake-collider");
    (void)cJSON_AddStringToObject(root, "version", SLV_VERSION);
    add_text(root, "input", slash ? slash + 1 : options->character);
    (void)cJSON_AddStringToObject(root, "input_xxh3", hash);
    if (frames->clip_name[0] != '\0') {
        add_text(root, "clip", frames->clip_name);
    }
    (void)cJSON_AddNumberToObject(root, "scale", frames->space.scale);
    (void)cJSON_AddStringToObject(root, "up", slv_import_space_up(&frames->space));
    if (options->radius > 0) {
        (void)cJSON_AddNumberToObject(root, "radius", options->radius);
    } else {
        (void)cJSON_AddNumberToObject(root, "particles", (double)options->particles);
    }
    (void)cJSON_AddNumberToObject(root, "tolerance", options->tolerance);
    (void)cJSON_AddNumberToObject(root, "error_mm", options->error);
    char *text = cJSON_PrintUnformatted(root);
    cJSON_Delete(root);
    if (slv_json_out_of_memory()) {
        free(text);
        return NULL;
    }
    return text;
}
