// SPDX-License-Identifier: MIT
#include "tests/common/generated_garment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS_MAX = 8 };

typedef struct pair_list {
    uint64_t count, room;
    uint32_t *a, *b;
    float *rest;
} pair_list;

struct generated_garment {
    slv_garment garment;
    slv_grid_info grid;
    float *x, *y, *z, *inverse_mass;
    uint32_t *cell, *own_of_stored, *stored_of_own;
    int32_t *neighbors;
    slv_color_range colors[2];
    slv_constraint_group groups[GROUPS_MAX];
    pair_list distance, bending;
    slv_material material;
    void *more[2]; // arrays that the view names
};

static void stop(const char *why) {
    (void)fprintf(stderr, "making a garment: %s\n", why);
    exit(4);
}

static void *take(size_t count, size_t size) {
    void *room = calloc(count + 1, size);
    if (!room) {
        stop("out of memory");
    }
    return room;
}

// --- Parts ------------------------------------------------------------------------------------------

static generated_garment *begin(uint32_t count, float spacing) {
    generated_garment *made = take(1, sizeof *made);
    made->x = take(count, sizeof *made->x);
    made->y = take(count, sizeof *made->y);
    made->z = take(count, sizeof *made->z);
    made->inverse_mass = take(count, sizeof *made->inverse_mass);
    made->own_of_stored = take(count, sizeof *made->own_of_stored);
    made->stored_of_own = take(count, sizeof *made->stored_of_own);
    for (uint32_t p = 0; p < count; p++) {
        made->inverse_mass[p] = 100.0f;
        made->own_of_stored[p] = made->stored_of_own[p] = p;
    }
    made->colors[0] = (slv_color_range){.color = SLV_UNCOLORED, .count = count};
    made->material = slv_default_material();
    made->garment = (slv_garment){
        .info = {.particle_count = count,
                 .mode = SLV_GARMENT_SURFACE,
                 .spacing = spacing,
                 .mass = 0.01f * (float)count},
        .x = made->x,
        .y = made->y,
        .z = made->z,
        .inverse_mass = made->inverse_mass,
        .own_of_stored = made->own_of_stored,
        .stored_of_own = made->stored_of_own,
        .color_count = 1,
        .colors = made->colors,
        .groups = made->groups,
        .material_count = 1,
        .materials = &made->material,
    };
    return made;
}

static void *grow(void *array, uint64_t room) {
    void *grown = realloc(array, (size_t)room * 4);
    if (!grown) {
        stop("out of memory");
    }
    return grown;
}

static void add_pair(pair_list *list, uint32_t a, uint32_t b, float rest) {
    if (list->count == list->room) {
        list->room = 2 * list->room + 64;
        list->a = grow(list->a, list->room);
        list->b = grow(list->b, list->room);
        list->rest = grow(list->rest, list->room);
    }
    list->a[list->count] = a;
    list->b[list->count] = b;
    list->rest[list->count++] = rest;
}

// Closes a group over all pairs of a list since the last one. Colored ones count 0, 1, 2, …
static void end_group(generated_garment *made, uint32_t kind, bool colored) {
    const pair_list *list = kind == SLV_CONSTRAINT_DISTANCE ? &made->distance : &made->bending;
    uint64_t first = 0;
    uint32_t number = 0;
    for (uint32_t g = 0; g < made->garment.group_count; g++) {
        if (made->groups[g].kind == kind) {
            first += made->groups[g].count;
            number++;
        }
    }
    if (list->count > first) {
        made->groups[made->garment.group_count++] =
            (slv_constraint_group){.kind = kind,
                                   .color = colored ? number : SLV_UNCOLORED,
                                   .first = first,
                                   .count = list->count - first};
    }
}

void generated_add_spring(generated_garment *made, uint32_t a, uint32_t b, float rest) {
    add_pair(&made->distance, a, b, rest);
}

void generated_keep(generated_garment *made, void *one, void *other) {
    made->more[0] = one;
    made->more[1] = other;
}

void generated_remove_springs(generated_garment *made) {
    made->garment.group_count = 0;
    made->distance.count = 0;
    made->bending.count = 0;
}

slv_garment *generated_view(generated_garment *made) {
    return &made->garment;
}

// --- Grids ------------------------------------------------------------------------------------------

typedef struct box {
    uint32_t size[3];
    int32_t *stored; // of each cell, -1 = none
} box;

static uint32_t cell_number(const box *cells, const uint32_t at[3]) {
    return at[0] + cells->size[0] * (at[1] + cells->size[1] * at[2]);
}

static void cell_place(const box *cells, uint32_t cell, uint32_t at[3]) {
    at[0] = cell % cells->size[0];
    at[1] = cell / cells->size[0] % cells->size[1];
    at[2] = cell / cells->size[0] / cells->size[1];
}

