// SPDX-License-Identifier: MIT
// Colliders: their poses at the start and the end of a step, and the gap between a point and one of
// them. A collider is a record of floats in state and a kind in table; the world's contact block in
// table (slv_body_layout's `contact`) says where they lie. Values that a step changes are stored twice,
// by parity, so that a rollback finds the old ones.
#ifndef SLV_KERNELS_COLLIDER_H
#define SLV_KERNELS_COLLIDER_H

#include "kernels/body_layout.h"
#include "kernels/shapes.h"

// Height of an arc over rotation_path. A point at distance r from the center turns by an angle t, at most half a turn,
// in a step. Its arc rises r (1 - cos(t/2)) above its chord. Some diagonal entry of the rotation changes by at least
// 2/3 (1 - cos t), so rotation_path is at least 4 r sin²(t/2), four times that height.
#define SLV_ARC_HEIGHT 0.25f

// The contact block: offsets of what all bodies share.
enum {
    SLV_CONTACT_COLLIDERS = 0, // state: SLV_COLLIDER_FLOATS each
    SLV_CONTACT_KINDS = 1,     // table: one a collider
    SLV_CONTACT_BOXES = 2, // state: six arrays of `room` floats, lowest x, y, z, highest x, y, z
    SLV_CONTACT_ROOM = 3,  // capacity for colliders: a multiple of SLV_LANES
    // Contacts between particles (kernels/pairs.h).
    SLV_CONTACT_PAIR_LISTS = 4, // table: the block of their neighbor lists (SLV_LISTS_…)
    SLV_CONTACT_PAIR_GAPS =
        5, // state, beside the lists: metres that a pair is to be apart after this step
    SLV_CONTACT_PREDICTED = 6, // state, 4 a point that has neighbors: x, y, z predicted; friction
    SLV_CONTACT_PAIR_FRICTIONS = 7, // state: SLV_PAIR_FRICTION_FLOATS a bin body
    SLV_CONTACT_HAS_KINETIC = 8,    // 1: some kinetic friction of pairs differs from the static one
    SLV_CONTACT_LIST_ROOM = 9,      // colliders that the list of a tile holds
    SLV_CONTACT_ALL = 10,           // table: the numbers of all colliders, 0 … room - 1
    SLV_CONTACT_INTS = 16
};

// A record. Rotations are unit quaternions x, y, z, w; matrices lie row by row.
enum {
    SLV_COLLIDER_POSE = 0,              // [2][8]: position, 0, rotation; by parity
    SLV_COLLIDER_FROM = 16,             // [8] first pose of a move
    SLV_COLLIDER_TO = 24,               // [8] last pose of a move
    SLV_COLLIDER_DONE = 32,             // [2] steps of the move done; by parity
    SLV_COLLIDER_TOTAL = 34,            // steps of the move; 0: follows velocity and rotation step
    SLV_COLLIDER_FRICTION = 35,         // static
    SLV_COLLIDER_VELOCITY = 36,         // [3] metres a step
    SLV_COLLIDER_KINETIC_FRICTION = 39, // friction when sliding
    SLV_COLLIDER_ROTATION_STEP = 40,    // [4] rotation a step
    SLV_COLLIDER_SIZE = 44,             // [4] of the shape (kernels/shapes.h)
    SLV_COLLIDER_RESTITUTION = 48,      // restitution
    SLV_COLLIDER_SAFE_STEP = 49,        // metres a step: a larger relative displacement is swept
    SLV_COLLIDER_CENTER = 50,           // [3] of a box around the shape, in its own frame
    SLV_COLLIDER_EXTENT = 53,           // [3] half extents of that box
    SLV_COLLIDER_SAMPLES = 56,          // [8] origin, spacing, counts, offset of the samples
    SLV_COLLIDER_START = 64,            // [12] matrix and position at the start of the step
    SLV_COLLIDER_END = 76,              // [12] at its end
    SLV_COLLIDER_BACK = 88, // [12] takes a point of the collider from its end to its start
    SLV_COLLIDER_DISPLACEMENT =
        100, // metres: upper bound of the displacement of its points in this step
    SLV_COLLIDER_ROTATES =
        101, // 1 where it rotates in this step, 0 where it only translates or rests
    SLV_COLLIDER_STILL = 102, // 1: did not move in the last step and has not been moved since
    SLV_COLLIDER_FLOATS = 112
};

