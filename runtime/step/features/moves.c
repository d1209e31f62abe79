// SPDX-License-Identifier: MIT
// Fixed particles that are moved along lines (kernels/moves.h). Lines change most often of all that a step
// reads, so they may lie in memory of an engine from which its device takes them without a copy
// (slv_staging).
#include "runtime/step/features/moves.h"

#include "kernels/moves.h"
#include "runtime/base/check.h"
#include "runtime/base/shift.h"
#include "runtime/step/feature.h"

#include <limits.h>
#include <string.h>

// Particles beyond those fixed at the start that can be fixed and moved without a new layout.
enum { SPARE_MOVES = 64 };

static const uint32_t longest_move = 1u << 30; // steps

extern const slv_feature slv_feature_moves;

static slv_moves_layout *get_data(const slv_layout *layout) {
    return slv_feature_get_layout_data(&slv_feature_moves, layout);
}

const slv_moves_layout *slv_moves_get_layout(const slv_layout *layout) {
    return get_data(layout);
}

// --- Layout -----------------------------------------------------------------------------------------

static void reserve_body(slv_layout_cursor *cursor, slv_body_layout *body_layout,
                         slv_body_extents *extents, const slv_body *body) {
    size_t room = SPARE_MOVES;
    for (uint32_t p = 0; p < body->count; p++) {
        room += body->fixed[p] ? 1 : 0;
    }
    room = room > body->move_room ? room : body->move_room;
    room = (room + SLV_LANES - 1) / SLV_LANES * SLV_LANES;
    if (room > INT_MAX / SLV_MOVE_FLOATS) {
        cursor->too_large = true;
        return;
    }
    body_layout->move_room = (int)room;
    body_layout->moves = slv_reserve_table(cursor, SLV_MOVE_INTS * room);
    body_layout->move_ends = slv_reserve_state(cursor, SLV_MOVE_FLOATS * room);
    extents->table[SLV_ASPECT_moves] =
        (slv_extent){(size_t)body_layout->moves, SLV_MOVE_INTS * room};
    extents->state[SLV_ASPECT_moves] =
        (slv_extent){(size_t)body_layout->move_ends, SLV_MOVE_FLOATS * room};
}

// Moves of all bodies lie side by side, so that an engine can take them in one copy.
static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    (void)settings;
    layout->staged_state.first = cursor->state;
    layout->staged_table.first = cursor->table;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        reserve_body(cursor, &layout->bodies[i], &layout->extents[i], bodies[i]);
    }
    layout->staged_state.count = cursor->state - layout->staged_state.first;
    layout->staged_table.count = cursor->table - layout->staged_table.first;
}

static bool fill(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch) {
    slv_moves_layout *data = get_data(layout);
    (void)bodies;
    (void)settings;
    (void)scratch;
    data->counts = slv_memory_take(&layout->memory, layout->body_count, sizeof *data->counts);
    return data->counts != NULL;
}

static bool fits(const slv_layout *layout, slv_body *const *bodies,
                 const slv_layout_settings *settings) {
    bool enough = true;
    (void)settings;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        enough = enough && bodies[i]->move_room <= (uint32_t)layout->bodies[i].move_room;
    }
    return enough;
}

// Where the lines of a body's moves are written.
static slv_move_path *paths_of(const slv_layout *layout, uint32_t index) {
    _Static_assert(sizeof(slv_move_path) == SLV_MOVE_FLOATS * sizeof(float), "as kernels read it");
    const size_t first = (size_t)layout->bodies[index].move_ends - layout->staged_state.first;
    return (slv_move_path *)(void *)(layout->staging.state + first);
}

static void carry(const slv_layout *from, uint32_t old, slv_layout *to, uint32_t index,
                  const slv_body *body) {
    if (body->move_count > 0) {
        memcpy(paths_of(to, index), paths_of(from, old), body->move_count * sizeof(slv_move_path));
    }
}

static void attach(const slv_layout *layout, uint32_t index, slv_body *body) {
    body->paths = paths_of(layout, index);
    body->moves_changed = true; // the layout's table has none yet
}

// --- Runs -------------------------------------------------------------------------------------------

// Which moves are under way, where any are or were. Their lines are written already.
static void write_moves(slv_layout *layout, uint32_t index, const slv_body *body) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    uint32_t *count = &get_data(layout)->counts[index];
    if (body->move_count == 0 && *count == 0) {
        return;
    }
    int *entry = layout->staging.table + ((size_t)body_layout->moves - layout->staged_table.first);
    memset(entry, 0, (size_t)body_layout->move_room * SLV_MOVE_INTS * sizeof *entry);
    for (uint32_t m = 0; m < body->move_count; m++) {
        const slv_move *move = &body->moves[m];
        entry[0] = (int)layout->slots[index][move->particle] * body_layout->stride;
        entry[1] = (int)move->done;
        entry[2] = (int)move->total;
        entry += SLV_MOVE_INTS;
    }
    *count = body->move_count;
    layout->extents[index].written |= 1u << SLV_ASPECT_moves;
}

// For how many steps fixed particles move.
static uint32_t count_steps(slv_body *const *bodies, uint32_t count) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t m = 0; m < bodies[i]->move_count; m++) {
            const uint32_t left = bodies[i]->moves[m].total - bodies[i]->moves[m].done;
            most = left > most ? left : most;
        }
    }
    return most;
}

