// SPDX-License-Identifier: MIT
#include "runtime/step/features.h"

#include "runtime/step/neighbor_search.h"
#include "runtime/step/solver.h"

#include <string.h>

_Static_assert((int)SLV_ASPECT_FEATURE_END <= (int)SLV_ASPECT_COUNT,
               "all aspects are bits of one unsigned");

#ifndef SLV_FEATURE_LIST // tests add a feature of their own
#define SLV_FEATURE_LIST "runtime/step/features/list.h"
#endif

#define SLV_FEATURE(name) extern const slv_feature slv_feature_##name;
#include SLV_FEATURE_LIST
#undef SLV_FEATURE

#define SLV_FEATURE(name) &slv_feature_##name,
const slv_feature *const slv_features[] = {
#include SLV_FEATURE_LIST
    NULL};
#undef SLV_FEATURE

uint32_t slv_feature_get_number(const slv_feature *feature) {
    uint32_t number = 0;
    while (slv_features[number] != feature) {
        number++;
    }
    return number;
}

void *slv_feature_get_body_data(const slv_feature *feature, const slv_body *body) {
    return body->feature_data[slv_feature_get_number(feature)];
}

void *slv_feature_get_layout_data(const slv_feature *feature, const slv_layout *layout) {
    return layout->feature_data[slv_feature_get_number(feature)];
}

// Zeros at first.
static bool take_body_data(slv_body *body) {
    bool done = true;
    for (uint32_t i = 0; done && slv_features[i]; i++) {
        const size_t size = slv_features[i]->body_size;
        if (size > 0 && !body->feature_data[i]) {
            body->feature_data[i] = slv_memory_take(&body->memory, 1, size);
            done = body->feature_data[i] != NULL;
        }
    }
    return done;
}

slv_result slv_features_define(slv_body *body, const slv_garment *garment,
                               const slv_garment_def *def, slv_error *error) {
    slv_memory scratch = {.allocator = body->memory.allocator};
    slv_result status =
        take_body_data(body) ? SLV_OK : slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    for (const slv_feature *const *one = slv_features; status == SLV_OK && *one; one++) {
        status = (*one)->define ? (*one)->define(body, garment, def, &scratch, error) : SLV_OK;
    }
    slv_memory_release(&scratch);
    return status;
}

// --- Layout -----------------------------------------------------------------------------------------

// Data of features in the layout: zeros.
static bool take_layout_data(slv_layout *layout) {
    bool done = true;
    for (uint32_t i = 0; done && slv_features[i]; i++) {
        const size_t size = slv_features[i]->layout_size;
        layout->feature_data[i] = size > 0 ? slv_memory_take(&layout->memory, 1, size) : NULL;
        done = size == 0 || layout->feature_data[i];
    }
    return done;
}

static bool needs_graph(const slv_body *body) {
    bool needed = false;
    for (const slv_feature *const *one = slv_features; *one; one++) {
        needed = needed || ((*one)->needs_graph && (*one)->needs_graph(body));
    }
    return needed;
}

static bool reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    if (!take_layout_data(layout) ||
        !slv_neighbor_search_reserve(layout, bodies, settings, cursor)) {
        return false;
    }
    const slv_solver_info *solver = slv_get_solver(settings->solver);
    if (solver->reserve) {
        solver->reserve(layout, bodies, settings, cursor);
    }
    for (const slv_feature *const *one = slv_features; *one; one++) {
        if ((*one)->reserve) {
            (*one)->reserve(layout, bodies, settings, cursor);
        }
    }
    return true;
}

static bool fill(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch) {
    const slv_solver_info *solver = slv_get_solver(settings->solver);
    bool done = slv_neighbor_search_fill(layout, bodies, scratch) &&
                (!solver->fill || solver->fill(layout, bodies, settings, scratch));
    for (const slv_feature *const *one = slv_features; done && *one; one++) {
        done = !(*one)->fill || (*one)->fill(layout, bodies, settings, scratch);
    }
    return done;
}