typedef struct slv_frame {
    float rotation[9];
    slv_vector position;
} slv_frame;

// The values of a record that contacts read.
typedef struct slv_collider {
    slv_frame end;
    slv_frame back;
    slv_frame start;
    float size[4];
    slv_field field;
    float friction, kinetic, restitution, safe_step, displacement;
    int rotates; // 0: `back` is a translation
} slv_collider;

// --- Frames ---------------------------------------------------------------------------------------------

SLV_INLINE slv_vector slv_rotate(const SLV_PRIVATE slv_frame *frame, slv_vector p) {
    const SLV_PRIVATE float *m = frame->rotation;
    return slv_make_vector(m[0] * p.x + m[1] * p.y + m[2] * p.z,
                           m[3] * p.x + m[4] * p.y + m[5] * p.z,
                           m[6] * p.x + m[7] * p.y + m[8] * p.z);
}

// The inverse rotation.
SLV_INLINE slv_vector slv_rotate_back(const SLV_PRIVATE slv_frame *frame, slv_vector p) {
    const SLV_PRIVATE float *m = frame->rotation;
    return slv_make_vector(m[0] * p.x + m[3] * p.y + m[6] * p.z,
                           m[1] * p.x + m[4] * p.y + m[7] * p.z,
                           m[2] * p.x + m[5] * p.y + m[8] * p.z);
}

// From local to world coordinates.
SLV_INLINE slv_vector slv_to_world(const SLV_PRIVATE slv_frame *frame, slv_vector p) {
    slv_vector rotated = slv_rotate(frame, p);
    return slv_add_scaled(frame->position, 1.0f, rotated);
}

SLV_INLINE slv_vector slv_to_local(const SLV_PRIVATE slv_frame *frame, slv_vector p) {
    return slv_rotate_back(frame, slv_subtract(p, frame->position));
}

SLV_INLINE slv_frame slv_frame_from_pose(const SLV_PRIVATE float *pose) {
    float x = pose[4];
    float y = pose[5];
    float z = pose[6];
    float w = pose[7];
    slv_frame frame;
    frame.rotation[0] = 1.0f - 2.0f * (y * y + z * z);
    frame.rotation[1] = 2.0f * (x * y - w * z);
    frame.rotation[2] = 2.0f * (x * z + w * y);
    frame.rotation[3] = 2.0f * (x * y + w * z);
    frame.rotation[4] = 1.0f - 2.0f * (x * x + z * z);
    frame.rotation[5] = 2.0f * (y * z - w * x);
    frame.rotation[6] = 2.0f * (x * z - w * y);
    frame.rotation[7] = 2.0f * (y * z + w * x);
    frame.rotation[8] = 1.0f - 2.0f * (x * x + y * y);
    frame.position = slv_make_vector(pose[0], pose[1], pose[2]);
    return frame;
}

SLV_INLINE void slv_store_frame(SLV_GLOBAL float *state, int offset, slv_frame frame) {
    for (int i = 0; i < 9; i++) {
        state[offset + i] = frame.rotation[i];
    }
    state[offset + 9] = frame.position.x;
    state[offset + 10] = frame.position.y;
    state[offset + 11] = frame.position.z;
}

SLV_INLINE slv_frame slv_load_frame(const SLV_GLOBAL float *state, int offset) {
    slv_frame frame;
    for (int i = 0; i < 9; i++) {
        frame.rotation[i] = state[offset + i];
    }
    frame.position = slv_make_vector(state[offset + 9], state[offset + 10], state[offset + 11]);
    return frame;
}

