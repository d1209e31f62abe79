// SPDX-License-Identifier: MIT
#include "runtime/model/aggregates.h"

#include <string.h>

// Interpolation is (1 - w D^-1 A) T, where T takes the value of the aggregate and A has the strong springs only. With
// eigenvalues of D^-1 A between 0 and 2, w = 2/3 is usual; 0.5 was worse (docs/MULTIGRID.md).
static const double smoothing = 2.0 / 3.0;

static const uint32_t none = UINT32_MAX;

// --- Patterns -----------------------------------------------------------------------------------------

// first[r] is the number of entries of row r at first. Makes them sums, and takes the columns.
static bool finish_counting(slv_pattern *pattern, slv_memory *memory) {
    uint32_t sum = 0;
    for (uint32_t r = 0; r <= pattern->rows; r++) {
        const uint32_t count = pattern->first[r];
        pattern->first[r] = sum;
        sum += count;
    }
    pattern->columns = slv_memory_take(memory, (size_t)sum + 1, sizeof *pattern->columns);
    return pattern->columns != NULL;
}

static bool begin_pattern(slv_pattern *pattern, uint32_t rows, slv_memory *memory) {
    *pattern = (slv_pattern){
        .rows = rows, .first = slv_memory_take(memory, (size_t)rows + 1, sizeof *pattern->first)};
    return pattern->first != NULL;
}

static bool take_strong(slv_coupling *coupling, slv_memory *memory) {
    const size_t count = coupling->pattern.first[coupling->pattern.rows];
    coupling->strong = slv_memory_take(memory, count + 1, sizeof *coupling->strong);
    return coupling->strong != NULL;
}

// --- Springs ------------------------------------------------------------------------------------------

static bool couple_springs(slv_aggregates *aggregates, const slv_body *body, slv_memory *memory,
                           slv_memory *scratch) {
    slv_coupling *springs = &aggregates->springs;
    slv_pattern *pattern = &springs->pattern;
    if (!begin_pattern(pattern, body->count, memory)) {
        return false;
    }
    for (uint32_t s = 0; s < body->spring_count; s++) {
        pattern->first[body->springs[s].a]++;
        pattern->first[body->springs[s].b]++;
    }
    if (!finish_counting(pattern, memory) || !take_strong(springs, memory)) {
        return false;
    }
    const size_t ends = 2 * (size_t)body->spring_count;
    uint32_t *taken = slv_memory_take(scratch, body->count, sizeof *taken);
    aggregates->classes = slv_memory_take(memory, ends + 1, sizeof *aggregates->classes);
    if (!taken || !aggregates->classes) {
        return false;
    }
    for (uint32_t c = 0; c < body->class_count; c++) {
        aggregates->ratios[c] = body->stiffness[c] / body->stiffness[0];
    }
    for (uint32_t s = 0; s < body->spring_count; s++) {
        const slv_spring *spring = &body->springs[s];
        for (int end = 0; end < 2; end++) {
            const uint32_t own = end == 0 ? spring->a : spring->b;
            const uint32_t at = pattern->first[own] + taken[own]++;
            pattern->columns[at] = end == 0 ? spring->b : spring->a;
            springs->strong[at] = s < body->stretch_count;
            aggregates->classes[at] = (uint8_t)spring->stiffness_class;
        }
    }
    return true;
}

// --- Aggregates ---------------------------------------------------------------------------------------

// Makes a row and its strong neighbors an aggregate if all are free.
static void seed(slv_aggregation *level, const slv_coupling *finer, uint32_t row, bool alone) {
    const slv_pattern *pattern = &finer->pattern;
    bool free = level->aggregate[row] == none;
    bool joined = false;
    for (uint32_t n = pattern->first[row]; n < pattern->first[row + 1]; n++) {
        joined = joined || finer->strong[n];
        free = free && (!finer->strong[n] || level->aggregate[pattern->columns[n]] == none);
    }
    if (!free || (!joined && !alone)) {
        return;
    }
    level->aggregate[row] = level->nodes;
    for (uint32_t n = pattern->first[row]; n < pattern->first[row + 1]; n++) {
        if (finer->strong[n]) {
            level->aggregate[pattern->columns[n]] = level->nodes;
        }
    }
    level->nodes++;
}

// The aggregate of the first strong neighbor that was in one after all seeds.
static uint32_t find_aggregate(const slv_coupling *finer, const uint32_t *seeded, uint32_t row) {
    const slv_pattern *pattern = &finer->pattern;
    uint32_t found = seeded[row];
    for (uint32_t n = pattern->first[row]; n < pattern->first[row + 1] && found == none; n++) {
        found = finer->strong[n] ? seeded[pattern->columns[n]] : none;
    }
    return found;
}

