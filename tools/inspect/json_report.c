// SPDX-License-Identifier: MIT
// The adding functions of cJSON return NULL where memory is short and accept NULL parents, so a
// failure is recorded in the builder and checked once at the end.
#include "tools/inspect/json_report.h"

#include "formats/number_text.h"
#include "tools/common/utf8.h"

#include <stdlib.h>
#include <string.h>

// Adds to a tree and records failures.
typedef struct builder {
    bool failed;
} builder;

static cJSON *kept(builder *build, cJSON *item) {
    build->failed |= item == NULL;
    return item;
}

static cJSON *add_object(builder *build, cJSON *parent, const char *name) {
    return kept(build, cJSON_AddObjectToObject(parent, name));
}

static cJSON *add_list(builder *build, cJSON *parent, const char *name) {
    return kept(build, cJSON_AddArrayToObject(parent, name));
}

static cJSON *add_entry(builder *build, cJSON *list) {
    cJSON *item = kept(build, cJSON_CreateObject());
    if (item && !cJSON_AddItemToArray(list, item)) {
        cJSON_Delete(item);
        build->failed = true;
        return NULL;
    }
    return item;
}

static void add_text(builder *build, cJSON *parent, const char *name, const char *value) {
    char *text = slv_utf8_copy(value); // file names may contain any bytes
    (void)kept(build, text ? cJSON_AddStringToObject(parent, name, text) : NULL);
    free(text);
}

static void add_bool(builder *build, cJSON *parent, const char *name, bool value) {
    (void)kept(build, cJSON_AddBoolToObject(parent, name, value));
}

// Numbers are added as text: cJSON would print a float with the digits of a double.
static void add_uint(builder *build, cJSON *parent, const char *name, uint64_t value) {
    char text[SLV_NUMBER_TEXT];
    slv_text_of_uint(value, text);
    (void)kept(build, cJSON_AddRawToObject(parent, name, text));
}

static void add_float(builder *build, cJSON *parent, const char *name, float value) {
    char text[SLV_NUMBER_TEXT];
    slv_text_of_float(value, text);
    (void)kept(build, cJSON_AddRawToObject(parent, name, text));
}

static void add_double(builder *build, cJSON *parent, const char *name, double value) {
    char text[SLV_NUMBER_TEXT];
    slv_text_of_double(value, text);
    (void)kept(build, cJSON_AddRawToObject(parent, name, text));
}

static void append_raw(builder *build, cJSON *list, const char *text) {
    cJSON *item = kept(build, cJSON_CreateRaw(text));
    if (item && !cJSON_AddItemToArray(list, item)) {
        cJSON_Delete(item);
        build->failed = true;
    }
}

static void add_floats(builder *build, cJSON *parent, const char *name, const float *values,
                       size_t count) {
    cJSON *list = add_list(build, parent, name);
    for (size_t i = 0; i < count; i++) {
        char text[SLV_NUMBER_TEXT];
        slv_text_of_float(values[i], text);
        append_raw(build, list, text);
    }
}

static void add_doubles(builder *build, cJSON *parent, const char *name, const double *values,
                        size_t count) {
    cJSON *list = add_list(build, parent, name);
    for (size_t i = 0; i < count; i++) {
        char text[SLV_NUMBER_TEXT];
        slv_text_of_double(values[i], text);
        append_raw(build, list, text);
    }
}

static void add_cells(builder *build, cJSON *parent, const uint32_t cells[3]) {
    cJSON *list = add_list(build, parent, "cells");
    for (size_t i = 0; i < 3; i++) {
        char text[SLV_NUMBER_TEXT];
        slv_text_of_uint(cells[i], text);
        append_raw(build, list, text);
    }
}

// null for uncolored.
static void add_color(builder *build, cJSON *parent, uint32_t color) {
    if (color == SLV_UNCOLORED) {
        (void)kept(build, cJSON_AddNullToObject(parent, "color"));
    } else {
        add_uint(build, parent, "color", color);
    }
}

static void add_pack(builder *build, cJSON *root, const slv_inspected_pack *inspected) {
    const slv_pack_header *header = slv_pack_get_header(inspected->pack);
    char text[SLV_NUMBER_TEXT];
    add_text(build, root, "contents", inspected->is_collider ? "collider" : "garment");
    cJSON *version = add_object(build, root, "version");
    add_uint(build, version, "major", header->version_major);
    add_uint(build, version, "minor", header->version_minor);
    add_uint(build, root, "file_size", header->file_size);
    uint32_t count = 0;
    const slv_section_entry *entries = slv_pack_get_entries(inspected->pack, &count);
    cJSON *list = add_list(build, root, "sections");
    for (uint32_t i = 0; i < count; i++) {
        cJSON *section = add_entry(build, list);
        const slv_section_info *info = slv_section_find(entries[i].kind);
        add_text(build, section, "name", slv_section_get_name(entries[i].kind, text));
        add_text(build, section, "holds", info ? info->holds : "unknown to this version");
        add_text(build, section, "codec", slv_codec_name(entries[i].codec));
        add_bool(build, section, "required", entries[i].flags & SLV_SECTION_REQUIRED);
        add_uint(build, section, "offset", entries[i].offset);
        add_uint(build, section, "stored_size", entries[i].stored_size);
        add_uint(build, section, "raw_size", entries[i].raw_size);
        slv_text_of_hash(entries[i].checksum, text);
        add_text(build, section, "checksum", text);
    }
}

