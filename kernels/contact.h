// SPDX-License-Identifier: MIT
// Particles against colliders. Each pass over the constraints ends with a pass over the contacts. A
// particle deeper in a collider than the thickness of the cloth allows is projected onto the surface.
// Its tangential displacement since the start of the step is then reduced by friction:
//     |tangential| <= friction * depth: by all of it;  otherwise by kinetic friction * depth.
// The depth is how far constraints and inertia would lead into the collider, in the same units as the
// tangential displacement. So cloth on a slope stays or slides by the angle of friction, and cloth that
// hangs over an edge is held by its weight, for any stiffness and any number of passes. The last pass
// has no friction and leaves nothing inside.
//
// Tangential displacements are relative to the collider: the contact point is followed back to where
// the collider had it at the start of the step. A particle that moved so far that it may have passed
// through a collider is swept: its path in the collider's frame is traced in strides of the distance to
// the surface (sphere tracing). Where the path reaches the surface, the particle has to stay on its
// side of the tangent plane there.
//
// A particle that starts a step inside would leave it with its depth over the step as its velocity. Where a contact
// moves a particle outwards by more than push_step, the particle may be such a one: then kernels/inside.h decides.
//
// Particles are processed by tiles of SLV_BLOCK: on grids four rows of eight columns of both colors,
// elsewhere SLV_BLOCK slots. Each tile has a list of the colliders near it. A list has room for few of many; near more
// than these a tile is tested against all colliders.
#ifndef SLV_KERNELS_CONTACT_H
#define SLV_KERNELS_CONTACT_H

#include "kernels/inside.h"
#include "kernels/slots.h"

enum {
    SLV_SWEEP_STRIDES =
        24 // of a sweep at most; a path that is not traced to its end counts as free
};

enum { SLV_NEAR_COLLIDERS = 64 }; // room of a list at most

// Tolerances of contact, metres, and factors of the thickness: a sweep ends at this distance from the surface,
// and a particle at that distance touches.
#define SLV_SWEEP_TOLERANCE 1e-6f
#define SLV_SWEEP_TOLERANCE_FACTOR 0.01f
#define SLV_TOUCH_TOLERANCE 1e-5f
#define SLV_TOUCH_TOLERANCE_FACTOR 1.01f

// Thickness in metres and the coefficients of friction of a contact, static and kinetic.
typedef struct slv_pair_material {
    float thickness, friction, kinetic;
} slv_pair_material;

// --- Tiles ----------------------------------------------------------------------------------------------

// The slot of element `column` of a tile, -1 where there is none.
SLV_INLINE int slv_tile_slot(const SLV_PRIVATE slv_body_layout *body, int tile, int column) {
    if (!slv_body_is_grid(body)) {
        return tile * SLV_BLOCK + column;
    }
    int row = tile / body->tile_columns * SLV_TILE_ROWS + (column >> 3 & 3);
    int grid_column = tile % body->tile_columns * SLV_TILE_COLUMNS + (column & 7);
    return row < body->rows * body->layers ? slv_grid_slot(body, column >> 5, row, grid_column)
                                           : -1;
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

// --- Culling --------------------------------------------------------------------------------------------

// Bounding box of the positions of a tile's particles now and at the start of the step, and the largest
// displacement of one along an axis. Metres.
typedef struct slv_tile_box {
    float low[3], high[3];
    float displacement;
} slv_tile_box;

SLV_INLINE slv_tile_box slv_bound_tile(const SLV_GLOBAL float *state,
                                       const SLV_PRIVATE slv_body_layout *body, int start,
                                       int tile) {
    slv_tile_box box;
    box.displacement = 0.0f;
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
            box.low[d] = slv_min(box.low[d], slv_min(now, before));
            box.high[d] = slv_max(box.high[d], slv_max(now, before));
            box.displacement = slv_max(box.displacement, slv_absolute(now - before));
        }
    }
    return box;
}