// alone: a row without strong neighbors is an aggregate too.
static bool aggregate(slv_aggregation *level, const slv_coupling *finer, bool alone,
                      slv_memory *memory, slv_memory *scratch) {
    const uint32_t rows = finer->pattern.rows;
    uint32_t *seeded = slv_memory_take(scratch, rows, sizeof *seeded);
    level->aggregate = slv_memory_take(memory, rows, sizeof *level->aggregate);
    if (!seeded || !level->aggregate) {
        return false;
    }
    memset(level->aggregate, 0xff, rows * sizeof *level->aggregate);
    for (uint32_t row = 0; row < rows; row++) {
        seed(level, finer, row, alone);
    }
    memcpy(seeded, level->aggregate, rows * sizeof *seeded);
    for (uint32_t row = 0; row < rows; row++) {
        level->aggregate[row] = find_aggregate(finer, seeded, row);
    }
    return true;
}

// --- Interpolation ------------------------------------------------------------------------------------

// Writes the columns of a row, that of its own aggregate first; returns how many. columns: NULL counts only.
static uint32_t interpolate_row(const slv_aggregation *level, const slv_coupling *finer,
                                uint32_t row, uint32_t *marks, uint32_t *columns) {
    const slv_pattern *pattern = &finer->pattern;
    uint32_t count = 0;
    const uint32_t own = level->aggregate[row];
    if (own == none) {
        return 0;
    }
    for (uint32_t n = pattern->first[row]; n <= pattern->first[row + 1]; n++) {
        const bool itself = n == pattern->first[row];
        const uint32_t node = itself                 ? own
                              : finer->strong[n - 1] ? level->aggregate[pattern->columns[n - 1]]
                                                     : none;
        if (node != none && marks[node] != row + 1) {
            marks[node] = row + 1;
            if (columns) {
                columns[count] = node;
            }
            count++;
        }
    }
    return count;
}

static bool interpolate(slv_aggregation *level, const slv_coupling *finer, slv_memory *memory,
                        slv_memory *scratch) {
    const uint32_t rows = finer->pattern.rows;
    slv_pattern *pattern = &level->interpolation;
    uint32_t *marks = slv_memory_take(scratch, level->nodes, sizeof *marks);
    if (!marks || !begin_pattern(pattern, rows, memory)) {
        return false;
    }
    for (uint32_t row = 0; row < rows; row++) {
        pattern->first[row] = interpolate_row(level, finer, row, marks, NULL);
    }
    if (!finish_counting(pattern, memory)) {
        return false;
    }
    memset(marks, 0, level->nodes * sizeof *marks);
    for (uint32_t row = 0; row < rows; row++) {
        (void)interpolate_row(level, finer, row, marks, pattern->columns + pattern->first[row]);
    }
    return true;
}

static bool transpose(slv_aggregation *level, slv_memory *memory, slv_memory *scratch) {
    const slv_pattern *from = &level->interpolation;
    slv_pattern *to = &level->restriction;
    const uint32_t count = from->first[from->rows];
    uint32_t *taken = slv_memory_take(scratch, level->nodes, sizeof *taken);
    level->transposed = slv_memory_take(memory, (size_t)count + 1, sizeof *level->transposed);
    if (!taken || !level->transposed || !begin_pattern(to, level->nodes, memory)) {
        return false;
    }
    for (uint32_t n = 0; n < count; n++) {
        to->first[from->columns[n]]++;
    }
    if (!finish_counting(to, memory)) {
        return false;
    }
    for (uint32_t row = 0; row < from->rows; row++) {
        for (uint32_t n = from->first[row]; n < from->first[row + 1]; n++) {
            const uint32_t node = from->columns[n];
            const uint32_t at = to->first[node] + taken[node]++;
            to->columns[at] = row;
            level->transposed[at] = n;
        }
    }
    return true;
}

// --- Coupling of nodes --------------------------------------------------------------------------------

// Marks the nodes that interpolate to a row of the finer level, and writes the new ones.
static uint32_t mark_nodes(const slv_pattern *interpolation, uint32_t row, uint32_t stamp,
                           uint32_t *marks, uint32_t *columns, uint32_t count) {
    for (uint32_t n = interpolation->first[row]; n < interpolation->first[row + 1]; n++) {
        const uint32_t node = interpolation->columns[n];
        if (marks[node] != stamp) {
            marks[node] = stamp;
            if (columns) {
                columns[count] = node;
            }
            count++;
        }
    }
    return count;
}

