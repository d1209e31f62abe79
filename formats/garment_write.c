// SPDX-License-Identifier: MIT
#include "formats/garment.h"

#include <stdbool.h>

// One list of pieces describes the whole pack: a section is one piece or several in a row. Both the
// count of sections and the bytes come from it, so they cannot disagree.

typedef struct piece {
    uint32_t kind;
    const void *bytes;
    uint64_t size;
} piece;

enum { PIECES_MAX = 32 + SLV_CONSTRAINT_END * (SLV_ARITY_MAX + 1) };

typedef struct piece_list {
    uint32_t count;
    piece pieces[PIECES_MAX];
    slv_embedding_info embedding;
    slv_sets_info sets;
    slv_clusters_info clusters;
    slv_factor_info factor;
} piece_list;

static void add(piece_list *list, uint32_t kind, const void *bytes, uint64_t size) {
    list->pieces[list->count++] = (piece){kind, bytes, size};
}

static void add_particles(piece_list *list, const slv_garment *garment) {
    uint64_t n = garment->info.particle_count;
    add(list, SLV_SECTION_INFO, &garment->info, sizeof garment->info);
    if (garment->grid) {
        add(list, SLV_SECTION_GRID, garment->grid, sizeof *garment->grid);
    }
    add(list, SLV_SECTION_POSITION, garment->x, 4 * n);
    add(list, SLV_SECTION_POSITION, garment->y, 4 * n);
    add(list, SLV_SECTION_POSITION, garment->z, 4 * n);
    add(list, SLV_SECTION_INVMASS, garment->inverse_mass, 4 * n);
    if (garment->grid) {
        add(list, SLV_SECTION_CELL, garment->cell, 4 * n);
    }
    add(list, SLV_SECTION_ORDER, garment->own_of_stored, 4 * n);
    add(list, SLV_SECTION_ORDER, garment->stored_of_own, 4 * n);
    add(list, SLV_SECTION_COLOR, garment->colors, garment->color_count * sizeof *garment->colors);
    if (garment->grid) {
        add(list, SLV_SECTION_NEIGHBOR, garment->neighbors, SLV_SLOT_COUNT * 4 * n);
    }
}

static void add_constraints(piece_list *list, const slv_garment *garment, uint32_t kind) {
    const slv_constraint_kind *info = &slv_constraint_kinds[kind];
    const slv_constraints *set = &garment->constraints[kind];
    const slv_phantom_constraints *phantoms = &garment->phantoms;
    if (kind == SLV_CONSTRAINT_PHANTOM && phantoms->count > 0) {
        add(list, info->section, phantoms->original, 4 * (uint64_t)phantoms->count);
        add(list, info->section, phantoms->end, 4 * (uint64_t)phantoms->count);
    }
    for (uint32_t e = 0; set->count > 0 && e < info->arity; e++) {
        add(list, info->section, set->ends[e], 4 * set->count);
    }
    if (set->count > 0) {
        add(list, info->section, set->rest, 4 * set->count);
    }
}

static void add_clusters(piece_list *list, const slv_clusters *clusters) {
    if (clusters->count == 0) {
        return;
    }
    list->clusters = (slv_clusters_info){.cluster_count = clusters->count,
                                         .member_count = clusters->member_count};
    add(list, SLV_SECTION_CLUSTER, &list->clusters, sizeof list->clusters);
    add(list, SLV_SECTION_CLUSTER, clusters->end, 4 * (uint64_t)clusters->count);
    add(list, SLV_SECTION_CLUSTER, clusters->member, 4 * (uint64_t)clusters->member_count);
}

static void add_factor(piece_list *list, const slv_garment *garment) {
    const slv_factor *factor = &garment->factor;
    const uint64_t n = garment->info.particle_count;
    if (factor->block_count == 0) {
        return;
    }
    list->factor = (slv_factor_info){.time_step = factor->time_step,
                                     .block_count = factor->block_count,
                                     .row_count = factor->row_count,
                                     .value_count = factor->value_count};
    add(list, SLV_SECTION_FACTOR, &list->factor, sizeof list->factor);
    add(list, SLV_SECTION_FACTOR, factor->particle, 4 * n);
    add(list, SLV_SECTION_FACTOR, factor->position, 4 * n);
    add(list, SLV_SECTION_FACTOR, factor->mass, 4 * n);
    add(list, SLV_SECTION_FACTOR, factor->diagonal, 4 * n);
    add(list, SLV_SECTION_FACTOR, factor->pivot, 4 * n);
    add(list, SLV_SECTION_FACTOR, factor->column_end, 4 * (uint64_t)factor->block_count);
    add(list, SLV_SECTION_FACTOR, factor->row_end, 4 * (uint64_t)factor->block_count);
    add(list, SLV_SECTION_FACTOR, factor->row, 4 * (uint64_t)factor->row_count);
    add(list, SLV_SECTION_FACTOR, factor->value, 4 * factor->value_count);
}

