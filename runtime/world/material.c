// SPDX-License-Identifier: MIT
// The material of a garment, changed while it exists: its body gets the values as if it had been added with them,
// and a new layout is made from it.
#include "runtime/base/float_modes.h"
#include "runtime/base/parameter.h"
#include "runtime/model/body_build.h"
#include "runtime/model/springs.h"
#include "runtime/step/features.h"
#include "runtime/world/begin.h"
#include "runtime/world/material_choice.h"
#include "runtime/world/rebuild.h"
#include "runtime/world/shared_pack.h"
#include "runtime/world/sleeping.h"

#include <string.h>

// The fields of slv_garment_material are generated from those rows of the garment's table that are marked so, in their
// order.

// Offset in a definition of the field that follows that of row, which becomes its row. NULL: the first one.
static size_t next_field(const slv_parameter **row) {
    do {
        *row = *row ? *row + 1 : slv_garment_table.rows;
    } while (!(*row)->material);
    return (*row)->offset;
}

static void put_material(slv_garment_def *def, const slv_garment_material *material) {
    const slv_parameter *row = NULL;
    for (size_t i = 0; i < SLV_MATERIAL_FIELDS; i++) {
        memcpy((char *)def + next_field(&row), (const char *)material + i * sizeof(float),
               sizeof(float));
    }
}

static slv_garment_material get_material(const slv_garment_def *def) {
    slv_garment_material material;
    const slv_parameter *row = NULL;
    for (size_t i = 0; i < SLV_MATERIAL_FIELDS; i++) {
        memcpy((char *)&material + i * sizeof(float), (const char *)def + next_field(&row),
               sizeof(float));
    }
    return material;
}

static slv_result check_kinds(slv_world *world, const slv_garment_def *before,
                              const slv_garment_def *after) {
    const bool shear = (before->shear_stiffness > 0.0f) == (after->shear_stiffness > 0.0f);
    const bool bending = (before->bending_stiffness > 0.0f) == (after->bending_stiffness > 0.0f);
    const bool flexing = (before->flexural_rigidity > 0.0f) == (after->flexural_rigidity > 0.0f);
    if (shear && bending && flexing) {
        return SLV_OK;
    }
    return slv_refuse(world, SLV_ERROR_UNSUPPORTED,
                      "%s: constraints are not made or removed while a garment exists; add it anew",
                      !shear     ? "shear_stiffness"
                      : !bending ? "bending_stiffness"
                                 : "flexural_rigidity");
}

// Features, springs and masses. On failure features may have the new values.
static slv_result apply(slv_world *world, slv_body *body, const slv_garment_def *def) {
    const float stiffness[SLV_SPRING_ROLES] = {[SLV_SPRING_STRETCH] = def->stretch_stiffness,
                                               [SLV_SPRING_SHEAR] = def->shear_stiffness,
                                               [SLV_SPRING_BENDING] = def->bending_stiffness};
    slv_result status = slv_features_define(body, NULL, def, &world->error);
    if (status == SLV_OK) {
        status = slv_body_set_stiffness(body, stiffness, &world->error);
    }
    if (status == SLV_OK) {
        slv_body_set_material(body, def);
    }
    return status;
}

static slv_result set_material(slv_world *world, slv_body *body,
                               const slv_garment_material *material) {
    slv_garment_entry *entry = (slv_garment_entry *)body;
    const slv_garment_def before = entry->def;
    slv_garment_def after = before;
    uint8_t sources[SLV_MATERIAL_FIELDS];
    memcpy(sources, entry->sources, sizeof sources);
    put_material(&after, material);
    slv_keep_material(&before, &after, sources);
    const slv_parameters parameters = world->parameters;
    const bool stale = world->stale;
    slv_result status = slv_check_fields(&world->error, &slv_garment_table, &after);
    if (status == SLV_OK) {
        status = check_kinds(world, &before, &after);
    }
    if (status == SLV_OK) {
        status = apply(world, body, &after);
    }
    if (status != SLV_OK) {
        (void)slv_features_define(body, NULL, &before, &world->error); // as before: cannot fail
        return status;
    }
    world->stale = true;
    status = slv_world_rebuild_layout(world, world->body_count, &parameters);
    if (status != SLV_OK) {
        const slv_error cause = world->error;
        (void)apply(world, body, &before);
        world->error = cause;
        world->stale = stale;
        return status;
    }
    entry->def = after;
    memcpy(entry->sources, sources, sizeof sources);
    if (entry->shared && entry->shared->model == body) { // its springs have other classes now
        entry->shared->model = NULL;
    }
    return slv_sleep_wake_all(world);
}

// --- Public calls -----------------------------------------------------------------------------------

slv_result slv_garment_get_material(slv_world *world, slv_garment_id id,
                                    slv_garment_material *material) {
    slv_result status = SLV_OK;
    const slv_body *body = slv_begin_body(world, id, material, "material", &status);
    if (!body) {
        return status;
    }
    *material = get_material(&((const slv_garment_entry *)body)->def);
    return SLV_OK;
}

slv_result slv_garment_get_material_source(slv_world *world, slv_garment_id id, const char *field,
                                           slv_value_source *source) {
    slv_result status = SLV_OK;
    const slv_body *body = slv_begin_body(world, id, source, "source", &status);
    if (!body) {
        return status;
    }
    const slv_parameter *row = NULL;
    for (size_t i = 0; i < SLV_MATERIAL_FIELDS; i++) {
        (void)next_field(&row);
        if (field && strcmp(row->field, field) == 0) {
            *source = (slv_value_source)((const slv_garment_entry *)body)->sources[i];
            return SLV_OK;
        }
    }
    return slv_refuse(world, SLV_ERROR_ARGUMENT, "field: slv_garment_material has no field %.40s",
                      field ? field : "NULL");
}

slv_result slv_garment_set_material(slv_world *world, slv_garment_id id,
                                    const slv_garment_material *material) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = SLV_OK;
    slv_body *body = slv_begin_body(world, id, material, "material", &status);
    return body ? set_material(world, body, material) : status;
}
