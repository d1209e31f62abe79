// SPDX-License-Identifier: MIT
#include "tools/colorize/clique_list.h"

#include "tools/colorize/cliques.h"
#include "tools/common/grow.h"

#include <string.h>

enum { NUMBERS_PER_ELEMENT = 20 }; // limit of stored numbers per element of the graph

typedef struct collector {
    slv_clique_list *list;
    uint32_t used, room; // of members
    uint32_t begin_room; // of order
    uint64_t limit;      // numbers that members may have
    uint32_t largest;
    bool memory;
} collector;

static bool keep(collector *c, const uint32_t *elements, uint32_t count) {
    slv_clique_list *list = c->list;
    const uint64_t needed = (uint64_t)c->used + count + 1;
    c->memory = slv_grow((void **)&list->members, &c->room, needed, 4) &&
                slv_grow((void **)&list->order, &c->begin_room, (uint64_t)list->count + 1, 4);
    if (!c->memory) {
        return false;
    }
    list->order[list->count++] = c->used;
    list->members[c->used] = count;
    memcpy(list->members + c->used + 1, elements, count * sizeof *elements);
    c->used += count + 1;
    c->largest = count > c->largest ? count : c->largest;
    return true;
}

static bool found(slv_clique_search *search, const uint32_t *elements, uint32_t count) {
    collector *c = search->context;
    return keep(c, elements, count) && c->used < c->limit;
}

// The elements of a hyperedge (a star) are a clique, and few other cliques are as large. Stars
// need no search.
static bool keep_stars(collector *c, const slv_conflicts *conflicts, uint32_t size) {
    c->memory = true;
    for (uint32_t p = 0; c->memory && p < conflicts->hyperedge_count; p++) {
        const uint32_t first = conflicts->first_element[p];
        const uint32_t count = conflicts->first_element[p + 1] - first;
        if (count > size) {
            (void)keep(c, conflicts->elements + first, count);
        }
    }
    return c->memory;
}

// Largest first, then in the order of finding.
static bool sort_by_size(collector *c) {
    slv_clique_list *list = c->list;
    uint32_t *next = calloc((size_t)c->largest + 2, sizeof *next);
    uint32_t *sorted = calloc((size_t)list->count + 1, sizeof *sorted);
    if (next && sorted) {
        for (uint32_t i = 0; i < list->count; i++) {
            next[c->largest - list->members[list->order[i]] + 1]++;
        }
        for (uint32_t s = 0; s < c->largest; s++) {
            next[s + 1] += next[s];
        }
        for (uint32_t i = 0; i < list->count; i++) {
            sorted[next[c->largest - list->members[list->order[i]]]++] = list->order[i];
        }
        free(next);
        free(list->order);
        list->order = sorted;
        return true;
    }
    free(next);
    free(sorted);
    return false;
}

bool slv_clique_list_create(const slv_conflicts *conflicts, uint32_t size, slv_clique_list *list) {
    collector c = {.list = list,
                   .limit = 1000 + (uint64_t)conflicts->element_count * NUMBERS_PER_ELEMENT};
    slv_clique_search search = {
        .larger_than = size,
        .effort = slv_clique_effort(conflicts),
        .found = found,
        .context = &c,
    };
    slv_ordering ordering;
    *list = (slv_clique_list){0};
    // While some star is too large, only stars are split and no search is needed.
    bool done = keep_stars(&c, conflicts, size);
    if (done && list->count == 0) {
        done = slv_smallest_last(conflicts, &ordering) &&
               slv_search_cliques(conflicts, &ordering, &search) && c.memory;
        slv_ordering_destroy(&ordering);
        list->bounded = search.effort <= 0;
    }
    done = done && (list->count == 0 || sort_by_size(&c));
    if (!done) {
        slv_clique_list_destroy(list);
    }
    return done;
}

void slv_clique_list_destroy(slv_clique_list *list) {
    free(list->order);
    free(list->members);
    *list = (slv_clique_list){0};
}

uint32_t slv_clique_list_get(const slv_clique_list *list, uint32_t index,
                             const uint32_t **elements) {
    const uint32_t *members = list->members + list->order[index];
    *elements = members + 1;
    return members[0];
}
