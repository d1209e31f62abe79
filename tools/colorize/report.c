// SPDX-License-Identifier: MIT
#include "tools/colorize/report.h"

#include "tools/common/facts.h"
#include "tools/common/json_memory.h"

#include <stdio.h>
#include <stdlib.h>

// Distribution of elements over colors.
typedef struct spread {
    uint32_t colors; // that are solved one after the other
    uint32_t least, most;
    double balance; // the largest partition over the mean; 1 is best
} spread;

static spread spread_of(const uint32_t *sizes, uint32_t colors) {
    spread s = {.colors = colors, .least = UINT32_MAX, .balance = 1};
    uint64_t total = 0;
    for (uint32_t c = 0; c < colors; c++) {
        s.least = sizes[c] < s.least ? sizes[c] : s.least;
        s.most = sizes[c] > s.most ? sizes[c] : s.most;
        total += sizes[c];
    }
    s.least = colors > 0 ? s.least : 0;
    s.balance = total > 0 ? (double)s.most * colors / (double)total : 1;
    return s;
}

// Sizes of the colors of a set, the averaged constraints last; to be freed.
static uint32_t *sizes_of(const slv_constraint_set *set) {
    uint32_t *sizes = calloc((size_t)set->solved_colors + 1, sizeof *sizes);
    for (uint32_t i = 0; sizes && i < set->count; i++) {
        const uint32_t color = set->coloring.color[i];
        sizes[color < set->solved_colors ? color : set->solved_colors]++;
    }
    return sizes;
}

// --- For a person -----------------------------------------------------------------------------------

static void print_partitions(spread s) {
    printf("%u color%s of ", s.colors, s.colors == 1 ? "" : "s");
    if (s.least == s.most) {
        printf("%u", s.most);
    } else {
        printf("%u to %u", s.least, s.most);
    }
}

static void print_clique(uint32_t number, bool exact) {
    printf("; largest clique %s%u\n", exact ? "" : "at least ", number);
}

static void print_particles(const slv_colorize_report *report) {
    const slv_particle_report *of = &report->of_particles;
    printf("particles: %s", slv_scheme_name(report->particle_scheme));
    if (report->particle_reason[0] != '\0') {
        printf(" (%s)", report->particle_reason);
    }
    printf(", ");
    print_partitions(spread_of(of->sizes, of->colors));
    print_clique(of->clique_number, of->clique_exact);
}

// False where memory is short.
static bool print_set(const slv_constraint_set *set) {
    uint32_t *sizes = sizes_of(set);
    if (sizes) {
        printf("  %u %s: ", set->count, slv_constraint_kinds[set->kind].plural);
        print_partitions(spread_of(sizes, set->solved_colors));
        if (sizes[set->solved_colors] > 0) {
            printf(", %u averaged", sizes[set->solved_colors]);
        }
        print_clique(set->clique_number, set->clique_exact);
    }
    const bool printed = sizes != NULL;
    free(sizes);
    return printed;
}

static bool print_constraints(const slv_colorize_report *report) {
    printf("constraints: %s", slv_scheme_name(report->constraint_scheme));
    if (report->reason[0] != '\0') {
        printf(" (%s)", report->reason);
    }
    printf("\n");
    bool printed = true;
    for (uint32_t s = 0; s < report->sets.count; s++) {
        printed = print_set(&report->sets.sets[s]) && printed;
    }
    if (report->phantom_particles > 0) {
        printf("  %u phantoms of %u particles (%.3g%%)\n", report->phantom_particles,
               report->phantom_constraints,
               100.0 * report->phantom_constraints / report->particles);
    }
    printf("  launches per iteration: %u", report->launches);
    if (report->launches != report->launches_before) {
        printf(", in place of %u", report->launches_before);
    }
    printf("\n");
    return printed;
}

slv_result slv_colorize_print(const slv_colorize_options *options,
                              const slv_colorize_report *report, slv_error *error) {
    printf("%s: %u particles, %llu constraints%s\n", options->input, report->particles,
           (unsigned long long)report->sets.constraints,
           report->was_colored ? ", colored already: colored anew" : "");
    if (report->of & SLV_OF_PARTICLES) {
        print_particles(report);
    }
    if (report->of & SLV_OF_CONSTRAINTS && !print_constraints(report)) {
        return slv_no_memory(error);
    }
    if (report->factor_values > 0) {
        printf("factor: for steps of %g s, %llu values in %u blocks\n", options->factor.time_step,
               (unsigned long long)report->factor_values, report->factor_blocks);
    }
    printf("%s: %.2f MB\n", options->output, (double)report->pack_bytes * 1e-6);
    return slv_facts_flush(error);
}

