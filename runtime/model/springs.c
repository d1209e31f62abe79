// SPDX-License-Identifier: MIT
#include "runtime/model/springs.h"

#include "runtime/model/coloring.h"
#include "runtime/model/stencil.h"

#include <math.h>
#include <string.h>

static const double softest = 1e-9; // N/m; below, weights and compliances would leave float's range

// Springs and groups as they grow. Room is known beforehand.
typedef struct spring_list {
    slv_body *body;
    const slv_garment *garment;
    double scale;
    uint32_t room;
    uint32_t group_room;
    slv_memory scratch;
} spring_list;

static slv_result no_memory(slv_error *error) {
    return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for springs");
}

// The class of a stiffness, a new one where there is none like it.
static slv_result find_class(slv_body *body, double stiffness, bool buckles,
                             uint32_t *stiffness_class, slv_error *error) {
    double value = fmax(stiffness, softest);
    for (*stiffness_class = 0; *stiffness_class < body->class_count; (*stiffness_class)++) {
        if (body->stiffness[*stiffness_class] == value &&
            body->buckles[*stiffness_class] == buckles) {
            return SLV_OK;
        }
    }
    if (body->class_count == SLV_CLASS_LIMIT) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "the garment's springs have more than %d different stiffnesses",
                        SLV_CLASS_LIMIT);
    }
    body->buckles[body->class_count] = buckles;
    body->stiffness[body->class_count++] = value;
    return SLV_OK;
}

static void add_spring(slv_body *body, uint32_t a, uint32_t b, double rest,
                       uint32_t stiffness_class) {
    body->springs[body->spring_count++] = (slv_spring){a, b, (float)rest, stiffness_class};
    body->stiffness_sum[a] += body->stiffness[stiffness_class];
    body->stiffness_sum[b] += body->stiffness[stiffness_class];
}

static bool add_group(spring_list *list, uint32_t first, uint32_t count, uint32_t stiffness_class,
                      bool averaged) {
    slv_body *body = list->body;
    if (body->group_count == list->group_room) {
        uint32_t room = 2 * list->group_room + 16;
        slv_spring_group *groups = slv_memory_take(&body->memory, room, sizeof *groups);
        if (!groups) {
            return false;
        }
        if (body->group_count > 0) {
            memcpy(groups, body->groups, body->group_count * sizeof *groups);
        }
        body->groups = groups;
        list->group_room = room;
    }
    body->groups[body->group_count++] = (slv_spring_group){first, count, stiffness_class, averaged};
    return true;
}

static void add_run(spring_list *list, slv_spring_role role, double pack_stiffness) {
    slv_body *body = list->body;
    body->runs[body->run_count++] =
        (slv_spring_run){.first = body->spring_count,
                         .role = role,
                         .pack_stiffness = pack_stiffness,
                         .buckles = role == SLV_SPRING_BENDING && body->buckling_rigidity > 0.0};
}

static bool last_run_buckles(const slv_body *body) {
    return body->runs[body->run_count - 1].buckles;
}

// The last run ends with the last spring.
static void end_run(slv_body *body) {
    slv_spring_run *run = &body->runs[body->run_count - 1];
    run->count = body->spring_count - run->first;
}

// Makes groups of all springs from `first` on, which are of one class and not colored.
static slv_result color_rest(spring_list *list, uint32_t first, uint32_t stiffness_class,
                             slv_error *error) {
    slv_body *body = list->body;
    uint32_t count = body->spring_count - first;
    uint32_t colors = 0;
    uint32_t *counts = slv_memory_take(&list->scratch, count, sizeof *counts);
    bool done = counts && slv_color_springs(body->springs + first, count, body->count,
                                            &list->scratch, counts, &colors);
    for (uint32_t c = 0; done && c < colors; c++) {
        done = add_group(list, first, counts[c], stiffness_class, false);
        first += counts[c];
    }
    slv_memory_release(&list->scratch);
    return done ? SLV_OK : no_memory(error);
}

// --- Those of the pack ------------------------------------------------------------------------------

