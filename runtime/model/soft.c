// SPDX-License-Identifier: MIT
#include "runtime/model/soft.h"

#include "runtime/model/body.h"

#include <string.h>

static slv_result no_memory(slv_error *error) {
    return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for tetrahedra and phantoms");
}

uint32_t slv_soft_end(const slv_garment *garment, uint32_t stored) {
    return stored < garment->info.particle_count ? garment->own_of_stored[stored] : stored;
}

// --- Copies -----------------------------------------------------------------------------------------

static void add_copies(slv_soft *soft, const slv_garment *garment) {
    uint32_t copy = 0;
    for (uint32_t i = 0; i < garment->phantoms.count; i++) {
        const uint32_t own = garment->own_of_stored[garment->phantoms.original[i]];
        uint32_t *phantom = soft->phantoms + 3 * (size_t)i;
        phantom[0] = own;
        phantom[1] = copy;
        for (; copy < garment->phantoms.end[i]; copy++) {
            soft->originals[copy] = own;
        }
        phantom[2] = copy;
    }
    soft->copy_count = copy;
    soft->phantom_count = garment->phantoms.count;
}

slv_result slv_soft_create(slv_body *body, const slv_garment *garment, size_t spring_room,
                           slv_error *error) {
    slv_soft *soft = &body->soft;
    const uint32_t copies = garment->phantoms.copies;
    if (copies == 0) {
        return SLV_OK;
    }
    soft->originals = slv_memory_take(&body->memory, copies, sizeof *soft->originals);
    soft->phantoms =
        slv_memory_take(&body->memory, 3 * (size_t)garment->phantoms.count, sizeof *soft->phantoms);
    soft->spring_ends = slv_memory_take(&body->memory, spring_room, sizeof *soft->spring_ends);
    soft->uses = slv_memory_take(&body->memory, copies, sizeof *soft->uses);
    if (!soft->originals || !soft->phantoms || !soft->spring_ends || !soft->uses) {
        return no_memory(error);
    }
    memset(soft->spring_ends, 0xFF, spring_room * sizeof *soft->spring_ends);
    add_copies(soft, garment);
    return SLV_OK;
}

// Springs that were added without a word about copies join the particles themselves.
static void complete_springs(slv_body *body) {
    for (uint32_t s = 0; body->soft.spring_ends && s < body->spring_count; s++) {
        uint32_t *ends = body->soft.spring_ends[s];
        if (ends[0] == UINT32_MAX) {
            ends[0] = body->springs[s].a;
            ends[1] = body->springs[s].b;
        }
    }
}

static void note_use(slv_body *body, uint32_t end, int kind) {
    if (end >= body->count) {
        body->soft.uses[end - body->count] |= (uint8_t)(1u << kind);
    }
}

static void note_uses(slv_body *body) {
    const slv_soft *soft = &body->soft;
    for (uint32_t s = 0; soft->copy_count > 0 && s < body->spring_count; s++) {
        note_use(body, soft->spring_ends[s][0], SLV_SOFT_SPRINGS);
        note_use(body, soft->spring_ends[s][1], SLV_SOFT_SPRINGS);
    }
    for (uint32_t t = 0; soft->copy_count > 0 && t < soft->tetrahedron_count; t++) {
        for (int c = 0; c < 4; c++) {
            note_use(body, soft->corners[t][c], SLV_SOFT_TETRAHEDRA);
        }
    }
}

// --- Tetrahedra -------------------------------------------------------------------------------------

static void add_tetrahedra(slv_soft *soft, const slv_garment *garment,
                           const slv_constraint_group *group, double scale) {
    const slv_constraints *tetrahedra = &garment->constraints[SLV_CONSTRAINT_TETRAHEDRON];
    const bool colored = group->color != SLV_UNCOLORED;
    const double cube = scale * scale * scale;
    for (uint64_t i = group->first; i < group->first + group->count; i++) {
        for (int c = 0; c < 4; c++) {
            const uint32_t end = tetrahedra->ends[c][i];
            soft->corners[i][c] =
                slv_soft_end(garment, colored ? end : slv_garment_original(garment, end));
        }
        soft->volumes[i] = (float)((double)tetrahedra->rest[i] * cube);
    }
    soft->groups[soft->group_count++] =
        (slv_tetrahedron_group){(uint32_t)group->first, (uint32_t)group->count};
    soft->tetrahedron_count += (uint32_t)group->count;
}

