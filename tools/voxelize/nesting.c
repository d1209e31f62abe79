// SPDX-License-Identifier: MIT
#include "tools/voxelize/nesting.h"

#include "tools/voxelize/axis_ray.h"

#include <stdlib.h>

enum {
    SAMPLED_FACES = 4096
}; // larger patches are tested by a sample of about three times as many points

// Lists the patches hit by the ray to -x from the point, with their winding numbers there; returns
// their number.
static uint32_t cast_ray(slv_nesting *n, uint32_t from, const int64_t point[3]) {
    const slv_manifold_patches *patches = n->patches;
    uint32_t count = 0;
    slv_axis_ray ray;
    slv_axis_ray_hit hit;
    slv_axis_ray_begin(&ray, patches->snapped, n->bvh, point, 0, false);
    while (slv_axis_ray_next(&ray, &hit)) {
        const uint32_t face = patches->face_of[hit.triangle];
        if (face == SLV_NO_FACE || patches->patch_of[face] == from) {
            continue;
        }
        slv_container *hit_state = &n->states[patches->patch_of[face]];
        if (!hit_state->touched) {
            hit_state->touched = true;
            hit_state->on = false;
            hit_state->winding = 0;
            n->touched[count++] = patches->patch_of[face];
        }
        hit_state->on |= hit.on;
        hit_state->winding += slv_manifold_patches_weight(patches, face) * hit.winding;
    }
    return count;
}

// Tests a point after `tested` others. Returns whether the winding number of all open patches
// together is not zero there.
static bool test_point(slv_nesting *n, uint32_t patch, const int64_t point[3], uint32_t tested) {
    const uint32_t hit_count = cast_ray(n, patch, point);
    int open_winding = 0;
    for (uint32_t k = 0; k < hit_count; k++) {
        slv_container *state = &n->states[n->touched[k]];
        state->touched = false;
        if (n->patches->items[n->touched[k]].open) {
            open_winding += state->winding;
            continue;
        }
        if (tested == 0 && (state->on || state->winding != 0)) {
            *state = (slv_container){.on = state->on, .winding = state->winding};
            n->containers[n->container_count++] = n->touched[k];
        }
        state->holds += state->on || state->winding != 0;
        state->around |= !state->on && state->winding != 0;
    }
    return open_winding != 0;
}

static void drop_partial_containers(slv_nesting *n, uint32_t tested) {
    uint32_t kept = 0;
    for (uint32_t k = 0; k < n->container_count; k++) {
        if (n->states[n->containers[k]].holds == tested) {
            n->containers[kept++] = n->containers[k];
        }
    }
    n->container_count = kept;
}

static void drop_touching_containers(slv_nesting *n) {
    uint32_t kept = 0;
    for (uint32_t k = 0; k < n->container_count; k++) {
        if (n->states[n->containers[k]].around) {
            n->containers[kept++] = n->containers[k];
        }
    }
    n->container_count = kept;
}

void slv_nesting_find(slv_nesting *n, uint32_t patch, bool with_open) {
    const slv_manifold_patches *patches = n->patches;
    const slv_manifold_patch *p = &patches->items[patch];
    const uint32_t stride = 1 + p->face_count / SAMPLED_FACES;
    uint32_t tested = 0;
    uint32_t in_open_patches = 0;
    n->container_count = 0;
    n->query++;
    for (uint32_t corner = 0; corner < 3 * p->face_count; corner++) {
        const uint32_t face = patches->members[p->first + corner / 3];
        const uint32_t triangle = patches->topology.faces[face].triangle;
        const uint32_t number = patches->snapped->triangles[triangle][corner % 3];
        const int64_t *point = patches->snapped->points[number];
        if (n->tested_in[number] == n->query || !slv_is_sampled_point(point, stride)) {
            continue;
        }
        n->tested_in[number] = n->query;
        in_open_patches += test_point(n, patch, point, tested);
        tested++;
        drop_partial_containers(n, tested);
        if (n->container_count == 0 && !with_open) {
            break;
        }
    }
    drop_touching_containers(n);
    // One point in eight may fail: rays can leave through holes of open patches.
    n->in_open_patches = with_open && tested > 0 && in_open_patches >= tested - tested / 8;
}

slv_result slv_nesting_create(const slv_manifold_patches *patches, const slv_bvh *bvh,
                              slv_nesting *nesting, slv_error *error) {
    *nesting = (slv_nesting){.patches = patches, .bvh = bvh};
    const size_t room = (size_t)patches->count + 1;
    const size_t points = (size_t)patches->snapped->point_count + 1;
    nesting->states = calloc(room, sizeof *nesting->states);
    nesting->tested_in = calloc(points, sizeof *nesting->tested_in);
    nesting->touched = malloc(room * sizeof *nesting->touched);
    nesting->containers = malloc(room * sizeof *nesting->containers);
    if (nesting->states == NULL || nesting->tested_in == NULL || nesting->touched == NULL ||
        nesting->containers == NULL) {
        slv_nesting_free(nesting);
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %u patches", patches->count);
    }
    return SLV_OK;
}

void slv_nesting_free(slv_nesting *nesting) {
    free(nesting->states);
    free(nesting->tested_in);
    free(nesting->touched);
    free(nesting->containers);
    *nesting = (slv_nesting){0};
}
