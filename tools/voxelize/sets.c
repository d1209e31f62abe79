// SPDX-License-Identifier: MIT
#include "tools/voxelize/sets.h"

#include "formats/value_check.h"
#include "kernels/types.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_LENGTH_MAX = 255,
    GROUP_SETS_MAX = 4096 // limit, because names are compared pairwise
};

// --- Collecting ---------------------------------------------------------------------------------

// Grows an array to hold `more` elements after the first `count`; it may move. NULL, with the old
// array unchanged, where memory or the 32-bit counts of a pack run out.
static void *make_room(void *elements, size_t count, size_t *room, size_t more, size_t size,
                       slv_error *error) {
    if (more <= *room - count) {
        return elements;
    }
    const size_t wanted = 2 * (count + more) + 16;
    void *grown = count + more <= UINT32_MAX / 4 ? realloc(elements, wanted * size) : NULL;
    if (grown == NULL) {
        slv_fail(error, SLV_ERROR_MEMORY, "out of memory for named sets");
        return NULL;
    }
    *room = wanted;
    return grown;
}

// Length in bytes of the UTF-8 character at text; 0 where it is invalid.
static size_t character_length(const char *text) {
    for (size_t length = 1; length <= 4 && text[length - 1] != '\0'; length++) {
        if (slv_is_utf8(text, length)) {
            return length;
        }
    }
    return 0;
}

// Copies name as clean UTF-8 of at most NAME_LENGTH_MAX bytes; returns its length.
static size_t clean_name(const char *name, char *clean) {
    size_t length = 0;
    while (*name != '\0') {
        const size_t valid = character_length(name);
        const size_t step = valid == 0 ? 1 : valid;
        if (length + step > NAME_LENGTH_MAX) {
            break;
        }
        if (valid == 0 || iscntrl((unsigned char)*name)) {
            clean[length] = '?';
        } else {
            memcpy(clean + length, name, step);
        }
        length += step;
        name += step;
    }
    return length;
}

slv_result slv_set_begin(slv_set_list *list, const char *name, slv_error *error) {
    void *sets =
        make_room(list->sets, list->set_count, &list->set_room, 1, sizeof *list->sets, error);
    list->sets = sets != NULL ? sets : list->sets;
    void *names =
        make_room(list->names, list->name_bytes, &list->name_room, NAME_LENGTH_MAX, 1, error);
    list->names = names != NULL ? names : list->names;
    if (sets == NULL || names == NULL) {
        return SLV_ERROR_MEMORY;
    }
    const size_t length = clean_name(name, list->names + list->name_bytes);
    list->sets[list->set_count++] = (slv_particle_set){.name_offset = (uint32_t)list->name_bytes,
                                                       .name_length = (uint32_t)length,
                                                       .first = (uint32_t)list->particle_count};
    list->name_bytes += length;
    return SLV_OK;
}

slv_result slv_set_add(slv_set_list *list, uint32_t stored, slv_error *error) {
    uint32_t *particles = make_room(list->particles, list->particle_count, &list->particle_room, 1,
                                    sizeof *list->particles, error);
    if (particles == NULL) {
        return SLV_ERROR_MEMORY;
    }
    list->particles = particles;
    list->particles[list->particle_count++] = stored;
    return SLV_OK;
}

slv_result slv_set_add_region(slv_set_list *list, const slv_grid_index *index,
                              const uint32_t min[3], const uint32_t max[3], slv_error *error) {
    for (uint32_t k = min[2]; k <= max[2]; k++) {
        for (uint32_t j = min[1]; j <= max[1]; j++) {
            for (uint32_t i = min[0]; i <= max[0]; i++) {
                const int32_t stored = slv_grid_index_find(index, i, j, k);
                const bool added = stored == SLV_NO_NEIGHBOR ||
                                   slv_set_add(list, (uint32_t)stored, error) == SLV_OK;
                if (!added) {
                    return SLV_ERROR_MEMORY;
                }
            }
        }
    }
    return SLV_OK;
}

