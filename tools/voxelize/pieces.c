// SPDX-License-Identifier: MIT
#include "tools/voxelize/pieces.h"

#include "tools/voxelize/field_source.h"
#include "tools/voxelize/memory_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Union-find over runs: maximal rows of marked samples along x. Two runs of adjacent rows are joined where they overlap.

typedef struct run {
    uint32_t first, end; // samples [first, end) of the row
    uint32_t parent;     // a lower number, or its own
    uint32_t size;       // samples of the piece, at its root
} run;

typedef struct runs {
    run *items;
    size_t *row_first; // [rows + 1]
    size_t count;
} runs;

static bool is_marked(const uint64_t *row, uint32_t i) {
    return (row[i / 64] >> (i % 64) & 1) != 0;
}

// Calls for each run of a row; items may be NULL to count them.
static size_t find_runs(const uint64_t *row, uint32_t cells, run *items) {
    size_t count = 0;
    for (uint32_t i = 0; i < cells; i++) {
        if (row[i / 64] == 0) {
            i |= 63;
            continue;
        }
        if (!is_marked(row, i)) {
            continue;
        }
        const uint32_t first = i;
        while (i < cells && is_marked(row, i)) {
            i++;
        }
        if (items) {
            items[count] = (run){.first = first, .end = i};
        }
        count++;
    }
    return count;
}

static slv_result collect_runs(const slv_lattice *lattice, const uint64_t *bits, runs *found,
                               slv_error *error) {
    const size_t rows = (size_t)lattice->cells[1] * lattice->cells[2];
    const size_t words = slv_row_words(lattice);
    found->row_first = calloc(rows + 1, sizeof *found->row_first);
    for (size_t r = 0; found->row_first && r < rows; r++) {
        found->row_first[r] = found->count;
        found->count += find_runs(bits + r * words, lattice->cells[0], NULL);
    }
    found->items = found->row_first ? calloc(found->count + 1, sizeof *found->items) : NULL;
    if (!found->items || found->count >= UINT32_MAX) {
        return slv_no_memory(error);
    }
    found->row_first[rows] = found->count;
    for (size_t r = 0; r < rows; r++) {
        (void)find_runs(bits + r * words, lattice->cells[0], found->items + found->row_first[r]);
    }
    for (size_t i = 0; i < found->count; i++) {
        found->items[i].parent = (uint32_t)i;
        found->items[i].size = found->items[i].end - found->items[i].first;
    }
    return SLV_OK;
}

static uint32_t root_of(run *items, uint32_t i) {
    while (items[i].parent != i) {
        items[i].parent = items[items[i].parent].parent;
        i = items[i].parent;
    }
    return i;
}

static void join(run *items, uint32_t a, uint32_t b) {
    a = root_of(items, a);
    b = root_of(items, b);
    if (a != b) {
        const uint32_t low = a < b ? a : b;
        const uint32_t high = a < b ? b : a;
        items[high].parent = low;
        items[low].size += items[high].size;
    }
}

static void join_rows(const runs *r, size_t row, size_t other) {
    size_t a = r->row_first[row];
    size_t b = r->row_first[other];
    while (a < r->row_first[row + 1] && b < r->row_first[other + 1]) {
        const run *left = &r->items[a];
        const run *right = &r->items[b];
        if (left->first < right->end && right->first < left->end) {
            join(r->items, (uint32_t)a, (uint32_t)b);
        }
        if (left->end < right->end) {
            a++;
        } else {
            b++;
        }
    }
}

static void clear_run(const run *item, uint64_t *row) {
    for (uint32_t i = item->first; i < item->end; i++) {
        row[i / 64] &= ~(UINT64_C(1) << (i % 64));
    }
}

static void remove_pieces(const slv_lattice *lattice, runs *r, slv_keep keep, uint32_t largest,
                          uint64_t *bits, slv_pieces *pieces) {
    const size_t rows = (size_t)lattice->cells[1] * lattice->cells[2];
    const size_t words = slv_row_words(lattice);
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = r->row_first[row]; i < r->row_first[row + 1]; i++) {
            const uint32_t root = root_of(r->items, (uint32_t)i);
            if (keep == SLV_KEEP_LARGEST ? root != largest : r->items[root].size == 1) {
                pieces->removed += r->items[i].end - r->items[i].first;
                clear_run(&r->items[i], bits + row * words);
            }
        }
    }
}