static int32_t stored_beside(const box *cells, const uint32_t at[3], unsigned axis, int step) {
    uint32_t there[3] = {at[0], at[1], at[2]};
    there[axis] += (uint32_t)step; // below zero it wraps to a huge number
    return there[axis] < cells->size[axis] ? cells->stored[cell_number(cells, there)] : -1;
}

static uint32_t parity_of(const uint32_t at[3]) {
    return (at[0] + at[1] + at[2]) % 2;
}

// Red samples are stored first, then the black ones, both in own order.
static uint32_t number_cells(box *cells, generated_cells *present, uint32_t *reds) {
    uint32_t total = cells->size[0] * cells->size[1] * cells->size[2];
    uint32_t next = 0;
    cells->stored = take(total, sizeof *cells->stored);
    for (uint32_t parity = 0; parity < 2; parity++) {
        for (uint32_t c = 0; c < total; c++) {
            uint32_t at[3];
            cell_place(cells, c, at);
            bool here = !present || present(at[0], at[1], at[2]);
            if (!here) {
                cells->stored[c] = -1;
            } else if (parity_of(at) == parity) {
                cells->stored[c] = (int32_t)next++;
            }
        }
        *reds = parity == 0 ? next : *reds;
    }
    return next;
}

static void add_samples(generated_garment *made, const box *cells, float spacing) {
    uint32_t total = cells->size[0] * cells->size[1] * cells->size[2];
    uint32_t n = made->garment.info.particle_count;
    uint32_t own = 0;
    made->cell = take(n, sizeof *made->cell);
    made->neighbors = take(6 * (size_t)n, sizeof *made->neighbors);
    for (uint32_t c = 0; c < total; c++) {
        if (cells->stored[c] < 0) {
            continue;
        }
        uint32_t s = (uint32_t)cells->stored[c];
        uint32_t at[3];
        cell_place(cells, c, at);
        made->cell[s] = c;
        made->own_of_stored[s] = own;
        made->stored_of_own[own++] = s;
        made->x[s] = spacing * (float)at[0];
        made->y[s] = spacing * (float)at[1];
        made->z[s] = spacing * (float)at[2];
        for (unsigned axis = 0; axis < 3; axis++) {
            made->neighbors[(2 * (size_t)axis) * n + s] = stored_beside(cells, at, axis, -1);
            made->neighbors[(2 * (size_t)axis + 1) * n + s] = stored_beside(cells, at, axis, 1);
        }
    }
}

static void join_samples(generated_garment *made, const box *cells, float spacing) {
    for (unsigned g = 0; g < 6; g++) { // by axis and parity of the lower end
        for (uint32_t s = 0; s < made->garment.info.particle_count; s++) {
            uint32_t at[3];
            cell_place(cells, made->cell[s], at);
            int32_t other = stored_beside(cells, at, g / 2, 1);
            if (at[g / 2] % 2 == g % 2 && other >= 0) {
                add_pair(&made->distance, s, (uint32_t)other, spacing);
            }
        }
        end_group(made, SLV_CONSTRAINT_DISTANCE, true);
    }
}

generated_garment *make_grid(uint32_t nx, uint32_t ny, uint32_t nz, float spacing,
                             generated_cells *present) {
    box cells = {{nx, ny, nz}, NULL};
    uint32_t reds = 0;
    uint32_t count = number_cells(&cells, present, &reds);
    generated_garment *made = begin(count, spacing);
    made->grid = (slv_grid_info){.cells = {nx, ny, nz}, .spacing = (double)spacing};
    made->garment.grid = &made->grid;
    made->garment.info.mode = SLV_GARMENT_SHAPE;
    made->colors[0] = (slv_color_range){.color = 0, .count = reds};
    made->colors[1] = (slv_color_range){.color = 1, .first = reds, .count = count - reds};
    made->garment.color_count = 2;
    add_samples(made, &cells, spacing);
    join_samples(made, &cells, spacing);
    made->garment.cell = made->cell;
    made->garment.neighbors = made->neighbors;
    free(cells.stored);
    return made;
}

generated_garment *make_loose_grid(uint32_t nx, uint32_t ny, uint32_t nz, float spacing,
                                   bool red_first) {
    generated_garment *made = make_grid(nx, ny, nz, spacing, NULL);
    made->garment.grid = NULL;
    made->garment.cell = NULL;
    made->garment.neighbors = NULL;
    made->garment.info.mode = SLV_GARMENT_SURFACE;
    for (uint32_t p = 0; red_first && p < made->garment.info.particle_count; p++) {
        made->own_of_stored[p] = made->stored_of_own[p] = p;
    }
    return made;
}

