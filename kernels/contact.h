// SPDX-License-Identifier: MIT
// Particles against colliders. Each pass over the constraints ends with one over the contacts: whoever
// is deeper in a collider than the cloth's thickness allows is put onto its surface, and what it slid
// along the surface since the step began is taken back as far as friction can,
//     |slide| <= friction * depth: all of it;  otherwise  kinetic friction * depth of it.
// Depth is how far constraints and inertia together would go in, in the very units in which they would
// go along: so a thing on a slope stays or slides by the angle of friction, and one that hangs over an
// edge is held by its weight, for any stiffness and any number of passes. The last pass has no friction
// and leaves nothing inside.
//
// Slides are relative to the collider: its own point of contact is followed back to the start of the
// step. Whoever has come so far since then that it may have passed through a collider has its way walked
// again in the collider's frame, in strides of the distance to it; where that ends on the surface, it
// has to stay on this side of the plane that touches there.
//
// Particles are looked at by tiles of SLV_BLOCK: on grids four rows of eight columns of both colors,
// elsewhere SLV_BLOCK slots. Each tile has a list of the colliders near it.
#ifndef SLV_KERNELS_CONTACT_H
#define SLV_KERNELS_CONTACT_H

#include "kernels/collider.h"
#include "kernels/slots.h"

enum {
    SLV_TILE_ROWS = 4,
    SLV_TILE_COLUMNS = 8,
    SLV_PLANE_FLOATS =
        8, // normal, offset; friction, kinetic friction; one more than the collider; 0
    SLV_SWEEP_STRIDES = 24
};

// What friction does to a particle in contact with a collider.
typedef struct slv_grip {
    float thickness, friction, kinetic;
} slv_grip;

// --- Tiles ----------------------------------------------------------------------------------------------

// The slot of element `column` of a tile, -1 where there is none.
SLV_INLINE int slv_tile_slot(const SLV_PRIVATE slv_body_layout *body, int tile, int column) {
    if (body->stride != 1) {
        return tile * SLV_BLOCK + column;
    }
    int row = tile / body->tile_columns * SLV_TILE_ROWS + (column >> 3 & 3);
    int place = tile % body->tile_columns * SLV_TILE_COLUMNS + (column & 7);
    return row < body->rows * body->layers ? slv_grid_slot(body, column >> 5, row, place) : -1;
}

SLV_INLINE slv_vector slv_load_vector(const SLV_GLOBAL float *state,
                                      const SLV_PRIVATE slv_body_layout *body, int array,
                                      int slot) {
    int at = array + slot * body->stride;
    return slv_make_vector(state[at], state[at + body->component], state[at + 2 * body->component]);
}

SLV_INLINE void slv_store_vector(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                                 int array, int slot, slv_vector value) {
    int at = array + slot * body->stride;
    state[at] = value.x;
    state[at + body->component] = value.y;
    state[at + 2 * body->component] = value.z;
}

// Where positions at the start of the step are kept.
SLV_INLINE int slv_step_start(const SLV_PRIVATE slv_body_layout *body,
                              const SLV_PRIVATE slv_launch *launch) {
    return launch->parity ? body->prev[0] : body->prev[1];
}

// --- Who is near ----------------------------------------------------------------------------------------

// Lowest and highest corner of where a tile's particles are and were, and the longest way of one along
// an axis.
typedef struct slv_tile_box {
    float low[3], high[3];
    float way;
} slv_tile_box;

SLV_INLINE slv_tile_box slv_bound_tile(const SLV_GLOBAL float *state,
                                       const SLV_PRIVATE slv_body_layout *body, int start,
                                       int tile) {
    slv_tile_box box;
    box.way = 0.0f;
    for (int d = 0; d < 3; d++) {
        box.low[d] = SLV_FAR;
        box.high[d] = -SLV_FAR;
    }
    for (int column = 0; column < SLV_BLOCK; column++) {
        int slot = slv_tile_slot(body, tile, column);
        if (slot < 0 || !(state[body->inverse_mass + slot] > 0.0f)) {
            continue;
        }
        for (int d = 0; d < 3; d++) {
            int at = slot * body->stride + d * body->component;
            float now = state[body->q + at];
            float before = state[start + at];
            box.low[d] = slv_smaller(box.low[d], slv_smaller(now, before));
            box.high[d] = slv_larger(box.high[d], slv_larger(now, before));
            box.way = slv_larger(box.way, slv_absolute(now - before));
        }
    }
    return box;
}