// Uncolored groups of a kind that has colored ones are to be averaged (formats/PACK.md, "CGRP").
static bool has_colors(const slv_garment *garment, uint32_t kind) {
    bool any = false;
    for (uint32_t g = 0; g < garment->group_count; g++) {
        any |= garment->groups[g].kind == kind && garment->groups[g].color != SLV_UNCOLORED;
    }
    return any;
}

static slv_result add_pack_group(spring_list *list, const slv_constraint_group *group,
                                 double stiffness, slv_error *error) {
    const slv_constraints *pairs = &list->garment->constraints[group->kind];
    slv_body *body = list->body;
    uint32_t first = body->spring_count;
    uint32_t stiffness_class = 0;
    slv_result status =
        find_class(body, stiffness, last_run_buckles(body), &stiffness_class, error);
    if (status != SLV_OK || group->count == 0) {
        return status;
    }
    const slv_garment *garment = list->garment;
    const bool colored = group->color != SLV_UNCOLORED;
    for (uint64_t i = group->first; i < group->first + group->count; i++) {
        if (colored && body->phantoms.spring_ends) {
            body->phantoms.spring_ends[body->spring_count][0] =
                slv_phantom_end(garment, pairs->ends[0][i]);
            body->phantoms.spring_ends[body->spring_count][1] =
                slv_phantom_end(garment, pairs->ends[1][i]);
        }
        add_spring(body,
                   garment->own_of_stored[slv_garment_get_original(garment, pairs->ends[0][i])],
                   garment->own_of_stored[slv_garment_get_original(garment, pairs->ends[1][i])],
                   (double)pairs->rest[i] * list->scale, stiffness_class);
    }
    end_run(body);
    const bool averaged = !colored && has_colors(garment, group->kind);
    if (!colored && !averaged) {
        return color_rest(list, first, stiffness_class, error);
    }
    return add_group(list, first, body->spring_count - first, stiffness_class, averaged)
               ? SLV_OK
               : no_memory(error);
}

static slv_result add_pack_springs(spring_list *list, const slv_garment_def *def,
                                   slv_error *error) {
    const slv_garment *garment = list->garment;
    slv_result status = SLV_OK;
    for (uint32_t g = 0; status == SLV_OK && g < garment->group_count; g++) {
        const slv_constraint_group *group = &garment->groups[g];
        double own = (double)garment->materials[group->material].stretch_stiffness;
        if (group->kind == SLV_CONSTRAINT_DISTANCE) {
            add_run(list, SLV_SPRING_STRETCH, own);
            status = add_pack_group(
                list, group, def->stretch_stiffness > 0.0f ? (double)def->stretch_stiffness : own,
                error);
            list->body->stretch_count = list->body->spring_count;
        } else if (group->kind == SLV_CONSTRAINT_BENDING && def->bending_stiffness > 0.0f) {
            add_run(list, SLV_SPRING_BENDING, 0.0);
            status = add_pack_group(list, group, (double)def->bending_stiffness, error);
        }
    }
    return status;
}

// --- Those of a grid --------------------------------------------------------------------------------

// Own number of each cell's particle, plus one; 0 where there is none.
typedef struct cell_index {
    const slv_body *body;
    uint32_t *number;
} cell_index;

static bool particle_at(const cell_index *index, const uint32_t grid_coordinates[3],
                        const int offset[3], uint32_t *particle) {
    uint64_t cell = 0;
    for (int d = 2; d >= 0; d--) {
        int64_t at = (int64_t)grid_coordinates[d] + offset[d];
        if (at < 0 || at >= (int64_t)index->body->cells[d]) {
            return false;
        }
        cell = cell * index->body->cells[d] + (uint64_t)at;
    }
    *particle = index->number[cell] - 1;
    return index->number[cell] != 0;
}

