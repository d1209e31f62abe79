// SPDX-License-Identifier: MIT
#include "formats/garment.h"

#include <stdbool.h>

// One list of pieces describes the whole pack: a section is one piece or several in a row. Both the
// count of sections and the bytes come from it, so they cannot disagree.

typedef struct piece {
    uint32_t kind;
    uint32_t flags;
    const void *bytes;
    uint64_t size;
} piece;

enum { PIECES_MAX = 48 };

typedef struct piece_list {
    uint32_t count;
    piece pieces[PIECES_MAX];
    slv_embedding_info embedding;
    slv_sets_info sets;
} piece_list;

static void add(piece_list *list, uint32_t kind, uint32_t flags, const void *bytes, uint64_t size) {
    list->pieces[list->count++] = (piece){kind, flags, bytes, size};
}

static void need(piece_list *list, uint32_t kind, const void *bytes, uint64_t size) {
    add(list, kind, SLV_SECTION_REQUIRED, bytes, size);
}

static void add_particles(piece_list *list, const slv_garment *garment) {
    uint64_t n = garment->info.particle_count;
    need(list, SLV_SECTION_INFO, &garment->info, sizeof garment->info);
    if (garment->grid) {
        need(list, SLV_SECTION_GRID, garment->grid, sizeof *garment->grid);
    }
    need(list, SLV_SECTION_POSITION, garment->x, 4 * n);
    need(list, SLV_SECTION_POSITION, garment->y, 4 * n);
    need(list, SLV_SECTION_POSITION, garment->z, 4 * n);
    need(list, SLV_SECTION_INVMASS, garment->inverse_mass, 4 * n);
    if (garment->grid) {
        need(list, SLV_SECTION_CELL, garment->cell, 4 * n);
    }
    need(list, SLV_SECTION_ORDER, garment->own_of_stored, 4 * n);
    need(list, SLV_SECTION_ORDER, garment->stored_of_own, 4 * n);
    need(list, SLV_SECTION_COLOR, garment->colors, garment->color_count * sizeof *garment->colors);
    if (garment->grid) {
        need(list, SLV_SECTION_NEIGHBOR, garment->neighbors, SLV_SLOT_COUNT * 4 * n);
    }
}

static void add_pairs(piece_list *list, uint32_t kind, const slv_pair_constraints *pairs) {
    if (pairs->count > 0) {
        need(list, kind, pairs->a, 4 * pairs->count);
        need(list, kind, pairs->b, 4 * pairs->count);
        need(list, kind, pairs->rest, 4 * pairs->count);
    }
}

static void add_soft(piece_list *list, const slv_garment *garment) {
    const slv_tetrahedra *tetrahedra = &garment->tetrahedra;
    const slv_phantom_constraints *phantoms = &garment->phantoms;
    for (int e = 0; tetrahedra->count > 0 && e < 4; e++) {
        need(list, SLV_SECTION_TETRAHEDRON, tetrahedra->ends[e], 4 * tetrahedra->count);
    }
    if (tetrahedra->count > 0) {
        need(list, SLV_SECTION_TETRAHEDRON, tetrahedra->rest, 4 * tetrahedra->count);
    }
    if (phantoms->count > 0) {
        need(list, SLV_SECTION_PHANTOM, phantoms->original, 4 * (uint64_t)phantoms->count);
        need(list, SLV_SECTION_PHANTOM, phantoms->end, 4 * (uint64_t)phantoms->count);
    }
}

static void add_render(piece_list *list, const slv_render_mesh *mesh) {
    uint64_t v = mesh->vertex_count;
    if (v == 0) {
        return;
    }
    add(list, SLV_SECTION_RENDER_POSITION, 0, mesh->positions, 12 * v);
    add(list, SLV_SECTION_RENDER_NORMAL, 0, mesh->normals, 12 * v);
    if (mesh->uvs) {
        add(list, SLV_SECTION_RENDER_UV, 0, mesh->uvs, 8 * v);
    }
    if (mesh->texture) {
        add(list, SLV_SECTION_RENDER_TEXTURE, 0, mesh->texture, mesh->texture_size);
    }
    add(list, SLV_SECTION_RENDER_TRIANGLE, 0, mesh->triangles, 12 * (uint64_t)mesh->triangle_count);
    if (mesh->source) {
        add(list, SLV_SECTION_RENDER_SOURCE, 0, mesh->source, 4 * v);
    }
    list->embedding = (slv_embedding_info){
        .vertex_count = mesh->vertex_count,
        .influences = mesh->influences,
        .flags = mesh->offsets ? SLV_EMBEDDING_OFFSETS : 0,
    };
    uint64_t links = v * mesh->influences;
    add(list, SLV_SECTION_EMBEDDING, 0, &list->embedding, sizeof list->embedding);
    add(list, SLV_SECTION_EMBEDDING, 0, mesh->particles, 4 * links);
    add(list, SLV_SECTION_EMBEDDING, 0, mesh->weights, 4 * links);
    if (mesh->offsets) {
        add(list, SLV_SECTION_EMBEDDING, 0, mesh->offsets, 12 * v);
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
    add(list, SLV_SECTION_SETS, 0, &list->sets, sizeof list->sets);
    add(list, SLV_SECTION_SETS, 0, garment->sets, garment->set_count * sizeof *garment->sets);
    add(list, SLV_SECTION_SETS, 0, garment->set_particles, 4 * (uint64_t)list->sets.index_count);
    add(list, SLV_SECTION_SETS, 0, garment->set_names, list->sets.name_bytes);
}

static void list_pieces(const slv_garment *garment, piece_list *list) {
    *list = (piece_list){0};
    add_particles(list, garment);
    need(list, SLV_SECTION_GROUP, garment->groups, garment->group_count * sizeof *garment->groups);
    add_pairs(list, SLV_SECTION_DISTANCE, &garment->distance);
    add_pairs(list, SLV_SECTION_BENDING, &garment->bending);
    add_soft(list, garment);
    need(list, SLV_SECTION_MATERIAL, garment->materials,
         garment->material_count * sizeof *garment->materials);
    if (garment->paint) {
        add(list, SLV_SECTION_PAINT, 0, garment->paint, 4 * (uint64_t)garment->info.particle_count);
    }
    add_render(list, &garment->render);
    add_sets(list, garment);
    if (garment->provenance_size > 0) {
        add(list, SLV_SECTION_PROVENANCE, 0, garment->provenance, garment->provenance_size);
    }
}

static bool begins_section(const piece_list *list, uint32_t index) {
    return index == 0 || list->pieces[index].kind != list->pieces[index - 1].kind;
}

uint32_t slv_garment_section_count(const slv_garment *garment) {
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
        const piece *part = &list.pieces[i];
        if (begins_section(&list, i)) {
            result = slv_writer_begin(writer, part->kind, SLV_CODEC_RAW, part->flags, error);
        }
        if (result == SLV_OK) {
            result = slv_writer_append(writer, part->bytes, (size_t)part->size, error);
        }
        if (result == SLV_OK && (i + 1 == list.count || begins_section(&list, i + 1))) {
            result = slv_writer_end(writer, error);
        }
    }
    return result;
}
