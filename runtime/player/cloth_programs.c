// SPDX-License-Identifier: MIT
#include "runtime/player/cloth_programs.h"

static const slv_program_parts follow_parts = {
    .name = "follow", .vertex = {"follow_vertex"}, .varyings = {"followed"}};

static const slv_program_parts normal_parts = {
    .name = "normals", .vertex = {"normal_vertex"}, .varyings = {"normal_stretch"}};

static const slv_program_parts cloth_parts[2] = {
    {.name = "cloth",
     .vertex = {"cloth_vertex"},
     .fragment = {"frame", "light", "fabric", "heat", "cloth_fragment"}},
    {.name = "cloth's shadow", .vertex = {"cloth_vertex"}, .fragment = {"depth_fragment"}},
};

static const slv_program_parts tessellated_parts[2] = {
    {.name = "tessellated cloth",
     .defines = "#define TESSELLATE 1\n",
     .vertex = {"cloth_vertex"},
     .control = {"frame", "cloth_control"},
     .evaluation = {"curved", "cloth_evaluation"},
     .fragment = {"frame", "light", "fabric", "heat", "cloth_fragment"}},
    {.name = "tessellated cloth's shadow",
     .defines = "#define TESSELLATE 1\n",
     .vertex = {"cloth_vertex"},
     .control = {"frame", "cloth_control"},
     .evaluation = {"curved", "cloth_evaluation"},
     .fragment = {"depth_fragment"}},
};

// OpenGL 3.3 has no tessellation; a geometry shader cuts each edge once.
static const slv_program_parts divided_parts[2] = {
    {.name = "divided cloth",
     .defines = "#define TESSELLATE 1\n",
     .vertex = {"cloth_vertex"},
     .geometry = {"curved", "cloth_geometry"},
     .fragment = {"frame", "light", "fabric", "heat", "cloth_fragment"}},
    {.name = "divided cloth's shadow",
     .defines = "#define TESSELLATE 1\n",
     .vertex = {"cloth_vertex"},
     .geometry = {"curved", "cloth_geometry"},
     .fragment = {"depth_fragment"}},
};

static const slv_program_parts strand_parts[2] = {
    {.name = "strands",
     .vertex = {"strand_vertex"},
     .geometry = {"frame", "strand_geometry"},
     .fragment = {"frame", "light", "fabric", "heat", "palette", "strand_fragment"}},
    {.name = "strands' shadow",
     .vertex = {"strand_vertex"},
     .geometry = {"frame", "strand_geometry"},
     .fragment = {"depth_fragment"}},
};

static const slv_program_parts particle_parts[2] = {
    {.name = "particles",
     .vertex = {"particle_vertex"},
     .fragment = {"frame", "light", "fabric", "palette", "particle_fragment"}},
    {.name = "particles' shadow", .vertex = {"particle_vertex"}, .fragment = {"depth_fragment"}},
};

static void bind_units(GLuint program) {
    static const struct {
        const char *name;
        int unit;
    } units[] = {
        {"shadow_depth_0", SLV_UNIT_SHADOW_DEPTH_0},
        {"shadow_depth_1", SLV_UNIT_SHADOW_DEPTH_1},
        {"shadow_test_0", SLV_UNIT_SHADOW_TEST_0},
        {"shadow_test_1", SLV_UNIT_SHADOW_TEST_1},
        {"weave", SLV_UNIT_WEAVE},
        {"picture", SLV_UNIT_PICTURE},
        {"particles", SLV_UNIT_TABLES},
        {"vertices", SLV_UNIT_TABLES + 1},
        {"influences", SLV_UNIT_TABLES + 2},
        {"offsets", SLV_UNIT_TABLES + 3},
        {"ring_spans", SLV_UNIT_TABLES + 4},
        {"rings", SLV_UNIT_TABLES + 5},
        {"strand_starts", SLV_UNIT_TABLES + 6},
        {"strands", SLV_UNIT_TABLES + 7},
        {"rests", SLV_UNIT_TABLES},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        slv_program_sampler(program, units[i].name, units[i].unit);
    }
}

static slv_result make(const slv_program_parts *parts, int count, GLuint *programs,
                       slv_error *error) {
    slv_result result = SLV_OK;
    for (int i = 0; i < count && result == SLV_OK; i++) {
        result = slv_program_make(&parts[i], &programs[i], error);
        if (result == SLV_OK) {
            bind_units(programs[i]);
        }
    }
    return result;
}

slv_result slv_cloth_programs_make(slv_cloth_programs *programs, bool tessellation,
                                   slv_error *error) {
    *programs = (slv_cloth_programs){.follow = 0};
    slv_result result = make(&follow_parts, 1, &programs->follow, error);
    if (result == SLV_OK) {
        result = make(&normal_parts, 1, &programs->normals, error);
    }
    if (result == SLV_OK) {
        result = make(cloth_parts, 2, programs->cloth, error);
    }
    if (result == SLV_OK) {
        result = make(tessellation ? tessellated_parts : divided_parts, 2, programs->smooth, error);
    }
    if (result == SLV_OK) {
        result = make(strand_parts, 2, programs->strands, error);
    }
    if (result == SLV_OK) {
        result = make(particle_parts, 2, programs->particles, error);
    }
    return result;
}

void slv_cloth_programs_free(slv_cloth_programs *programs) {
    glDeleteProgram(programs->follow);
    glDeleteProgram(programs->normals);
    for (int i = 0; i < 2; i++) {
        glDeleteProgram(programs->cloth[i]);
        glDeleteProgram(programs->smooth[i]);
        glDeleteProgram(programs->strands[i]);
        glDeleteProgram(programs->particles[i]);
    }
}