// The transform that takes a point of a rigid body from its position in frame `one` to its position in frame
// `two`. Exactly the identity where the frames are equal, so that a resting body does not creep.
SLV_INLINE slv_frame slv_frame_between(const SLV_PRIVATE slv_frame *one,
                                       const SLV_PRIVATE slv_frame *two) {
    slv_frame between;
    int rotated = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) { // two times one transposed
            between.rotation[3 * i + j] = two->rotation[3 * i] * one->rotation[3 * j] +
                                          two->rotation[3 * i + 1] * one->rotation[3 * j + 1] +
                                          two->rotation[3 * i + 2] * one->rotation[3 * j + 2];
            rotated |= one->rotation[3 * i + j] != two->rotation[3 * i + j];
        }
    }
    for (int i = 0; i < 9 && !rotated; i++) {
        between.rotation[i] = i % 4 == 0 ? 1.0f : 0.0f;
    }
    between.position =
        slv_subtract(two->position, rotated ? slv_rotate(&between, one->position) : one->position);
    return between;
}

// --- Motion ---------------------------------------------------------------------------------------------

SLV_INLINE void slv_normalize_rotation(SLV_PRIVATE float *rotation) {
    float square = rotation[0] * rotation[0] + rotation[1] * rotation[1] +
                   rotation[2] * rotation[2] + rotation[3] * rotation[3];
    float scale = square > 0.0f ? 1.0f / slv_square_root(square) : 0.0f;
    for (int i = 0; i < 4; i++) {
        rotation[i] = rotation[i] * scale;
    }
    rotation[3] = square > 0.0f ? rotation[3] : 1.0f;
}

// The pose after `done` of `total` steps of a move: linear in position, and by the shorter rotation.
SLV_INLINE void slv_interpolate_pose(const SLV_GLOBAL float *state, int record, float done,
                                     float total, SLV_PRIVATE float *pose) {
    int from = record + SLV_COLLIDER_FROM;
    int to = record + SLV_COLLIDER_TO;
    float fraction = done / total;
    float dot = 0.0f;
    for (int i = 4; i < 8; i++) {
        dot += state[from + i] * state[to + i];
    }
    for (int i = 0; i < 8; i++) {
        float goal = i >= 4 && dot < 0.0f ? 0.0f - state[to + i] : state[to + i];
        float displacement = state[from + i] + fraction * (goal - state[from + i]);
        pose[i] = done < total ? displacement : state[to + i];
    }
    if (done < total) {
        slv_normalize_rotation(pose + 4);
    }
}

// The next pose by velocity and rotation step.
SLV_INLINE void slv_advance_pose(const SLV_GLOBAL float *state, int record,
                                 const SLV_PRIVATE float *now, SLV_PRIVATE float *pose) {
    for (int d = 0; d < 3; d++) {
        pose[d] = now[d] + state[record + SLV_COLLIDER_VELOCITY + d];
    }
    pose[3] = 0.0f;
    float x = state[record + SLV_COLLIDER_ROTATION_STEP];
    float y = state[record + SLV_COLLIDER_ROTATION_STEP + 1];
    float z = state[record + SLV_COLLIDER_ROTATION_STEP + 2];
    float w = state[record + SLV_COLLIDER_ROTATION_STEP + 3];
    pose[4] = w * now[4] + x * now[7] + y * now[6] - z * now[5];
    pose[5] = w * now[5] - x * now[6] + y * now[7] + z * now[4];
    pose[6] = w * now[6] + x * now[5] - y * now[4] + z * now[7];
    pose[7] = w * now[7] - x * now[4] - y * now[5] - z * now[6];
    if (x == 0.0f && y == 0.0f && z == 0.0f) {
        for (int i = 4; i < 8; i++) {
            pose[i] = now[i];
        }
    } else {
        slv_normalize_rotation(pose + 4);
    }
}

SLV_INLINE float slv_collider_reach(const SLV_PRIVATE slv_frame *frame, slv_vector extent, int d) {
    const SLV_PRIVATE float *row = frame->rotation + 3 * d;
    return slv_absolute(row[0]) * extent.x + slv_absolute(row[1]) * extent.y +
           slv_absolute(row[2]) * extent.z;
}