// Whether a box may touch the half space below a plane.
SLV_INLINE int slv_box_meets_plane(const SLV_GLOBAL float *state, int record,
                                   const SLV_PRIVATE slv_tile_box *box, float margin) {
    int end = record + SLV_COLLIDER_END;
    float lowest = 0.0f;
    for (int d = 0; d < 3; d++) {
        float normal = state[end + 3 * d + 1];
        float corner = normal > 0.0f ? box->low[d] : box->high[d];
        lowest += normal * (corner - state[end + 9 + d]);
    }
    return lowest < margin;
}

// Lists the colliders near a tile.
SLV_INLINE void slv_cull_box(const SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                             const SLV_PRIVATE slv_body_layout *body, int tile,
                             const SLV_PRIVATE slv_tile_box *box) {
    int contact = body->contact;
    int room = table[contact + SLV_CONTACT_ROOM];
    int boxes = table[contact + SLV_CONTACT_BOXES];
    int records = table[contact + SLV_CONTACT_COLLIDERS];
    int kinds = table[contact + SLV_CONTACT_KINDS];
    int list = body->lists + tile * (1 + room);
    float margin = body->reach + 0.5f * box->way;
    int count = 0;
    for (int c = 0; c < room; c++) {
        int near = 1;
        for (int d = 0; d < 3; d++) {
            near &= state[boxes + d * room + c] <= box->high[d] + margin;
            near &= state[boxes + (3 + d) * room + c] >= box->low[d] - margin;
        }
        if (near && table[kinds + c] == SLV_SHAPE_PLANE) {
            near = slv_box_meets_plane(state, records + c * SLV_COLLIDER_FLOATS, box, margin);
        }
        if (near) {
            table[list + 1 + count] = c;
            count++;
        }
    }
    table[list] = count;
}

SLV_INLINE void slv_cull(const SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                         const SLV_PRIVATE slv_body_layout *body,
                         const SLV_PRIVATE slv_launch *launch, int tile) {
    slv_tile_box box = slv_bound_tile(state, body, slv_step_start(body, launch), tile);
    slv_cull_box(state, table, body, tile, &box);
}

// --- Friction -------------------------------------------------------------------------------------------

SLV_INLINE slv_grip slv_find_grip(const SLV_PRIVATE slv_body_layout *body,
                                  const SLV_PRIVATE slv_launch *launch, float friction,
                                  float kinetic) {
    slv_grip grip;
    float share = launch->index ? 0.0f : 1.0f; // the last pass has none
    grip.thickness = body->thickness;
    grip.friction = share * slv_square_root(body->friction * friction);
    grip.kinetic = share * slv_square_root(body->kinetic * kinetic);
    return grip;
}

// The part of a way that leads along a surface.
SLV_INLINE slv_vector slv_slide(slv_vector way, slv_vector out) {
    return slv_along(way, 0.0f - slv_dot(way, out), out);
}

// What of a slide is taken back at a depth of contact, as a share of it; all up to what the load holds.
SLV_INLINE float slv_hold(slv_grip grip, float slide_square, float depth, float load) {
    float limit = grip.friction * load;
    float slide = slv_square_root(slide_square);
    float share = grip.kinetic * depth / (slide > 0.0f ? slide : 1.0f);
    return slide <= limit ? 1.0f : slv_smaller(share, 1.0f);
}

// Puts q where a contact with the collider lets it be.
SLV_INLINE slv_vector slv_settle(slv_grip grip, const SLV_PRIVATE slv_collider *collider,
                                 slv_gap gap, slv_vector q, slv_vector start) {
    float depth = grip.thickness - gap.distance;
    slv_vector on = slv_along(q, depth, gap.out);
    slv_vector slide = slv_slide(slv_minus(slv_follow_back(collider, on), start), gap.out);
    float held = slv_hold(grip, slv_dot(slide, slide), depth, depth);
    slv_vector rest = slv_along(on, 0.0f - held, slide);
    slv_vector settled;
    settled.x = depth > 0.0f ? rest.x : q.x;
    settled.y = depth > 0.0f ? rest.y : q.y;
    settled.z = depth > 0.0f ? rest.z : q.z;
    return settled;
}

SLV_INLINE slv_vector slv_press(const SLV_GLOBAL float *state,
                                const SLV_PRIVATE slv_collider *collider, slv_grip grip, int kind,
                                slv_vector q, slv_vector start) {
    slv_gap gap = slv_collider_gap(state, collider, &collider->end, kind, q);
    return slv_settle(grip, collider, gap, q, start);
}

// --- Sweeps ---------------------------------------------------------------------------------------------

