// SPDX-License-Identifier: MIT
// Floats of a world are relative to its origin, so that their last bit is as small as the world is, wherever it is
// (docs/PRECISION.md). Where the origin moves, everything else moves the other way, in double.
#include "runtime/world/origin.h"

#include "runtime/base/float_modes.h"
#include "runtime/base/rotation.h"
#include "runtime/base/shift.h"
#include "runtime/step/features.h"
#include "runtime/world/begin.h"
#include "runtime/world/clip.h"
#include "runtime/world/fetch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Metres from the origin beyond which a plane is slid. At that distance the last bit of a float is 8 µm.
static const double far_plane = 64.0;

void slv_origin_make_local(const slv_world *world, const double position[3], float local[3]) {
    for (int d = 0; d < 3; d++) {
        local[d] = (float)(position[d] - world->origin[d] + 0.0); // no negative zero
    }
}

void slv_origin_make_global(const slv_world *world, const float local[3], double position[3]) {
    for (int d = 0; d < 3; d++) {
        position[d] = world->origin[d] + (double)local[d];
    }
}

// --- Checks -----------------------------------------------------------------------------------------

static slv_result check_global(slv_world *world, const char *name, const double position[3]) {
    slv_result status = SLV_OK;
    for (int d = 0; status == SLV_OK && d < 3; d++) {
        char element[32];
        (void)snprintf(element, sizeof element, "%s[%d]", name, d);
        status = slv_check_between(&world->error, element, position[d], -SLV_POSITION_LIMIT,
                                   SLV_POSITION_LIMIT);
    }
    return status;
}

slv_result slv_origin_check(slv_world *world, const double position[3], double limit) {
    slv_result status = check_global(world, "position", position);
    for (int d = 0; status == SLV_OK && d < 3; d++) {
        if (!slv_is_between(position[d] - world->origin[d], -limit, limit)) {
            status = slv_refuse(world, SLV_ERROR_ARGUMENT,
                                "position[%d] is %g, should be within %g m of the world's origin, "
                                "%g",
                                d, position[d], limit, world->origin[d]);
        }
    }
    return status;
}

slv_result slv_origin_take_pose(slv_world *world, const double position[3], const float rotation[4],
                                double limit, slv_pose *pose) {
    if (!position || !rotation) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "position or rotation is NULL");
    }
    slv_result status = slv_origin_check(world, position, limit);
    if (status == SLV_OK) {
        status = slv_check_rotation(&world->error, "rotation", rotation);
    }
    if (status == SLV_OK) {
        slv_origin_make_local(world, position, pose->position);
        memcpy(pose->rotation, rotation, sizeof pose->rotation);
    }
    return status;
}

// --- Moving -----------------------------------------------------------------------------------------

static bool find_shift(const double from[3], const double to[3], double shift[3]) {
    for (int d = 0; d < 3; d++) {
        shift[d] = to[d] - from[d];
    }
    return shift[0] != 0.0 || shift[1] != 0.0 || shift[2] != 0.0;
}

// Velocities are differences of positions with their remainders, which stay what they are.
static void shift_body(slv_world *world, uint32_t index, const double shift[3]) {
    slv_body *body = world->bodies[index];
    for (uint32_t p = 0; p < body->count; p++) {
        double values[6];
        slv_layout_read_exactly(&world->layout, index, p, values);
        for (int n = 0; n < 6; n++) {
            values[n] -= shift[n % 3];
        }
        slv_layout_write_exactly(&world->layout, index, p, values);
    }
    slv_features_shift(&world->layout, index, body, shift);
    slv_shift_point(body->pose.position, shift);
    body->surface.current = false;
}

static void shift_clip(slv_clip *clip, const double shift[3]) {
    slv_shift_point(clip->play.from.position, shift);
    slv_shift_point(clip->play.to.position, shift);
    clip->mesh_current = false;
}

static void shift_collider(slv_collider_entry *entry, const double shift[3]) {
    float *record = entry->record;
    slv_shift_point(record + SLV_COLLIDER_POSE, shift);
    slv_shift_point(record + SLV_COLLIDER_POSE + 8, shift);
    if (record[SLV_COLLIDER_TOTAL] > 0.0f) {
        slv_shift_point(record + SLV_COLLIDER_FROM, shift);
        slv_shift_point(record + SLV_COLLIDER_TO, shift);
    }
    slv_origin_slide_plane(entry);
}

