// SPDX-License-Identifier: MIT
#include "tools/colorize/cliques.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 64 };

// Budget of a search in 64-bit words: constant, and per element of the graph.
enum { EFFORT_BASE = 20000000, EFFORT_ELEMENT = 4000 };

// One element and its neighbors with local numbers: first its predecessors in the ordering, the
// candidates for a clique, then its successors, whose cliques are found by their own searches.
typedef struct neighborhood {
    uint32_t count, candidates;
    uint32_t words;           // of a set of neighbors
    uint32_t *elements;       // [count]
    uint64_t *rows;           // [count][words]: conflicts of each
    uint64_t *hyperedge_sets; // [hyperedges][words]: elements of each hyperedge
    uint64_t *sets;           // two for each depth of the search
    uint32_t *clique;         // elements so far; the first is the one the search started from
    size_t room;              // elements that rows, sets and clique have room for
    size_t hyperedge_room;    // words that hyperedge_sets have room for
} neighborhood;

typedef struct searcher {
    const slv_conflicts *conflicts;
    const slv_ordering *ordering;
    slv_clique_search *search;
    uint32_t *local;            // by element: one more than its number in the neighborhood, or 0
    uint32_t *hyperedge_number; // by hyperedge: one more than its number in the neighborhood, or 0
    neighborhood near;
    bool ended;
} searcher;

static bool make_room(neighborhood *near, size_t hyperedge_sets) {
    const size_t count = (size_t)near->count + 1;
    const size_t room = 2 * count; // amortizes growth
    const size_t words = room / WORD + 1;
    if (hyperedge_sets * near->words > near->hyperedge_room) {
        free(near->hyperedge_sets);
        near->hyperedge_room = 2 * hyperedge_sets * near->words;
        near->hyperedge_sets = calloc(near->hyperedge_room, sizeof *near->hyperedge_sets);
    }
    if (count > near->room) {
        free(near->rows);
        free(near->sets);
        free(near->clique);
        near->room = room;
        near->rows = calloc(room * words, sizeof *near->rows);
        near->sets = calloc(2 * (room + 3) * words, sizeof *near->sets);
        near->clique = calloc(room + 2, sizeof *near->clique);
    }
    return near->rows && near->hyperedge_sets && near->sets && near->clique;
}

static void free_neighborhood(neighborhood *near) {
    free(near->elements);
    free(near->rows);
    free(near->hyperedge_sets);
    free(near->sets);
    free(near->clique);
}

// --- The neighborhood -----------------------------------------------------------------------------------

static void add_neighbors(searcher *s, uint32_t e, bool in_front) {
    const uint32_t *rank = s->ordering->rank;
    SLV_EACH_NEIGHBOR(s->conflicts, e, p, at, other) {
        if (other != e && s->local[other] == 0 && (rank[other] < rank[e]) == in_front) {
            s->near.elements[s->near.count] = other;
            s->local[other] = ++s->near.count;
        }
    }
}

static void clear_neighborhood(searcher *s) {
    for (uint32_t i = 0; i < s->near.count; i++) {
        const uint32_t element = s->near.elements[i];
        s->local[element] = 0;
        for (uint32_t p = s->conflicts->first_hyperedge[element];
             p < s->conflicts->first_hyperedge[element + 1]; p++) {
            s->hyperedge_number[s->conflicts->hyperedges[p]] = 0;
        }
    }
}

// Numbers the hyperedges of the elements of the neighborhood; returns their number.
static size_t number_hyperedges(searcher *s) {
    size_t count = 0;
    for (uint32_t i = 0; i < s->near.count; i++) {
        const uint32_t element = s->near.elements[i];
        for (uint32_t p = s->conflicts->first_hyperedge[element];
             p < s->conflicts->first_hyperedge[element + 1]; p++) {
            uint32_t *hyperedge_number = &s->hyperedge_number[s->conflicts->hyperedges[p]];
            *hyperedge_number = *hyperedge_number == 0 ? (uint32_t)++count : *hyperedge_number;
        }
    }
    return count;
}

static uint64_t *hyperedge_set_of(const searcher *s, uint32_t p) {
    return s->near.hyperedge_sets +
           (size_t)(s->hyperedge_number[s->conflicts->hyperedges[p]] - 1) * s->near.words;
}