slv_result slv_pieces_keep(const slv_lattice *lattice, uint64_t *bits, slv_keep keep,
                           slv_pieces *pieces, slv_error *error) {
    runs r = {.count = 0};
    uint32_t largest = 0;
    *pieces = (slv_pieces){0};
    const slv_result result = collect_runs(lattice, bits, &r, error);
    for (uint32_t k = 0; result == SLV_OK && k < lattice->cells[2]; k++) {
        for (uint32_t j = 0; j < lattice->cells[1]; j++) {
            const size_t row = (size_t)k * lattice->cells[1] + j;
            if (j > 0) {
                join_rows(&r, row, row - 1);
            }
            if (k > 0) {
                join_rows(&r, row, row - lattice->cells[1]);
            }
        }
    }
    for (uint32_t i = 0; result == SLV_OK && i < r.count; i++) {
        if (r.items[i].parent == i) {
            pieces->count++;
            pieces->loose += r.items[i].size == 1 ? 1 : 0;
            largest = r.items[i].size > pieces->largest ? i : largest;
            pieces->largest = r.items[i].size > pieces->largest ? r.items[i].size : pieces->largest;
        }
    }
    if (result == SLV_OK && keep != SLV_KEEP_ALL) {
        remove_pieces(lattice, &r, keep, largest, bits, pieces);
    }
    free(r.items);
    free(r.row_first);
    return result;
}

// --- Parts of the mesh --------------------------------------------------------------------------

typedef struct part {
    double min[3], max[3];
    double volume, area; // six times, twice
} part;

static uint32_t point_root(uint32_t *parents, uint32_t p) {
    while (parents[p] != p) {
        parents[p] = parents[parents[p]];
        p = parents[p];
    }
    return p;
}

static void join_points(const slv_mesh *mesh, uint32_t *parents) {
    for (uint32_t p = 0; p < mesh->point_count; p++) {
        parents[p] = p;
    }
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t points[3];
        slv_mesh_corner_points(mesh, t, points);
        for (int c = 1; c < 3; c++) {
            const uint32_t a = point_root(parents, points[0]);
            const uint32_t b = point_root(parents, points[c]);
            parents[a > b ? a : b] = a < b ? a : b;
        }
    }
}

static void add_triangle(const slv_mesh *mesh, const uint32_t points[3], part *to) {
    const double *a = mesh->points + 3 * (size_t)points[0];
    const double *b = mesh->points + 3 * (size_t)points[1];
    const double *c = mesh->points + 3 * (size_t)points[2];
    double u[3];
    double v[3];
    for (int d = 0; d < 3; d++) {
        u[d] = b[d] - a[d];
        v[d] = c[d] - a[d];
        to->min[d] = fmin(to->min[d], fmin(a[d], fmin(b[d], c[d])));
        to->max[d] = fmax(to->max[d], fmax(a[d], fmax(b[d], c[d])));
    }
    const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                         u[0] * v[1] - u[1] * v[0]};
    to->area += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    to->volume += a[0] * n[0] + a[1] * n[1] + a[2] * n[2];
}

// Sample numbers within [min, max] along an axis.
static void sample_range(const slv_lattice *lattice, int axis, const part *p, int64_t range[2]) {
    const double low = ceil((p->min[axis] - lattice->origin[axis]) / lattice->spacing);
    const double high = floor((p->max[axis] - lattice->origin[axis]) / lattice->spacing);
    range[0] = low > 0.0 ? (int64_t)low : 0;
    range[1] = high < lattice->cells[axis] ? (int64_t)high : (int64_t)lattice->cells[axis] - 1;
}