// A spring from p over `between` (one or the other suffices) to the particle at `offset`.
static void join_over(spring_list *list, const cell_index *index, uint32_t p, const int offset[3],
                      const int between[2][3], double rest, uint32_t stiffness_class) {
    uint32_t grid_coordinates[3];
    uint32_t other = 0;
    uint32_t ignored = 0;
    slv_body_get_grid_coordinates(list->body, p, grid_coordinates);
    if (particle_at(index, grid_coordinates, offset, &other) &&
        (particle_at(index, grid_coordinates, between[0], &ignored) ||
         particle_at(index, grid_coordinates, between[1], &ignored))) {
        add_spring(list->body, p, other, rest, stiffness_class);
    }
}

// Both diagonals of the squares in the plane of two axes; with two steps they go over a particle in the middle.
static void add_diagonals(spring_list *list, const cell_index *index, int u, int v, int steps,
                          double rest, uint32_t stiffness_class) {
    for (int sign = 1; sign >= -1; sign -= 2) {
        int offset[3] = {0, 0, 0};
        int between[2][3] = {{0, 0, 0}, {0, 0, 0}};
        offset[u] = steps * sign;
        offset[v] = steps;
        between[0][u] = sign;
        between[0][v] = steps - 1;
        between[1][u] = (steps - 1) * sign;
        between[1][v] = 1;
        for (uint32_t p = 0; p < list->body->count; p++) {
            join_over(list, index, p, (const int *)offset, (const int(*)[3])between, rest,
                      stiffness_class);
        }
    }
}

static slv_result add_shear(spring_list *list, const cell_index *index, double stiffness,
                            slv_error *error) {
    uint32_t first = list->body->spring_count;
    double rest = list->garment->grid->spacing * list->scale * sqrt(2.0);
    uint32_t stiffness_class = 0;
    add_run(list, SLV_SPRING_SHEAR, 0.0);
    slv_result status =
        find_class(list->body, stiffness, last_run_buckles(list->body), &stiffness_class, error);
    for (int u = 0; status == SLV_OK && u < 2; u++) {
        for (int v = u + 1; v < 3; v++) {
            add_diagonals(list, index, u, v, 1, rest, stiffness_class);
        }
    }
    end_run(list->body);
    return status == SLV_OK ? color_rest(list, first, stiffness_class, error) : status;
}

static slv_result add_bending(spring_list *list, const cell_index *index, double stiffness,
                              slv_error *error) {
    uint32_t first = list->body->spring_count;
    double rest = 2.0 * list->garment->grid->spacing * list->scale;
    uint32_t stiffness_class = 0;
    add_run(list, SLV_SPRING_BENDING, 0.0);
    slv_result status =
        find_class(list->body, stiffness, last_run_buckles(list->body), &stiffness_class, error);
    for (int d = 0; status == SLV_OK && d < 3; d++) {
        int offset[3] = {0, 0, 0};
        int between[2][3] = {{0, 0, 0}, {0, 0, 0}};
        offset[d] = 2;
        between[0][d] = between[1][d] = 1;
        for (uint32_t p = 0; p < list->body->count; p++) {
            join_over(list, index, p, (const int *)offset, (const int(*)[3])between, rest,
                      stiffness_class);
        }
    }
    for (int u = 0; status == SLV_OK && last_run_buckles(list->body) && u < 2; u++) {
        for (int v = u + 1; v < 3; v++) {
            add_diagonals(list, index, u, v, 2, rest * sqrt(2.0), stiffness_class);
        }
    }
    end_run(list->body);
    return status == SLV_OK ? color_rest(list, first, stiffness_class, error) : status;
}

static slv_result add_grid_springs(spring_list *list, const slv_garment_def *def,
                                   slv_error *error) {
    slv_body *body = list->body;
    slv_memory memory = {.allocator = body->memory.allocator};
    size_t cells = (size_t)body->cells[0] * body->cells[1] * body->cells[2];
    cell_index index = {body, slv_memory_take(&memory, cells, sizeof *index.number)};
    if (!index.number) {
        return no_memory(error);
    }
    for (uint32_t p = 0; p < body->count; p++) {
        index.number[body->cell[p]] = p + 1;
    }
    slv_result status = SLV_OK;
    if (def->shear_stiffness > 0.0f) {
        status = add_shear(list, &index, (double)def->shear_stiffness, error);
    }
    if (status == SLV_OK && def->bending_stiffness > 0.0f &&
        list->garment->constraints[SLV_CONSTRAINT_BENDING].count == 0) {
        status = add_bending(list, &index, (double)def->bending_stiffness, error);
    }
    slv_memory_release(&memory);
    return status;
}

