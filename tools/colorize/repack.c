// SPDX-License-Identifier: MIT
#include "tools/colorize/repack.h"

#include <stdlib.h>
#include <string.h>

typedef struct packer {
    const slv_garment *old;
    const slv_particle_order *order;
    const slv_constraint_sets *sets;
    const slv_phantoms *phantoms;
    uint32_t *copy; // [phantoms->count] the new number of each copy
    slv_constraint_group *groups;
    slv_repack *out;
    bool failed; // out of memory
} packer;

static void *own(packer *p, uint64_t count, size_t size) {
    void *array = calloc((size_t)count + 1, size);
    p->failed |= array == NULL;
    p->out->arrays[p->out->array_count++] = array;
    return array;
}

// The new stored number of an old stored number.
static uint32_t moved(const packer *p, uint32_t stored) {
    return p->order->stored_of_own[p->old->own_of_stored[stored]];
}

// --- Particles --------------------------------------------------------------------------------------

// Values of particles, four bytes each, in the new order.
static const void *move_values(packer *p, const void *values) {
    const uint32_t n = p->old->info.particle_count;
    const uint32_t *from = values;
    uint32_t *to = own(p, n, sizeof *to);
    for (uint32_t s = 0; to && s < n; s++) {
        to[moved(p, s)] = from[s];
    }
    return to;
}

static const int32_t *move_neighbors(packer *p) {
    const size_t n = p->old->info.particle_count;
    int32_t *to = own(p, SLV_SLOT_COUNT * n, sizeof *to);
    for (size_t slot = 0; to && slot < SLV_SLOT_COUNT; slot++) {
        for (uint32_t s = 0; s < n; s++) {
            const int32_t other = p->old->neighbors[slot * n + s];
            to[slot * n + moved(p, s)] =
                other == SLV_NO_NEIGHBOR ? other : (int32_t)moved(p, (uint32_t)other);
        }
    }
    return to;
}

static void move_particles(packer *p) {
    slv_garment *garment = &p->out->garment;
    garment->x = move_values(p, p->old->x);
    garment->y = move_values(p, p->old->y);
    garment->z = move_values(p, p->old->z);
    garment->inverse_mass = move_values(p, p->old->inverse_mass);
    garment->paint = p->old->paint ? move_values(p, p->old->paint) : NULL;
    garment->own_of_stored = p->order->own_of_stored;
    garment->stored_of_own = p->order->stored_of_own;
    garment->colors = p->order->colors;
    garment->color_count = p->order->color_count;
    if (p->old->grid) {
        garment->cell = move_values(p, p->old->cell);
        garment->neighbors = move_neighbors(p);
    }
}

