// SPDX-License-Identifier: MIT
#include "runtime/player/picking.h"

static slv_vec3 place_of(const slv_snapshot *snapshot, size_t particle) {
    const float *p = snapshot->positions + 3 * particle;
    return slv_v3(p[0], p[1], p[2]);
}

bool slv_pick_particle(const slv_snapshot *snapshot, const slv_ray *ray, float reach, float slope,
                       slv_pick *pick) {
    float best = INFINITY;
    for (uint32_t g = 0; g < snapshot->garment_count; g++) {
        for (size_t p = snapshot->first[g]; p < snapshot->first[g + 1] && !snapshot->body[g]; p++) {
            const slv_vec3 to = slv_v3_sub(place_of(snapshot, p), ray->origin);
            const float along = slv_v3_dot(to, ray->direction);
            const float away = slv_v3_dot(to, to) - along * along; // squared
            const float near = fmaxf(reach, slope * along);
            // Among those near the ray, the first; among those at one depth, the nearest to it.
            const float cost = along + sqrtf(fmaxf(away, 0.0f));
            if (along > 0.0f && away < near * near && cost < best) {
                best = cost;
                *pick = (slv_pick){g, (uint32_t)(p - snapshot->first[g]), place_of(snapshot, p)};
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
        const slv_vec3 to = slv_v3_sub(place_of(snapshot, p), pick->place);
        if (p - first != pick->particle && slv_v3_dot(to, to) < radius * radius) {
            input->particles[input->count++] = (uint32_t)(p - first);
        }
    }
}

slv_vec3 slv_pick_on_plane(const slv_ray *ray, slv_vec3 place, slv_vec3 forward) {
    const float slant = slv_v3_dot(ray->direction, forward);
    if (fabsf(slant) < 1e-4f) {
        return place;
    }
    const float along = slv_v3_dot(slv_v3_sub(place, ray->origin), forward) / slant;
    return slv_v3_add(ray->origin, slv_v3_scale(ray->direction, along));
}
