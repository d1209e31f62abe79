// SPDX-License-Identifier: MIT
#include "tools/colorize/schemes.h"

#include "tools/colorize/cliques.h"
#include "tools/colorize/lattice.h"
#include "tools/colorize/red_black.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Budget in 64-bit words: sufficient for an exact clique number on meshes of usual size, negligible
// on large ones, where the largest star is reported as a lower bound.
static const int64_t MODEST_EFFORT = 6000000;

// Phantoms are chosen from this number of launches on, where at most this part of the particles is split.
enum { MANY_LAUNCHES = 24 };
static const double FEW_SPLIT = 0.05;

// A coloring that is not proper is a fault of this program.
static slv_result require_proper(const slv_conflicts *conflicts, const slv_coloring *coloring,
                                 const char *what, slv_error *error) {
    bool proper = false;
    if (!slv_coloring_check(conflicts, coloring, &proper)) {
        return slv_no_memory(error);
    }
    return proper ? SLV_OK
                  : slv_fail(error, SLV_ERROR_MEMORY, "the coloring of %s is not proper", what);
}

// --- Particles --------------------------------------------------------------------------------------

typedef struct edge_list {
    uint32_t *ends[2];
    uint32_t count;
} edge_list;

static void free_edges(edge_list *list) {
    free(list->ends[0]);
    free(list->ends[1]);
}

// The edges that particle colors (PCOL) separate: particles with a common distance constraint, and
// neighbors in a grid.
static slv_result list_edges(const slv_garment *garment, const slv_constraint_sets *sets,
                             const slv_phantoms *phantoms, edge_list *list, slv_error *error) {
    const size_t n = garment->info.particle_count;
    uint64_t room =
        garment->constraints[SLV_CONSTRAINT_DISTANCE].count + (garment->grid ? 3 * (uint64_t)n : 0);
    *list = (edge_list){0};
    if (room >= UINT32_MAX / 2) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED, "too many constraints to be colored");
    }
    list->ends[0] = calloc((size_t)room + 1, 4);
    list->ends[1] = calloc((size_t)room + 1, 4);
    if (!list->ends[0] || !list->ends[1]) {
        return slv_no_memory(error);
    }
    for (uint32_t s = 0; s < sets->count; s++) {
        const slv_constraint_set *set = &sets->sets[s];
        for (uint32_t i = 0; set->kind == SLV_CONSTRAINT_DISTANCE && i < set->count; i++) {
            for (int e = 0; e < 2; e++) {
                list->ends[e][list->count] = slv_phantoms_original(phantoms, set->ends[e][i]);
            }
            list->count++;
        }
    }
    for (size_t slot = 1; garment->grid && slot < SLV_SLOT_COUNT; slot += 2) {
        for (uint32_t own = 0; own < n; own++) {
            int32_t other = garment->neighbors[slot * n + garment->stored_of_own[own]];
            if (other != SLV_NO_NEIGHBOR) {
                list->ends[0][list->count] = own;
                list->ends[1][list->count++] = garment->own_of_stored[other];
            }
        }
    }
    return SLV_OK;
}

static slv_result refuse_odd(const slv_odd_cycle *cycle, slv_error *error) {
    enum { SHOWN = 12 };
    char text[200];
    size_t used = 0;
    for (uint32_t i = 0; i < cycle->count && i < SHOWN; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", i > 0 ? "-" : "",
                                 cycle->elements[i]);
    }
    return slv_fail(error, SLV_ERROR_CONTENT,
                    "red and black do not suffice: particles %s%s are an odd cycle of %u; use "
                    "--scheme greedy",
                    text, cycle->count > SHOWN ? "-…" : "", cycle->count);
}