static int compare_numbers(const void *left, const void *right) {
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static void move_sets(packer *p) {
    const slv_garment *old = p->old;
    const slv_particle_set *last = old->set_count > 0 ? &old->sets[old->set_count - 1] : NULL;
    const uint32_t count = last ? last->first + last->count : 0;
    uint32_t *to = own(p, count, sizeof *to);
    for (uint32_t s = 0; to && old->sets && s < old->set_count; s++) {
        const slv_particle_set *set = &old->sets[s];
        for (uint32_t i = set->first; i < set->first + set->count; i++) {
            to[i] = moved(p, old->set_particles[i]);
        }
        qsort(to + set->first, set->count, sizeof *to, compare_numbers);
    }
    p->out->garment.set_particles = to;
}

static void move_clusters(packer *p) {
    const slv_clusters *clusters = &p->old->clusters;
    uint32_t *to = own(p, clusters->member_count, sizeof *to);
    uint32_t first = 0;
    for (uint32_t c = 0; to && c < clusters->count; c++) {
        for (uint32_t m = first; m < clusters->end[c]; m++) {
            to[m] = moved(p, clusters->member[m]);
        }
        qsort(to + first, clusters->end[c] - first, sizeof *to, compare_numbers);
        first = clusters->end[c];
    }
    p->out->garment.clusters.member = to;
}

static void move_embedding(packer *p) {
    const slv_render_mesh *mesh = &p->old->render;
    const uint64_t links = (uint64_t)mesh->vertex_count * mesh->influences;
    uint32_t *to = own(p, links, sizeof *to);
    for (uint64_t i = 0; to && i < links; i++) {
        to[i] = moved(p, mesh->particles[i]);
    }
    p->out->garment.render.particles = to;
}

// --- Phantoms ---------------------------------------------------------------------------------------

// Numbers the copies by the stored number of their original, then in the order of creation.
static void number_copies(packer *p) {
    const slv_phantoms *phantoms = p->phantoms;
    const uint32_t n = p->old->info.particle_count;
    const uint32_t count = slv_phantoms_split_particles(phantoms);
    uint32_t *original = own(p, count, sizeof *original);
    uint32_t *end = own(p, count, sizeof *end);
    p->copy = own(p, phantoms->count, sizeof *p->copy);
    if (p->failed) {
        return;
    }
    uint32_t constraints = 0;
    uint32_t copies = 0;
    for (uint32_t s = 0; s < n; s++) {
        uint32_t link = phantoms->first[p->order->own_of_stored[s]];
        for (uint32_t next = link; next != 0; next = phantoms->next[next - 1]) {
            p->copy[next - 1] = n + copies++;
        }
        if (link != 0) {
            original[constraints] = s;
            end[constraints++] = copies;
        }
    }
    p->out->garment.phantoms = (slv_phantom_constraints){count, copies, original, end};
}

// --- Constraints ------------------------------------------------------------------------------------

static uint32_t new_end(const packer *p, uint32_t end) {
    const uint32_t n = p->old->info.particle_count;
    return end < n ? p->order->stored_of_own[end] : p->copy[end - n];
}

static uint32_t new_stored_number(const packer *p, uint32_t end) {
    return p->order->stored_of_own[slv_phantoms_original(p->phantoms, end)];
}

// Counting sort of the constraints by the lowest stored number of their particles. next: [n + 2]
// zero.
static void sort_by_lowest(const packer *p, const slv_constraint_set *set, uint32_t *lowest,
                           uint32_t *next, uint32_t *sorted) {
    const size_t n = p->old->info.particle_count;
    for (uint32_t i = 0; i < set->count; i++) {
        lowest[i] = UINT32_MAX;
        for (uint32_t e = 0; e < set->arity; e++) {
            const uint32_t stored = new_stored_number(p, set->ends[e][i]);
            lowest[i] = stored < lowest[i] ? stored : lowest[i];
        }
        next[lowest[i] + 1]++;
    }
    for (size_t s = 0; s < n; s++) {
        next[s + 1] += next[s];
    }
    for (uint32_t i = 0; i < set->count; i++) {
        sorted[next[lowest[i]]++] = i;
    }
}

// Order by the lowest stored number of their particles, so that each color reads memory in
// ascending order. NULL where memory is short.
static uint32_t *sort_for_locality(const packer *p, const slv_constraint_set *set) {
    uint32_t *sorted = calloc((size_t)set->count + 1, sizeof *sorted);
    uint32_t *next = calloc((size_t)p->old->info.particle_count + 2, sizeof *next);
    uint32_t *lowest = calloc((size_t)set->count + 1, sizeof *lowest);
    if (sorted && next && lowest) {
        sort_by_lowest(p, set, lowest, next, sorted);
    } else {
        free(sorted);
        sorted = NULL;
    }
    free(next);
    free(lowest);
    return sorted;
}

// The arrays of a kind while they are filled.
typedef struct kind_arrays {
    uint64_t count;
    uint32_t *ends[SLV_ARITY_MAX];
    float *rest;
} kind_arrays;

// Allocates the arrays of a kind.
static kind_arrays new_kind(packer *p, uint32_t kind) {
    kind_arrays arrays = {0};
    uint64_t room = 0;
    for (uint32_t s = 0; s < p->sets->count; s++) {
        room += p->sets->sets[s].kind == kind ? p->sets->sets[s].count : 0;
    }
    for (uint32_t e = 0; room > 0 && e < slv_constraint_kinds[kind].arity; e++) {
        arrays.ends[e] = own(p, room, sizeof *arrays.ends[e]);
    }
    arrays.rest = room > 0 ? own(p, room, sizeof *arrays.rest) : NULL;
    return arrays;
}

// Stable sort by color, averaged constraints last. end[c] is the end of color c.
static bool sort_by_color(const slv_constraint_set *set, uint32_t **sorted, uint32_t *end) {
    uint32_t *result = calloc((size_t)set->count + 1, sizeof *result);
    if (!result) {
        return false;
    }
    for (uint32_t i = 0; i < set->count; i++) {
        const uint32_t color = set->coloring.color[i];
        end[(color < set->solved_colors ? color : set->solved_colors) + 1]++;
    }
    for (uint32_t c = 0; c < set->solved_colors; c++) {
        end[c + 1] += end[c];
    }
    for (uint32_t i = 0; i < set->count; i++) {
        const uint32_t color = set->coloring.color[(*sorted)[i]];
        result[end[color < set->solved_colors ? color : set->solved_colors]++] = (*sorted)[i];
    }
    free(*sorted);
    *sorted = result;
    return true;
}

static void append_group(packer *p, const slv_constraint_set *set, const uint32_t *members,
                         uint32_t count, uint32_t color, kind_arrays *arrays) {
    if (count == 0) {
        return;
    }
    p->groups[p->out->garment.group_count++] = (slv_constraint_group){.kind = set->kind,
                                                                      .color = color,
                                                                      .material = set->material,
                                                                      .first = arrays->count,
                                                                      .count = count};
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t e = 0; e < set->arity; e++) {
            arrays->ends[e][arrays->count] = new_end(p, set->ends[e][members[i]]);
        }
        arrays->rest[arrays->count] = set->rest[members[i]];
        arrays->count++;
    }
}

