// SPDX-License-Identifier: MIT
#include "tools/voxelize/provenance.h"

#include "formats/fabric.h"
#include "formats/value_check.h"
#include "tools/common/json_memory.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// File names may contain any bytes; JSON requires UTF-8.
static bool add_name(cJSON *root, const char *path) {
    char name[256];
    (void)snprintf(name, sizeof name, "%s", base_name(path));
    if (!slv_is_utf8(name, strlen(name))) {
        for (char *c = name; *c != '\0'; c++) {
            *c = (unsigned char)*c < 0x80 ? *c : '?';
        }
    }
    return cJSON_AddStringToObject(root, "input", name) != NULL;
}

static bool add_mesh(cJSON *root, const slv_voxelize_options *options, slv_voxelize_mode mode,
                     const slv_mesh *mesh) {
    char hash[17];
    (void)snprintf(hash, sizeof hash, "%016llx", (unsigned long long)mesh->input_hash);
    return add_name(root, options->mesh) &&
           cJSON_AddStringToObject(root, "input_xxh3", hash) != NULL &&
           cJSON_AddStringToObject(root, "mode", slv_mode_name(mode)) != NULL &&
           cJSON_AddNumberToObject(root, "scale", mesh->space.scale) != NULL &&
           cJSON_AddStringToObject(root, "up", slv_import_space_up(&mesh->space)) != NULL;
}

static bool add_options(cJSON *root, const slv_voxelize_options *options, slv_voxelize_mode mode,
                        const slv_mesh *mesh, const slv_lattice *lattice) {
    bool added = cJSON_AddStringToObject(root, "tool", "selvage-voxelize") != NULL &&
                 cJSON_AddStringToObject(root, "version", SLV_VERSION) != NULL;
    if (mesh != NULL) {
        added = added && add_mesh(root, options, mode, mesh);
    } else {
        added = added && cJSON_AddStringToObject(root, "shape", options->shape) != NULL;
    }
    if (lattice != NULL) {
        added = added && cJSON_AddNumberToObject(root, "spacing", lattice->spacing) != NULL;
    }
    if (lattice != NULL && mesh != NULL) {
        added = added && cJSON_AddNumberToObject(root, "padding", (double)options->padding) != NULL;
    }
    if (options->tetrahedra) {
        added = added && cJSON_AddBoolToObject(root, "tetrahedra", true) != NULL;
    }
    if (options->body != SLV_BODY_NONE) {
        added =
            added && cJSON_AddStringToObject(root, "body", slv_body_name(options->body)) != NULL;
    }
    if (options->body == SLV_BODY_SOFT) {
        const uint64_t side = options->cluster_side > 0 ? options->cluster_side : SLV_CLUSTER_SIDE;
        added = added && cJSON_AddNumberToObject(root, "cluster_size", (double)side) != NULL;
    }
    if (options->fabric != 0) {
        added = added &&
                cJSON_AddStringToObject(root, "fabric", slv_fabric_names[options->fabric]) != NULL;
    }
    if (options->mass > 0) {
        added = added && cJSON_AddNumberToObject(root, "mass", options->mass) != NULL;
    } else if (options->density > 0) {
        added = added && cJSON_AddNumberToObject(root, "density", options->density) != NULL;
    }
    return added;
}

slv_result slv_add_provenance(const slv_voxelize_options *options, slv_voxelize_mode mode,
                              const slv_mesh *mesh, const slv_lattice *lattice,
                              slv_garment_builder *builder, slv_error *error) {
    slv_json_begin();
    cJSON *root = cJSON_CreateObject();
    char *text = root != NULL && add_options(root, options, mode, mesh, lattice)
                     ? cJSON_PrintUnformatted(root)
                     : NULL;
    cJSON_Delete(root);
    if (text == NULL || slv_json_out_of_memory()) {
        cJSON_free(text);
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the provenance");
    }
    const size_t size = strlen(text);
    char *copy = slv_builder_array(builder, size + 1, 1, error);
    if (copy != NULL) {
        memcpy(copy, text, size + 1);
        builder->garment.provenance = copy;
        builder->garment.provenance_size = size;
    }
    cJSON_free(text);
    return copy != NULL ? SLV_OK : SLV_ERROR_MEMORY;
}