// Where on the way from a to b (0 … 1), both in the collider's own frame, its surface is met; 2 where it
// is not, or where the way only leads out.
SLV_INLINE float slv_sweep_way(const SLV_GLOBAL float *state,
                               const SLV_PRIVATE slv_collider *collider, int kind, float thickness,
                               slv_vector a, slv_vector b, SLV_PRIVATE slv_gap *met) {
    slv_frame still; // the collider's own frame
    for (int i = 0; i < 9; i++) {
        still.turn[i] = i % 4 == 0 ? 1.0f : 0.0f;
    }
    still.place = slv_make_vector(0.0f, 0.0f, 0.0f);
    slv_vector way = slv_minus(b, a);
    float length = slv_length(way);
    float share = 0.0f;
    float close = 0.01f * thickness + 1e-6f;
    for (int n = 0; n < SLV_SWEEP_STRIDES && share <= 1.0f; n++) {
        *met = slv_collider_gap(state, collider, &still, kind, slv_along(a, share, way));
        float gap = met->distance - thickness;
        if (gap <= close) {
            return slv_dot(met->out, way) < 0.0f ? share : 2.0f;
        }
        share = length > 0.0f ? share + gap / length : 2.0f;
    }
    return 2.0f;
}

// Like slv_press, for whoever may have passed through: first it is kept on its side of the plane that
// touches the collider where its way met it.
SLV_INLINE slv_vector slv_press_swept(const SLV_GLOBAL float *state,
                                      const SLV_PRIVATE slv_collider *collider, slv_grip grip,
                                      int kind, slv_vector q, slv_vector start) {
    slv_vector a = slv_into(&collider->start, start);
    slv_vector b = slv_into(&collider->end, q);
    slv_gap met;
    met.distance = 0.0f;
    met.out = slv_make_vector(0.0f, 1.0f, 0.0f);
    float share = slv_sweep_way(state, collider, kind, grip.thickness, a, b, &met);
    if (share > 1.0f) {
        return slv_press(state, collider, grip, kind, q, start);
    }
    slv_vector place = slv_along(a, share, slv_minus(b, a));
    place = slv_out_of(&collider->end, slv_along(place, 0.0f - met.distance, met.out));
    slv_gap plane;
    plane.out = slv_turn(&collider->end, met.out);
    plane.distance = slv_dot(plane.out, slv_minus(q, place));
    slv_vector settled = slv_settle(grip, collider, plane, q, start);
    slv_grip smooth = grip;
    smooth.friction = 0.0f;
    smooth.kinetic = 0.0f;
    return slv_press(state, collider, smooth, kind, settled, start);
}

// --- Passes ---------------------------------------------------------------------------------------------

// Whoever came so far in this step (`way`, metres) that it may have passed through is swept.
SLV_INLINE slv_vector slv_meet(const SLV_GLOBAL float *state,
                               const SLV_PRIVATE slv_collider *collider, slv_grip grip, int kind,
                               float way, slv_vector q, slv_vector start) {
    return way + collider->path > collider->safe
               ? slv_press_swept(state, collider, grip, kind, q, start)
               : slv_press(state, collider, grip, kind, q, start);
}

// One particle against all colliders near its tile, one after another. launch->color is 1 in the last
// pass of a step.
SLV_INLINE void slv_collide(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                            const SLV_PRIVATE slv_body_layout *body,
                            const SLV_PRIVATE slv_launch *launch, int tile, int column) {
    int contact = body->contact;
    int list = body->lists + tile * (1 + table[contact + SLV_CONTACT_ROOM]);
    int count = table[list];
    int slot = slv_tile_slot(body, tile, column);
    if (count == 0 || slot < 0 || !(state[body->inverse_mass + slot] > 0.0f)) {
        return;
    }
    slv_vector q = slv_load_vector(state, body, body->q, slot);
    slv_vector start = slv_load_vector(state, body, slv_step_start(body, launch), slot);
    float way = slv_length(slv_minus(q, start));
    for (int n = 0; n < count; n++) {
        int number = table[list + 1 + n];
        int kind = table[table[contact + SLV_CONTACT_KINDS] + number];
        int record = table[contact + SLV_CONTACT_COLLIDERS] + number * SLV_COLLIDER_FLOATS;
        slv_collider collider = slv_load_collider(state, record);
        slv_grip grip = slv_find_grip(body, launch, collider.friction, collider.kinetic);
        q = slv_meet(state, &collider, grip, kind, way, q, start);
    }
    slv_store_vector(state, body, body->q, slot, q);
}

