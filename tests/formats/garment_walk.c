// SPDX-License-Identifier: MIT
#include "tests/formats/garment_walk.h"

#include "formats/field.h"

#include <stdlib.h>
#include <string.h>

static double at(const slv_garment *garment, uint32_t particle) {
    return (double)garment->x[particle] + (double)garment->y[particle] +
           (double)garment->z[particle];
}

static double walk_particles(const slv_garment *garment) {
    double sum = 0;
    size_t n = garment->info.particle_count;
    for (uint32_t s = 0; s < n; s++) {
        sum += at(garment, s) * (double)garment->inverse_mass[s];
        sum += garment->stored_of_own[garment->own_of_stored[s]];
        sum += slv_garment_get_particle_color(garment, s);
        sum +=
            garment->paint ? garment->paint[4 * (size_t)s] + garment->paint[4 * (size_t)s + 3] : 0;
        sum += garment->grid ? garment->cell[s] : 0;
        for (size_t slot = 0; garment->grid && slot < SLV_SLOT_COUNT; slot++) {
            int32_t other = garment->neighbors[slot * n + s];
            sum += other >= 0 ? at(garment, (uint32_t)other) : 0;
        }
    }
    return sum;
}

static double walk_constraints(const slv_garment *garment) {
    double sum = 0;
    for (uint32_t kind = SLV_CONSTRAINT_FIRST; kind < SLV_CONSTRAINT_END; kind++) {
        const slv_constraints *set = &garment->constraints[kind];
        for (uint64_t i = 0; i < set->count; i++) {
            for (uint32_t e = 0; e < slv_constraint_kinds[kind].arity; e++) {
                sum += at(garment, slv_garment_get_original(garment, set->ends[e][i]));
            }
            sum -= (double)set->rest[i];
        }
    }
    for (uint32_t i = 0; i < garment->phantoms.copies; i++) {
        sum += at(garment, slv_garment_get_copied(garment, garment->info.particle_count + i));
    }
    return sum;
}

static double walk_clusters(const slv_garment *garment) {
    double sum = 0;
    uint32_t m = 0;
    for (uint32_t c = 0; c < garment->clusters.count; c++) {
        for (; m < garment->clusters.end[c]; m++) {
            sum += at(garment, garment->clusters.member[m]);
        }
    }
    return sum;
}

static double walk_groups(const slv_garment *garment) {
    double sum = 0;
    for (uint32_t g = 0; g < garment->group_count; g++) {
        const slv_constraint_group *group = &garment->groups[g];
        const slv_constraints *set = &garment->constraints[group->kind];
        float stiffness = garment->materials[group->material].stretch_stiffness;
        for (uint64_t i = group->first; i < group->first + group->count; i++) {
            sum += set->rest ? (double)stiffness * (double)set->rest[i] : 0;
        }
    }
    return sum;
}

static double walk_render(const slv_garment *garment) {
    const slv_render_mesh *mesh = &garment->render;
    double sum = 0;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        const float *position = mesh->positions + 3 * (size_t)mesh->triangles[i];
        sum += (double)position[0] + (double)position[1] + (double)position[2];
    }
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        for (size_t k = v * mesh->influences; k < (v + 1) * mesh->influences; k++) {
            sum += (double)mesh->weights[k] * at(garment, mesh->particles[k]);
        }
        sum += (double)mesh->normals[3 * v] + (double)mesh->normals[3 * v + 2];
        sum += mesh->uvs ? (double)mesh->uvs[2 * v] + (double)mesh->uvs[2 * v + 1] : 0;
        sum += mesh->offsets ? (double)mesh->offsets[3 * v] + (double)mesh->offsets[3 * v + 2] : 0;
        sum += mesh->source ? mesh->source[v] : 0;
    }
    for (size_t i = 0; i < mesh->texture_size; i++) {
        sum += mesh->texture[i];
    }
    return sum;
}

static double walk_texts(const slv_garment *garment) {
    double sum = 0;
    for (uint32_t i = 0; i < garment->set_count; i++) {
        slv_named_set set = slv_garment_get_set(garment, i);
        for (uint32_t k = 0; k < set.count; k++) {
            sum += at(garment, set.particles[k]);
        }
        for (uint32_t k = 0; k < set.name_length; k++) {
            sum += set.name[k];
        }
    }
    for (uint32_t i = 0; i < garment->material_count; i++) {
        sum += (double)strlen(garment->materials[i].name);
    }
    for (size_t i = 0; i < garment->provenance_size; i++) {
        sum += garment->provenance[i];
    }
    return sum;
}

double garment_walk(const slv_garment *garment) {
    return walk_particles(garment) + walk_constraints(garment) + walk_clusters(garment) +
           walk_groups(garment) + walk_render(garment) + walk_texts(garment);
}

double field_walk(const slv_pack *pack) {
    slv_field_info info;
    const uint8_t *coded = NULL;
    if (slv_field_open(pack, &info, &coded, NULL) != SLV_OK) {
        return 0;
    }
    size_t count = (size_t)info.cells[0] * info.cells[1] * info.cells[2];
    float *values = malloc(count * sizeof *values);
    double sum = 0;
    if (values) {
        slv_field_decode(&info, coded, values);
        for (size_t i = 0; i < count; i++) {
            sum += (double)values[i];
        }
    }
    free(values);
    return sum;
}
