// SPDX-License-Identifier: MIT
// What a clip shows of itself: the particles of its surface and their velocities, its drawn mesh.
#include "runtime/base/float_modes.h"
#include "runtime/world/clip.h"
#include "runtime/world/clip_pose.h"
#include "runtime/world/clip_ring.h"
#include "runtime/world/clip_sample.h"
#include "runtime/world/clip_time.h"
#include "runtime/world/status.h"

#include <math.h>
#include <string.h>

// Two arrays of as many vectors, allocated on first use.
static slv_result take_vectors(slv_world *world, slv_clip *clip, uint32_t count, float **first,
                               float **second) {
    float **const both[2] = {first, second};
    for (int i = 0; i < 2; i++) {
        if (count > 0 && !*both[i]) { // what was taken before memory ran out serves the next call
            *both[i] = slv_memory_take(&clip->memory, 3 * (size_t)count, sizeof(float));
        }
    }
    return count == 0 || (*first && *second) ? SLV_OK
                                             : slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
}

// --- Particles --------------------------------------------------------------------------------------

// A frame to either side: between two frames that gives what lies between the velocities of the two.
typedef struct moments {
    double times[2];
    slv_clip_blend before, now, after;
} moments;

static moments find_moments(const slv_clip *clip, double time) {
    const slv_clip_info *info = &clip->frames.info;
    const double frame = 1.0 / info->frame_rate;
    moments m = {{fmax(time - frame, 0.0), fmin(time + frame, info->duration)},
                 .now = slv_clip_blend_at(clip, time)};
    m.before = slv_clip_blend_at(clip, m.times[0]);
    m.after = slv_clip_blend_at(clip, m.times[1]);
    return m;
}

static void request(slv_clip *clip, const moments *m) {
    const uint32_t frames[] = {m->now.from,  m->now.to,     m->before.from,
                               m->before.to, m->after.from, m->after.to};
    uint32_t groups[sizeof frames / sizeof *frames];
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        groups[i] = frames[i] / SLV_GROUP_FRAMES;
    }
    slv_clip_ring_request(clip->ring, groups, sizeof frames / sizeof *frames);
}

// What the motion of the pose adds to the velocity of a point.
static void add_pose_velocity(const slv_clip *clip, uint32_t point, const slv_clip_sampler *next,
                              double time_step) {
    float then[3];
    slv_clip_sample(next, point, then);
    for (size_t d = 0; d < 3; d++) {
        const size_t at = 3 * (size_t)point + d;
        clip->velocities[at] += (float)(((double)then[d] - (double)clip->points[at]) / time_step);
    }
}

static slv_result fill_motion(slv_world *world, slv_clip *clip) {
    const uint64_t step = world->clock.steps;
    const moments m = find_moments(clip, slv_clip_time(clip, step, world->time_step));
    const slv_motion_kind kind = SLV_MOTION_PARTICLES;
    slv_clip_sampler before;
    slv_clip_sampler now;
    slv_clip_sampler after;
    request(clip, &m);
    slv_result status = slv_clip_sampler_make(world, clip, kind, m.before, step, &before);
    if (status == SLV_OK) {
        status = slv_clip_sampler_make(world, clip, kind, m.now, step, &now);
    }
    if (status == SLV_OK) {
        status = slv_clip_sampler_make(world, clip, kind, m.after, step, &after);
    }
    if (status != SLV_OK) {
        return status;
    }
    const double span = m.times[1] - m.times[0];
    const double pace = slv_clip_pace(clip, step, world->time_step);
    const float per_second = span > 0.0 ? (float)(pace / span) : 0.0f;
    const bool led = slv_clip_is_led(clip, step);
    slv_clip_sampler next = now; // the same frames, where the clip goes in the next step
    next.matrix = slv_clip_matrix_at(clip, step + 1);
    for (uint32_t i = 0; i < clip->frames.info.particle_count; i++) {
        float ends[2][3];
        slv_clip_sample(&now, i, clip->points + 3 * (size_t)i);
        slv_clip_sample(&before, i, ends[0]);
        slv_clip_sample(&after, i, ends[1]);
        for (size_t d = 0; d < 3; d++) {
            clip->velocities[3 * (size_t)i + d] = per_second * (ends[1][d] - ends[0][d]);
        }
        if (led) {
            add_pose_velocity(clip, i, &next, world->time_step);
        }
    }
    return SLV_OK;
}

