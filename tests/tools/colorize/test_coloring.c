// SPDX-License-Identifier: MIT
// Colorings and cliques of small random graphs against brute force, and of known ones against theory.
#include "tests/tools/colorize/proper.h"
#include "tests/tools/colorize/random_constraints.h"
#include "tests/tools/common/cmocka_all.h"
#include "tools/colorize/clique_list.h"
#include "tools/colorize/cliques.h"
#include "tools/colorize/coloring.h"
#include "tools/colorize/red_black.h"
#include "tools/colorize/smallest_last.h"

enum { TRIALS = 400 };

// Sizes of a trial: all small combinations.
static random_constraints trial(uint32_t number, uint32_t most) {
    const uint32_t arity = number % 2 == 0 ? 2 : 4;
    const uint32_t count = number % most + 1;
    const uint32_t particles = arity + number / 7 % 9;
    return make_random(number + 1, arity, count, particles);
}

static bool can_color(const random_constraints *made, uint32_t colors, uint32_t *color,
                      uint32_t next) {
    if (next == made->count) {
        return true;
    }
    for (uint32_t c = 0; c < colors && c <= next; c++) {
        bool free = true;
        for (uint32_t i = 0; i < next; i++) {
            free &= color[i] != c || !do_conflict(made, i, next);
        }
        color[next] = c;
        if (free && can_color(made, colors, color, next + 1)) {
            return true;
        }
    }
    return false;
}

static uint32_t chromatic_number(const random_constraints *made) {
    uint32_t color[32];
    uint32_t colors = 1;
    while (!can_color(made, colors, color, 0)) {
        colors++;
    }
    return colors;
}

static bool is_clique(const random_constraints *made, uint32_t set) {
    for (uint32_t i = 0; i < made->count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if ((set >> i & 1) && (set >> j & 1) && !do_conflict(made, i, j)) {
                return false;
            }
        }
    }
    return true;
}

static bool is_maximal(const random_constraints *made, uint32_t set) {
    for (uint32_t i = 0; i < made->count; i++) {
        if (!(set >> i & 1) && is_clique(made, set | UINT32_C(1) << i)) {
            return false;
        }
    }
    return is_clique(made, set);
}

static uint32_t clique_number(const random_constraints *made) {
    uint32_t best = 0;
    for (uint32_t set = 0; set < UINT32_C(1) << made->count; set++) {
        const uint32_t size = (uint32_t)__builtin_popcount(set);
        best = size > best && is_clique(made, set) ? size : best;
    }
    return best;
}

// --- Promises ---------------------------------------------------------------------------------------

static void colorings_are_proper_and_close_to_the_optimum(void **state) {
    (void)state;
    uint32_t more = 0;
    for (uint32_t t = 0; t < TRIALS; t++) {
        random_constraints made = trial(t, 11);
        slv_conflicts conflicts = conflicts_of(&made, made.particles);
        slv_coloring coloring = coloring_of(&conflicts);
        assert_true(is_proper(&conflicts, &coloring));
        const uint32_t best = chromatic_number(&made);
        assert_in_range(coloring.color_count, best, best + 1);
        more += coloring.color_count > best;
        slv_coloring_destroy(&coloring);
        slv_conflicts_destroy(&conflicts);
        free_random(&made);
    }
    assert_in_range(more, 0, TRIALS / 100);
}

static void improper_colorings_are_detected(void **state) {
    (void)state;
    random_constraints made = make_random(3, 2, 40, 12);
    slv_conflicts conflicts = conflicts_of(&made, made.particles);
    slv_coloring coloring = coloring_of(&conflicts);
    const uint32_t other = conflicts.elements[conflicts.first_element[made.ends[0][0]]] == 0
                               ? conflicts.elements[conflicts.first_element[made.ends[0][0]] + 1]
                               : conflicts.elements[conflicts.first_element[made.ends[0][0]]];
    const uint32_t own = coloring.color[0];
    coloring.color[0] = coloring.color[other];
    assert_false(is_proper(&conflicts, &coloring));
    coloring.color[0] = coloring.color_count;
    assert_false(is_proper(&conflicts, &coloring));
    coloring.color[0] = own;
    assert_true(is_proper(&conflicts, &coloring));
    slv_coloring_destroy(&coloring);
    slv_conflicts_destroy(&conflicts);
    free_random(&made);
}