static void fill_rows(searcher *s, size_t hyperedge_sets) {
    neighborhood *near = &s->near;
    memset(near->hyperedge_sets, 0, hyperedge_sets * near->words * sizeof *near->hyperedge_sets);
    for (uint32_t i = 0; i < near->count; i++) {
        const uint32_t element = near->elements[i];
        for (uint32_t p = s->conflicts->first_hyperedge[element];
             p < s->conflicts->first_hyperedge[element + 1]; p++) {
            hyperedge_set_of(s, p)[i / WORD] |= UINT64_C(1) << (i % WORD);
        }
    }
    for (uint32_t i = 0; i < near->count; i++) {
        const uint32_t element = near->elements[i];
        uint64_t *row = near->rows + (size_t)i * near->words;
        memset(row, 0, near->words * sizeof *row);
        for (uint32_t p = s->conflicts->first_hyperedge[element];
             p < s->conflicts->first_hyperedge[element + 1]; p++) {
            const uint64_t *members = hyperedge_set_of(s, p);
            for (uint32_t w = 0; w < near->words; w++) {
                row[w] |= members[w];
            }
        }
        row[i / WORD] &= ~(UINT64_C(1) << (i % WORD));
    }
    s->search->effort -= (int64_t)near->count * near->words;
}

// --- The search -------------------------------------------------------------------------------------

static uint32_t count_bits(const uint64_t *set, uint32_t words) {
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++) {
        count += (uint32_t)__builtin_popcountll(set[w]);
    }
    return count;
}

static uint32_t count_common(const uint64_t *a, const uint64_t *b, uint32_t words) {
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++) {
        count += (uint32_t)__builtin_popcountll(a[w] & b[w]);
    }
    return count;
}

// The pivot: among candidates and excluded elements the one with the most conflicts with
// candidates. Every maximal clique contains it or a candidate that does not conflict with it, so
// only these are expanded.
static const uint64_t *choose_pivot(searcher *s, const uint64_t *candidates,
                                    const uint64_t *excluded) {
    const neighborhood *near = &s->near;
    const uint64_t *best = near->rows;
    uint32_t most = 0;
    bool any = false;
    for (uint32_t w = 0; w < near->words; w++) {
        for (uint64_t left = candidates[w] | excluded[w]; left != 0; left &= left - 1) {
            const uint32_t i = w * WORD + (uint32_t)__builtin_ctzll(left);
            const uint64_t *row = near->rows + (size_t)i * near->words;
            const uint32_t count = count_common(row, candidates, near->words);
            if (!any || count > most) {
                any = true;
                most = count;
                best = row;
            }
            s->search->effort -= near->words;
        }
    }
    return best;
}

static bool is_empty(const uint64_t *set, uint32_t words) {
    uint64_t any = 0;
    for (uint32_t w = 0; w < words; w++) {
        any |= set[w];
    }
    return any == 0;
}

// Whether a greedy coloring of the candidates has at most `limit` colors; then no clique of them is
// larger. A heuristic: false does not mean that a larger clique exists.
static bool fits_into(searcher *s, const uint64_t *candidates, uint32_t limit, uint64_t *left,
                      uint64_t *open) {
    const neighborhood *near = &s->near;
    uint32_t used = 0;
    memcpy(left, candidates, near->words * sizeof *left);
    while (!is_empty(left, near->words)) {
        if (used++ == limit) {
            return false;
        }
        memcpy(open, left, near->words * sizeof *open);
        for (uint32_t w = 0; w < near->words; w++) {
            while (open[w] != 0) {
                const uint32_t bit = (uint32_t)__builtin_ctzll(open[w]);
                const uint64_t *row = near->rows + (size_t)(w * WORD + bit) * near->words;
                left[w] &= ~(UINT64_C(1) << bit);
                open[w] &= ~(UINT64_C(1) << bit);
                for (uint32_t v = w; v < near->words; v++) {
                    open[v] &= ~row[v];
                }
                s->search->effort -= near->words;
            }
        }
    }
    return true;
}

