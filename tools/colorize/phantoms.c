// SPDX-License-Identifier: MIT
#include "tools/colorize/phantoms.h"

#include "tools/colorize/clique_list.h"
#include "tools/colorize/cliques.h"
#include "tools/common/grow.h"

#include <string.h>

// Rounds of splitting. Later ones find little; the rest is repaired constraint by constraint.
enum { SPLIT_ROUNDS = 6 };

// --- Copies -----------------------------------------------------------------------------------------

bool slv_phantoms_create(uint32_t particle_count, slv_phantoms *phantoms) {
    *phantoms = (slv_phantoms){.particle_count = particle_count};
    phantoms->first = calloc((size_t)particle_count + 1, sizeof *phantoms->first);
    return phantoms->first != NULL;
}

void slv_phantoms_destroy(slv_phantoms *phantoms) {
    free(phantoms->original);
    free(phantoms->next);
    free(phantoms->first);
    *phantoms = (slv_phantoms){0};
}

uint32_t slv_phantoms_split_particles(const slv_phantoms *phantoms) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < phantoms->particle_count; p++) {
        count += phantoms->first[p] != 0;
    }
    return count;
}

uint32_t slv_phantoms_original(const slv_phantoms *phantoms, uint32_t particle) {
    return particle < phantoms->particle_count
               ? particle
               : phantoms->original[particle - phantoms->particle_count];
}

// Appended to the list of its original, so that earlier copies are filled first.
bool slv_phantoms_add(slv_phantoms *phantoms, uint32_t original, uint32_t *copy) {
    uint32_t room = phantoms->room;
    const uint64_t needed = (uint64_t)phantoms->count + 1;
    if (needed + phantoms->particle_count > INT32_MAX ||
        !slv_grow((void **)&phantoms->original, &phantoms->room, needed, 4) ||
        !slv_grow((void **)&phantoms->next, &room, needed, 4)) {
        return false;
    }
    uint32_t *link = &phantoms->first[original];
    while (*link != 0) {
        link = &phantoms->next[*link - 1];
    }
    phantoms->original[phantoms->count] = original;
    phantoms->next[phantoms->count] = 0;
    *link = ++phantoms->count;
    *copy = phantoms->particle_count + phantoms->count - 1;
    return true;
}

// --- Breaking cliques -------------------------------------------------------------------------------

typedef struct splitter {
    uint32_t *const *ends;
    uint32_t arity, count, colors;
    slv_phantoms *phantoms;
    slv_conflicts conflicts; // state at the start of the round
    uint32_t *load;          // by particle or copy: current number of constraints of this kind
    uint32_t load_room;
    uint32_t *changed_in; // by constraint: the last round that changed it
    uint32_t *shared;     // by particle or copy: number of constraints of a clique that share it
    uint32_t shared_room;
    uint32_t *star; // constraints that share the particle to be split
    uint32_t *mark; // by constraint: queued by order_star
    slv_split *split;
} splitter;

static bool reserve_particles(splitter *b) {
    const uint32_t before_load = b->load_room;
    const uint32_t before_shared = b->shared_room;
    const uint64_t needed = (uint64_t)b->phantoms->particle_count + b->phantoms->count + 1;
    if (!slv_grow((void **)&b->load, &b->load_room, needed, 4) ||
        !slv_grow((void **)&b->shared, &b->shared_room, needed, 4)) {
        return false;
    }
    memset(b->load + before_load, 0, (size_t)(b->load_room - before_load) * 4);
    memset(b->shared + before_shared, 0, (size_t)(b->shared_room - before_shared) * 4);
    return true;
}

