// SPDX-License-Identifier: MIT
#include "runtime/world/material_choice.h"

#include "formats/fabric.h"
#include "runtime/base/parameter.h"

#include <stddef.h>
#include <string.h>

// A field of a definition, what it is in a pack's material, and its value where nothing gives it.
typedef struct value_rule {
    const char *field;
    size_t in_material;
    uint32_t given; // SLV_GIVEN_…
    float fallback;
} value_rule;

static const value_rule rules[] = {
    {"shear_stiffness", offsetof(slv_material, shear_stiffness), SLV_GIVEN_SHEAR, 0.0f},
    {"bending_stiffness", offsetof(slv_material, bending_stiffness), SLV_GIVEN_BENDING, 0.0f},
    {"flexural_rigidity", offsetof(slv_material, flexural_rigidity), SLV_GIVEN_BENDING, 0.0f},
    // Before friction, which tells whether the definition gives any.
    {"kinetic_friction", offsetof(slv_material, kinetic_friction), SLV_GIVEN_FRICTION, SLV_UNSET},
    {"friction", offsetof(slv_material, static_friction), SLV_GIVEN_FRICTION, 0.4f},
    {"restitution", offsetof(slv_material, restitution), SLV_GIVEN_RESTITUTION, 0.0f},
    {"thickness", offsetof(slv_material, thickness), SLV_GIVEN_THICKNESS, 0.005f},
};
enum { RULE_COUNT = sizeof rules / sizeof *rules };

static float *field_of(slv_garment_def *def, const char *field) {
    return (float *)(void *)((char *)def + slv_find_field(&slv_garment_table, field)->offset);
}

// The place of a field in slv_garment_material.
static size_t index_of(const char *field) {
    size_t index = 0;
    for (size_t r = 0; strcmp(slv_garment_table.rows[r].field, field) != 0; r++) {
        index += slv_garment_table.rows[r].material ? 1 : 0;
    }
    return index;
}

static void apply_rule(const value_rule *rule, const slv_material *material, uint8_t source,
                       slv_garment_def *def, uint8_t sources[SLV_MATERIAL_FIELDS]) {
    float *value = field_of(def, rule->field);
    if (*value != SLV_UNSET) {
        return;
    }
    const bool follows = strcmp(rule->field, "kinetic_friction") == 0 && def->friction != SLV_UNSET;
    if (material && material->given & rule->given && !follows) {
        memcpy(value, (const char *)material + rule->in_material, sizeof *value);
        sources[index_of(rule->field)] = source;
    } else {
        *value = rule->fallback;
    }
}

// Fields that differ from their defaults were given.
static void note_given(const slv_garment_def *def, uint8_t sources[SLV_MATERIAL_FIELDS]) {
    size_t index = 0;
    for (size_t r = 0; r < slv_garment_table.count; r++) {
        const slv_parameter *row = &slv_garment_table.rows[r];
        double numbers[4];
        if (row->material) {
            slv_read_numbers(row, def, numbers);
            sources[index++] =
                (uint8_t)(numbers[0] != (double)(float)row->initial[0] ? SLV_SOURCE_DEFINITION
                                                                       : SLV_SOURCE_DEFAULT);
        }
    }
}

static void apply_fabric(const slv_fabric_preset *fabric, const slv_material *material,
                         slv_garment_def *def, uint8_t sources[SLV_MATERIAL_FIELDS]) {
    if (def->stretch_stiffness < 0.0f) {
        def->stretch_stiffness = material->stretch_stiffness;
        sources[index_of("stretch_stiffness")] = SLV_SOURCE_FABRIC;
    }
    if (def->density < 0.0f && def->particle_mass < 0.0f) {
        def->density = fabric->density;
        sources[index_of("particle_mass")] = SLV_SOURCE_FABRIC;
    }
}

slv_result slv_choose_material(const slv_garment *garment, slv_garment_def *def,
                               uint8_t sources[SLV_MATERIAL_FIELDS], slv_error *error) {
    const slv_material *material = garment->material_count > 0 ? garment->materials : NULL;
    uint8_t source = SLV_SOURCE_PACK;
    slv_material made;
    note_given(def, sources);
    if (def->density > 0.0f && def->particle_mass < 0.0f) {
        sources[index_of("particle_mass")] = SLV_SOURCE_DEFINITION;
    }
    if (def->fabric != SLV_FABRIC_NONE) {
        const slv_fabric_preset *fabric = slv_fabric_find(slv_fabric_names[def->fabric]);
        const slv_result status = slv_fabric_make_material(fabric, garment, &made, error);
        if (status != SLV_OK) {
            return status;
        }
        material = &made;
        source = SLV_SOURCE_FABRIC;
        apply_fabric(fabric, material, def, sources);
    } else {
        const char *of_pack[] = {"stretch_stiffness", "particle_mass"};
        for (int i = 0; i < 2; i++) {
            uint8_t *own = &sources[index_of(of_pack[i])];
            *own = *own == SLV_SOURCE_DEFAULT ? SLV_SOURCE_PACK : *own;
        }
    }
    for (int i = 0; i < RULE_COUNT; i++) {
        apply_rule(&rules[i], material, source, def, sources);
    }
    return SLV_OK;
}

void slv_keep_material(const slv_garment_def *before, slv_garment_def *after,
                       uint8_t sources[SLV_MATERIAL_FIELDS]) {
    for (int i = 0; i < RULE_COUNT; i++) {
        float *value = field_of(after, rules[i].field);
        const size_t offset = slv_find_field(&slv_garment_table, rules[i].field)->offset;
        if (*value == SLV_UNSET) {
            memcpy(value, (const char *)before + offset, sizeof *value);
        }
    }
    size_t index = 0;
    for (size_t r = 0; r < slv_garment_table.count; r++) {
        const slv_parameter *row = &slv_garment_table.rows[r];
        double old[4];
        double new[4];
        if (row->material) {
            slv_read_numbers(row, before, old);
            slv_read_numbers(row, after, new);
            sources[index] = (uint8_t)(old[0] != new[0] ? SLV_SOURCE_DEFINITION : sources[index]);
            index++;
        }
    }
}