static void add_info(builder *build, cJSON *root, const slv_garment *garment) {
    const slv_garment_info *info = &garment->info;
    add_text(build, root, "mode", slv_pack_mode_name(info->mode));
    add_uint(build, root, "particles", info->particle_count);
    uint64_t fixed = 0;
    for (uint32_t i = 0; i < info->particle_count; i++) {
        fixed += garment->inverse_mass[i] == 0.0f;
    }
    add_uint(build, root, "fixed_particles", fixed);
    add_doubles(build, root, "frame_m", info->frame, 3);
    cJSON *bounds = add_object(build, root, "bounds_m");
    add_floats(build, bounds, "min", info->bounds_min, 3);
    add_floats(build, bounds, "max", info->bounds_max, 3);
    add_float(build, root, "spacing_m", info->spacing);
    add_float(build, root, "mass_kg", info->mass);
}

static void add_grid(builder *build, cJSON *parent, const char *name, const uint32_t cells[3],
                     const double origin[3], double spacing) {
    cJSON *grid = add_object(build, parent, name);
    add_cells(build, grid, cells);
    add_doubles(build, grid, "origin_m", origin, 3);
    add_double(build, grid, "spacing_m", spacing);
}

static void add_work(builder *build, cJSON *root, const slv_garment *garment) {
    cJSON *colors = add_list(build, root, "colors");
    for (uint32_t i = 0; i < garment->color_count; i++) {
        cJSON *color = add_entry(build, colors);
        add_color(build, color, garment->colors[i].color);
        add_uint(build, color, "count", garment->colors[i].count);
    }
    cJSON *counts = add_object(build, root, "constraints");
    for (uint32_t kind = SLV_CONSTRAINT_FIRST; kind < SLV_CONSTRAINT_END; kind++) {
        add_uint(build, counts, slv_constraint_kinds[kind].plural,
                 slv_garment_get_constraint_count(garment, kind));
    }
    add_uint(build, root, "phantom_particles", garment->phantoms.copies);
    add_uint(build, root, "clusters", garment->clusters.count);
    add_uint(build, root, "cluster_members", garment->clusters.member_count);
    add_uint(build, root, "factor_values", garment->factor.value_count);
    cJSON *groups = add_list(build, root, "groups");
    for (uint32_t i = 0; i < garment->group_count; i++) {
        cJSON *group = add_entry(build, groups);
        add_text(build, group, "kind", slv_constraint_kinds[garment->groups[i].kind].name);
        add_color(build, group, garment->groups[i].color);
        add_uint(build, group, "material", garment->groups[i].material);
        add_uint(build, group, "count", garment->groups[i].count);
    }
}

static void add_paint(builder *build, cJSON *root, const slv_garment *garment) {
    cJSON *paint = garment->paint ? add_object(build, root, "paint") : NULL;
    for (size_t k = 0; paint && k < 4; k++) {
        uint8_t least;
        uint8_t most;
        slv_paint_range(garment, k, &least, &most);
        cJSON *channel = add_object(build, paint, slv_paint_names[k]);
        add_uint(build, channel, "least", least);
        add_uint(build, channel, "most", most);
    }
}

static void add_render_mesh(builder *build, cJSON *root, const slv_render_mesh *mesh) {
    if (mesh->vertex_count == 0) {
        return;
    }
    cJSON *render = add_object(build, root, "render_mesh");
    add_uint(build, render, "vertices", mesh->vertex_count);
    add_uint(build, render, "triangles", mesh->triangle_count);
    add_bool(build, render, "uvs", mesh->uvs != NULL);
    if (mesh->texture) {
        cJSON *picture = add_object(build, render, "texture");
        add_uint(build, picture, "width", mesh->texture_info.width);
        add_uint(build, picture, "height", mesh->texture_info.height);
        add_uint(build, picture, "bytes", mesh->texture_size);
    }
    add_uint(build, render, "influences", mesh->influences);
    add_bool(build, render, "offsets", mesh->offsets != NULL);
}

static void add_sets(builder *build, cJSON *root, const char *title, const slv_named_sets *sets) {
    cJSON *list = add_list(build, root, title);
    for (uint32_t i = 0; i < sets->count; i++) {
        const slv_named_set set = slv_named_sets_get(sets, i);
        char name[256] = {0}; // names have at most 255 bytes
        memcpy(name, set.name, set.name_length < sizeof name ? set.name_length : sizeof name - 1);
        cJSON *item = add_entry(build, list);
        add_text(build, item, "name", name);
        add_uint(build, item, "count", set.count);
    }
}