static slv_result color_particles(const slv_conflicts *particles, const slv_ordering *ordering,
                                  slv_scheme scheme, slv_colorize_report *report,
                                  slv_coloring *coloring, slv_error *error) {
    slv_odd_cycle cycle = {0};
    slv_result result = SLV_OK;
    const bool automatic = scheme == SLV_SCHEME_AUTO;
    report->particle_scheme = SLV_SCHEME_GREEDY;
    if (scheme != SLV_SCHEME_GREEDY && !slv_color_red_black(particles, coloring, &cycle)) {
        result = slv_no_memory(error);
    } else if (scheme != SLV_SCHEME_GREEDY && cycle.count == 0) {
        report->particle_scheme = SLV_SCHEME_RED_BLACK;
        (void)snprintf(report->particle_reason, sizeof report->particle_reason, "%s",
                       automatic ? "no cycle of particles is odd" : "");
    } else if (scheme == SLV_SCHEME_RED_BLACK) {
        result = refuse_odd(&cycle, error);
    } else {
        if (automatic) {
            (void)snprintf(report->particle_reason, sizeof report->particle_reason,
                           "there is an odd cycle, of %u particles", cycle.count);
        }
        result =
            slv_coloring_create(particles, ordering, 0, coloring) ? SLV_OK : slv_no_memory(error);
    }
    slv_odd_cycle_destroy(&cycle);
    return result;
}

static bool describe_particles(const slv_conflicts *particles, const slv_ordering *ordering,
                               const slv_coloring *coloring, slv_particle_report *report) {
    report->colors = coloring->color_count;
    report->sizes = calloc((size_t)coloring->color_count + 1, sizeof *report->sizes);
    for (uint32_t e = 0; report->sizes && e < coloring->element_count; e++) {
        report->sizes[coloring->color[e]]++;
    }
    return report->sizes &&
           slv_clique_number(particles, ordering, coloring->color_count, MODEST_EFFORT,
                             &report->clique_number, &report->clique_exact);
}

slv_result slv_scheme_particles(const slv_garment *garment, const slv_constraint_sets *sets,
                                const slv_phantoms *phantoms, slv_scheme scheme,
                                slv_colorize_report *report, slv_coloring *coloring,
                                slv_error *error) {
    edge_list list;
    slv_conflicts constraints = {0};
    slv_result result = list_edges(garment, sets, phantoms, &list, error);
    if (result == SLV_OK && !slv_conflicts_create((const uint32_t *const *)list.ends, 2, list.count,
                                                  garment->info.particle_count, &constraints)) {
        result = slv_no_memory(error);
    }
    if (result == SLV_OK) {
        const slv_conflicts particles = slv_conflicts_transpose(&constraints);
        slv_ordering ordering;
        result = slv_smallest_last(&particles, &ordering)
                     ? color_particles(&particles, &ordering, scheme, report, coloring, error)
                     : slv_no_memory(error);
        if (result == SLV_OK) {
            result = require_proper(&particles, coloring, "particles", error);
        }
        if (result == SLV_OK &&
            !describe_particles(&particles, &ordering, coloring, &report->of_particles)) {
            result = slv_no_memory(error);
        }
        slv_ordering_destroy(&ordering);
    }
    slv_conflicts_destroy(&constraints);
    free_edges(&list);
    return result;
}

// --- Constraints ------------------------------------------------------------------------------------

static slv_result check_proper(const slv_constraint_set *set, uint32_t particles,
                               slv_error *error) {
    slv_conflicts conflicts;
    if (!slv_conflicts_create((const uint32_t *const *)set->ends, set->arity, set->count, particles,
                              &conflicts)) {
        return slv_no_memory(error);
    }
    const slv_result result = require_proper(&conflicts, &set->coloring, "constraints", error);
    slv_conflicts_destroy(&conflicts);
    return result;
}

// Lattice coloring, kept only where it is optimal.
static bool color_lattice(const slv_garment *garment, const slv_conflicts *conflicts,
                          slv_constraint_set *set) {
    const float *const axes[3] = {garment->x, garment->y, garment->z};
    slv_coloring *coloring = &set->coloring;
    if (!slv_color_lattice(axes, garment->stored_of_own, (const uint32_t *const *)set->ends,
                           set->arity, set->count, coloring)) {
        return false;
    }
    bool proper = false;
    const bool few =
        coloring->color && coloring->color_count <= slv_conflicts_largest_hyperedge(conflicts);
    if (few && !slv_coloring_check(conflicts, coloring, &proper)) {
        return false;
    }
    if (!proper) {
        slv_coloring_destroy(coloring);
    }
    return true;
}