static void smallest_last_removes_the_element_of_least_degree_each_time(void **state) {
    (void)state;
    for (uint32_t t = 0; t < TRIALS; t++) {
        random_constraints made = trial(t, 30);
        slv_conflicts conflicts = conflicts_of(&made, made.particles);
        slv_ordering ordering;
        uint32_t degeneracy = 0;
        assert_true(slv_smallest_last(&conflicts, &ordering));
        for (uint32_t last = made.count; last-- > 0;) { // 0 … last are left
            uint32_t least = UINT32_MAX;
            uint32_t taken = 0;
            for (uint32_t i = 0; i <= last; i++) {
                uint32_t degree = 0;
                for (uint32_t j = 0; j <= last; j++) {
                    degree += do_conflict(&made, ordering.sequence[i], ordering.sequence[j]);
                }
                least = degree < least ? degree : least;
                taken = i == last ? degree : taken;
            }
            assert_int_equal(taken, least);
            assert_int_equal(ordering.rank[ordering.sequence[last]], last);
            degeneracy = taken > degeneracy ? taken : degeneracy;
        }
        assert_int_equal(ordering.degeneracy, degeneracy);
        slv_ordering_destroy(&ordering);
        slv_conflicts_destroy(&conflicts);
        free_random(&made);
    }
}

typedef struct found_cliques {
    const random_constraints *made;
    uint32_t count;
    uint32_t sets[4096];
} found_cliques;

static bool note_clique(slv_clique_search *search, const uint32_t *elements, uint32_t count) {
    found_cliques *found = search->context;
    uint32_t set = 0;
    for (uint32_t i = 0; i < count; i++) {
        set |= UINT32_C(1) << elements[i];
    }
    assert_int_equal(__builtin_popcount(set), count);
    assert_true(count > search->larger_than);
    assert_true(is_maximal(found->made, set));
    for (uint32_t i = 0; i < found->count; i++) {
        assert_int_not_equal(found->sets[i], set);
    }
    found->sets[found->count++] = set;
    return true;
}

static void all_maximal_cliques_are_found_and_each_once(void **state) {
    (void)state;
    for (uint32_t t = 0; t < TRIALS; t++) {
        random_constraints made = trial(t, 12);
        slv_conflicts conflicts = conflicts_of(&made, made.particles);
        found_cliques found = {.made = &made};
        slv_clique_search search = {
            .larger_than = t % 4, .effort = INT64_MAX, .found = note_clique, .context = &found};
        slv_ordering ordering;
        assert_true(slv_smallest_last(&conflicts, &ordering));
        assert_true(slv_search_cliques(&conflicts, &ordering, &search));
        assert_true(search.complete);
        uint32_t expected = 0;
        for (uint32_t set = 1; set < UINT32_C(1) << made.count; set++) {
            expected += (uint32_t)__builtin_popcount(set) > t % 4 && is_maximal(&made, set);
        }
        assert_int_equal(found.count, expected);
        slv_ordering_destroy(&ordering);
        slv_conflicts_destroy(&conflicts);
        free_random(&made);
    }
}

static void the_clique_number_is_exact_where_reported_so(void **state) {
    (void)state;
    for (uint32_t t = 0; t < TRIALS; t++) {
        random_constraints made = trial(t, 13);
        slv_conflicts conflicts = conflicts_of(&made, made.particles);
        uint32_t number = 0;
        bool exact = false;
        assert_true(find_clique_number(&conflicts, made.count + 1, INT64_MAX, &number, &exact));
        assert_true(exact);
        assert_int_equal(number, clique_number(&made));
        assert_true(find_clique_number(&conflicts, made.count + 1, 0, &number, &exact));
        assert_in_range(number, 1, clique_number(&made));
        slv_conflicts_destroy(&conflicts);
        free_random(&made);
    }
}