// --- Coming to rest -------------------------------------------------------------------------------------

// After integration: what is slow loses more of its speed the slower it is. The threads of real cloth rub
// against each other, which ends small motion soon; springs alone would swing on for minutes.
SLV_INLINE void slv_rest_damp(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                              const SLV_PRIVATE slv_launch *launch, int slot, int stride) {
    int before = launch->parity ? body->prev[1] : body->prev[0];
    int start = slv_step_start(body, launch);
    float way[4];
    float square = 0.0f;
    for (int d = 0; d < 3; d++) {
        int at = slv_place(body, slot, d, stride);
        way[d] = state[start + at] - state[before + at];
        square += way[d] * way[d];
    }
    float slow = body->rest_displacement * body->rest_displacement;
    int moves = state[body->weight + slot] > 0.0f;
    float share = moves && square < slow ? body->rest_damping * (1.0f - square / slow) : 0.0f;
    for (int d = 0; d < 3; d++) {
        int at = slv_place(body, slot, d, stride);
        float y = state[body->y + at] - share * way[d];
        state[body->y + at] = y;
        state[body->q + at] = y;
    }
}

// --- Bouncing -------------------------------------------------------------------------------------------

// At the start of a step: a copy of where it starts, for slv_unbounce.
SLV_INLINE void slv_remember(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                             const SLV_PRIVATE slv_launch *launch, int slot) {
    if (slot >= 0) {
        slv_vector start = slv_load_vector(state, body, slv_step_start(body, launch), slot);
        slv_store_vector(state, body, body->starts, slot, start);
    }
}

// After the last pass: whoever came at a collider fast leaves it with its share of that speed. Speed is
// the way since the start of the step, so it is the start that is moved. Ways are those of a parabola: the
// speed in the middle of a step is its way, and what was still to fall adds to the impact. Gravity's own
// speed of two steps is no impact: what rests shall rest.
SLV_INLINE void slv_bounce(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                           const SLV_PRIVATE slv_body_layout *body,
                           const SLV_PRIVATE slv_launch *launch, int tile, int column) {
    int contact = body->contact;
    int list = body->lists + tile * (1 + table[contact + SLV_CONTACT_ROOM]);
    int slot = slv_tile_slot(body, tile, column);
    if (slot < 0 || !(state[body->inverse_mass + slot] > 0.0f)) {
        return;
    }
    int after = slv_step_start(body, launch);
    slv_vector start = slv_load_vector(state, body, after, slot);
    int before = launch->parity ? body->prev[1] : body->prev[0];
    slv_vector speed = slv_minus(start, slv_load_vector(state, body, before, slot));
    slv_vector q = slv_load_vector(state, body, body->q, slot);
    slv_vector fall = slv_make_vector(launch->drift[0], launch->drift[1], launch->drift[2]);
    float quiet = 2.0f * slv_length(fall);
    for (int n = 0; n < table[list]; n++) {
        int number = table[list + 1 + n];
        int kind = table[table[contact + SLV_CONTACT_KINDS] + number];
        int record = table[contact + SLV_CONTACT_COLLIDERS] + number * SLV_COLLIDER_FLOATS;
        slv_collider collider = slv_load_collider(state, record);
        float bounce = slv_larger(body->bounce, collider.bounce);
        slv_gap gap = slv_collider_gap(state, &collider, &collider.end, kind, q);
        float push = slv_dot(slv_minus(q, slv_follow_back(&collider, q)), gap.out);
        float approach = slv_dot(speed, gap.out) - push;
        float leave = slv_dot(slv_minus(q, start), gap.out) - push;
        float pull = slv_larger(0.0f - slv_dot(fall, gap.out), 0.0f);
        float before_fall = approach - 0.5f * pull;
        float fallen = slv_larger(0.0f - leave, 0.0f);
        float impact = slv_square_root(before_fall * before_fall + 2.0f * pull * fallen);
        float wanted = bounce * impact + 0.5f * pull;
        int touches = gap.distance < body->thickness * 1.01f + 1e-5f;
        if (bounce > 0.0f && touches && approach < 0.0f - quiet && leave < wanted) {
            start = slv_along(start, leave - wanted, gap.out);
        }
    }
    slv_store_vector(state, body, after, slot, start);
}

// After the alarm, following slv_rollback: the start as it was before a bounce.
SLV_INLINE void slv_unbounce(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                             int slot) {
    if (slot >= 0) {
        slv_store_vector(state, body, body->q, slot,
                         slv_load_vector(state, body, body->starts, slot));
    }
}

#endif