// Bounding box of a collider between its start and its end, and an upper bound of the displacement of
// its points.
SLV_INLINE void slv_bound_collider(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                   int contact, int number, const SLV_PRIVATE slv_frame *start,
                                   const SLV_PRIVATE slv_frame *end) {
    int room = table[contact + SLV_CONTACT_ROOM];
    int box = table[contact + SLV_CONTACT_BOXES] + number;
    int record = table[contact + SLV_CONTACT_COLLIDERS] + number * SLV_COLLIDER_FLOATS;
    int kind = table[table[contact + SLV_CONTACT_KINDS] + number];
    int center = record + SLV_COLLIDER_CENTER;
    int extent = record + SLV_COLLIDER_EXTENT;
    slv_vector middle = slv_make_vector(state[center], state[center + 1], state[center + 2]);
    slv_vector half_extent = slv_make_vector(state[extent], state[extent + 1], state[extent + 2]);
    slv_vector from = slv_to_world(start, middle);
    slv_vector to = slv_to_world(end, middle);
    slv_vector displacement = slv_subtract(to, from);
    float rotated = 0.0f;
    for (int i = 0; i < 9; i++) {
        rotated = slv_max(rotated, slv_absolute(end->rotation[i] - start->rotation[i]));
    }
    float rotation_path = 3.0f * rotated * slv_length(half_extent);
    float ends[6] = {from.x, from.y, from.z, to.x, to.y, to.z};
    for (int d = 0; d < 3; d++) {
        float reach = slv_max(slv_collider_reach(start, half_extent, d),
                              slv_collider_reach(end, half_extent, d)) +
                      SLV_ARC_HEIGHT * rotation_path;
        float low = slv_min(ends[d], ends[3 + d]) - reach;
        float high = slv_max(ends[d], ends[3 + d]) + reach;
        low = kind == SLV_SHAPE_NONE ? SLV_FAR : low;
        high = kind == SLV_SHAPE_NONE ? -SLV_FAR : high;
        state[box + d * room] = kind == SLV_SHAPE_PLANE ? -SLV_FAR : low;
        state[box + (3 + d) * room] = kind == SLV_SHAPE_PLANE ? SLV_FAR : high;
    }
    state[record + SLV_COLLIDER_DISPLACEMENT] = slv_length(displacement) + rotation_path;
}

// Moves collider `number` by a step.
SLV_INLINE void slv_move_collider(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body,
                                  const SLV_PRIVATE slv_launch *launch, int number) {
    int contact = body->contact;
    int record = table[contact + SLV_CONTACT_COLLIDERS] + number * SLV_COLLIDER_FLOATS;
    int parity = launch->parity;
    if (state[record + SLV_COLLIDER_STILL] > 0.0f) {
        return; // everything here is as it was
    }
    float now[8];
    float next[8];
    for (int i = 0; i < 8; i++) {
        now[i] = state[record + SLV_COLLIDER_POSE + 8 * parity + i];
    }
    float total = state[record + SLV_COLLIDER_TOTAL];
    float done = state[record + SLV_COLLIDER_DONE + parity];
    if (total > 0.0f) {
        done = slv_min(done + 1.0f, total);
        slv_interpolate_pose(state, record, done, total, next);
    } else {
        slv_advance_pose(state, record, now, next);
    }
    state[record + SLV_COLLIDER_DONE + 1 - parity] = done;
    int still = !(total > 0.0f);
    for (int i = 0; i < 8; i++) {
        state[record + SLV_COLLIDER_POSE + 8 * (1 - parity) + i] = next[i];
        still &= next[i] == now[i];
    }
    state[record + SLV_COLLIDER_STILL] = still ? 1.0f : 0.0f;
    slv_frame start = slv_frame_from_pose(now);
    slv_frame end = slv_frame_from_pose(next);
    slv_store_frame(state, record + SLV_COLLIDER_START, start);
    slv_store_frame(state, record + SLV_COLLIDER_END, end);
    slv_store_frame(state, record + SLV_COLLIDER_BACK, slv_frame_between(&end, &start));
    int rotates = 0;
    for (int i = 0; i < 9; i++) {
        rotates |= start.rotation[i] != end.rotation[i];
    }
    state[record + SLV_COLLIDER_ROTATES] = rotates ? 1.0f : 0.0f;
    slv_bound_collider(state, table, contact, number, &start, &end);
}

// --- Gaps -----------------------------------------------------------------------------------------------