static void clique_lists_are_sorted_and_contain_all_large_cliques(void **state) {
    (void)state;
    for (uint32_t t = 0; t < TRIALS; t++) {
        random_constraints made = trial(t, 12);
        slv_conflicts conflicts = conflicts_of(&made, made.particles);
        slv_clique_list list;
        const uint32_t size = 2 + t % 3;
        assert_true(slv_clique_list_create(&conflicts, size, &list));
        uint32_t before = UINT32_MAX;
        for (uint32_t i = 0; i < list.count; i++) {
            const uint32_t *elements = NULL;
            const uint32_t count = slv_clique_list_get(&list, i, &elements);
            assert_in_range(count, size + 1, before);
            before = count;
        }
        assert_int_equal(list.count > 0, clique_number(&made) > size);
        slv_clique_list_destroy(&list);
        slv_conflicts_destroy(&conflicts);
        free_random(&made);
    }
}

static void partitions_are_balanced(void **state) {
    (void)state;
    random_constraints made = make_random(11, 2, 20000, 6000);
    slv_conflicts conflicts = conflicts_of(&made, made.particles);
    slv_coloring coloring = coloring_of(&conflicts);
    uint32_t sizes[64] = {0};
    for (uint32_t i = 0; i < made.count; i++) {
        sizes[coloring.color[i]]++;
    }
    for (uint32_t c = 0; c < coloring.color_count; c++) { // within a twentieth of the mean
        assert_in_range(20 * sizes[c] * coloring.color_count, 19 * made.count, 21 * made.count);
    }
    slv_coloring_destroy(&coloring);
    slv_conflicts_destroy(&conflicts);
    free_random(&made);
}

// By Vizing the edges of a cycle with chords need at most one color more than the largest star has
// edges; Kempe chains reach this bound.
static void edge_colorings_stay_within_the_bound_of_vizing(void **state) {
    (void)state;
    for (uint32_t t = 0; t < 40; t++) {
        random_constraints made = make_random(t + 100, 2, 600, 100 + 10 * t);
        slv_conflicts conflicts = conflicts_of(&made, made.particles);
        slv_coloring coloring = coloring_of(&conflicts);
        const uint32_t star = slv_conflicts_largest_hyperedge(&conflicts);
        assert_in_range(coloring.color_count, star, star + 1);
        slv_coloring_destroy(&coloring);
        slv_conflicts_destroy(&conflicts);
        free_random(&made);
    }
}

// --- Red and black ------------------------------------------------------------------------------------

static bool are_joined(const random_constraints *made, uint32_t one, uint32_t other) {
    for (uint32_t i = 0; i < made->count; i++) {
        if ((made->ends[0][i] == one && made->ends[1][i] == other) ||
            (made->ends[1][i] == one && made->ends[0][i] == other)) {
            return true;
        }
    }
    return false;
}

static void parity_gives_two_colors_or_an_odd_cycle(void **state) {
    (void)state;
    uint32_t even = 0;
    for (uint32_t t = 0; t < TRIALS; t++) {
        random_constraints made = make_random(t + 1, 2, 1 + t % 14, 2 + t % 17);
        slv_conflicts constraints = conflicts_of(&made, made.particles);
        const slv_conflicts particles = slv_conflicts_transpose(&constraints);
        slv_coloring coloring = {0};
        slv_odd_cycle cycle;
        assert_true(slv_color_red_black(&particles, &coloring, &cycle));
        if (cycle.count == 0) {
            assert_true(is_proper(&particles, &coloring));
            even++;
        } else {
            assert_int_equal(cycle.count % 2, 1);
            for (uint32_t i = 0; i < cycle.count; i++) {
                assert_true(
                    are_joined(&made, cycle.elements[i], cycle.elements[(i + 1) % cycle.count]));
            }
        }
        slv_coloring_destroy(&coloring);
        slv_odd_cycle_destroy(&cycle);
        slv_conflicts_destroy(&constraints);
        free_random(&made);
    }
    assert_in_range(even, TRIALS / 10, TRIALS - TRIALS / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colorings_are_proper_and_close_to_the_optimum),
        cmocka_unit_test(improper_colorings_are_detected),
        cmocka_unit_test(smallest_last_removes_the_element_of_least_degree_each_time),
        cmocka_unit_test(all_maximal_cliques_are_found_and_each_once),
        cmocka_unit_test(the_clique_number_is_exact_where_reported_so),
        cmocka_unit_test(clique_lists_are_sorted_and_contain_all_large_cliques),
        cmocka_unit_test(partitions_are_balanced),
        cmocka_unit_test(edge_colorings_stay_within_the_bound_of_vizing),
        cmocka_unit_test(parity_gives_two_colors_or_an_odd_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