// Kernels count the steps since moves were written (slv_launch's `step`). So moves are written again only when
// one begins, ends or changes.
static void begin_run(slv_layout *layout, slv_body *const *bodies, uint64_t steps, slv_run *run) {
    slv_moves_layout *data = get_data(layout);
    bool changed = false;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        changed = changed || bodies[i]->moves_changed;
    }
    for (uint32_t i = 0; changed && i < layout->body_count; i++) {
        write_moves(layout, i, bodies[i]);
        bodies[i]->moves_changed = false;
    }
    data->written = changed ? steps : data->written;
    run->move_steps = count_steps(bodies, layout->body_count);
    run->launch.step = run->move_steps > 0 ? (int)(steps - data->written) : 0;
}

static void end_run(slv_body *body, uint32_t done) {
    bool ended = false;
    for (uint32_t m = 0; m < body->move_count; m++) {
        slv_move *move = &body->moves[m];
        const uint32_t left = move->total - move->done;
        move->done += done < left ? done : left;
        ended = ended || done >= left;
    }
    if (ended) {
        slv_body_forget_moves(body);
    }
}

static void launch(slv_plan_writer *writer) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        slv_plan_launch_rows(writer, SLV_ID_move_fixed, i, 0, 0,
                             writer->layout->bodies[i].move_room / SLV_LANES);
    }
}

// --- State ------------------------------------------------------------------------------------------

enum { MOVE_BYTES = sizeof(slv_move) + sizeof(slv_move_path) };

static void reset(slv_layout *layout, uint32_t index, slv_body *body) {
    (void)layout;
    (void)index;
    body->move_count = 0;
    body->moves_changed = true;
    memset(body->move_of, 0, body->count * sizeof *body->move_of);
}

static void shift_paths(slv_layout *layout, uint32_t index, slv_body *body, const double shift[3]) {
    (void)layout;
    (void)index;
    for (uint32_t m = 0; m < body->move_count; m++) {
        slv_shift_point(body->paths[m].from, shift);
        slv_shift_point(body->paths[m].to, shift);
    }
    body->moves_changed = true;
}

static size_t get_size(const slv_layout *layout, const slv_body *body) {
    (void)layout;
    return (size_t)body->move_count * MOVE_BYTES;
}

// Moves, then their lines.
static void save(const slv_layout *layout, uint32_t index, const slv_body *body, char *to) {
    (void)layout;
    (void)index;
    memcpy(to, body->moves, body->move_count * sizeof *body->moves);
    memcpy(to + body->move_count * sizeof *body->moves, body->paths,
           body->move_count * sizeof *body->paths);
}

static bool is_sound(const slv_body *body, const slv_move *move, const slv_move_path *path) {
    return move->particle < body->count && move->done < move->total &&
           move->total <= longest_move && path->begin >= 0.0f && path->begin <= 1.0f &&
           path->length > 0.0f && path->length <= 2.0f * (float)longest_move &&
           slv_are_within(path->from, 3, SLV_RESTORED_LIMIT) &&
           slv_are_within(path->to, 3, SLV_RESTORED_LIMIT);
}

// Kernels move particles in any order, so a particle has one move only.
static const char *check(const slv_layout *layout, const slv_body *body, const char *from,
                         size_t size, slv_marks marks) {
    const size_t count = size / MOVE_BYTES;
    (void)layout;
    if (size % MOVE_BYTES != 0 || count > body->count) {
        return "it has too many moves";
    }
    for (size_t m = 0; m < count; m++) {
        slv_move move;
        slv_move_path path;
        memcpy(&move, from + m * sizeof move, sizeof move);
        memcpy(&path, from + count * sizeof move + m * sizeof path, sizeof path);
        if (!is_sound(body, &move, &path) || marks.bytes[move.particle]) {
            return "a particle's move makes no sense";
        }
        marks.bytes[move.particle] = 1;
    }
    return NULL;
}

static bool make_room(slv_body *body, size_t size) {
    const uint32_t count = (uint32_t)(size / MOVE_BYTES);
    return count <= body->move_count || slv_body_grow_moves(body, count - body->move_count);
}

static void restore(slv_layout *layout, uint32_t index, slv_body *body, const char *from,
                    size_t size) {
    reset(layout, index, body);
    body->move_count = (uint32_t)(size / MOVE_BYTES);
    if (body->move_count > 0) {
        memcpy(body->moves, from, body->move_count * sizeof *body->moves);
        memcpy(body->paths, from + body->move_count * sizeof *body->moves,
               body->move_count * sizeof *body->paths);
    }
    slv_body_forget_moves(body); // drops none, but notes the number of each
}

const slv_feature slv_feature_moves = {
    .name = "moves",
    .layout_size = sizeof(slv_moves_layout),
    .reserve = reserve,
    .fill = fill,
    .fits = fits,
    .carry = carry,
    .attach = attach,
    .launch = {[SLV_POINT_MOVE] = launch},
    .begin_run = begin_run,
    .end_run = end_run,
    .reset = reset,
    .shift = shift_paths,
    .get_size = get_size,
    .save = save,
    .check = check,
    .make_room = make_room,
    .restore = restore,
};