// Appends the colored groups of a set, or its averaged constraints.
static void append_set(packer *p, const slv_constraint_set *set, bool averaged, uint32_t *colors,
                       kind_arrays *arrays) {
    uint32_t *sorted = sort_for_locality(p, set);
    uint32_t *end = calloc((size_t)set->solved_colors + 2, sizeof *end);
    p->failed |= !sorted || !end || !sort_by_color(set, &sorted, end);
    for (uint32_t c = 0; !p->failed && c <= set->solved_colors; c++) {
        const uint32_t first = c == 0 ? 0 : end[c - 1];
        const bool last = c == set->solved_colors;
        if (last == averaged) {
            append_group(p, set, sorted + first, end[c] - first, last ? SLV_UNCOLORED : *colors,
                         arrays);
            *colors += !last && end[c] > first;
        }
    }
    free(sorted);
    free(end);
}

// Colored groups of all materials first, then the averaged ones.
static void append_kind(packer *p, uint32_t kind, kind_arrays *arrays) {
    uint32_t colors = 0;
    for (int averaged = 0; averaged < 2; averaged++) {
        for (uint32_t s = 0; s < p->sets->count && !p->failed; s++) {
            if (p->sets->sets[s].kind == kind) {
                append_set(p, &p->sets->sets[s], averaged != 0, &colors, arrays);
            }
        }
    }
}

static void add_kind(packer *p, uint32_t kind) {
    kind_arrays arrays = new_kind(p, kind);
    if (!p->failed) {
        append_kind(p, kind, &arrays);
    }
    slv_constraints *made = &p->out->garment.constraints[kind];
    *made = (slv_constraints){.count = arrays.count, .rest = arrays.rest};
    for (uint32_t e = 0; e < SLV_ARITY_MAX; e++) {
        made->ends[e] = arrays.ends[e];
    }
}

// Groups are sorted by kind.
static void add_constraints(packer *p) {
    slv_garment *garment = &p->out->garment;
    for (uint32_t kind = SLV_CONSTRAINT_FIRST; kind < SLV_CONSTRAINT_END && !p->failed; kind++) {
        add_kind(p, kind);
        if (kind == SLV_CONSTRAINT_PHANTOM && garment->phantoms.count > 0) {
            p->groups[garment->group_count++] =
                (slv_constraint_group){.kind = kind, .count = garment->phantoms.count};
        }
    }
    garment->groups = p->groups;
}

bool slv_repack_create(const slv_garment *old, const slv_particle_order *order,
                       const slv_constraint_sets *sets, const slv_phantoms *phantoms,
                       slv_repack *repack) {
    packer p = {.old = old, .order = order, .sets = sets, .phantoms = phantoms, .out = repack};
    *repack = (slv_repack){.garment = *old};
    uint64_t group_room = 1;
    for (uint32_t s = 0; s < sets->count; s++) {
        group_room += (uint64_t)sets->sets[s].solved_colors + 1;
    }
    repack->garment.group_count = 0;
    p.groups = own(&p, group_room, sizeof *p.groups);
    number_copies(&p);
    move_particles(&p);
    move_sets(&p);
    move_clusters(&p);
    move_embedding(&p);
    if (!p.failed) {
        add_constraints(&p);
    }
    if (p.failed) {
        slv_repack_destroy(repack);
    }
    return !p.failed;
}

void slv_repack_set_provenance(slv_repack *repack, char *text) {
    repack->arrays[repack->array_count++] = text;
    repack->garment.provenance = text;
    repack->garment.provenance_size = strlen(text);
}

void slv_repack_destroy(slv_repack *repack) {
    for (unsigned i = 0; i < repack->array_count; i++) {
        free(repack->arrays[i]);
    }
    *repack = (slv_repack){0};
}