static void set_response(slv_layout *layout, uint32_t index, const slv_body *body,
                         double time_step) {
    const slv_solver_info *solver = slv_get_solver(layout->settings.solver);
    if (solver->set_response) {
        solver->set_response(layout, index, body, time_step);
    }
    for (const slv_feature *const *one = slv_features; *one; one++) {
        if ((*one)->set_response) {
            (*one)->set_response(layout, index, body, time_step);
        }
    }
}

const slv_layout_hooks slv_step_layout_hooks = {
    .needs_graph = needs_graph, .reserve = reserve, .fill = fill, .set_response = set_response};

unsigned slv_features_get_state_aspects(void) {
    unsigned aspects =
        1u << SLV_ASPECT_POSITIONS | 1u << SLV_ASPECT_PREVIOUS | 1u << SLV_ASPECT_REMAINDERS;
    for (const slv_feature *const *one = slv_features; *one; one++) {
        aspects |= (*one)->state_aspects;
    }
    return aspects;
}

unsigned slv_features_get_read_aspects(void) {
    unsigned aspects = 0;
    for (const slv_feature *const *one = slv_features; *one; one++) {
        aspects |= (*one)->read_aspects;
    }
    return aspects;
}

bool slv_features_fit(const slv_layout *layout, slv_body *const *bodies,
                      const slv_layout_settings *settings) {
    bool fits =
        slv_neighbor_search_fits(layout, settings) && slv_solver_fits(layout, settings->solver);
    for (const slv_feature *const *one = slv_features; fits && *one; one++) {
        fits = !(*one)->fits || (*one)->fits(layout, bodies, settings);
    }
    return fits;
}

void slv_features_carry(const slv_layout *from, uint32_t old, slv_layout *to, uint32_t index,
                        const slv_body *body) {
    for (const slv_feature *const *one = slv_features; *one; one++) {
        if ((*one)->carry) {
            (*one)->carry(from, old, to, index, body);
        }
    }
}

void slv_features_attach(const slv_layout *layout, uint32_t index, slv_body *body) {
    for (const slv_feature *const *one = slv_features; *one; one++) {
        if ((*one)->attach) {
            (*one)->attach(layout, index, body);
        }
    }
}

bool slv_features_need_rebuild(const slv_body *body) {
    bool needed = false;
    for (const slv_feature *const *one = slv_features; *one; one++) {
        needed = needed || ((*one)->needs_rebuild && (*one)->needs_rebuild(body));
    }
    return needed;
}

// --- Steps ------------------------------------------------------------------------------------------

void slv_features_launch(slv_plan_writer *writer, slv_step_point point) {
    for (const slv_feature *const *one = slv_features; *one; one++) {
        if ((*one)->launch[point]) {
            (*one)->launch[point](writer);
        }
    }
}

void slv_features_set_launch(const slv_parameters *parameters, double time_step,
                             slv_launch *launch) {
    for (const slv_feature *const *one = slv_features; *one; one++) {
        if ((*one)->set_launch) {
            (*one)->set_launch(parameters, time_step, launch);
        }
    }
}

void slv_features_begin_run(slv_layout *layout, slv_body *const *bodies, uint64_t steps,
                            slv_run *run) {
    for (const slv_feature *const *one = slv_features; *one; one++) {
        if ((*one)->begin_run) {
            (*one)->begin_run(layout, bodies, steps, run);
        }
    }
}

void slv_features_end_run(slv_body *body, uint32_t done) {
    for (const slv_feature *const *one = slv_features; *one; one++) {
        if ((*one)->end_run) {
            (*one)->end_run(body, done);
        }
    }
}

void slv_features_read(const slv_layout *layout, uint32_t index, slv_body *body) {
    for (const slv_feature *const *one = slv_features; *one; one++) {
        if ((*one)->read) {
            (*one)->read(layout, index, body);
        }
    }
}