static void add_render(piece_list *list, const slv_render_mesh *mesh) {
    uint64_t v = mesh->vertex_count;
    if (v == 0) {
        return;
    }
    add(list, SLV_SECTION_RENDER_POSITION, mesh->positions, 12 * v);
    add(list, SLV_SECTION_RENDER_NORMAL, mesh->normals, 12 * v);
    if (mesh->uvs) {
        add(list, SLV_SECTION_RENDER_UV, mesh->uvs, 8 * v);
    }
    if (mesh->texture) {
        add(list, SLV_SECTION_RENDER_TEXTURE, mesh->texture, mesh->texture_size);
    }
    add(list, SLV_SECTION_RENDER_TRIANGLE, mesh->triangles, 12 * (uint64_t)mesh->triangle_count);
    if (mesh->source) {
        add(list, SLV_SECTION_RENDER_SOURCE, mesh->source, 4 * v);
    }
    list->embedding = (slv_embedding_info){
        .vertex_count = mesh->vertex_count,
        .influences = mesh->influences,
        .flags = mesh->offsets ? SLV_EMBEDDING_OFFSETS : 0,
    };
    uint64_t links = v * mesh->influences;
    add(list, SLV_SECTION_EMBEDDING, &list->embedding, sizeof list->embedding);
    add(list, SLV_SECTION_EMBEDDING, mesh->particles, 4 * links);
    add(list, SLV_SECTION_EMBEDDING, mesh->weights, 4 * links);
    if (mesh->offsets) {
        add(list, SLV_SECTION_EMBEDDING, mesh->offsets, 12 * v);
    }
}

static void add_sets(piece_list *list, const slv_garment *garment) {
    if (garment->set_count == 0) {
        return;
    }
    const slv_particle_set *last = &garment->sets[garment->set_count - 1];
    list->sets = (slv_sets_info){
        .set_count = garment->set_count,
        .index_count = last->first + last->count,
        .name_bytes = last->name_offset + last->name_length,
    };
    add(list, SLV_SECTION_SETS, &list->sets, sizeof list->sets);
    add(list, SLV_SECTION_SETS, garment->sets, garment->set_count * sizeof *garment->sets);
    add(list, SLV_SECTION_SETS, garment->set_particles, 4 * (uint64_t)list->sets.index_count);
    add(list, SLV_SECTION_SETS, garment->set_names, list->sets.name_bytes);
}

static void list_pieces(const slv_garment *garment, piece_list *list) {
    *list = (piece_list){0};
    add_particles(list, garment);
    add(list, SLV_SECTION_GROUP, garment->groups, garment->group_count * sizeof *garment->groups);
    for (uint32_t kind = SLV_CONSTRAINT_FIRST; kind < SLV_CONSTRAINT_END; kind++) {
        add_constraints(list, garment, kind);
    }
    add_clusters(list, &garment->clusters);
    add_factor(list, garment);
    add(list, SLV_SECTION_MATERIAL, garment->materials,
        garment->material_count * sizeof *garment->materials);
    if (garment->paint) {
        add(list, SLV_SECTION_PAINT, garment->paint, 4 * (uint64_t)garment->info.particle_count);
    }
    add_render(list, &garment->render);
    add_sets(list, garment);
    if (garment->provenance_size > 0) {
        add(list, SLV_SECTION_PROVENANCE, garment->provenance, garment->provenance_size);
    }
}

static bool begins_section(const piece_list *list, uint32_t index) {
    return index == 0 || list->pieces[index].kind != list->pieces[index - 1].kind;
}

uint32_t slv_garment_get_section_count(const slv_garment *garment) {
    piece_list list;
    list_pieces(garment, &list);
    uint32_t count = 0;
    for (uint32_t i = 0; i < list.count; i++) {
        count += begins_section(&list, i);
    }
    return count;
}

slv_result slv_garment_write(const slv_garment *garment, slv_writer *writer, slv_error *error) {
    piece_list list;
    list_pieces(garment, &list);
    slv_result result = SLV_OK;
    for (uint32_t i = 0; result == SLV_OK && i < list.count; i++) {
        const piece *next = &list.pieces[i];
        if (begins_section(&list, i)) {
            result = slv_writer_begin(writer, next->kind, SLV_CODEC_RAW,
                                      slv_section_find(next->kind)->flags, error);
        }
        if (result == SLV_OK) {
            result = slv_writer_append(writer, next->bytes, (size_t)next->size, error);
        }
        if (result == SLV_OK && (i + 1 == list.count || begins_section(&list, i + 1))) {
            result = slv_writer_end(writer, error);
        }
    }
    return result;
}