// A copy of the same original with capacity for `more` constraints, added where there is none.
static bool find_copy(splitter *b, uint32_t particle, uint32_t more, uint32_t *copy) {
    const slv_phantoms *phantoms = b->phantoms;
    const uint32_t original = slv_phantoms_original(phantoms, particle);
    for (uint32_t link = phantoms->first[original]; link != 0; link = phantoms->next[link - 1]) {
        *copy = phantoms->particle_count + link - 1;
        if (*copy != particle && b->load[*copy] + more <= b->colors) {
            return true;
        }
    }
    return slv_phantoms_add(b->phantoms, original, copy) && reserve_particles(b);
}

static void move_end(splitter *b, uint32_t constraint, uint32_t from, uint32_t to) {
    for (uint32_t e = 0; e < b->arity; e++) {
        if (b->ends[e][constraint] == from) {
            b->ends[e][constraint] = to;
        }
    }
    b->load[from]--;
    b->load[to]++;
    b->changed_in[constraint] = b->split->rounds;
}

static bool has_end(const splitter *b, uint32_t constraint, uint32_t particle) {
    for (uint32_t e = 0; e < b->arity; e++) {
        if (b->ends[e][constraint] == particle) {
            return true;
        }
    }
    return false;
}

// Orders a star so that constraints that share a further particle are adjacent (graph traversal).
// Ranges of this order are then connected, and constraints of different ranges share fewer
// particles.
static void order_star(splitter *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        b->mark[b->star[i]] = i + 1;
    }
    for (uint32_t i = 0, known = 1; i<count; i++, known = known> i + 1 ? known : i + 1) {
        SLV_EACH_NEIGHBOR(&b->conflicts, b->star[i], p, at, other) {
            const uint32_t where = b->mark[other];
            const bool beside = b->conflicts.first_element[b->conflicts.hyperedges[p] + 1] -
                                    b->conflicts.first_element[b->conflicts.hyperedges[p]] <
                                count;
            if (beside && where > known) {
                const uint32_t displaced = b->star[known];
                b->star[where - 1] = displaced;
                b->mark[displaced] = where;
                b->star[known] = other;
                b->mark[other] = ++known;
            }
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        b->mark[b->star[i]] = 0;
    }
}

// Distributes the star of a particle evenly over as few copies as possible. Springs are distributed
// round-robin, so that each copy has springs in all directions; other kinds in connected ranges.
static bool split_star(splitter *b, uint32_t particle, uint32_t count) {
    const uint32_t parts = (count + b->colors - 1) / b->colors;
    const uint32_t whole = (count + parts - 1) / parts;
    if (b->arity > 2) {
        order_star(b, count);
    }
    for (uint32_t part = 1; part < parts; part++) {
        uint32_t copy = 0;
        if (!find_copy(b, particle, whole, &copy)) {
            return false;
        }
        for (uint32_t i = 0; i < count; i++) {
            if ((b->arity > 2 ? i / whole : i % parts) == part) {
                move_end(b, b->star[i], particle, copy);
            }
        }
    }
    return true;
}

// The particle shared by most constraints of a clique; the lowest number for ties.
static uint32_t most_shared(splitter *b, const uint32_t *clique, uint32_t size, uint32_t *times) {
    uint32_t best = UINT32_MAX;
    *times = 0;
    for (uint32_t i = 0; i < size; i++) {
        for (uint32_t e = 0; e < b->arity; e++) {
            const uint32_t particle = b->ends[e][clique[i]];
            const uint32_t now = ++b->shared[particle];
            if (now > *times || (now == *times && particle < best)) {
                *times = now;
                best = particle;
            }
        }
    }
    for (uint32_t i = 0; i < size; i++) {
        for (uint32_t e = 0; e < b->arity; e++) {
            b->shared[b->ends[e][clique[i]]] = 0;
        }
    }
    return best;
}

static bool was_changed(const splitter *b, const uint32_t *clique, uint32_t size) {
    for (uint32_t i = 0; i < size; i++) {
        if (b->changed_in[clique[i]] == b->split->rounds) {
            return true;
        }
    }
    return false;
}