// --- State ------------------------------------------------------------------------------------------

void slv_features_reset(slv_layout *layout, uint32_t index, slv_body *body) {
    for (const slv_feature *const *one = slv_features; *one; one++) {
        if ((*one)->reset) {
            (*one)->reset(layout, index, body);
        }
    }
}

void slv_features_shift(slv_layout *layout, uint32_t index, slv_body *body, const double shift[3]) {
    for (const slv_feature *const *one = slv_features; *one; one++) {
        if ((*one)->shift) {
            (*one)->shift(layout, index, body, shift);
        }
    }
}

void slv_features_turn(slv_layout *layout, uint32_t index, const double rotation[4]) {
    for (const slv_feature *const *one = slv_features; *one; one++) {
        if ((*one)->turn) {
            (*one)->turn(layout, index, rotation);
        }
    }
}

static uint64_t size_of(const slv_feature *feature, const slv_layout *layout,
                        const slv_body *body) {
    return feature->get_size ? feature->get_size(layout, body) : 0;
}

static uint64_t read_size(const char **from) {
    uint64_t size = 0;
    memcpy(&size, *from, sizeof size);
    *from += sizeof size;
    return size;
}

size_t slv_features_get_size(const slv_layout *layout, const slv_body *body) {
    size_t size = 0;
    for (const slv_feature *const *one = slv_features; *one; one++) {
        size += sizeof(uint64_t) + (size_t)size_of(*one, layout, body);
    }
    return size;
}

char *slv_features_save(const slv_layout *layout, uint32_t index, const slv_body *body, char *to) {
    for (const slv_feature *const *one = slv_features; *one; one++) {
        const uint64_t size = size_of(*one, layout, body);
        memcpy(to, &size, sizeof size);
        to += sizeof size;
        if (size > 0) {
            (*one)->save(layout, index, body, to);
        }
        to += size;
    }
    return to;
}

const char *slv_features_check(const slv_layout *layout, const slv_body *body, const char **from,
                               size_t size, uint8_t *marks) {
    const char *wrong = NULL;
    const char *const end = *from + size;
    for (const slv_feature *const *one = slv_features; !wrong && *one; one++) {
        const size_t left = (size_t)(end - *from);
        const uint64_t own = left < sizeof own ? UINT64_MAX : read_size(from);
        if (own > left - sizeof own) {
            return "it is too short";
        }
        if (!(*one)->check) {
            wrong = own > 0 ? "it is too long" : NULL;
        } else {
            memset(marks, 0, body->count);
            wrong = (*one)->check(layout, body, *from, (size_t)own, (slv_marks){marks});
        }
        *from += own;
    }
    return wrong;
}

const char *slv_features_make_room(slv_body *body, const char *from, bool *done) {
    for (const slv_feature *const *one = slv_features; *one; one++) {
        const size_t size = (size_t)read_size(&from);
        *done = *done && (!(*one)->make_room || (*one)->make_room(body, size));
        from += size;
    }
    return from;
}

const char *slv_features_take(slv_body *body, const char *from) {
    for (const slv_feature *const *one = slv_features; *one; one++) {
        const size_t size = (size_t)read_size(&from);
        if ((*one)->take) {
            (*one)->take(body, from, size);
        }
        from += size;
    }
    return from;
}

const char *slv_features_restore(slv_layout *layout, uint32_t index, slv_body *body,
                                 const char *from) {
    for (const slv_feature *const *one = slv_features; *one; one++) {
        const size_t size = (size_t)read_size(&from);
        if ((*one)->restore) {
            (*one)->restore(layout, index, body, from, size);
        }
        from += size;
    }
    return from;
}

void slv_features_hash(const slv_layout *layout, uint32_t index, slv_hash_floats *add,
                       void *stream) {
    for (const slv_feature *const *one = slv_features; *one; one++) {
        if ((*one)->hash) {
            (*one)->hash(layout, index, add, stream);
        }
    }
}