// Colors a set with as few colors as the heuristics find and computes its clique number; all
// schemes begin with it.
static bool color_greedily(const slv_garment *garment, slv_constraint_set *set) {
    slv_conflicts conflicts;
    slv_ordering ordering = {0};
    bool done = slv_conflicts_create((const uint32_t *const *)set->ends, set->arity, set->count,
                                     garment->info.particle_count, &conflicts) &&
                color_lattice(garment, &conflicts, set);
    if (done && set->coloring.color) {
        set->clique_number = set->coloring.color_count;
        set->clique_exact = true;
        done = slv_coloring_balance(&conflicts, &set->coloring);
    } else if (done) {
        done = slv_smallest_last(&conflicts, &ordering) &&
               slv_coloring_create(&conflicts, &ordering, 0, &set->coloring) &&
               slv_clique_number(&conflicts, &ordering, set->coloring.color_count, MODEST_EFFORT,
                                 &set->clique_number, &set->clique_exact);
    }
    slv_ordering_destroy(&ordering);
    slv_conflicts_destroy(&conflicts);
    set->greedy_colors = set->coloring.color_count;
    set->solved_colors = set->coloring.color_count;
    return done;
}

static uint32_t colors_for(const slv_constraint_set *set, uint32_t wanted) {
    const uint32_t half = set->clique_number / 2 > 2 ? set->clique_number / 2 : 2;
    return wanted > 0 ? wanted : half;
}

// Counts the particles to be split to halve the clique number: those with more constraints than
// that, of any kind.
static slv_result count_crowded(const slv_constraint_sets *sets, uint32_t particles,
                                uint32_t *crowded, slv_error *error) {
    uint32_t *met = calloc((size_t)particles + 1, sizeof *met);
    uint8_t *full = calloc((size_t)particles + 1, sizeof *full);
    *crowded = 0;
    for (uint32_t s = 0; met && full && s < sets->count; s++) {
        const slv_constraint_set *set = &sets->sets[s];
        memset(met, 0, particles * sizeof *met);
        for (uint32_t e = 0; e < set->arity; e++) {
            for (uint32_t i = 0; i < set->count; i++) {
                const uint32_t p = set->ends[e][i];
                const bool now = ++met[p] > colors_for(set, 0) && !full[p];
                *crowded += now ? 1 : 0;
                full[p] |= now ? 1 : 0;
            }
        }
    }
    const bool done = met && full;
    free(met);
    free(full);
    return done ? SLV_OK : slv_no_memory(error);
}

// Phantoms are efficient where few particles cause the large cliques: they halve the launches and
// change the motion in few places. In a uniform mesh every particle would have to be split.
static slv_result choose(slv_colorize_report *report, slv_scheme *scheme, slv_error *error) {
    const uint32_t launches = slv_scheme_launches(&report->sets, true, 0);
    uint32_t crowded = 0;
    const slv_result result = count_crowded(&report->sets, report->particles, &crowded, error);
    const double share = report->particles > 0 ? (double)crowded / report->particles : 0;
    *scheme =
        launches >= MANY_LAUNCHES && share <= FEW_SPLIT ? SLV_SCHEME_PHANTOM : SLV_SCHEME_GREEDY;
    if (launches < MANY_LAUNCHES) {
        (void)snprintf(report->reason, sizeof report->reason,
                       "%u launches are few, phantoms would save little", launches);
    } else {
        (void)snprintf(report->reason, sizeof report->reason,
                       "to halve the colors, %.3g%% of the particles must be split: %s",
                       100 * share,
                       *scheme == SLV_SCHEME_PHANTOM ? "little changes" : "too much would change");
    }
    return result;
}