// Names of the values that a runtime takes from a material.
static void add_given(builder *build, cJSON *item, uint32_t given) {
    cJSON *list = add_list(build, item, "used");
    for (int i = 0; slv_material_uses[i].name; i++) {
        if ((given & slv_material_uses[i].given) == slv_material_uses[i].given) {
            cJSON *name = kept(build, cJSON_CreateString(slv_material_uses[i].name));
            if (name && !cJSON_AddItemToArray(list, name)) {
                cJSON_Delete(name);
                build->failed = true;
            }
        }
    }
}

static void add_materials(builder *build, cJSON *root, const slv_garment *garment) {
    cJSON *materials = add_list(build, root, "materials");
    for (uint32_t i = 0; i < garment->material_count; i++) {
        const slv_material *material = &garment->materials[i];
        cJSON *item = add_entry(build, materials);
        add_text(build, item, "name", material->name);
        add_float(build, item, "stretch_stiffness_n_per_m", material->stretch_stiffness);
        add_float(build, item, "shear_stiffness_n_per_m", material->shear_stiffness);
        add_float(build, item, "bending_stiffness_n_per_m", material->bending_stiffness);
        add_float(build, item, "damping_per_s", material->damping);
        add_float(build, item, "static_friction", material->static_friction);
        add_float(build, item, "kinetic_friction", material->kinetic_friction);
        add_float(build, item, "restitution", material->restitution);
        add_float(build, item, "thickness_m", material->thickness);
        add_floats(build, item, "color_linear_rgba", material->color, 4);
        add_float(build, item, "flexural_rigidity_n_m", material->flexural_rigidity);
        add_given(build, item, material->given);
    }
}

static void add_provenance(builder *build, cJSON *root, const slv_inspected_pack *inspected) {
    if (inspected->provenance) {
        cJSON *copy = kept(build, cJSON_Duplicate(inspected->provenance, true));
        if (copy && !cJSON_AddItemToObject(root, "provenance", copy)) {
            cJSON_Delete(copy);
            build->failed = true;
        }
    }
}

static void add_garment(builder *build, cJSON *root, const slv_inspected_pack *inspected) {
    const slv_garment *garment = &inspected->garment;
    add_info(build, root, garment);
    if (garment->grid) {
        const slv_grid_info *grid = garment->grid;
        add_grid(build, root, "grid", grid->cells, grid->origin, grid->spacing);
    }
    if (inspected->has_field) {
        const slv_field_info *field = &inspected->field;
        add_grid(build, root, "field", field->cells, field->origin, field->spacing);
    }
    add_work(build, root, garment);
    add_paint(build, root, garment);
    add_render_mesh(build, root, &garment->render);
    const slv_named_sets sets = slv_garment_get_sets(garment);
    add_sets(build, root, "sets", &sets);
    add_materials(build, root, garment);
    add_provenance(build, root, inspected);
}

static void add_collider(builder *build, cJSON *root, const slv_inspected_pack *inspected) {
    const slv_clip_info *info = &inspected->collider.info;
    add_uint(build, root, "particles", info->particle_count);
    add_uint(build, root, "frames", info->frame_count);
    add_double(build, root, "frame_rate", info->frame_rate);
    add_double(build, root, "start_s", info->start);
    add_double(build, root, "duration_s", info->duration);
    add_float(build, root, "radius_m", info->radius);
    add_float(build, root, "coverage_m", info->coverage);
    add_uint(build, root, "coverage_frame", info->coverage_frame);
    add_float(build, root, "error_m", info->error);
    add_float(build, root, "largest_error_m", info->largest_error);
    add_floats(build, root, "bounds_min_m", info->bounds_min, 3);
    add_floats(build, root, "bounds_max_m", info->bounds_max, 3);
    add_uint(build, root, "mesh_vertices", info->vertex_count);
    add_uint(build, root, "mesh_triangles", info->triangle_count);
    add_sets(build, root, "attachments", &inspected->collider.attachments);
    add_provenance(build, root, inspected);
}

// Prints the tree and frees it.
static slv_result finish(builder *build, cJSON *root, slv_output *output, slv_error *error) {
    char *text = build->failed ? NULL : cJSON_Print(root);
    cJSON_Delete(root);
    if (!text) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the report");
    }
    slv_output_text(output, text);
    slv_output_text(output, "\n");
    cJSON_free(text);
    return SLV_OK;
}

slv_result slv_json_report_print(const slv_inspected_pack *inspected, slv_output *output,
                                 slv_error *error) {
    builder build = {false};
    cJSON *root = kept(&build, cJSON_CreateObject());
    add_text(&build, root, "file", inspected->path);
    add_bool(&build, root, "ok", true);
    add_pack(&build, root, inspected);
    if (inspected->is_collider) {
        add_collider(&build, root, inspected);
    } else {
        add_garment(&build, root, inspected);
    }
    return finish(&build, root, output, error);
}

slv_result slv_json_verdict_print(const char *path, const slv_error *failure, slv_output *output,
                                  slv_error *error) {
    builder build = {false};
    cJSON *root = kept(&build, cJSON_CreateObject());
    add_text(&build, root, "file", path);
    add_bool(&build, root, "ok", failure == NULL);
    if (failure) {
        add_uint(&build, root, "status", (uint64_t)failure->code);
        add_text(&build, root, "error", failure->text);
    }
    return finish(&build, root, output, error);
}
