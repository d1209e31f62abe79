// SPDX-License-Identifier: MIT
#include "tools/colorize/provenance.h"

#include "tools/common/json_memory.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

// Keeps the entry of an earlier coloring of the other elements.
static bool keep(cJSON *entry, const cJSON *earlier, const char *key) {
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(earlier, key);
    return !value || cJSON_AddItemToObject(entry, key, cJSON_Duplicate(value, true));
}

static bool add_entry(cJSON *root, const cJSON *earlier, const slv_colorize_options *options,
                      const slv_colorize_report *report) {
    cJSON *entry = cJSON_AddObjectToObject(root, "coloring");
    bool added = entry && cJSON_AddStringToObject(entry, "tool", "selvage-colorize") &&
                 cJSON_AddStringToObject(entry, "version", SLV_VERSION);
    if (report->of & SLV_OF_PARTICLES) {
        added = added && cJSON_AddStringToObject(entry, "particles",
                                                 slv_scheme_name(report->particle_scheme));
    } else {
        added = added && keep(entry, earlier, "particles");
    }
    if (report->of & SLV_OF_CONSTRAINTS) {
        added = added && cJSON_AddStringToObject(entry, "constraints",
                                                 slv_scheme_name(report->constraint_scheme));
        if (options->colors > 0) {
            added = added && cJSON_AddNumberToObject(entry, "colors", (double)options->colors);
        }
    } else {
        added = added && keep(entry, earlier, "constraints") && keep(entry, earlier, "colors");
    }
    return added;
}

static bool add_number(cJSON *entry, const char *key, double value) {
    return !(value > 0.0) || cJSON_AddNumberToObject(entry, key, value);
}

// What a factor was made for; that of an earlier run where this one makes none.
static bool add_factor(cJSON *root, const slv_factor_options *factor) {
    if (!(factor->time_step > 0.0)) {
        return true;
    }
    cJSON_DeleteItemFromObjectCaseSensitive(root, "factor");
    cJSON *entry = cJSON_AddObjectToObject(root, "factor");
    return entry && add_number(entry, "time_step", factor->time_step) &&
           add_number(entry, "particle_mass", factor->particle_mass) &&
           add_number(entry, "stretch", factor->stretch) &&
           add_number(entry, "shear", factor->shear) &&
           add_number(entry, "bending", factor->bending) &&
           add_number(entry, "damping", factor->damping) &&
           (!factor->fixed || cJSON_AddStringToObject(entry, "fixed", factor->fixed));
}

char *slv_color_provenance(const slv_garment *garment, const slv_colorize_options *options,
                           const slv_colorize_report *report) {
    slv_json_begin();
    cJSON *root = garment->provenance_size > 0
                      ? cJSON_ParseWithLength(garment->provenance, garment->provenance_size)
                      : NULL;
    if (!cJSON_IsObject(root) &&
        !slv_json_out_of_memory()) { // text that is not a JSON object is replaced
        cJSON_Delete(root);
        root = cJSON_CreateObject();
    }
    cJSON *earlier = cJSON_DetachItemFromObjectCaseSensitive(root, "coloring");
    const bool added =
        root && add_entry(root, earlier, options, report) && add_factor(root, &options->factor);
    char *text = added ? cJSON_PrintUnformatted(root) : NULL;
    cJSON_Delete(earlier);
    cJSON_Delete(root);
    if (slv_json_out_of_memory()) {
        free(text);
        return NULL;
    }
    return text; // slv_json_begin made cJSON allocate with malloc()
}