// Colors of 64 are given out to whoever finds one free at all corners; who does not waits for the next.
static uint32_t color_round(const slv_soft *soft, const slv_tetrahedron_group *group,
                            uint64_t *used, uint32_t *color, uint32_t base) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < group->count; i++) {
        const uint32_t *corners = soft->corners[group->first + i];
        uint64_t taken = used[corners[0]] | used[corners[1]] | used[corners[2]] | used[corners[3]];
        if (color[i] != UINT32_MAX || ~taken == 0) {
            left += color[i] == UINT32_MAX;
            continue;
        }
        const uint32_t bit = (uint32_t)__builtin_ctzll(~taken);
        for (int c = 0; c < 4; c++) {
            used[corners[c]] |= UINT64_C(1) << bit;
        }
        color[i] = base + bit;
    }
    return left;
}

// Sorts one uncolored group by colors of our own making, into groups of its own.
static bool color_tetrahedra(slv_body *body, slv_memory *scratch) {
    slv_soft *soft = &body->soft;
    const slv_tetrahedron_group whole = soft->groups[--soft->group_count];
    uint64_t *used = slv_memory_take(scratch, body->count, sizeof *used);
    uint32_t *color = slv_memory_take(scratch, whole.count, sizeof *color);
    uint32_t(*corners)[4] = slv_memory_take(scratch, whole.count, sizeof *corners);
    float *volumes = slv_memory_take(scratch, whole.count, sizeof *volumes);
    if (!used || !color || !corners || !volumes) {
        return false;
    }
    memset(color, 0xFF, whole.count * sizeof *color);
    uint32_t colors = 0;
    for (uint32_t left = whole.count; left > 0; colors += 64) {
        memset(used, 0, body->count * sizeof *used);
        left = color_round(soft, &whole, used, color, colors);
    }
    memcpy(corners, soft->corners + whole.first, whole.count * sizeof *corners);
    memcpy(volumes, soft->volumes + whole.first, whole.count * sizeof *volumes);
    slv_tetrahedron_group *groups =
        slv_memory_take(&body->memory, (size_t)soft->group_count + colors, sizeof *groups);
    if (!groups) {
        return false;
    }
    if (soft->group_count > 0) {
        memcpy(groups, soft->groups, soft->group_count * sizeof *groups);
    }
    soft->groups = groups;
    uint32_t next = whole.first;
    for (uint32_t c = 0; c < colors; c++) {
        const uint32_t first = next;
        for (uint32_t i = 0; i < whole.count; i++) {
            if (color[i] == c) {
                memcpy(soft->corners[next], corners[i], sizeof *corners);
                soft->volumes[next++] = volumes[i];
            }
        }
        if (next > first) {
            soft->groups[soft->group_count++] = (slv_tetrahedron_group){first, next - first};
        }
    }
    return true;
}

slv_result slv_soft_finish(slv_body *body, const slv_garment *garment, double scale,
                           slv_error *error) {
    slv_soft *soft = &body->soft;
    slv_memory scratch = {.allocator = body->memory.allocator};
    const uint64_t count = garment->constraints[SLV_CONSTRAINT_TETRAHEDRON].count;
    bool colored = false;
    bool done = true;
    complete_springs(body);
    if (count == 0) {
        note_uses(body);
        return SLV_OK;
    }
    if (count > UINT32_MAX / 16) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED, "too many tetrahedra for one garment");
    }
    soft->corners = slv_memory_take(&body->memory, (size_t)count, sizeof *soft->corners);
    soft->volumes = slv_memory_take(&body->memory, (size_t)count, sizeof *soft->volumes);
    soft->groups = slv_memory_take(&body->memory, garment->group_count, sizeof *soft->groups);
    done = soft->corners && soft->volumes && soft->groups;
    for (uint32_t g = 0; done && g < garment->group_count; g++) {
        const slv_constraint_group *group = &garment->groups[g];
        if (group->kind != SLV_CONSTRAINT_TETRAHEDRON || group->count == 0) {
            continue;
        }
        add_tetrahedra(soft, garment, group, scale);
        if (group->color != SLV_UNCOLORED) {
            colored = true;
        } else if (colored && !soft->averages_tetrahedra) {
            soft->averages_tetrahedra = true;
        } else if (soft->averages_tetrahedra) { // of another material: all are averaged together
            soft->groups[soft->group_count - 2].count += (uint32_t)group->count;
            soft->group_count--;
        } else {
            done = color_tetrahedra(body, &scratch);
        }
    }
    slv_memory_release(&scratch);
    if (done) {
        note_uses(body);
    }
    return done ? SLV_OK : no_memory(error);
}
