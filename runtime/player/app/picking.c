// SPDX-License-Identifier: MIT
#include "runtime/player/app/picking.h"

static slv_vec3 position_of(const slv_snapshot *snapshot, size_t particle) {
    const float *p = snapshot->positions + 3 * particle;
    return slv_v3(p[0], p[1], p[2]);
}

bool slv_pick_particle(const slv_snapshot *snapshot, const slv_ray *ray, float reach, float slope,
                       slv_pick *pick) {
    float best = INFINITY;
    for (uint32_t g = 0; g < snapshot->garment_count; g++) {
        for (size_t p = snapshot->first[g];
             p < snapshot->first[g + 1] && !snapshot->model_surface[g]; p++) {
            const slv_vec3 to = slv_v3_sub(position_of(snapshot, p), ray->origin);
            const float along = slv_v3_dot(to, ray->direction);
            const float away = slv_v3_dot(to, to) - along * along; // squared
            const float near = fmaxf(reach, slope * along);
            // The first particle along the ray; at equal depth, the one nearest to the ray.
            const float cost = along + sqrtf(fmaxf(away, 0.0f));
            if (along > 0.0f && away < near * near && cost < best) {
                best = cost;
                *pick = (slv_pick){g, (uint32_t)(p - snapshot->first[g]), position_of(snapshot, p)};
            }
        }
    }
    return best < INFINITY;
}

void slv_pick_grab(const slv_snapshot *snapshot, const slv_pick *pick, float radius,
                   slv_input *input) {
    const size_t first = snapshot->first[pick->garment];
    const size_t end = snapshot->first[pick->garment + 1];
    *input = (slv_input){.kind = SLV_INPUT_GRAB, .garment = pick->garment, .count = 1};
    input->particles[0] = pick->particle;
    for (size_t p = first; p < end && input->count < SLV_GRAB_MOST; p++) {
        const slv_vec3 to = slv_v3_sub(position_of(snapshot, p), pick->position);
        if (p - first != pick->particle && slv_v3_dot(to, to) < radius * radius) {
            input->particles[input->count++] = (uint32_t)(p - first);
        }
    }
}

slv_vec3 slv_pick_on_plane(const slv_ray *ray, slv_vec3 position, slv_vec3 forward) {
    const float slant = slv_v3_dot(ray->direction, forward);
    if (fabsf(slant) < 1e-4f) {
        return position;
    }
    const float along = slv_v3_dot(slv_v3_sub(position, ray->origin), forward) / slant;
    return slv_v3_add(ray->origin, slv_v3_scale(ray->direction, along));
}

// --- Cutting -------------------------------------------------------------------------------------

typedef struct screen_point {
    float x, y, depth;
    bool there; // in front of the camera
} screen_point;

static screen_point to_screen(const slv_mat4 *m, slv_vec3 p) {
    const float w = m->m[3] * p.x + m->m[7] * p.y + m->m[11] * p.z + m->m[15];
    const float x = m->m[0] * p.x + m->m[4] * p.y + m->m[8] * p.z + m->m[12];
    const float y = m->m[1] * p.x + m->m[5] * p.y + m->m[9] * p.z + m->m[13];
    return w > 1e-4f ? (screen_point){x / w, y / w, w, true} : (screen_point){.there = false};
}

// Side of the line from a to b on which a point lies, as a sign.
static float side_of(const float a[2], const float b[2], float x, float y) {
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

// Distance of the constraint if the stroke crosses it, else infinity.
static float crossing(const slv_snapshot *snapshot, size_t first, const slv_constraint *c,
                      const slv_swipe *swipe) {
    const screen_point a = to_screen(swipe->project, position_of(snapshot, first + c->a));
    const screen_point b = to_screen(swipe->project, position_of(snapshot, first + c->b));
    if (!a.there || !b.there) {
        return INFINITY;
    }
    const float one = side_of(swipe->from, swipe->to, a.x, a.y);
    const float other = side_of(swipe->from, swipe->to, b.x, b.y);
    const float ends[2][2] = {{a.x, a.y}, {b.x, b.y}};
    const float from = side_of(ends[0], ends[1], swipe->from[0], swipe->from[1]);
    const float to = side_of(ends[0], ends[1], swipe->to[0], swipe->to[1]);
    return (one < 0.0f) != (other < 0.0f) && (from < 0.0f) != (to < 0.0f) ? fminf(a.depth, b.depth)
                                                                          : INFINITY;
}

bool slv_pick_cut(const slv_snapshot *snapshot, const slv_garment_structure *structure,
                  const slv_swipe *swipe, uint32_t *next, slv_input *input) {
    const size_t first = snapshot->first[input->garment];
    float nearest = INFINITY;
    for (uint32_t c = 0; c < structure->constraint_count; c++) {
        nearest = fminf(nearest, crossing(snapshot, first, &structure->constraints[c], swipe));
    }
    input->count = 0;
    for (; *next < structure->constraint_count && input->count < SLV_GRAB_MOST; (*next)++) {
        const float depth = crossing(snapshot, first, &structure->constraints[*next], swipe);
        if (depth < nearest + swipe->layer && depth < INFINITY) {
            input->particles[input->count++] = *next;
        }
    }
    return input->count > 0;
}