static int compare_numbers(const void *left, const void *right) {
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static bool name_is_taken(const slv_set_list *list, const slv_particle_set *set) {
    for (const slv_particle_set *other = list->sets; other < set; other++) {
        if (other->name_length == set->name_length &&
            memcmp(list->names + other->name_offset, list->names + set->name_offset,
                   set->name_length) == 0) {
            return true;
        }
    }
    return false;
}

void slv_set_end(slv_set_list *list) {
    slv_particle_set *set = &list->sets[list->set_count - 1];
    const size_t count = list->particle_count - set->first;
    if (count == 0 || set->name_length == 0 || name_is_taken(list, set)) {
        list->particle_count = set->first;
        list->name_bytes = set->name_offset;
        list->set_count--;
        return;
    }
    uint32_t *particles = list->particles + set->first;
    qsort(particles, count, sizeof *particles, compare_numbers);
    uint32_t kept = 1;
    for (size_t n = 1; n < count; n++) {
        if (particles[n] != particles[kept - 1]) {
            particles[kept++] = particles[n];
        }
    }
    set->count = kept;
    list->particle_count = set->first + kept;
}

slv_result slv_set_list_finish(const slv_set_list *list, slv_garment_builder *builder,
                               slv_error *error) {
    slv_particle_set *sets = slv_builder_array(builder, list->set_count, sizeof *sets, error);
    uint32_t *particles =
        slv_builder_array(builder, list->particle_count, sizeof *particles, error);
    char *names = slv_builder_array(builder, list->name_bytes, 1, error);
    if (sets == NULL || particles == NULL || names == NULL) {
        return SLV_ERROR_MEMORY;
    }
    if (list->set_count > 0) { // an empty list has no arrays to copy from
        memcpy(sets, list->sets, list->set_count * sizeof *sets);
        memcpy(particles, list->particles, list->particle_count * sizeof *particles);
        memcpy(names, list->names, list->name_bytes);
    }
    builder->garment.set_count = (uint32_t)list->set_count;
    builder->garment.sets = sets;
    builder->garment.set_particles = particles;
    builder->garment.set_names = names;
    return SLV_OK;
}

void slv_set_list_free(slv_set_list *list) {
    free(list->sets);
    free(list->particles);
    free(list->names);
    *list = (slv_set_list){0};
}

// --- Sets of lattices ---------------------------------------------------------------------------

static void include_row(const slv_grid_index *index, uint32_t j, uint32_t k, uint32_t min[3],
                        uint32_t max[3]) {
    const uint64_t *words = slv_grid_index_row(index, j, k);
    for (size_t w = 0; w < index->row_words; w++) {
        if (words[w] == 0) {
            continue;
        }
        const uint32_t first = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(words[w]);
        const uint32_t last = (uint32_t)(64 * w) + 63u - (uint32_t)__builtin_clzll(words[w]);
        const uint32_t low[3] = {first, j, k};
        const uint32_t high[3] = {last, j, k};
        for (int axis = 0; axis < 3; axis++) {
            min[axis] = low[axis] < min[axis] ? low[axis] : min[axis];
            max[axis] = high[axis] > max[axis] ? high[axis] : max[axis];
        }
    }
}

slv_result slv_add_side_sets(slv_set_list *list, const slv_grid_index *index, slv_error *error) {
    static const struct {
        const char *name;
        int axis;
        bool at_max;
    } sides[6] = {{"top", 1, true},   {"bottom", 1, false}, {"x-min", 0, false},
                  {"x-max", 0, true}, {"z-min", 2, false},  {"z-max", 2, true}};
    uint32_t min[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    uint32_t max[3] = {0, 0, 0};
    for (uint32_t k = 0; k < index->lattice.cells[2]; k++) {
        for (uint32_t j = 0; j < index->lattice.cells[1]; j++) {
            include_row(index, j, k, min, max);
        }
    }
    for (size_t s = 0; s < 6; s++) {
        uint32_t low[3] = {min[0], min[1], min[2]};
        uint32_t high[3] = {max[0], max[1], max[2]};
        const int axis = sides[s].axis;
        low[axis] = high[axis] = sides[s].at_max ? max[axis] : min[axis];
        slv_result result = slv_set_begin(list, sides[s].name, error);
        if (result == SLV_OK) {
            result = slv_set_add_region(list, index, low, high, error);
        }
        if (result != SLV_OK) {
            return result;
        }
        slv_set_end(list);
    }
    return SLV_OK;
}

// --- Sets of meshes -----------------------------------------------------------------------------

static int compare_groups(const void *left, const void *right) {
    const slv_mesh_group *a = left;
    const slv_mesh_group *b = right;
    const int names = strcmp(a->name, b->name);
    return names != 0
               ? names
               : (a->first_triangle > b->first_triangle) - (a->first_triangle < b->first_triangle);
}

static slv_result add_group_points(slv_set_list *list, const slv_mesh *mesh,
                                   const slv_mesh_group *group, slv_error *error) {
    for (uint32_t t = 0; t < group->triangle_count; t++) {
        uint32_t points[3];
        slv_mesh_corner_points(mesh, group->first_triangle + t, points);
        for (int c = 0; c < 3; c++) {
            if (slv_set_add(list, points[c], error) != SLV_OK) {
                return SLV_ERROR_MEMORY;
            }
        }
    }
    return SLV_OK;
}

// Groups with the same name become one set. Sets are in alphabetical order, which does not depend
// on the order in the file.
static slv_result add_group_sets(slv_set_list *list, const slv_mesh *mesh,
                                 const slv_mesh_group *sorted, slv_error *error) {
    for (uint32_t g = 0; g < mesh->group_count && list->set_count < GROUP_SETS_MAX;) {
        const char *name = sorted[g].name;
        slv_result result = slv_set_begin(list, name, error);
        for (; result == SLV_OK && g < mesh->group_count && strcmp(sorted[g].name, name) == 0;
             g++) {
            result = add_group_points(list, mesh, &sorted[g], error);
        }
        if (result != SLV_OK) {
            return result;
        }
        slv_set_end(list);
    }
    return SLV_OK;
}

slv_result slv_add_mesh_sets(slv_set_list *list, const slv_mesh *mesh, const uint8_t *boundary,
                             slv_error *error) {
    slv_result result = SLV_OK;
    if (mesh->group_count > 0) {
        slv_mesh_group *sorted = malloc(mesh->group_count * sizeof *sorted);
        if (sorted == NULL) {
            return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for named sets");
        }
        memcpy(sorted, mesh->groups, mesh->group_count * sizeof *sorted);
        qsort(sorted, mesh->group_count, sizeof *sorted, compare_groups);
        result = add_group_sets(list, mesh, sorted, error);
        free(sorted);
    }
    if (result == SLV_OK) {
        result = slv_set_begin(list, "boundary", error);
    }
    for (uint32_t p = 0; result == SLV_OK && p < mesh->point_count; p++) {
        result = boundary[p] != 0 ? slv_set_add(list, p, error) : SLV_OK;
    }
    if (result == SLV_OK) {
        slv_set_end(list);
    }
    return result;
}