// size: elements of the clique so far. The sets of candidates and excluded elements are at this
// depth of the stack. The recursion depth is the clique size, bounded by the neighborhood.
// NOLINTNEXTLINE(misc-no-recursion)
static void expand(searcher *s, uint32_t size) {
    neighborhood *near = &s->near;
    uint64_t *candidates = near->sets + (size_t)2 * (size - 1) * near->words;
    uint64_t *excluded = candidates + near->words;
    if (s->ended || s->search->effort <= 0 ||
        size + count_bits(candidates, near->words) <= s->search->larger_than) {
        return;
    }
    if (is_empty(candidates, near->words)) {
        if (is_empty(excluded, near->words) && !s->search->found(s->search, near->clique, size)) {
            s->ended = true;
        }
        return;
    }
    uint64_t *next = candidates + (size_t)2 * near->words;
    if (size <= s->search->larger_than &&
        fits_into(s, candidates, s->search->larger_than - size, next, next + near->words)) {
        return;
    }
    const uint64_t *pivot = choose_pivot(s, candidates, excluded);
    for (uint32_t w = 0; w < near->words; w++) {
        uint64_t left = candidates[w] & ~pivot[w];
        while (left != 0) {
            const uint64_t bit = left & -left;
            const uint32_t i = w * WORD + (uint32_t)__builtin_ctzll(left);
            const uint64_t *row = near->rows + (size_t)i * near->words;
            for (uint32_t v = 0; v < near->words; v++) {
                next[v] = candidates[v] & row[v];
                next[near->words + v] = excluded[v] & row[v];
            }
            near->clique[size] = near->elements[i];
            expand(s, size + 1);
            candidates[w] &= ~bit;
            excluded[w] |= bit;
            left &= left - 1;
        }
    }
} // NOLINT(clang-analyzer-unix.Malloc): the neighborhood owns `candidates` and frees it

static void begin(searcher *s, uint32_t e) {
    neighborhood *near = &s->near;
    memset(near->sets, 0, 2 * (size_t)near->words * sizeof *near->sets);
    for (uint32_t i = 0; i < near->count; i++) {
        uint64_t *set = i < near->candidates ? near->sets : near->sets + near->words;
        set[i / WORD] |= UINT64_C(1) << (i % WORD);
    }
    near->clique[0] = e;
    expand(s, 1);
}

// False where memory is short. An element with too few predecessors cannot end a clique of the
// wanted size.
static bool search_from(searcher *s, uint32_t e) {
    neighborhood *near = &s->near;
    bool done = true;
    near->count = 0;
    add_neighbors(s, e, true);
    near->candidates = near->count;
    if (near->candidates + 1 > s->search->larger_than) {
        add_neighbors(s, e, false);
        const size_t hyperedge_sets = number_hyperedges(s);
        near->words = near->count / WORD + 1;
        done = make_room(near, hyperedge_sets + 1);
        if (done) {
            fill_rows(s, hyperedge_sets);
            begin(s, e);
        }
    }
    clear_neighborhood(s);
    return done;
}

bool slv_search_cliques(const slv_conflicts *conflicts, const slv_ordering *ordering,
                        slv_clique_search *search) {
    searcher s = {.conflicts = conflicts, .ordering = ordering, .search = search};
    s.local = calloc((size_t)conflicts->element_count + 1, sizeof *s.local);
    s.hyperedge_number = calloc((size_t)conflicts->hyperedge_count + 1, sizeof *s.hyperedge_number);
    s.near.elements = calloc((size_t)conflicts->element_count + 1, sizeof *s.near.elements);
    bool done = s.local && s.hyperedge_number && s.near.elements;
    for (uint32_t i = conflicts->element_count;
         done && !s.ended && search->effort > 0 && i-- > 0;) {
        done = search_from(&s, ordering->sequence[i]);
    }
    search->complete = done && !s.ended && search->effort > 0;
    free_neighborhood(&s.near);
    free(s.local);
    free(s.hyperedge_number);
    return done;
}

// --- The clique number ------------------------------------------------------------------------------

int64_t slv_clique_effort(const slv_conflicts *conflicts) {
    return EFFORT_BASE + (int64_t)conflicts->element_count * EFFORT_ELEMENT;
}

static bool keep_larger(slv_clique_search *search, const uint32_t *elements, uint32_t count) {
    const uint32_t *colors = search->context;
    (void)elements;
    search->larger_than = count;
    return count < *colors;
}

bool slv_clique_number(const slv_conflicts *conflicts, const slv_ordering *ordering,
                       uint32_t colors, int64_t effort, uint32_t *number, bool *exact) {
    slv_clique_search search = {
        .larger_than = slv_conflicts_largest_hyperedge(conflicts),
        .effort = effort,
        .found = keep_larger,
        .context = &colors,
    };
    const bool done =
        search.larger_than >= colors || slv_search_cliques(conflicts, ordering, &search);
    *number = search.larger_than;
    *exact = search.larger_than >= colors || search.complete;
    return done;
}