// --- Everything -------------------------------------------------------------------------------------

// Notes the first class's springs of each particle by direction. False where one does not join
// neighbors of the grid, or two join the same.
static bool note_directions(slv_body *body) {
    for (uint32_t s = 0; s < body->spring_count; s++) {
        const slv_spring *spring = &body->springs[s];
        int direction = spring->stiffness_class == 0 ? slv_body_direction(body, spring) : 0;
        if (direction < 0 ||
            (spring->stiffness_class == 0 && body->present[spring->a] >> direction & 1)) {
            return false;
        }
        if (spring->stiffness_class == 0) {
            body->present[spring->a] |= (uint8_t)(1 << direction);
            body->present[spring->b] |= (uint8_t)(1 << (direction ^ 1));
        }
    }
    return true;
}

static bool is_lattice(const slv_body *body) {
    if (!body->neighborly || body->class_count > 1) {
        return false;
    }
    for (uint32_t s = 0; s < body->spring_count; s++) {
        if (body->springs[s].rest != body->springs[0].rest) {
            return false;
        }
    }
    return body->neighbor_ends == 2 * (uint64_t)body->spring_count;
}

// What depends on which springs have the same stiffness.
static void find_lattice(slv_body *body) {
    memset(body->present, 0, body->count * sizeof *body->present);
    body->neighborly = note_directions(body);
    body->lattice = is_lattice(body);
    slv_stencil_find(body);
}

// Groups that are averaged come after all others.
static void put_averaged_last(slv_body *body) {
    uint32_t kept = 0;
    for (uint32_t end = body->group_count; kept < end;) {
        const slv_spring_group group = body->groups[kept];
        if (!group.averaged) {
            kept++;
            continue;
        }
        memmove(body->groups + kept, body->groups + kept + 1,
                (body->group_count - kept - 1) * sizeof group);
        body->groups[body->group_count - 1] = group;
        body->averaged_group_count++;
        end--;
    }
}

// How many springs there can be at most.
static uint64_t count_room(const slv_garment *garment, const slv_garment_def *def) {
    uint64_t n = garment->info.particle_count;
    uint64_t room = garment->constraints[SLV_CONSTRAINT_DISTANCE].count;
    room += def->bending_stiffness > 0.0f ? garment->constraints[SLV_CONSTRAINT_BENDING].count : 0;
    if (garment->grid) {
        room += def->shear_stiffness > 0.0f ? 6 * n : 0;
        room += def->bending_stiffness > 0.0f ? 3 * n : 0;
        room += def->bending_stiffness > 0.0f && def->buckling_rigidity > 0.0f ? 6 * n : 0;
    }
    return room;
}

static void note_phantom_uses(slv_body *body) {
    slv_phantom_set_add_springs(&body->phantoms, body->springs, body->spring_count, body->count);
    for (int b = 0; b < SLV_BATCH_COUNT && body->phantoms.copy_count > 0; b++) {
        for (uint32_t i = 0; i < body->batches[b].count; i++) {
            for (uint32_t e = 0; e < slv_batch_arity(b); e++) {
                slv_phantom_set_note_use(&body->phantoms, body->batches[b].ends[i][e], body->count,
                                         SLV_PHASE_BATCHES + b);
            }
        }
    }
}