// --- For a program ----------------------------------------------------------------------------------

static void add_partitions(cJSON *object, const uint32_t *sizes, uint32_t colors) {
    const spread s = spread_of(sizes, colors);
    slv_facts_add(object, "colors", colors);
    cJSON *list = cJSON_AddArrayToObject(object, "sizes");
    for (uint32_t c = 0; c < colors; c++) {
        (void)cJSON_AddItemToArray(list, cJSON_CreateNumber(sizes[c]));
    }
    slv_facts_add(object, "balance", s.balance);
}

static void add_particles(cJSON *root, const slv_colorize_report *report) {
    const slv_particle_report *of = &report->of_particles;
    cJSON *object = cJSON_AddObjectToObject(root, "particle_coloring");
    (void)cJSON_AddStringToObject(object, "scheme", slv_scheme_name(report->particle_scheme));
    (void)cJSON_AddStringToObject(object, "reason", report->particle_reason);
    slv_facts_add(object, "clique_number", of->clique_number);
    (void)cJSON_AddBoolToObject(object, "clique_number_exact", of->clique_exact);
    add_partitions(object, of->sizes, of->colors);
}

static void add_set(cJSON *kinds, const slv_constraint_set *set) {
    uint32_t *sizes = sizes_of(set);
    cJSON *object = cJSON_CreateObject();
    (void)cJSON_AddItemToArray(kinds, object);
    (void)cJSON_AddStringToObject(object, "kind", slv_constraint_kinds[set->kind].plural);
    slv_facts_add(object, "material", set->material);
    slv_facts_add(object, "constraints", set->count);
    slv_facts_add(object, "clique_number", set->clique_number);
    (void)cJSON_AddBoolToObject(object, "clique_number_exact", set->clique_exact);
    slv_facts_add(object, "colors_without_phantoms", set->greedy_colors);
    if (sizes) {
        add_partitions(object, sizes, set->solved_colors);
        slv_facts_add(object, "averaged", sizes[set->solved_colors]);
    } else {
        slv_json_set_failed();
    }
    slv_facts_add(object, "cliques_broken", (double)set->split.cliques);
    slv_facts_add(object, "split_one_by_one", set->split.single);
    (void)cJSON_AddBoolToObject(object, "bounded_search", set->split.bounded);
    free(sizes);
}

static void add_constraints(cJSON *root, const slv_colorize_report *report) {
    cJSON *object = cJSON_AddObjectToObject(root, "constraint_coloring");
    (void)cJSON_AddStringToObject(object, "scheme", slv_scheme_name(report->constraint_scheme));
    (void)cJSON_AddStringToObject(object, "reason", report->reason);
    cJSON *kinds = cJSON_AddArrayToObject(object, "kinds");
    for (uint32_t s = 0; s < report->sets.count; s++) {
        add_set(kinds, &report->sets.sets[s]);
    }
    slv_facts_add(object, "phantom_particles", report->phantom_particles);
    slv_facts_add(object, "phantom_constraints", report->phantom_constraints);
    cJSON *launches = cJSON_AddObjectToObject(object, "launches_per_iteration");
    slv_facts_add(launches, "before", report->launches_before);
    slv_facts_add(launches, "after", report->launches);
}

slv_result slv_colorize_print_json(const slv_colorize_options *options,
                                   const slv_colorize_report *report, slv_error *error) {
    cJSON *root = slv_facts_create();
    slv_facts_add_text(root, "input", options->input);
    slv_facts_add_text(root, "pack", options->output);
    slv_facts_add(root, "particles", report->particles);
    slv_facts_add(root, "constraints", (double)report->sets.constraints);
    (void)cJSON_AddBoolToObject(root, "was_colored", report->was_colored);
    if (report->of & SLV_OF_PARTICLES) {
        add_particles(root, report);
    }
    if (report->of & SLV_OF_CONSTRAINTS) {
        add_constraints(root, report);
    }
    if (report->factor_values > 0) {
        cJSON *factor = cJSON_AddObjectToObject(root, "factor");
        slv_facts_add(factor, "time_step", options->factor.time_step);
        slv_facts_add(factor, "values", (double)report->factor_values);
        slv_facts_add(factor, "blocks", report->factor_blocks);
        slv_facts_add(factor, "seconds", report->factor_seconds);
    }
    slv_facts_add(root, "pack_bytes", (double)report->pack_bytes);
    slv_facts_add(root, "seconds", report->seconds);
    return slv_facts_print(root, error);
}