// Writes the nodes that P'AP couples with a node, without itself; returns how many. columns: NULL counts only.
static uint32_t couple_node(const slv_aggregation *level, const slv_pattern *finer, uint32_t node,
                            uint32_t *marks, uint32_t *columns) {
    const slv_pattern *rows = &level->restriction;
    uint32_t count = 0;
    marks[node] = node + 1;
    for (uint32_t r = rows->first[node]; r < rows->first[node + 1]; r++) {
        const uint32_t row = rows->columns[r];
        count = mark_nodes(&level->interpolation, row, node + 1, marks, columns, count);
        for (uint32_t n = finer->first[row]; n < finer->first[row + 1]; n++) {
            count = mark_nodes(&level->interpolation, finer->columns[n], node + 1, marks, columns,
                               count);
        }
    }
    return count;
}

// Nodes whose aggregates a strong entry of the finer level joins are strongly coupled.
static void find_strong(const slv_aggregation *level, const slv_coupling *finer) {
    const slv_pattern *pattern = &finer->pattern;
    const slv_pattern *nodes = &level->coupling.pattern;
    for (uint32_t row = 0; row < pattern->rows; row++) {
        const uint32_t own = level->aggregate[row];
        for (uint32_t n = pattern->first[row]; own != none && n < pattern->first[row + 1]; n++) {
            const uint32_t other = level->aggregate[pattern->columns[n]];
            for (uint32_t m = nodes->first[own]; finer->strong[n] && m < nodes->first[own + 1];
                 m++) {
                level->coupling.strong[m] |= nodes->columns[m] == other;
            }
        }
    }
}

static bool couple_nodes(slv_aggregation *level, const slv_coupling *finer, slv_memory *memory,
                         slv_memory *scratch) {
    slv_pattern *pattern = &level->coupling.pattern;
    uint32_t *marks = slv_memory_take(scratch, level->nodes, sizeof *marks);
    if (!marks || !begin_pattern(pattern, level->nodes, memory)) {
        return false;
    }
    for (uint32_t node = 0; node < level->nodes; node++) {
        pattern->first[node] = couple_node(level, &finer->pattern, node, marks, NULL);
    }
    if (!finish_counting(pattern, memory) || !take_strong(&level->coupling, memory)) {
        return false;
    }
    memset(marks, 0, level->nodes * sizeof *marks);
    for (uint32_t node = 0; node < level->nodes; node++) {
        (void)couple_node(level, &finer->pattern, node, marks,
                          pattern->columns + pattern->first[node]);
    }
    find_strong(level, finer);
    return true;
}

static bool build_levels(slv_aggregates *aggregates, const slv_body *body, slv_memory *memory,
                         slv_memory *scratch) {
    if (!couple_springs(aggregates, body, memory, scratch)) {
        return false;
    }
    const slv_coupling *finer = &aggregates->springs;
    uint32_t count = 0;
    do {
        slv_aggregation *level = &aggregates->levels[count];
        if (!aggregate(level, finer, count > 0, memory, scratch)) {
            return false;
        }
        if (level->nodes == finer->pattern.rows) { // nothing is left to join
            break;
        }
        if (!interpolate(level, finer, memory, scratch) || !transpose(level, memory, scratch) ||
            !couple_nodes(level, finer, memory, scratch)) {
            return false;
        }
        finer = &level->coupling;
        count++;
    } while (count < SLV_AGGREGATE_LEVELS && finer->pattern.rows > SLV_AGGREGATE_SOLVED);
    aggregates->level_count = count;
    return true;
}

bool slv_aggregates_build(slv_aggregates *aggregates, const slv_body *body, slv_memory *memory) {
    slv_memory scratch = {.allocator = memory->allocator};
    *aggregates = (slv_aggregates){.level_count = 0};
    const bool done = body->stretch_count == 0 || build_levels(aggregates, body, memory, &scratch);
    slv_memory_release(&scratch);
    return done;
}

// --- Values -------------------------------------------------------------------------------------------

static size_t count_entries(const slv_pattern *pattern) {
    return pattern->first[pattern->rows];
}

size_t slv_aggregates_count_values(const slv_aggregates *aggregates) {
    size_t count = aggregates->level_count > 0 ? aggregates->springs.pattern.rows : 0;
    for (uint32_t l = 0; l < aggregates->level_count; l++) {
        const slv_aggregation *level = &aggregates->levels[l];
        count += count_entries(&level->interpolation) + count_entries(&level->coupling.pattern) +
                 2 * (size_t)level->nodes;
    }
    return count;
}

slv_aggregation_values slv_aggregates_get_values(const slv_aggregates *aggregates, uint32_t level,
                                                 double *room) {
    double *at = room + aggregates->springs.pattern.rows;
    for (uint32_t l = 0; l < level; l++) {
        const slv_aggregation *one = &aggregates->levels[l];
        at += count_entries(&one->interpolation) + count_entries(&one->coupling.pattern) +
              2 * (size_t)one->nodes;
    }
    const slv_aggregation *own = &aggregates->levels[level];
    double *entries = at + count_entries(&own->interpolation);
    return (slv_aggregation_values){at, entries, entries + count_entries(&own->coupling.pattern)};
}