// Whether a box may touch the half space below a plane.
SLV_INLINE int slv_box_touches_plane(const SLV_GLOBAL float *state, int record,
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

// The list of a tile: how many colliders are near it, at most one more than there is room for, and their numbers.
SLV_INLINE int slv_near_list(const SLV_GLOBAL int *table, const SLV_PRIVATE slv_body_layout *body,
                             int tile) {
    return body->lists + tile * (1 + table[body->contact + SLV_CONTACT_LIST_ROOM]);
}

SLV_INLINE int slv_is_crowded(const SLV_GLOBAL int *table, const SLV_PRIVATE slv_body_layout *body,
                              int list) {
    return table[list] > table[body->contact + SLV_CONTACT_LIST_ROOM];
}

// How many colliders a tile is tested against; where their numbers lie in table.
SLV_INLINE int slv_count_near(const SLV_GLOBAL int *table, const SLV_PRIVATE slv_body_layout *body,
                              int list) {
    return slv_is_crowded(table, body, list) ? table[body->contact + SLV_CONTACT_ROOM]
                                             : table[list];
}

SLV_INLINE int slv_find_near(const SLV_GLOBAL int *table, const SLV_PRIVATE slv_body_layout *body,
                             int list) {
    return slv_is_crowded(table, body, list) ? table[body->contact + SLV_CONTACT_ALL] : list + 1;
}

// Lists the colliders near a tile, in ascending order of their numbers.
SLV_INLINE void slv_cull_box(const SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                             const SLV_PRIVATE slv_body_layout *body, int tile,
                             const SLV_PRIVATE slv_tile_box *box) {
    int contact = body->contact;
    int room = table[contact + SLV_CONTACT_ROOM];
    int boxes = table[contact + SLV_CONTACT_BOXES];
    int records = table[contact + SLV_CONTACT_COLLIDERS];
    int kinds = table[contact + SLV_CONTACT_KINDS];
    int list = slv_near_list(table, body, tile);
    int list_room = table[contact + SLV_CONTACT_LIST_ROOM];
    float margin = body->reach + 0.5f * box->displacement;
    int count = 0;
    for (int c = 0; c < room && count <= list_room; c++) {
        int near = 1;
        for (int d = 0; d < 3; d++) {
            near &= state[boxes + d * room + c] <= box->high[d] + margin;
            near &= state[boxes + (3 + d) * room + c] >= box->low[d] - margin;
        }
        if (near && table[kinds + c] == SLV_SHAPE_PLANE) {
            near = slv_box_touches_plane(state, records + c * SLV_COLLIDER_FLOATS, box, margin);
        }
        if (near && count < list_room) {
            table[list + 1 + count] = c;
        }
        count += near;
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

SLV_INLINE slv_pair_material slv_combine_materials(const SLV_PRIVATE slv_body_layout *body,
                                                   const SLV_PRIVATE slv_launch *launch,
                                                   float friction, float kinetic) {
    slv_pair_material material;
    float has_friction = (launch->flags & SLV_LAST_PASS) != 0 ? 0.0f : 1.0f;
    material.thickness = body->thickness;
    material.friction = has_friction * slv_square_root(body->friction * friction);
    material.kinetic = has_friction * slv_square_root(body->kinetic * kinetic);
    return material;
}

// The tangential part of a displacement.
SLV_INLINE slv_vector slv_tangential_part(slv_vector displacement, slv_vector normal) {
    return slv_add_scaled(displacement, 0.0f - slv_dot(displacement, normal), normal);
}

// The fraction of a tangential displacement that friction removes. `depth` is the depth of the contact;
// the static limit counts with `load`, which is at least the depth. Metres.
SLV_INLINE float slv_friction_fraction(slv_pair_material material, float tangential_square,
                                       float depth, float load) {
    float limit = material.friction * load;
    float tangential = slv_square_root(tangential_square);
    float kinetic_fraction = material.kinetic * depth / (tangential > 0.0f ? tangential : 1.0f);
    return tangential <= limit ? 1.0f : slv_min(kinetic_fraction, 1.0f);
}

// Projects q out of a collider whose surface at q is given by `gap`. `outward` becomes at least the distance that it has
// moved outwards since the start of the step if it touches.
SLV_INLINE slv_vector slv_project_onto(slv_pair_material material,
                                       const SLV_PRIVATE slv_collider *collider, slv_gap gap,
                                       slv_vector q, slv_vector start, SLV_PRIVATE float *outward) {
    float depth = material.thickness - gap.distance;
    slv_vector on = slv_add_scaled(q, depth, gap.normal);
    slv_vector moved = slv_subtract(slv_point_at_start(collider, on), start);
    float normal_part = slv_dot(moved, gap.normal);
    slv_vector tangential = slv_add_scaled(moved, 0.0f - normal_part, gap.normal);
    float fraction = slv_friction_fraction(material, slv_dot(tangential, tangential), depth, depth);
    slv_vector rest = slv_add_scaled(on, 0.0f - fraction, tangential);
    slv_vector projected;
    projected.x = depth > 0.0f ? rest.x : q.x;
    projected.y = depth > 0.0f ? rest.y : q.y;
    projected.z = depth > 0.0f ? rest.z : q.z;
    *outward = depth > 0.0f ? slv_max(normal_part, *outward) : *outward;
    return projected;
}

SLV_INLINE slv_vector slv_project_out(const SLV_GLOBAL float *state,
                                      const SLV_PRIVATE slv_collider *collider,
                                      slv_pair_material material, int kind, slv_vector q,
                                      slv_vector start, SLV_PRIVATE float *outward) {
    slv_gap gap = slv_collider_gap(state, collider, &collider->end, kind, q);
    return slv_project_onto(material, collider, gap, q, start, outward);
}

// --- Sweeps ---------------------------------------------------------------------------------------------

// The fraction (0 … 1) of the path from a to b, both in the collider's frame, at which the path enters
// the surface; 2 where it does not, or where it only leaves.
SLV_INLINE float slv_sweep(const SLV_GLOBAL float *state, const SLV_PRIVATE slv_collider *collider,
                           int kind, float thickness, slv_vector a, slv_vector b,
                           SLV_PRIVATE slv_gap *met) {
    slv_frame identity;
    for (int i = 0; i < 9; i++) {
        identity.rotation[i] = i % 4 == 0 ? 1.0f : 0.0f;
    }
    identity.position = slv_make_vector(0.0f, 0.0f, 0.0f);
    slv_vector displacement = slv_subtract(b, a);
    float length = slv_length(displacement);
    float path_fraction = 0.0f;
    float close = SLV_SWEEP_TOLERANCE_FACTOR * thickness + SLV_SWEEP_TOLERANCE;
    for (int n = 0; n < SLV_SWEEP_STRIDES && path_fraction <= 1.0f; n++) {
        *met = slv_collider_gap(state, collider, &identity, kind,
                                slv_add_scaled(a, path_fraction, displacement));
        float gap = met->distance - thickness;
        if (gap <= close) {
            return slv_dot(met->normal, displacement) < 0.0f ? path_fraction : 2.0f;
        }
        path_fraction = length > 0.0f ? path_fraction + gap / length : 2.0f;
    }
    return 2.0f;
}

// As slv_project_out, for a particle that may have passed through: first it is kept on its side of the
// tangent plane where its path entered the surface.
SLV_INLINE slv_vector slv_project_swept(const SLV_GLOBAL float *state,
                                        const SLV_PRIVATE slv_collider *collider,
                                        slv_pair_material material, int kind, slv_vector q,
                                        slv_vector start, SLV_PRIVATE float *outward) {
    slv_vector a = slv_to_local(&collider->start, start);
    slv_vector b = slv_to_local(&collider->end, q);
    slv_gap met;
    met.distance = 0.0f;
    met.normal = slv_make_vector(0.0f, 1.0f, 0.0f);
    float path_fraction = slv_sweep(state, collider, kind, material.thickness, a, b, &met);
    if (path_fraction > 1.0f) {
        return slv_project_out(state, collider, material, kind, q, start, outward);
    }
    slv_vector surface_point = slv_add_scaled(a, path_fraction, slv_subtract(b, a));
    surface_point = slv_to_world(&collider->end,
                                 slv_add_scaled(surface_point, 0.0f - met.distance, met.normal));
    slv_gap plane;
    plane.normal = slv_rotate(&collider->end, met.normal);
    plane.distance = slv_dot(plane.normal, slv_subtract(q, surface_point));
    slv_vector projected = slv_project_onto(material, collider, plane, q, start, outward);
    slv_pair_material smooth = material;
    smooth.friction = 0.0f;
    smooth.kinetic = 0.0f;
    return slv_project_out(state, collider, smooth, kind, projected, start, outward);
}

// --- Passes ---------------------------------------------------------------------------------------------

// Sweeps a particle whose displacement in this step (metres) is so large that it may have passed
// through.
SLV_INLINE slv_vector slv_resolve_contact(const SLV_GLOBAL float *state,
                                          const SLV_PRIVATE slv_collider *collider,
                                          slv_pair_material material, int kind, float displacement,
                                          slv_vector q, slv_vector start,
                                          SLV_PRIVATE float *outward) {
    return displacement + collider->displacement > collider->safe_step
               ? slv_project_swept(state, collider, material, kind, q, start, outward)
               : slv_project_out(state, collider, material, kind, q, start, outward);
}

// Whether a contact that moved a particle outwards by this distance asks for slv_push_out.
SLV_INLINE int slv_may_be_inside(const SLV_PRIVATE slv_body_layout *body, float outward) {
    return outward > body->push_step + SLV_PUSH_TOLERANCE;
}

// One particle against all colliders near its tile, one after another.
SLV_INLINE void slv_collide(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                            const SLV_PRIVATE slv_body_layout *body,
                            const SLV_PRIVATE slv_launch *launch, int tile, int column) {
    int contact = body->contact;
    int list = slv_near_list(table, body, tile);
    int count = slv_count_near(table, body, list);
    int numbers = slv_find_near(table, body, list);
    int slot = slv_tile_slot(body, tile, column);
    if (count == 0 || slot < 0 || !(state[body->inverse_mass + slot] > 0.0f)) {
        return;
    }
    slv_vector q = slv_load_vector(state, body, body->q, slot);
    slv_vector start = slv_load_vector(state, body, slv_step_start(body, launch), slot);
    slv_vector reached = q;
    float displacement = slv_length(slv_subtract(q, start));
    float outward = 0.0f;
    for (int n = 0; n < count; n++) {
        int number = table[numbers + n];
        int kind = table[table[contact + SLV_CONTACT_KINDS] + number];
        if (kind == SLV_SHAPE_NONE) {
            continue;
        }
        int record = table[contact + SLV_CONTACT_COLLIDERS] + number * SLV_COLLIDER_FLOATS;
        slv_collider collider = slv_load_collider(state, record);
        slv_pair_material material =
            slv_combine_materials(body, launch, collider.friction, collider.kinetic);
        q = slv_resolve_contact(state, &collider, material, kind, displacement, q, start, &outward);
    }
    if (slv_may_be_inside(body, outward)) {
        q = slv_push_out(state, table, body, launch, start, reached, q);
    }
    slv_store_vector(state, body, body->q, slot, q);
}

// --- Rest damping ---------------------------------------------------------------------------------------

// After integration: slow motion loses more of its velocity the slower it is. The threads of real cloth
// rub against each other, which ends small motion soon; springs alone would oscillate for minutes.
SLV_INLINE void slv_rest_damp(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                              const SLV_PRIVATE slv_launch *launch, int slot, int arrangement) {
    int before = slv_step_before(body, launch);
    int start = slv_step_start(body, launch);
    float displacement[4];
    float square = 0.0f;
    for (int d = 0; d < 3; d++) {
        int at = slv_component_offset(body, slot, d, arrangement);
        displacement[d] = slv_last_displacement(state, body, start, before, at);
        square += displacement[d] * displacement[d];
    }
    float slow = body->rest_displacement * body->rest_displacement;
    int moves = state[body->weight + slot] > 0.0f;
    float damping = moves && square < slow ? body->rest_damping * (1.0f - square / slow) : 0.0f;
    for (int d = 0; d < 3; d++) {
        int at = slv_component_offset(body, slot, d, arrangement);
        float lost = damping * displacement[d];
        state[body->predicted + at] -= lost;
        slv_displace(state, body, at, 0.0f - lost);
    }
}

// --- Restitution ----------------------------------------------------------------------------------------

// At the start of a step: saves the start position, for slv_restore_start.
SLV_INLINE void slv_save_start(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                               const SLV_PRIVATE slv_launch *launch, int slot) {
    if (slot >= 0) {
        slv_vector start = slv_load_vector(state, body, slv_step_start(body, launch), slot);
        slv_store_vector(state, body, body->starts, slot, start);
    }
}

// After the last pass: a particle that hit a collider leaves it with the coefficient of restitution
// times its approach speed. Velocity is the displacement since the start of the step, so the start
// position is moved. Displacements are those of a parabola: the velocity in the middle of a step is its
// displacement, and the rest of the fall adds to the impact. Impacts slower than gravity's own velocity
// of two steps count as resting contact and do not bounce. Speeds are metres a step, along the normal
// and relative to the surface.
SLV_INLINE void slv_apply_restitution(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                      const SLV_PRIVATE slv_body_layout *body,
                                      const SLV_PRIVATE slv_launch *launch, int tile, int column) {
    int contact = body->contact;
    int list = slv_near_list(table, body, tile);
    int count = slv_count_near(table, body, list);
    int numbers = slv_find_near(table, body, list);
    int slot = slv_tile_slot(body, tile, column);
    if (slot < 0 || !(state[body->inverse_mass + slot] > 0.0f)) {
        return;
    }
    int after = slv_step_start(body, launch);
    slv_vector start = slv_load_vector(state, body, after, slot);
    int before = slv_step_before(body, launch);
    slv_vector speed = slv_subtract(start, slv_load_vector(state, body, before, slot));
    slv_vector q = slv_load_vector(state, body, body->q, slot);
    slv_vector gravity =
        slv_make_vector(launch->gravity_step[0], launch->gravity_step[1], launch->gravity_step[2]);
    float resting_speed = 2.0f * slv_length(gravity);
    for (int n = 0; n < count; n++) {
        int number = table[numbers + n];
        int kind = table[table[contact + SLV_CONTACT_KINDS] + number];
        if (kind == SLV_SHAPE_NONE) {
            continue;
        }
        int record = table[contact + SLV_CONTACT_COLLIDERS] + number * SLV_COLLIDER_FLOATS;
        slv_collider collider = slv_load_collider(state, record);
        float restitution = slv_max(body->restitution, collider.restitution);
        slv_gap gap = slv_collider_gap(state, &collider, &collider.end, kind, q);
        float surface_speed =
            slv_dot(slv_subtract(q, slv_point_at_start(&collider, q)), gap.normal);
        float approach_speed = slv_dot(speed, gap.normal) - surface_speed;
        float separation_speed = slv_dot(slv_subtract(q, start), gap.normal) - surface_speed;
        float gravity_normal = slv_max(0.0f - slv_dot(gravity, gap.normal), 0.0f);
        float before_fall = approach_speed - 0.5f * gravity_normal;
        float fallen = slv_max(0.0f - separation_speed, 0.0f);
        float impact = slv_square_root(before_fall * before_fall + 2.0f * gravity_normal * fallen);
        float target_speed = restitution * impact + 0.5f * gravity_normal;
        int touching =
            gap.distance < body->thickness * SLV_TOUCH_TOLERANCE_FACTOR + SLV_TOUCH_TOLERANCE;
        if (restitution > 0.0f && touching && approach_speed < 0.0f - resting_speed &&
            separation_speed < target_speed) {
            start = slv_add_scaled(start, separation_speed - target_speed, gap.normal);
        }
    }
    slv_store_vector(state, body, after, slot, start);
}

// After a step that diverged, following slv_rollback: the start position as it was before restitution. Its
// remainder has the unit of that position.
SLV_INLINE void slv_restore_start(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                                  int slot) {
    for (int d = 0; d < 3 && slot >= 0; d++) {
        int at = slot * body->stride + d * body->component;
        float start = state[body->starts + at];
        float units = state[body->u + at] / slv_remainder_unit(state[body->q + at]);
        state[body->u + at] = units * slv_remainder_unit(start);
        state[body->q + at] = start;
    }
}

#endif