// A star stays a clique when other ends of its constraints change. Any other clique changed in this
// round may no longer be one: the next round decides.
static bool split_clique(splitter *b, const uint32_t *clique, uint32_t size) {
    uint32_t times = 0;
    const uint32_t particle = most_shared(b, clique, size, &times);
    uint32_t count = 0;
    if (times == size) {
        memcpy(b->star, clique, size * sizeof *clique);
        b->split->cliques++;
        return split_star(b, particle, size);
    }
    if (was_changed(b, clique, size)) {
        return true;
    }
    b->split->cliques++;
    for (uint32_t i = 0; i < size; i++) {
        if (has_end(b, clique[i], particle)) {
            b->star[count++] = clique[i];
        }
    }
    uint32_t copy = 0;
    if (!find_copy(b, particle, count / 2, &copy)) {
        return false;
    }
    order_star(b, count);
    for (uint32_t i = 0; i < count / 2; i++) {
        move_end(b, b->star[i], particle, copy);
    }
    return true;
}

static bool run_round(splitter *b, bool *changed) {
    slv_clique_list list;
    b->split->rounds++;
    slv_conflicts_destroy(&b->conflicts);
    bool done =
        slv_conflicts_create((const uint32_t *const *)b->ends, b->arity, b->count,
                             b->phantoms->particle_count + b->phantoms->count, &b->conflicts) &&
        reserve_particles(b);
    for (uint32_t p = 0; done && p < b->conflicts.hyperedge_count; p++) {
        b->load[p] = b->conflicts.first_element[p + 1] - b->conflicts.first_element[p];
    }
    done = done && slv_clique_list_create(&b->conflicts, b->colors, &list);
    if (!done) {
        return false;
    }
    b->split->bounded |= list.bounded;
    *changed = list.count > 0;
    for (uint32_t i = 0; done && i < list.count; i++) {
        const uint32_t *clique = NULL;
        const uint32_t size = slv_clique_list_get(&list, i, &clique);
        done = split_clique(b, clique, size);
    }
    slv_clique_list_destroy(&list);
    return done;
}

// --- When cliques are small and colors still do not suffice ------------------------------------------

typedef struct repairer {
    splitter *b;
    slv_coloring *coloring;
    uint64_t *used; // by particle or copy: bit mask of the colors used
    uint32_t used_room;
    uint32_t words;
} repairer;

static uint64_t *used_at(const repairer *m, uint32_t particle) {
    return m->used + (size_t)particle * m->words;
}

static bool is_used(const repairer *m, uint32_t particle, uint32_t color) {
    return used_at(m, particle)[color / 64] >> (color % 64) & 1;
}

static bool reserve_colors(repairer *m) {
    const uint32_t before = m->used_room;
    const uint64_t needed = (uint64_t)m->b->phantoms->particle_count + m->b->phantoms->count + 1;
    if (!slv_grow((void **)&m->used, &m->used_room, needed, m->words * sizeof *m->used)) {
        return false;
    }
    memset(m->used + (size_t)before * m->words, 0,
           (size_t)(m->used_room - before) * m->words * sizeof *m->used);
    return true;
}

static uint32_t count_clashes(const repairer *m, uint32_t constraint, uint32_t color) {
    uint32_t count = 0;
    for (uint32_t e = 0; e < m->b->arity; e++) {
        count += is_used(m, m->b->ends[e][constraint], color);
    }
    return count;
}

// The original or a copy of it where the color is unused.
static bool find_free(repairer *m, uint32_t particle, uint32_t color, uint32_t *to) {
    const slv_phantoms *phantoms = m->b->phantoms;
    const uint32_t original = slv_phantoms_original(phantoms, particle);
    *to = original;
    uint32_t link = phantoms->first[original];
    while (is_used(m, *to, color) && link != 0) {
        *to = phantoms->particle_count + link - 1;
        link = phantoms->next[link - 1];
    }
    return !is_used(m, *to, color) ||
           (slv_phantoms_add(m->b->phantoms, original, to) && reserve_colors(m));
}