static slv_result apply_phantoms(slv_constraint_set *set, uint32_t wanted, slv_console *console,
                                 slv_phantoms *phantoms, slv_error *error) {
    const uint32_t colors = colors_for(set, wanted);
    if (colors >= set->greedy_colors) {
        if (wanted > 0) {
            slv_console_warning(console, NULL,
                                "--colors %u is more than needed: %u suffice without phantoms "
                                "for constraints of kind %s",
                                wanted, set->greedy_colors, slv_constraint_kinds[set->kind].plural);
        }
        return SLV_OK;
    }
    slv_coloring_destroy(&set->coloring);
    if (!slv_phantoms_split(set->ends, set->arity, set->count, colors, phantoms, &set->coloring,
                            &set->split)) {
        return slv_no_memory(error);
    }
    if (set->split.bounded) {
        slv_console_warning(console, NULL,
                            "too many cliques to look at all of them; those of single particles "
                            "were broken, and constraints split one by one where that left too few "
                            "colors");
    }
    set->solved_colors = set->coloring.color_count;
    return SLV_OK;
}

static void apply_hybrid(slv_constraint_set *set, uint32_t wanted, slv_console *console) {
    const uint32_t colors = colors_for(set, wanted);
    if (colors >= set->greedy_colors && wanted > 0) {
        slv_console_warning(console, NULL,
                            "--colors %u is more than needed: with %u nothing is left to average "
                            "of constraints of kind %s",
                            wanted, set->greedy_colors, slv_constraint_kinds[set->kind].plural);
    }
    set->solved_colors = colors < set->greedy_colors ? colors : set->greedy_colors;
}

slv_result slv_scheme_constraints(const slv_garment *garment, slv_scheme scheme, uint32_t colors,
                                  slv_console *console, slv_colorize_report *report,
                                  slv_phantoms *phantoms, slv_error *error) {
    slv_constraint_sets *sets = &report->sets;
    slv_result result = SLV_OK;
    for (uint32_t s = 0; result == SLV_OK && s < sets->count; s++) {
        slv_console_progress(console, "coloring", s, sets->count);
        result = color_greedily(garment, &sets->sets[s]) ? SLV_OK : slv_no_memory(error);
    }
    if (result == SLV_OK && scheme == SLV_SCHEME_AUTO) {
        result = choose(report, &scheme, error);
    }
    report->constraint_scheme = scheme;
    for (uint32_t s = 0; result == SLV_OK && s < sets->count; s++) {
        if (scheme == SLV_SCHEME_PHANTOM) {
            slv_console_progress(console, "breaking cliques", s, sets->count);
            result = apply_phantoms(&sets->sets[s], colors, console, phantoms, error);
        } else if (scheme == SLV_SCHEME_HYBRID) {
            apply_hybrid(&sets->sets[s], colors, console);
        }
    }
    slv_console_progress_end(console);
    for (uint32_t s = 0; result == SLV_OK && s < sets->count; s++) {
        result = check_proper(&sets->sets[s], report->particles + phantoms->count, error);
    }
    return result;
}

uint32_t slv_scheme_launches(const slv_constraint_sets *sets, bool greedy, uint32_t phantoms) {
    uint32_t launches = 0;
    uint32_t averaged = 0;
    uint32_t solved_apart = 0; // bit mask of kinds; all pairs are springs of one kernel
    for (uint32_t s = 0; s < sets->count; s++) {
        const slv_constraint_set *set = &sets->sets[s];
        launches += greedy ? set->greedy_colors : set->solved_colors;
        solved_apart |= 1u << (set->arity == 2 ? SLV_CONSTRAINT_DISTANCE : set->kind);
        averaged += !greedy && set->solved_colors < set->coloring.color_count;
    }
    for (uint32_t kinds = phantoms > 0 ? solved_apart : 0; kinds != 0; kinds &= kinds - 1) {
        launches++;
    }
    return launches + averaged + (averaged > 0 ? 1 : 0);
}
