// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "formats/garment_verify.h"

#include "formats/value_check.h"

#include <float.h>
#include <string.h>

// MATL: stiffness, friction, thickness and color.

slv_material slv_default_material(void) {
    return (slv_material){
        .name = "cotton",
        .stretch_stiffness = 1000.0f,
        .shear_stiffness = 1000.0f,
        .bending_stiffness = 10.0f,
        .damping = 0.1f,
        .static_friction = 0.5f,
        .kinetic_friction = 0.4f,
        .restitution = 0.0f,
        .thickness = 0.001f,
        .color = {0.8f, 0.8f, 0.8f, 1.0f},
    };
}

const slv_material_use slv_material_uses[] = {
    {"stretch", 0},
    {"shear", SLV_GIVEN_SHEAR},
    {"bending", SLV_GIVEN_BENDING},
    {"flexural", SLV_GIVEN_BENDING},
    {"friction", SLV_GIVEN_FRICTION},
    {"restitution", SLV_GIVEN_RESTITUTION},
    {"thickness", SLV_GIVEN_THICKNESS},
    {"damping", UINT32_MAX},
    {"color", UINT32_MAX},
    {NULL, 0},
};

static const char *name_fault(const char name[32]) {
    size_t length = strnlen(name, 32);
    if (length == 0 || length == 32) {
        return "its name must have 1 to 31 bytes and end with a zero";
    }
    if (!slv_all_zero(name + length, 32 - length)) {
        return "bytes after the end of its name are not zero";
    }
    return slv_is_utf8(name, length) ? NULL : "its name is not UTF-8 text";
}

static const char *material_fault(const slv_material *material) {
    const float not_negative[] = {
        material->stretch_stiffness, material->shear_stiffness,   material->bending_stiffness,
        material->damping,           material->static_friction,   material->kinetic_friction,
        material->thickness,         material->flexural_rigidity,
    };
    const size_t count = sizeof not_negative / sizeof *not_negative;
    const char *fault = name_fault(material->name);
    if (fault) {
        return fault;
    }
    if (slv_find_outside(not_negative, count, 0, FLT_MAX) < count) {
        return "stiffness, rigidity, damping, friction and thickness must be finite and not negative";
    }
    if (slv_find_outside(&material->restitution, 1, 0, 1) < 1 ||
        slv_find_outside(material->color, 4, 0, 1) < 4) {
        return "restitution and color must lie between 0 and 1";
    }
    if (material->given & ~(uint32_t)SLV_GIVEN_ALL) {
        return "it gives values that are not known";
    }
    return slv_all_zero(material->zero, sizeof material->zero) ? NULL
                                                               : "reserved bytes are not zero";
}

slv_result slv_verify_materials(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    const void *materials = NULL;
    slv_result result =
        slv_take_list(pack, SLV_SECTION_MATERIAL, &garment->material_count, &materials, error);
    garment->materials = materials;
    if (result == SLV_OK && garment->material_count == 0) {
        result = slv_fail_section(error, SLV_SECTION_MATERIAL, "empty, should be at least one");
    }
    for (uint32_t i = 0; result == SLV_OK && i < garment->material_count; i++) {
        const char *fault = material_fault(&garment->materials[i]);
        if (fault) {
            result = slv_fail_section(error, SLV_SECTION_MATERIAL, "material %u: %s", i, fault);
        }
    }
    return result;
}
