// SPDX-License-Identifier: MIT
#include "runtime/form.h"

#include "kernels/graph.h"

#include <limits.h>

enum { PLACE_ALIGNMENT = 16 }; // floats or ints: one line of cache

// --- Plans ------------------------------------------------------------------------------------------

static int plan_in(size_t *end, size_t count, bool *too_large) {
    size_t place = *end;
    if (count > INT_MAX || place > INT_MAX - count - PLACE_ALIGNMENT) {
        *too_large = true;
        return 0;
    }
    *end = (place + count + PLACE_ALIGNMENT - 1) / PLACE_ALIGNMENT * PLACE_ALIGNMENT;
    return (int)place;
}

int slv_plan_state(slv_form_plan *plan, size_t count) {
    return plan_in(&plan->state, count, &plan->too_large);
}

int slv_plan_table(slv_form_plan *plan, size_t count) {
    return plan_in(&plan->table, count, &plan->too_large);
}

void slv_plan_vectors(slv_form_plan *plan, slv_part *part) {
    bool split = part->stride == 1;
    size_t slots = (size_t)part->slots;
    size_t floats = (split ? 3 : SLV_PARTICLE_FLOATS) * slots;
    part->component = split ? part->slots : 1;
    part->q = slv_plan_state(plan, floats);
    part->u = slv_plan_state(plan, floats);
    part->b = slv_plan_state(plan, floats);
    part->weight = slv_plan_state(plan, slots);
    part->anchor = slv_plan_state(plan, slots);
    part->inverse_mass = slv_plan_state(plan, slots);
    part->y = slv_plan_state(plan, floats);
    part->prev[0] = slv_plan_state(plan, floats);
    part->prev[1] = slv_plan_state(plan, floats);
    part->next = slv_plan_state(plan, floats);
    part->degrees = slv_plan_state(plan, slots);
    part->verdicts =
        slv_plan_state(plan, split ? (size_t)part->rows * (size_t)part->layers : slots / SLV_BLOCK);
}

// --- Forms ------------------------------------------------------------------------------------------

// Position based solvers know index tables only. A box that is mostly empty would waste the strided
// form's bandwidth on cells without particles.
bool slv_form_is_strided(const slv_body *body, const slv_form_settings *settings) {
    uint64_t box = (uint64_t)body->cells[0] * body->cells[1] * body->cells[2];
    bool projective = settings->solver == SLV_PD_GS || settings->solver == SLV_PD_JACOBI ||
                      settings->solver == SLV_PD_RBGS;
    return projective && !settings->indexed && body->lattice && 2 * (uint64_t)body->count >= box;
}

static bool plan_parts(slv_form *form, slv_body *const *bodies, const slv_form_settings *settings,
                       slv_form_plan *plan, slv_memory *scratch, slv_graph_draft *drafts) {
    for (uint32_t i = 0; i < form->part_count; i++) {
        const slv_body *body = bodies[i];
        form->slots[i] = slv_memory_take(&form->memory, body->count, sizeof **form->slots);
        if (!form->slots[i]) {
            return false;
        }
        if (slv_form_is_strided(body, settings)) {
            slv_grid_form_plan(&form->parts[i], body, form->slots[i], plan);
        } else if (!slv_graph_form_plan(&form->parts[i], body, form->slots[i], plan, scratch,
                                        &drafts[i])) {
            return false;
        }
    }
    return true;
}

static void set_stiffness(slv_part *part, const slv_body *body, double time_step) {
    for (uint32_t c = 0; c < body->class_count; c++) {
        double stiffness = body->stiffness[c];
        part->ratio[c] = (float)(stiffness / body->stiffness[0]);
        part->compliance[c] = (float)(1.0 / (stiffness * time_step * time_step));
    }
}

// How many springs each slot has, but at least one, since averages divide by it.
static void count_degrees(const slv_part *part, const slv_body *body, const uint32_t *slots,
                          float *state) {
    float *degrees = state + part->degrees;
    for (uint32_t s = 0; s < body->spring_count; s++) {
        degrees[slots[body->springs[s].a]] += 1.0f;
        degrees[slots[body->springs[s].b]] += 1.0f;
    }
    for (int slot = 0; slot < part->slots; slot++) {
        degrees[slot] = degrees[slot] > 1.0f ? degrees[slot] : 1.0f;
    }
}

