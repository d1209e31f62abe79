// SPDX-License-Identifier: MIT
#include "runtime/player/view/cloth_programs.h"

#define SURFACE_FRAGMENT(...)                                                                      \
    { "frame", "material", "gbuffer", __VA_ARGS__ }
#define DEPTH_FRAGMENT                                                                             \
    { "depth_fragment" }
#define TESSELLATE "#define TESSELLATE 1\n"

static const slv_program_parts all_parts[SLV_PROGRAM_KINDS] = {
    [SLV_PROGRAM_SKIN] = {.name = "skinning",
                          .vertex = {"particle_position", "skin_vertex"},
                          .varyings = {"skinned_position"}},
    [SLV_PROGRAM_NORMALS] = {.name = "normals",
                             .vertex = {"particle_position", "normal_vertex"},
                             .varyings = {"normal_stretch"}},
    [SLV_PROGRAM_CLOTH] = {.name = "cloth",
                           .vertex = {"cloth_vertex"},
                           .fragment = SURFACE_FRAGMENT("stretch_color", "cloth_fragment")},
    [SLV_PROGRAM_CLOTH_SHADOW] = {.name = "cloth's shadow",
                                  .defines = "#define SHADOW 1\n",
                                  .vertex = {"cloth_vertex"},
                                  .fragment = DEPTH_FRAGMENT},
    [SLV_PROGRAM_SMOOTH] = {.name = "smooth cloth",
                            .defines = TESSELLATE,
                            .vertex = {"cloth_vertex"},
                            .control = {"frame", "cloth_control"},
                            .evaluation = {"pn_triangle", "cloth_point", "cloth_evaluation"},
                            .fragment = SURFACE_FRAGMENT("stretch_color", "cloth_fragment")},
    [SLV_PROGRAM_SMOOTH_SHADOW] = {.name = "smooth cloth's shadow",
                                   .defines = TESSELLATE,
                                   .vertex = {"cloth_vertex"},
                                   .control = {"frame", "cloth_control"},
                                   .evaluation = {"pn_triangle", "cloth_point", "cloth_evaluation"},
                                   .fragment = DEPTH_FRAGMENT},
    [SLV_PROGRAM_SEGMENTS] = {.name = "segments",
                              .vertex = {"segment_vertex"},
                              .geometry = {"frame", "segment_geometry"},
                              .fragment =
                                  SURFACE_FRAGMENT("stretch_color", "palette", "segment_fragment")},
    [SLV_PROGRAM_SEGMENTS_SHADOW] = {.name = "segments' shadow",
                                     .vertex = {"segment_vertex"},
                                     .geometry = {"frame", "segment_geometry"},
                                     .fragment = DEPTH_FRAGMENT},
    [SLV_PROGRAM_PARTICLES] = {.name = "particles",
                               .vertex = {"particle_vertex"},
                               .fragment = SURFACE_FRAGMENT("palette", "particle_fragment")},
    [SLV_PROGRAM_PARTICLES_SHADOW] = {.name = "particles' shadow",
                                      .vertex = {"particle_vertex"},
                                      .fragment = DEPTH_FRAGMENT},
    [SLV_PROGRAM_SOLID] = {.name = "solids",
                           .vertex = {"solid_vertex"},
                           .fragment = SURFACE_FRAGMENT("solid_fragment")},
    [SLV_PROGRAM_SOLID_SHADOW] = {.name = "solids' shadow",
                                  .vertex = {"solid_vertex"},
                                  .fragment = DEPTH_FRAGMENT},
};

static const slv_sampler_unit units[] = {
    {"weave", SLV_UNIT_WEAVE},
    {"picture", SLV_UNIT_PICTURE},
    {"particles", SLV_UNIT_TABLES},
    {"vertices", SLV_UNIT_TABLES + 1},
    {"influences", SLV_UNIT_TABLES + 2},
    {"offsets", SLV_UNIT_TABLES + 3},
    {"ring_spans", SLV_UNIT_TABLES + 4},
    {"rings", SLV_UNIT_TABLES + 5},
    {"segment_starts", SLV_UNIT_TABLES + 6},
    {"segments", SLV_UNIT_TABLES + 7},
    {"rests", SLV_UNIT_TABLES},
};

// OpenGL 3.3 has no tessellation: a geometry shader splits each edge once.
static slv_program_parts parts_of(const slv_cloth_programs *programs, slv_program_kind kind) {
    slv_program_parts parts = all_parts[kind];
    if (parts.control[0] && !programs->tessellation) {
        parts.control[0] = NULL;
        parts.evaluation[0] = NULL;
        parts.geometry[0] = "pn_triangle";
        parts.geometry[1] = "cloth_point";
        parts.geometry[2] = "cloth_geometry";
    }
    return parts;
}

GLuint slv_cloth_program(slv_cloth_programs *programs, slv_program_kind kind) {
    GLuint *program = &programs->programs[kind];
    if (*program == 0 && programs->error.code == SLV_OK) {
        const slv_program_parts parts = parts_of(programs, kind);
        if (slv_program_make(&parts, program, &programs->error) == SLV_OK) {
            slv_program_samplers(*program, units, sizeof units / sizeof *units);
        }
    }
    return *program;
}

void slv_cloth_programs_free(slv_cloth_programs *programs) {
    for (int i = 0; i < SLV_PROGRAM_KINDS; i++) {
        glDeleteProgram(programs->programs[i]);
    }
    *programs = (slv_cloth_programs){.tessellation = false};
}