static bool has_sample(const slv_lattice *lattice, const uint64_t *bits, const part *p) {
    int64_t range[3][2];
    for (int axis = 0; axis < 3; axis++) {
        sample_range(lattice, axis, p, range[axis]);
    }
    const size_t words = slv_row_words(lattice);
    for (int64_t k = range[2][0]; k <= range[2][1]; k++) {
        for (int64_t j = range[1][0]; j <= range[1][1]; j++) {
            const uint64_t *row = bits + ((size_t)k * lattice->cells[1] + (size_t)j) * words;
            for (int64_t i = range[0][0]; i <= range[0][1]; i++) {
                if (is_marked(row, (uint32_t)i)) {
                    return true;
                }
            }
        }
    }
    return false;
}

slv_result slv_find_lost_parts(const slv_mesh *mesh, const slv_lattice *lattice,
                               const uint64_t *bits, slv_lost_parts *lost, slv_error *error) {
    *lost = (slv_lost_parts){.least_ratio = HUGE_VAL};
    uint32_t *parents = calloc((size_t)mesh->point_count + 1, sizeof *parents);
    part *parts = calloc((size_t)mesh->point_count + 1, sizeof *parts);
    if (!parents || !parts) {
        free(parents);
        free(parts);
        return slv_no_memory(error);
    }
    join_points(mesh, parents);
    for (uint32_t p = 0; p < mesh->point_count; p++) {
        for (int d = 0; d < 3; d++) {
            parts[p].min[d] = HUGE_VAL;
            parts[p].max[d] = -HUGE_VAL;
        }
    }
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t points[3];
        slv_mesh_corner_points(mesh, t, points);
        add_triangle(mesh, points, &parts[point_root(parents, points[0])]);
    }
    for (uint32_t p = 0; p < mesh->point_count; p++) {
        if (parents[p] == p) {
            lost->parts++;
            if (!has_sample(lattice, bits, &parts[p])) {
                lost->lost++;
                lost->least_ratio =
                    fmin(lost->least_ratio, fabs(parts[p].volume) / (3.0 * parts[p].area));
            }
        }
    }
    lost->least_ratio = lost->lost > 0 ? lost->least_ratio : 0.0;
    free(parents);
    free(parts);
    return SLV_OK;
}

void slv_warn_of_pieces(slv_console *console, const char *file, const slv_pieces *pieces,
                        const slv_lost_parts *lost, double spacing) {
    if (lost->lost > 0) {
        const double fitting = slv_round_digits(lost->least_ratio, false);
        if (fitting > 0.0 && fitting < spacing) {
            slv_console_warning(console, file,
                                "%u of %u parts of the mesh are too thin for a spacing of %.3g m "
                                "and get no particles; --spacing %g keeps them",
                                lost->lost, lost->parts, spacing, fitting);
        } else {
            slv_console_warning(console, file,
                                "%u of %u parts of the mesh enclose no sample at a spacing of %.3g "
                                "m and get no particles; --mode shell keeps them",
                                lost->lost, lost->parts, spacing);
        }
    }
    if (pieces->count > lost->parts - lost->lost && pieces->removed == 0) {
        slv_console_warning(console, file,
                            "the particles fall into %u pieces, %u of them loose particles, the "
                            "mesh has %u; a smaller --spacing keeps thin parts joined, --keep "
                            "largest or joined drops pieces",
                            pieces->count, pieces->loose, lost->parts - lost->lost);
    }
}

slv_result slv_fail_without_particles(const slv_mesh *mesh, const slv_lattice *lattice,
                                      slv_voxelize_mode mode, slv_error *error) {
    double volume = 0;
    double area = 0;
    slv_measure_mesh(mesh, &volume, &area);
    // A convex body contains a ball of radius volume/area. At a spacing equal to that radius the
    // ball contains a sample, because half a cell diagonal is 0.87 spacings.
    const double fitting = volume > 0 ? slv_round_digits(volume / area, false) : 0;
    if (mode == SLV_MODE_SHELL || !(fitting > 0 && fitting < lattice->spacing)) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "the mesh encloses no sample at a spacing of %g m; --mode shell or surface "
                        "makes cloth of it",
                        lattice->spacing);
    }
    return slv_fail(
        error, SLV_ERROR_CONTENT,
        "no sample lies inside the mesh at a spacing of %g m; --spacing %g would do, or "
        "--mode shell",
        lattice->spacing, fitting);
}