slv_result slv_body_add_springs(slv_body *body, const slv_garment *garment,
                                const slv_garment_def *def, slv_error *error) {
    spring_list list = {.body = body,
                        .garment = garment,
                        .scale = (double)def->scale,
                        .scratch = {.allocator = body->memory.allocator}};
    uint64_t room = count_room(garment, def);
    body->present = slv_memory_take(&body->memory, body->count, sizeof *body->present);
    body->stencil.directions =
        slv_memory_take(&body->memory, body->count, sizeof *body->stencil.directions);
    body->springs =
        room < UINT32_MAX ? slv_memory_take(&body->memory, room, sizeof *body->springs) : NULL;
    body->runs = slv_memory_take(&body->memory, garment->group_count + 2, sizeof *body->runs);
    if (!body->springs || !body->present || !body->stencil.directions || !body->runs) {
        return no_memory(error);
    }
    slv_result status =
        slv_phantom_set_create(&body->phantoms, garment, (size_t)room, &body->memory, error);
    if (status == SLV_OK) {
        status = add_pack_springs(&list, def, error);
    }
    if (status == SLV_OK && garment->grid &&
        (def->shear_stiffness > 0.0f || def->bending_stiffness > 0.0f)) {
        status = add_grid_springs(&list, def, error);
    }
    if (status == SLV_OK) {
        put_averaged_last(body);
        status = slv_batches_create(body->batches, garment, list.scale, &body->memory, error);
    }
    if (!(def->flexural_rigidity > 0.0f)) {
        body->batches[SLV_BATCH_FLEXURE] = (slv_constraint_batch){.count = 0};
    }
    if (status == SLV_OK) {
        note_phantom_uses(body);
    }
    if (status == SLV_OK && body->cell) {
        for (uint64_t i = 0; i < SLV_SLOT_COUNT * (uint64_t)body->count; i++) {
            body->neighbor_ends += garment->neighbors[i] != SLV_NO_NEIGHBOR;
        }
        find_lattice(body);
    }
    return status;
}

// --- Changing ---------------------------------------------------------------------------------------

static double run_stiffness(const slv_spring_run *run, const float stiffness[SLV_SPRING_ROLES]) {
    const float given = stiffness[run->role];
    return given > 0.0f ? (double)given : run->pack_stiffness;
}

// Springs and groups of a run get another class.
static void reclassify(slv_body *body, const slv_spring_run *run, uint32_t stiffness_class) {
    for (uint32_t s = run->first; s < run->first + run->count; s++) {
        slv_spring *spring = &body->springs[s];
        spring->stiffness_class = stiffness_class;
        body->stiffness_sum[spring->a] += body->stiffness[stiffness_class];
        body->stiffness_sum[spring->b] += body->stiffness[stiffness_class];
    }
    for (uint32_t g = 0; g < body->group_count; g++) {
        if (body->groups[g].first - run->first < run->count) {
            body->groups[g].stiffness_class = stiffness_class;
        }
    }
}

slv_result slv_body_set_stiffness(slv_body *body, const float stiffness[SLV_SPRING_ROLES],
                                  slv_error *error) {
    double before[SLV_CLASS_LIMIT];
    bool buckled[SLV_CLASS_LIMIT];
    const uint32_t count = body->class_count;
    slv_result status = SLV_OK;
    uint32_t stiffness_class = 0;
    memcpy(before, body->stiffness, sizeof before);
    memcpy(buckled, body->buckles, sizeof buckled);
    body->class_count = 0;
    for (uint32_t r = 0; status == SLV_OK && r < body->run_count; r++) {
        status = find_class(body, run_stiffness(&body->runs[r], stiffness), body->runs[r].buckles,
                            &stiffness_class, error);
    }
    if (status != SLV_OK) {
        memcpy(body->stiffness, before, sizeof before);
        memcpy(body->buckles, buckled, sizeof buckled);
        body->class_count = count;
        return status;
    }
    memset(body->stiffness_sum, 0, body->count * sizeof *body->stiffness_sum);
    for (uint32_t r = 0; r < body->run_count; r++) {
        (void)find_class(body, run_stiffness(&body->runs[r], stiffness), body->runs[r].buckles,
                         &stiffness_class, error);
        reclassify(body, &body->runs[r], stiffness_class);
    }
    if (body->cell) {
        find_lattice(body);
    }
    return SLV_OK;
}