// --- Others -----------------------------------------------------------------------------------------

// Edges of all squares: along x, along z, and one diagonal, each by the parity of its lower end.
static void join_cloth(generated_garment *made, uint32_t nx, uint32_t nz, float spacing,
                       bool colored) {
    for (uint32_t g = 0; g < 6; g++) {
        uint32_t di = g < 2 || g >= 4 ? 1 : 0;
        uint32_t dk = g >= 2 ? 1 : 0;
        float rest = di && dk ? spacing * sqrtf(2.0f) : spacing;
        for (uint32_t k = 0; k + dk < nz; k++) {
            for (uint32_t i = 0; i + di < nx; i++) {
                if ((g < 2 || g >= 4 ? i : k) % 2 == g % 2) {
                    add_pair(&made->distance, i + nx * k, i + di + nx * (k + dk), rest);
                }
            }
        }
        if (colored) {
            end_group(made, SLV_CONSTRAINT_DISTANCE, true);
        }
    }
    end_group(made, SLV_CONSTRAINT_DISTANCE, false);
}

generated_garment *make_cloth(uint32_t nx, uint32_t nz, float spacing, bool colored) {
    generated_garment *made = begin(nx * nz, spacing);
    for (uint32_t p = 0; p < nx * nz; p++) {
        uint32_t i = p % nx;
        uint32_t k = p / nx;
        made->x[p] = spacing * (float)i;
        made->z[p] = spacing * (float)k;
    }
    join_cloth(made, nx, nz, spacing, colored);
    for (uint32_t k = 0; k + 1 < nz; k++) { // across the diagonals
        for (uint32_t i = 0; i + 1 < nx; i++) {
            add_pair(&made->bending, i + 1 + nx * k, i + nx * (k + 1), spacing * sqrtf(2.0f));
        }
    }
    end_group(made, SLV_CONSTRAINT_BENDING, false);
    return made;
}

generated_garment *make_chain(uint32_t count, float spacing) {
    generated_garment *made = begin(count, spacing);
    for (uint32_t p = 0; p < count; p++) {
        made->x[p] = spacing * (float)p;
        if (p > 0) {
            add_pair(&made->distance, p - 1, p, spacing);
        }
    }
    return made;
}

generated_garment *make_empty(void) {
    generated_garment *made = begin(0, 0.0f);
    made->garment.color_count = 0;
    return made;
}

// --- Writing ----------------------------------------------------------------------------------------

static void set_bounds(generated_garment *made) {
    const float *axes[3] = {made->garment.x, made->garment.y, made->garment.z};
    slv_garment_info *info = &made->garment.info;
    for (int d = 0; d < 3; d++) {
        info->bounds_min[d] = info->bounds_max[d] = axes[d][0];
        for (uint32_t p = 0; p < info->particle_count; p++) {
            info->bounds_min[d] = fminf(info->bounds_min[d], axes[d][p]);
            info->bounds_max[d] = fmaxf(info->bounds_max[d], axes[d][p]);
        }
    }
}

static slv_constraints view_of(const pair_list *list) {
    return (slv_constraints){list->count, {list->a, list->b}, list->rest};
}

slv_garment *generated_finish(generated_garment *made) {
    end_group(made, SLV_CONSTRAINT_DISTANCE, false);
    made->garment.constraints[SLV_CONSTRAINT_DISTANCE] = view_of(&made->distance);
    made->garment.constraints[SLV_CONSTRAINT_BENDING] = view_of(&made->bending);
    set_bounds(made);
    return &made->garment;
}

void generated_write(generated_garment *made, const char *path) {
    slv_error error = {0};
    slv_writer *writer = NULL;
    (void)generated_finish(made);
    slv_result result = slv_writer_open(
        path, SLV_CONTENTS_GARMENT, slv_garment_get_section_count(&made->garment), &writer, &error);
    if (result == SLV_OK) {
        result = slv_garment_write(&made->garment, writer, &error);
        if (result == SLV_OK) {
            result = slv_writer_commit(writer, &error);
        } else {
            slv_writer_abandon(writer);
        }
    }
    if (result != SLV_OK) {
        stop(error.text);
    }
}

void generated_write_and_free(generated_garment *made, const char *path) {
    generated_write(made, path);
    generated_free(made);
}

void generated_free(generated_garment *made) {
    void *const arrays[] = {
        made->more[0],
        made->more[1],
        made->x,
        made->y,
        made->z,
        made->inverse_mass,
        made->cell,
        made->own_of_stored,
        made->stored_of_own,
        made->neighbors,
        made->distance.a,
        made->distance.b,
        made->distance.rest,
        made->bending.a,
        made->bending.b,
        made->bending.rest,
    };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        free(arrays[i]);
    }
    free(made);
}