SLV_INLINE slv_collider slv_load_collider(const SLV_GLOBAL float *state, int record) {
    slv_collider collider;
    collider.end = slv_load_frame(state, record + SLV_COLLIDER_END);
    collider.back = slv_load_frame(state, record + SLV_COLLIDER_BACK);
    collider.start = slv_load_frame(state, record + SLV_COLLIDER_START);
    for (int i = 0; i < 4; i++) {
        collider.size[i] = state[record + SLV_COLLIDER_SIZE + i];
    }
    int field = record + SLV_COLLIDER_SAMPLES;
    collider.field.origin = slv_make_vector(state[field], state[field + 1], state[field + 2]);
    collider.field.spacing = state[field + 3];
    for (int d = 0; d < 3; d++) {
        collider.field.count[d] = (int)state[field + 4 + d];
    }
    collider.field.samples = (int)state[field + 7] * SLV_LANES;
    collider.friction = state[record + SLV_COLLIDER_FRICTION];
    collider.kinetic = state[record + SLV_COLLIDER_KINETIC_FRICTION];
    collider.restitution = state[record + SLV_COLLIDER_RESTITUTION];
    collider.safe_step = state[record + SLV_COLLIDER_SAFE_STEP];
    collider.displacement = state[record + SLV_COLLIDER_DISPLACEMENT];
    collider.rotates = state[record + SLV_COLLIDER_ROTATES] > 0.0f;
    return collider;
}

// Where the collider's point at p was at the start of the step. Most colliders do not rotate; the
// identity rotation is then left out.
SLV_INLINE slv_vector slv_point_at_start(const SLV_PRIVATE slv_collider *collider, slv_vector p) {
    return collider->rotates ? slv_to_world(&collider->back, p)
                             : slv_add_scaled(collider->back.position, 1.0f, p);
}

// The gap between a point and a collider in pose `frame`. Spheres, capsules and planes need no
// transform into the local frame.
SLV_NOINLINE slv_gap slv_collider_gap(const SLV_GLOBAL float *state,
                                      const SLV_PRIVATE slv_collider *collider,
                                      const SLV_PRIVATE slv_frame *frame, int kind,
                                      slv_vector point) {
    const SLV_PRIVATE float *size = collider->size;
    slv_vector offset = slv_subtract(point, frame->position);
    slv_vector axis = slv_make_vector(frame->rotation[1], frame->rotation[4], frame->rotation[7]);
    slv_gap gap;
    if (kind == SLV_SHAPE_PLANE) {
        gap.distance = slv_dot(offset, axis);
        gap.normal = axis;
        return gap;
    }
    if (kind == SLV_SHAPE_SPHERE) {
        return slv_sphere_gap(offset, size[0]);
    }
    if (kind == SLV_SHAPE_CAPSULE) {
        float along = slv_clamp(slv_dot(offset, axis), 0.0f - size[1], size[1]);
        gap = slv_sphere_gap(slv_add_scaled(offset, 0.0f - along, axis), size[0]);
        slv_vector across =
            slv_make_vector(frame->rotation[0], frame->rotation[3], frame->rotation[6]);
        int on_axis = !(gap.distance > 0.0f - size[0]); // there the normal is across the axis
        gap.normal.x = on_axis ? across.x : gap.normal.x;
        gap.normal.y = on_axis ? across.y : gap.normal.y;
        gap.normal.z = on_axis ? across.z : gap.normal.z;
        return gap;
    }
    slv_vector inner = slv_rotate_back(frame, offset);
    if (kind == SLV_SHAPE_BOX) {
        gap = slv_box_gap(inner, slv_make_vector(size[0], size[1], size[2]));
    } else if (kind == SLV_SHAPE_WEDGE) {
        gap = slv_wedge_gap(inner, size[0], size[1], size[2]);
    } else if (kind == SLV_SHAPE_FUNNEL) {
        gap = slv_funnel_gap(inner, size[0], size[1], size[2], size[3]);
    } else {
        gap = slv_field_gap(state, &collider->field, inner);
    }
    gap.normal = slv_rotate(frame, gap.normal);
    return gap;
}

#endif