void slv_origin_slide_plane(slv_collider_entry *entry) {
    float *record = entry->record;
    const float *spin = record + SLV_COLLIDER_ROTATION_STEP;
    float *pose = record + SLV_COLLIDER_POSE;
    const bool turns = spin[0] != 0.0f || spin[1] != 0.0f || spin[2] != 0.0f;
    const double x = (double)pose[0];
    const double y = (double)pose[1];
    const double z = (double)pose[2];
    if (entry->kind != SLV_SHAPE_PLANE || turns || record[SLV_COLLIDER_TOTAL] > 0.0f ||
        x * x + y * y + z * z < far_plane * far_plane) {
        return;
    }
    double turn[3][3];
    slv_rotation_matrix(pose + 4, turn);
    const double height = turn[0][1] * x + turn[1][1] * y + turn[2][1] * z; // along its normal
    for (int d = 0; d < 3; d++) {
        pose[d] = pose[8 + d] = (float)(height * turn[d][1] + 0.0); // no negative zero
    }
}

// --- Back to the start ------------------------------------------------------------------------------

void slv_origin_follow_body(slv_world *world, uint32_t index) {
    double shift[3];
    if (find_shift(world->bodies[index]->start_origin, world->origin, shift)) {
        shift_body(world, index, shift);
    }
}

void slv_origin_follow_clip(const slv_world *world, slv_clip *clip) {
    double shift[3];
    if (find_shift(clip->start_origin, world->origin, shift)) {
        shift_clip(clip, shift);
    }
}

void slv_origin_follow_collider(const slv_world *world, slv_collider_entry *entry) {
    double shift[3];
    if (find_shift(entry->start_origin, world->origin, shift)) {
        shift_collider(entry, shift);
    }
}

// --- Public calls -----------------------------------------------------------------------------------

void slv_world_get_origin(const slv_world *world, double origin[3]) {
    for (int d = 0; origin && d < 3; d++) {
        origin[d] = world ? world->origin[d] : 0.0;
    }
}

// A garment beyond the limit would diverge in the next step.
static slv_result check_reach(slv_world *world, const double shift[3]) {
    for (uint32_t i = 0; i < world->body_count; i++) {
        for (uint32_t p = 0; p < world->bodies[i]->count; p++) {
            float at[6];
            slv_layout_read(&world->layout, i, p, 1, at);
            for (int d = 0; d < 3; d++) {
                if (!(fabs((double)at[d] - shift[d]) < SLV_POSITION_LIMIT)) {
                    return slv_refuse(world, SLV_ERROR_ARGUMENT,
                                      "origin: garment %u would be %g m from it, should be within "
                                      "%g m",
                                      i, fabs((double)at[d] - shift[d]), SLV_POSITION_LIMIT);
                }
            }
        }
    }
    return SLV_OK;
}

slv_result slv_world_set_origin(slv_world *world, const double origin[3]) {
    SLV_DEFAULT_FLOAT_MODES;
    double shift[3];
    slv_result status = slv_begin_with(world, origin, "origin");
    if (status == SLV_OK) {
        status = check_global(world, "origin", origin);
    }
    if (status != SLV_OK || !find_shift(world->origin, origin, shift)) {
        return status;
    }
    status = slv_world_fetch_all(world);
    if (status == SLV_OK) {
        status = check_reach(world, shift);
    }
    if (status != SLV_OK) {
        return status;
    }
    for (uint32_t i = 0; i < world->body_count; i++) {
        shift_body(world, i, shift);
    }
    for (uint32_t i = 0; i < world->clip_count; i++) {
        shift_clip(world->clips[i], shift);
    }
    for (uint32_t i = 0; i < world->colliders.count; i++) {
        shift_collider(&world->colliders.entries[i], shift);
    }
    slv_colliders_write(&world->colliders, &world->layout);
    memcpy(world->origin, origin, sizeof world->origin);
    return SLV_OK;
}