static bool fill_parts(slv_form *form, slv_body *const *bodies, const slv_form_settings *settings,
                       slv_memory *scratch, const slv_graph_draft *drafts) {
    for (uint32_t i = 0; i < form->part_count; i++) {
        slv_part *part = &form->parts[i];
        set_stiffness(part, bodies[i], settings->time_step);
        if (part->stride == 1) {
            slv_grid_form_fill(part, bodies[i], form->slots[i], form->table);
        } else if (!slv_graph_form_fill(part, bodies[i], form->slots[i], &drafts[i], scratch,
                                        form->state, form->table)) {
            return false;
        }
        count_degrees(part, bodies[i], form->slots[i], form->state);
        slv_form_set_response(form, i, bodies[i], settings->time_step);
        slv_form_write(form, i, 0, bodies[i]->count, bodies[i]->start);
    }
    return true;
}

static slv_status build(slv_form *form, slv_body *const *bodies, const slv_form_settings *settings,
                        slv_memory *scratch, slv_error *error) {
    slv_form_plan plan = {0};
    uint32_t count = form->part_count;
    slv_graph_draft *drafts = slv_memory_take(scratch, count, sizeof *drafts);
    form->parts = slv_memory_take(&form->memory, count, sizeof *form->parts);
    form->slots = slv_memory_take(&form->memory, count, sizeof *form->slots);
    bool done = drafts && form->parts && form->slots &&
                plan_parts(form, bodies, settings, &plan, scratch, drafts);
    if (done && plan.too_large) {
        (void)slv_fail(error, SLV_ERROR_UNSUPPORTED,
                       "the world needs more than %d numbers, too many for one", INT_MAX);
        return SLV_STATUS_UNSUPPORTED;
    }
    if (done) {
        form->state_count = plan.state;
        form->state = slv_memory_take(&form->memory, plan.state, sizeof *form->state);
        form->table = slv_memory_take(&form->memory, plan.table, sizeof *form->table);
        done = form->state && form->table && fill_parts(form, bodies, settings, scratch, drafts);
    }
    if (!done) {
        (void)slv_fail(error, SLV_ERROR_INTERNAL, "out of memory");
        return SLV_STATUS_MEMORY;
    }
    return SLV_STATUS_OK;
}

slv_status slv_form_create(slv_form *form, slv_body *const *bodies, uint32_t count,
                           const slv_form_settings *settings, slv_allocator allocator,
                           slv_error *error) {
    slv_memory scratch = {.allocator = allocator};
    *form = (slv_form){.memory = {.allocator = allocator}, .part_count = count};
    slv_status status = build(form, bodies, settings, &scratch, error);
    slv_memory_release(&scratch);
    if (status != SLV_STATUS_OK) {
        slv_form_destroy(form);
    }
    return status;
}

void slv_form_destroy(slv_form *form) {
    slv_memory_release(&form->memory);
    *form = (slv_form){.memory = form->memory};
}

// --- What lies in them ------------------------------------------------------------------------------

void slv_form_read(const slv_form *form, uint32_t index, uint32_t first, uint32_t count,
                   float *values) {
    const slv_part *part = &form->parts[index];
    const float *q = form->state + part->q;
    const float *prev = form->state + part->prev[form->parity];
    for (uint32_t p = first; p < first + count; p++, values += 6) {
        size_t at = (size_t)form->slots[index][p] * (size_t)part->stride;
        for (size_t d = 0; d < 3; d++) {
            values[d] = q[at + d * (size_t)part->component];
            values[3 + d] = prev[at + d * (size_t)part->component];
        }
    }
}

void slv_form_write(slv_form *form, uint32_t index, uint32_t first, uint32_t count,
                    const float *values) {
    const slv_part *part = &form->parts[index];
    float *q = form->state + part->q;
    float *prev = form->state + part->prev[form->parity];
    for (uint32_t p = first; p < first + count; p++, values += 6) {
        size_t at = (size_t)form->slots[index][p] * (size_t)part->stride;
        for (size_t d = 0; d < 3; d++) {
            q[at + d * (size_t)part->component] = values[d];
            prev[at + d * (size_t)part->component] = values[3 + d];
        }
    }
}

void slv_form_set_response(slv_form *form, uint32_t index, const slv_body *body, double time_step) {
    const slv_part *part = &form->parts[index];
    for (uint32_t p = 0; p < body->count; p++) {
        size_t slot = form->slots[index][p];
        slv_response response = slv_body_response(body, p, time_step);
        form->state[(size_t)part->weight + slot] = response.weight;
        form->state[(size_t)part->anchor + slot] = response.anchor;
        form->state[(size_t)part->inverse_mass + slot] = response.inverse_mass;
    }
    if (part->stride == SLV_PARTICLE_FLOATS) {
        slv_graph_form_set_masses(part, form->state, form->table);
    }
}