// Gives a constraint the color with the fewest clashes, and copies at the clashing ends.
static bool repair(repairer *m, uint32_t constraint) {
    uint32_t best = 0;
    uint32_t fewest = UINT32_MAX;
    for (uint32_t c = 0; c < m->b->colors; c++) {
        const uint32_t count = count_clashes(m, constraint, c);
        if (count < fewest) {
            fewest = count;
            best = c;
        }
    }
    for (uint32_t e = 0; e < m->b->arity; e++) {
        uint32_t *particle = &m->b->ends[e][constraint];
        if (is_used(m, *particle, best) && !find_free(m, *particle, best, particle)) {
            return false;
        }
        used_at(m, *particle)[best / 64] |= UINT64_C(1) << (best % 64);
    }
    m->coloring->color[constraint] = best;
    m->b->split->single++;
    return true;
}

static bool repair_all(splitter *b, slv_coloring *coloring) {
    repairer m = {.b = b, .coloring = coloring, .words = (b->colors + 63) / 64};
    bool done = reserve_colors(&m);
    for (uint32_t i = 0; done && i < b->count; i++) {
        const uint32_t c = coloring->color[i];
        for (uint32_t e = 0; c < b->colors && e < b->arity; e++) {
            used_at(&m, b->ends[e][i])[c / 64] |= UINT64_C(1) << (c % 64);
        }
    }
    for (uint32_t i = 0; done && i < b->count; i++) {
        if (coloring->color[i] >= b->colors) {
            done = repair(&m, i);
        }
    }
    coloring->color_count = b->colors;
    free(m.used);
    return done;
}

static bool color(splitter *b, slv_coloring *coloring) {
    slv_conflicts *conflicts = &b->conflicts;
    slv_ordering ordering;
    bool done = slv_smallest_last(conflicts, &ordering) &&
                slv_coloring_create(conflicts, &ordering, b->colors, coloring);
    slv_ordering_destroy(&ordering);
    if (done && coloring->color_count > b->colors) {
        slv_conflicts_destroy(conflicts);
        done = repair_all(b, coloring) &&
               slv_conflicts_create((const uint32_t *const *)b->ends, b->arity, b->count,
                                    b->phantoms->particle_count + b->phantoms->count, conflicts) &&
               slv_coloring_balance(conflicts, coloring);
    }
    return done;
}

bool slv_phantoms_split(uint32_t *const *ends, uint32_t arity, uint32_t count, uint32_t colors,
                        slv_phantoms *phantoms, slv_coloring *coloring, slv_split *split) {
    splitter b = {.ends = ends,
                  .arity = arity,
                  .count = count,
                  .colors = colors,
                  .phantoms = phantoms,
                  .split = split};
    *split = (slv_split){0};
    *coloring = (slv_coloring){0};
    b.changed_in = calloc((size_t)count + 1, sizeof *b.changed_in);
    b.star = calloc((size_t)count + 1, sizeof *b.star);
    b.mark = calloc((size_t)count + 1, sizeof *b.mark);
    bool done = b.changed_in && b.star && b.mark;
    bool changed = true;
    while (done && changed && !split->bounded && split->rounds < SPLIT_ROUNDS) {
        done = run_round(&b, &changed);
    }
    if (done && changed) { // updates the graph with the changes of the last round
        slv_conflicts_destroy(&b.conflicts);
        done = slv_conflicts_create((const uint32_t *const *)ends, arity, count,
                                    phantoms->particle_count + phantoms->count, &b.conflicts);
    }
    done = done && color(&b, coloring);
    slv_conflicts_destroy(&b.conflicts);
    free(b.load);
    free(b.changed_in);
    free(b.shared);
    free(b.star);
    free(b.mark);
    if (!done) {
        slv_coloring_destroy(coloring);
    }
    return done;
}