slv_result slv_clip_get_motion(slv_world *world, slv_clip_id id, slv_motion_view *view) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status;
    slv_clip *clip = slv_find_clip_for(world, id, view, "view", &status);
    if (!clip) {
        return status;
    }
    const uint32_t count = clip->frames.info.particle_count;
    status = take_vectors(world, clip, count, &clip->points, &clip->velocities);
    if (status == SLV_OK) {
        status = fill_motion(world, clip);
    }
    if (status == SLV_OK) {
        *view = (slv_motion_view){count, clip->points, clip->velocities};
    }
    return status;
}

// --- The drawn mesh ---------------------------------------------------------------------------------

static void add_normals(const slv_clip *clip) {
    const slv_clip_info *info = &clip->frames.info;
    float *normals = clip->mesh_normals;
    memset(normals, 0, 3 * sizeof *normals * (size_t)info->vertex_count);
    for (uint32_t t = 0; t < info->triangle_count; t++) {
        const uint32_t *corner = clip->frames.triangles + 3 * (size_t)t;
        const float *a = clip->mesh_positions + 3 * (size_t)corner[0];
        const float *b = clip->mesh_positions + 3 * (size_t)corner[1];
        const float *c = clip->mesh_positions + 3 * (size_t)corner[2];
        const float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        const float v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
        const float normal[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                                 u[0] * v[1] - u[1] * v[0]};
        for (int k = 0; k < 3; k++) {
            for (size_t d = 0; d < 3; d++) {
                normals[3 * (size_t)corner[k] + d] += normal[d];
            }
        }
    }
    for (uint32_t i = 0; i < info->vertex_count; i++) {
        float *n = normals + 3 * (size_t)i;
        const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int d = 0; d < 3; d++) {
            n[d] = length > 0.0f ? n[d] / length : (d == 1 ? 1.0f : 0.0f);
        }
    }
}

slv_result slv_clip_get_surface(slv_world *world, slv_clip_id id, slv_surface_view *view) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status;
    slv_clip *clip = slv_find_clip_for(world, id, view, "view", &status);
    if (!clip) {
        return status;
    }
    const slv_clip_info *info = &clip->frames.info;
    const double time = slv_clip_time(clip, world->clock.steps, world->time_step);
    status =
        take_vectors(world, clip, info->vertex_count, &clip->mesh_positions, &clip->mesh_normals);
    if (status != SLV_OK) {
        return status;
    }
    if (info->vertex_count > 0 && (!clip->mesh_current || clip->mesh_time != time ||
                                   (clip->mesh_step != world->clock.steps))) {
        const slv_clip_blend blend = slv_clip_blend_at(clip, time);
        slv_clip_sampler at;
        slv_clip_prefetch(world, clip, blend, blend, world->clock.steps);
        status =
            slv_clip_sampler_make(world, clip, SLV_MOTION_MESH, blend, world->clock.steps, &at);
        if (status != SLV_OK) {
            return status;
        }
        for (uint32_t i = 0; i < info->vertex_count; i++) {
            slv_clip_sample(&at, i, clip->mesh_positions + 3 * (size_t)i);
        }
        add_normals(clip);
        clip->mesh_current = true;
        clip->mesh_time = time;
        clip->mesh_step = world->clock.steps;
    }
    *view = (slv_surface_view){.vertex_count = info->vertex_count,
                               .triangle_count = info->triangle_count,
                               .positions = clip->mesh_positions,
                               .normals = clip->mesh_normals,
                               .uvs = clip->frames.uvs,
                               .triangles = clip->frames.triangles};
    return SLV_OK;
}