// A matrix with its values: entries, or those that the ratios of springs stand for.
typedef struct valued_matrix {
    const slv_coupling *coupling;
    const double *entries; // NULL: of springs
    const slv_aggregates *aggregates;
    const double *diagonal;
} valued_matrix;

static double entry_of(const valued_matrix *matrix, uint32_t n) {
    return matrix->entries ? matrix->entries[n]
                           : 0.0 - matrix->aggregates->ratios[matrix->aggregates->classes[n]];
}

// The row of interpolation that belongs to a row of the finer matrix. Weak entries count as part of the diagonal, so
// that a smooth vector stays as it is. `sums` is zero, and is so again at the end.
static void evaluate_interpolation(const slv_aggregation *level, const valued_matrix *finer,
                                   uint32_t row, double *sums, double *values) {
    const slv_pattern *pattern = &finer->coupling->pattern;
    const slv_pattern *own = &level->interpolation;
    double diagonal = level->aggregate[row] != none ? finer->diagonal[row] : 0.0;
    if (diagonal > 0.0) {
        for (uint32_t n = pattern->first[row]; n < pattern->first[row + 1]; n++) {
            diagonal += finer->coupling->strong[n] ? 0.0 : entry_of(finer, n);
        }
        const double factor = diagonal > 0.0 ? smoothing / diagonal : 0.0;
        for (uint32_t n = pattern->first[row]; n < pattern->first[row + 1]; n++) {
            const uint32_t node = level->aggregate[pattern->columns[n]];
            if (finer->coupling->strong[n] && node != none) {
                sums[node] -= factor * entry_of(finer, n);
            }
        }
        sums[level->aggregate[row]] += diagonal > 0.0 ? 1.0 - smoothing : 1.0;
    }
    for (uint32_t n = own->first[row]; n < own->first[row + 1]; n++) {
        values[n] = sums[own->columns[n]];
        sums[own->columns[n]] = 0.0;
    }
}

// Adds a times a row of P to the sums of the nodes.
static void add_row(const slv_pattern *interpolation, const double *values, uint32_t row, double a,
                    double *sums) {
    for (uint32_t n = interpolation->first[row]; n < interpolation->first[row + 1]; n++) {
        sums[interpolation->columns[n]] += a * values[n];
    }
}

// A row of P'AP.
static void evaluate_node(const slv_aggregation *level, const valued_matrix *finer, uint32_t node,
                          double *sums, const slv_aggregation_values *values) {
    const slv_pattern *rows = &level->restriction;
    const slv_pattern *pattern = &finer->coupling->pattern;
    const slv_pattern *own = &level->coupling.pattern;
    for (uint32_t r = rows->first[node]; r < rows->first[node + 1]; r++) {
        const uint32_t row = rows->columns[r];
        const double factor = values->interpolation[level->transposed[r]];
        if (factor == 0.0) {
            continue;
        }
        add_row(&level->interpolation, values->interpolation, row, factor * finer->diagonal[row],
                sums);
        for (uint32_t n = pattern->first[row]; n < pattern->first[row + 1]; n++) {
            add_row(&level->interpolation, values->interpolation, pattern->columns[n],
                    factor * entry_of(finer, n), sums);
        }
    }
    values->diagonal[node] = sums[node] > 0.0 ? sums[node] : 0.0;
    sums[node] = 0.0;
    for (uint32_t n = own->first[node]; n < own->first[node + 1]; n++) {
        values->entries[n] = sums[own->columns[n]];
        sums[own->columns[n]] = 0.0;
    }
}

void slv_aggregates_evaluate(const slv_aggregates *aggregates, double *room) {
    valued_matrix finer = {&aggregates->springs, NULL, aggregates, room};
    for (uint32_t l = 0; l < aggregates->level_count; l++) {
        const slv_aggregation *level = &aggregates->levels[l];
        const slv_aggregation_values values = slv_aggregates_get_values(aggregates, l, room);
        double *sums = values.diagonal + level->nodes;
        memset(sums, 0, level->nodes * sizeof *sums);
        for (uint32_t row = 0; row < finer.coupling->pattern.rows; row++) {
            evaluate_interpolation(level, &finer, row, sums, values.interpolation);
        }
        for (uint32_t node = 0; node < level->nodes; node++) {
            evaluate_node(level, &finer, node, sums, &values);
        }
        finer = (valued_matrix){&level->coupling, values.entries, aggregates, values.diagonal};
    }
}
