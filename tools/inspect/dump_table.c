// SPDX-License-Identifier: MIT
// All dumps in one table at the end: a new section needs one function and one row. Large tables
// stop early where their output is closed (slv_table_closed).
#include "tools/inspect/dump.h"

#include "formats/number_text.h"
#include "tools/inspect/provenance.h"

#include <float.h>
#include <stdlib.h>

static void print_sections(const slv_inspected_pack *inspected, slv_table *table) {
    uint32_t count = 0;
    const slv_section_entry *entries = slv_pack_get_entries(inspected->pack, &count);
    for (uint32_t i = 0; i < count; i++) {
        char text[32];
        slv_table_word(table, slv_section_get_name(entries[i].kind, text));
        slv_table_word(table, slv_codec_name(entries[i].codec));
        slv_table_uint(table, entries[i].flags & SLV_SECTION_REQUIRED ? 1 : 0);
        slv_table_uint(table, entries[i].offset);
        slv_table_uint(table, entries[i].stored_size);
        slv_table_uint(table, entries[i].raw_size);
        slv_text_of_hash(entries[i].checksum, text);
        slv_table_word(table, text);
    }
}

static void print_info(const slv_inspected_pack *inspected, slv_table *table) {
    const slv_garment_info *info = &inspected->garment.info;
    slv_table_uint(table, info->particle_count);
    slv_table_word(table, slv_pack_mode_name(info->mode));
    for (int axis = 0; axis < 3; axis++) {
        slv_table_double(table, info->frame[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        slv_table_float(table, info->bounds_min[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        slv_table_float(table, info->bounds_max[axis]);
    }
    slv_table_float(table, info->spacing);
    slv_table_float(table, info->mass);
}

static void print_grid(const slv_inspected_pack *inspected, slv_table *table) {
    const slv_grid_info *grid = inspected->garment.grid;
    for (int axis = 0; axis < 3; axis++) {
        slv_table_uint(table, grid->cells[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        slv_table_double(table, grid->origin[axis]);
    }
    slv_table_double(table, grid->spacing);
}

static void print_particles(const slv_inspected_pack *inspected, slv_table *table) {
    const slv_garment *garment = &inspected->garment;
    uint32_t count = garment->info.particle_count;
    for (uint32_t own = 0; own < count && !slv_table_closed(table); own++) {
        uint32_t stored = garment->stored_of_own[own];
        slv_table_uint(table, own);
        slv_table_float(table, garment->x[stored]);
        slv_table_float(table, garment->y[stored]);
        slv_table_float(table, garment->z[stored]);
        slv_table_color(table, slv_garment_get_particle_color(garment, stored));
        slv_table_int(table, -1);
    }
    // Copies follow, with the numbers that constraints use for them.
    for (uint32_t i = count; i < count + garment->phantoms.copies && !slv_table_closed(table);
         i++) {
        uint32_t stored = slv_garment_get_copied(garment, i);
        slv_table_uint(table, i);
        slv_table_float(table, garment->x[stored]);
        slv_table_float(table, garment->y[stored]);
        slv_table_float(table, garment->z[stored]);
        slv_table_color(table, slv_garment_get_particle_color(garment, stored));
        slv_table_uint(table, garment->own_of_stored[stored]);
    }
}

static void print_paint(const slv_inspected_pack *inspected, slv_table *table) {
    const slv_garment *garment = &inspected->garment;
    uint32_t count = garment->info.particle_count;
    for (uint32_t own = 0; garment->paint && own < count && !slv_table_closed(table); own++) {
        slv_table_uint(table, own);
        for (size_t k = 0; k < 4; k++) {
            slv_table_uint(table, garment->paint[4 * (size_t)garment->stored_of_own[own] + k]);
        }
    }
}

static void print_masses(const slv_inspected_pack *inspected, slv_table *table) {
    const slv_garment *garment = &inspected->garment;
    uint32_t count = garment->info.particle_count;
    for (uint32_t own = 0; own < count && !slv_table_closed(table); own++) {
        float inverse = garment->inverse_mass[garment->stored_of_own[own]];
        slv_table_uint(table, own);
        slv_table_float(table, inverse);
        float mass = inverse > 0.0f ? 1.0f / inverse : 0.0f;
        if (mass > 0.0f && mass <= FLT_MAX) {
            slv_table_float(table, mass);
        } else {
            slv_table_none(table); // fixed, or a mass out of the range of float
        }
    }
}

static void print_cells(const slv_inspected_pack *inspected, slv_table *table) {
    const slv_garment *garment = &inspected->garment;
    uint32_t nx = garment->grid->cells[0];
    uint32_t ny = garment->grid->cells[1];
    uint32_t count = garment->info.particle_count;
    for (uint32_t own = 0; own < count && !slv_table_closed(table); own++) {
        uint32_t cell = garment->cell[garment->stored_of_own[own]];
        slv_table_uint(table, own);
        slv_table_uint(table, cell % nx);
        slv_table_uint(table, cell / nx % ny);
        slv_table_uint(table, cell / nx / ny);
    }
}

static void print_order(const slv_inspected_pack *inspected, slv_table *table) {
    const slv_garment *garment = &inspected->garment;
    uint32_t count = garment->info.particle_count;
    for (uint32_t own = 0; own < count && !slv_table_closed(table); own++) {
        slv_table_uint(table, own);
        slv_table_uint(table, garment->stored_of_own[own]);
    }
}

static void print_neighbors(const slv_inspected_pack *inspected, slv_table *table) {
    const slv_garment *garment = &inspected->garment;
    uint32_t count = garment->info.particle_count;
    for (uint32_t own = 0; own < count && !slv_table_closed(table); own++) {
        slv_table_uint(table, own);
        const int32_t *slots = garment->neighbors + garment->stored_of_own[own];
        for (size_t slot = 0; slot < SLV_SLOT_COUNT; slot++) {
            int32_t stored = slots[slot * count];
            slv_table_int(table, stored < 0 ? -1 : (int64_t)garment->own_of_stored[stored]);
        }
    }
}

static void print_colors(const slv_inspected_pack *inspected, slv_table *table) {
    for (uint32_t i = 0; i < inspected->garment.color_count; i++) {
        const slv_color_range *range = &inspected->garment.colors[i];
        slv_table_color(table, range->color);
        slv_table_uint(table, range->count);
    }
}

static void print_groups(const slv_inspected_pack *inspected, slv_table *table) {
    for (uint32_t i = 0; i < inspected->garment.group_count; i++) {
        const slv_constraint_group *group = &inspected->garment.groups[i];
        slv_table_word(table, slv_constraint_kinds[group->kind].name);
        slv_table_color(table, group->color);
        slv_table_uint(table, group->material);
        slv_table_uint(table, group->first);
        slv_table_uint(table, group->count);
    }
}

static void print_floats(slv_table *table, const float *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (values) {
            slv_table_float(table, values[i]);
        } else {
            slv_table_none(table);
        }
    }
}

static void print_numbers(slv_table *table, const uint32_t *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (values) {
            slv_table_uint(table, values[i]);
        } else {
            slv_table_none(table);
        }
    }
}

static void print_render_vertices(const slv_inspected_pack *inspected, slv_table *table) {
    const slv_render_mesh *mesh = &inspected->garment.render;
    for (size_t v = 0; v < mesh->vertex_count && !slv_table_closed(table); v++) {
        slv_table_uint(table, v);
        print_floats(table, mesh->positions + 3 * v, 3);
        print_floats(table, mesh->normals + 3 * v, 3);
        print_floats(table, mesh->uvs ? mesh->uvs + 2 * v : NULL, 2);
        print_numbers(table, mesh->source ? mesh->source + v : NULL, 1);
    }
}

static void print_texture(const slv_inspected_pack *inspected, slv_table *table) {
    const slv_render_mesh *mesh = &inspected->garment.render;
    if (mesh->texture) {
        slv_table_uint(table, mesh->texture_info.width);
        slv_table_uint(table, mesh->texture_info.height);
        slv_table_uint(table, mesh->texture_info.bit_depth);
        slv_table_uint(table, mesh->texture_info.color_type);
        slv_table_uint(table, mesh->texture_size);
    }
}

static void print_triangles(const slv_inspected_pack *inspected, slv_table *table) {
    const slv_render_mesh *mesh = &inspected->garment.render;
    for (size_t t = 0; t < mesh->triangle_count && !slv_table_closed(table); t++) {
        slv_table_uint(table, t);
        print_numbers(table, mesh->triangles + 3 * t, 3);
    }
}

// One row per particle that a vertex follows; slots without weight are omitted.
static void print_embedding(const slv_inspected_pack *inspected, slv_table *table) {
    const slv_garment *garment = &inspected->garment;
    const slv_render_mesh *mesh = &garment->render;
    for (size_t v = 0; v < mesh->vertex_count && !slv_table_closed(table); v++) {
        for (size_t k = v * mesh->influences; k < (v + 1) * mesh->influences; k++) {
            if (mesh->weights[k] != 0.0f) {
                slv_table_uint(table, v);
                slv_table_uint(table, garment->own_of_stored[mesh->particles[k]]);
                slv_table_float(table, mesh->weights[k]);
            }
        }
    }
}

static void print_offsets(const slv_inspected_pack *inspected, slv_table *table) {
    const slv_render_mesh *mesh = &inspected->garment.render;
    if (!mesh->offsets) {
        return;
    }
    for (size_t v = 0; v < mesh->vertex_count && !slv_table_closed(table); v++) {
        slv_table_uint(table, v);
        print_floats(table, mesh->offsets + 3 * v, 3);
    }
}

static void print_sets(const slv_inspected_pack *inspected, slv_table *table) {
    const slv_garment *garment = &inspected->garment;
    for (uint32_t s = 0; s < garment->set_count; s++) {
        slv_named_set set = slv_garment_get_set(garment, s);
        for (uint32_t i = 0; i < set.count && !slv_table_closed(table); i++) {
            slv_table_text(table, set.name, set.name_length);
            slv_table_uint(table, garment->own_of_stored[set.particles[i]]);
        }
    }
}

static void print_clusters(const slv_inspected_pack *inspected, slv_table *table) {
    const slv_garment *garment = &inspected->garment;
    uint32_t m = 0;
    for (uint32_t c = 0; c < garment->clusters.count; c++) {
        for (; m < garment->clusters.end[c] && !slv_table_closed(table); m++) {
            slv_table_uint(table, c);
            slv_table_uint(table, garment->own_of_stored[garment->clusters.member[m]]);
        }
    }
}

// Columns in the order of elimination, with the block that has each.
static void print_factor(const slv_inspected_pack *inspected, slv_table *table) {
    const slv_factor *factor = &inspected->garment.factor;
    uint32_t column = 0;
    for (uint32_t b = 0; b < factor->block_count; b++) {
        const uint32_t rows = factor->row_end[b] - (b > 0 ? factor->row_end[b - 1] : 0);
        for (; column < factor->column_end[b] && !slv_table_closed(table); column++) {
            slv_table_uint(table, column);
            slv_table_uint(table, factor->particle[column]);
            slv_table_uint(table, b);
            slv_table_uint(table, rows);
            slv_table_float(table, factor->mass[column]);
            slv_table_float(table, factor->diagonal[column]);
            slv_table_float(table, factor->pivot[column]);
        }
    }
}

static void print_materials(const slv_inspected_pack *inspected, slv_table *table) {
    for (uint32_t i = 0; i < inspected->garment.material_count; i++) {
        const slv_material *material = &inspected->garment.materials[i];
        slv_table_uint(table, i);
        slv_table_word(table, material->name);
        slv_table_float(table, material->stretch_stiffness);
        slv_table_float(table, material->shear_stiffness);
        slv_table_float(table, material->bending_stiffness);
        slv_table_float(table, material->damping);
        slv_table_float(table, material->static_friction);
        slv_table_float(table, material->kinetic_friction);
        slv_table_float(table, material->restitution);
        slv_table_float(table, material->thickness);
        print_floats(table, material->color, 4);
        slv_table_float(table, material->flexural_rigidity);
        slv_table_uint(table, material->given);
    }
}

static void print_provenance_row(void *context, const char *path, const char *value) {
    slv_table_word(context, path);
    slv_table_word(context, value);
}

static void print_provenance(const slv_inspected_pack *inspected, slv_table *table) {
    slv_provenance_visit(inspected->provenance, print_provenance_row, table);
}

static void print_field_layers(const slv_field_info *info, uint32_t first, uint32_t layers,
                               const float *values, slv_table *table) {
    for (uint32_t k = first; k < first + layers; k++) {
        for (uint32_t j = 0; j < info->cells[1]; j++) {
            for (uint32_t i = 0; i < info->cells[0] && !slv_table_closed(table); i++) {
                slv_table_uint(table, i);
                slv_table_uint(table, j);
                slv_table_uint(table, k);
                slv_table_float(table, *values++);
            }
        }
    }
}

static void print_field(const slv_inspected_pack *inspected, slv_table *table) {
    const slv_field_info *info = &inspected->field;
    size_t layer = (size_t)info->cells[0] * info->cells[1];
    float *values = malloc(layer * info->slab * sizeof *values);
    if (!values) {
        slv_table_give_up(table);
        return;
    }
    const uint8_t *coded = inspected->field_coded;
    uint32_t layers = 0;
    for (uint32_t k = 0; k < info->cells[2] && !slv_table_closed(table); k += layers) {
        uint32_t left = info->cells[2] - k;
        layers = left < info->slab ? left : info->slab;
        slv_field_decode_slab(coded, info->cells[0], info->cells[1], layers, values);
        coded += layer * layers * sizeof *values;
        print_field_layers(info, k, layers, values, table);
    }
    free(values);
}

const slv_dump slv_dumps[] = {
    {"sections", "", "section,codec,required,offset,stored_size,raw_size,checksum", print_sections,
     0},
    {"info", "INFO",
     "particle_count,mode,frame_x,frame_y,frame_z,min_x,min_y,min_z,max_x,max_y,max_z,spacing_m,"
     "mass_kg",
     print_info, 0},
    {"grid", "GRID", "cells_x,cells_y,cells_z,origin_x,origin_y,origin_z,spacing_m", print_grid, 0},
    {"particles", "PPOS", "particle,x,y,z,color,phantom_of", print_particles, 0},
    {"paint", "PPNT", "particle,red,green,blue,alpha", print_paint, 0},
    {"masses", "PINV", "particle,inverse_mass_per_kg,mass_kg", print_masses, 0},
    {"cells", "PCEL", "particle,i,j,k", print_cells, 0},
    {"order", "PORD", "particle,stored", print_order, 0},
    {"colors", "PCOL", "color,count", print_colors, 0},
    {"neighbors", "NBRS", "particle,minus_x,plus_x,minus_y,plus_y,minus_z,plus_z", print_neighbors,
     0},
    {"groups", "CGRP", "kind,color,material,first,count", print_groups, 0},
    {.name = "constraints", .sections = "CGRP"},
#define ROW(NAME, number, a, b, c, d, arity, one, plural, ...)                                     \
    {.name = #plural, .sections = "CGRP", .constraint_kind = SLV_CONSTRAINT_##NAME},
    SLV_CONSTRAINT_KINDS(ROW)
#undef ROW
        {"clusters", "CCLU", "cluster,particle", print_clusters, 0},
    {"factor", "MFAC", "column,particle,block,block_rows,mass_kg,diagonal_kg,pivot_kg",
     print_factor, 0},
    {"render-vertices", "RPOS RNRM RUVS RSRC", "vertex,x,y,z,nx,ny,nz,u,v,source",
     print_render_vertices, 0},
    {"texture", "RTEX", "width,height,bit_depth,color_type,bytes", print_texture, 0},
    {"triangles", "RTRI", "triangle,a,b,c", print_triangles, 0},
    {"embedding", "REMB", "vertex,particle,weight", print_embedding, 0},
    {"offsets", "REMB", "vertex,x,y,z", print_offsets, 0},
    {"sets", "PSET", "set,particle", print_sets, 0},
    {"materials", "MATL",
     "material,name,stretch_n_per_m,shear_n_per_m,bending_n_per_m,damping_per_s,static_friction,"
     "kinetic_friction,restitution,thickness_m,red,green,blue,alpha,flexural_rigidity_n_m,given",
     print_materials, 0},
    {"provenance", "PROV", "key,value", print_provenance, 0},
    {"field", "SDFG", "i,j,k,distance", print_field, 0},
    {.name = NULL},
};
