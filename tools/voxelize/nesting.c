// SPDX-License-Identifier: MIT
#include "tools/voxelize/nesting.h"

#include "tools/voxelize/probe.h"

#include <stdlib.h>

enum { MANY_FACES = 4096 }; // patches of more have only some of their points tried

// Lists the patches that the ray from the point meets, with how they wind round it.
static uint32_t follow_ray(slv_nesting *n, uint32_t from, const int64_t point[3]) {
    const slv_patches *patches = n->patches;
    uint32_t count = 0;
    slv_probe probe;
    slv_probe_hit hit;
    slv_probe_begin(&probe, patches->snapped, n->bvh, point, 0, false);
    while (slv_probe_next(&probe, &hit)) {
        const uint32_t face = patches->face_of[hit.triangle];
        if (face == SLV_NO_FACE || patches->patch_of[face] == from) {
            continue;
        }
        slv_container *met = &n->states[patches->patch_of[face]];
        if (!met->touched) {
            met->touched = true;
            met->on = false;
            met->winding = 0;
            n->touched[count++] = patches->patch_of[face];
        }
        met->on |= hit.on;
        met->winding += slv_patches_weight(patches, face) * hit.winding;
    }
    return count;
}

// Tries the point after `tried` others; returns whether the open patches wind round it.
static bool try_point(slv_nesting *n, uint32_t patch, const int64_t point[3], uint32_t tried) {
    const uint32_t met = follow_ray(n, patch, point);
    int open_winding = 0;
    for (uint32_t k = 0; k < met; k++) {
        slv_container *state = &n->states[n->touched[k]];
        state->touched = false;
        if (n->patches->items[n->touched[k]].open) {
            open_winding += state->winding;
            continue;
        }
        if (tried == 0 && (state->on || state->winding != 0)) {
            *state = (slv_container){.on = state->on, .winding = state->winding};
            n->containers[n->container_count++] = n->touched[k];
        }
        state->holds += state->on || state->winding != 0;
        state->around |= !state->on && state->winding != 0;
    }
    return open_winding != 0;
}

static void drop_those_that_do_not_hold_all(slv_nesting *n, uint32_t tried) {
    uint32_t kept = 0;
    for (uint32_t k = 0; k < n->container_count; k++) {
        if (n->states[n->containers[k]].holds == tried) {
            n->containers[kept++] = n->containers[k];
        }
    }
    n->container_count = kept;
}

static void drop_those_only_touched(slv_nesting *n) {
    uint32_t kept = 0;
    for (uint32_t k = 0; k < n->container_count; k++) {
        if (n->states[n->containers[k]].around) {
            n->containers[kept++] = n->containers[k];
        }
    }
    n->container_count = kept;
}

void slv_nesting_find(slv_nesting *n, uint32_t patch, bool open_too) {
    const slv_patches *patches = n->patches;
    const slv_patch *p = &patches->items[patch];
    const uint32_t stride = 1 + p->face_count / MANY_FACES;
    uint32_t tried = 0;
    uint32_t in_open = 0;
    n->container_count = 0;
    n->round++;
    for (uint32_t corner = 0; corner < 3 * p->face_count; corner++) {
        const uint32_t face = patches->members[p->first + corner / 3];
        const uint32_t triangle = patches->topology.faces[face].triangle;
        const uint32_t number = patches->snapped->triangles[triangle][corner % 3];
        const int64_t *point = patches->snapped->points[number];
        if (n->tried_for[number] == n->round || !slv_is_picked(point, stride)) {
            continue;
        }
        n->tried_for[number] = n->round;
        in_open += try_point(n, patch, point, tried);
        tried++;
        drop_those_that_do_not_hold_all(n, tried);
        if (n->container_count == 0 && !open_too) {
            break;
        }
    }
    drop_those_only_touched(n);
    // One in eight for rays that leave through holes.
    n->in_open = open_too && tried > 0 && in_open >= tried - tried / 8;
}

slv_result slv_nesting_create(const slv_patches *patches, const slv_bvh *bvh, slv_nesting *nesting,
                              slv_error *error) {
    *nesting = (slv_nesting){.patches = patches, .bvh = bvh};
    const size_t room = (size_t)patches->count + 1;
    const size_t points = (size_t)patches->snapped->point_count + 1;
    nesting->states = calloc(room, sizeof *nesting->states);
    nesting->tried_for = calloc(points, sizeof *nesting->tried_for);
    nesting->touched = malloc(room * sizeof *nesting->touched);
    nesting->containers = malloc(room * sizeof *nesting->containers);
    if (nesting->states == NULL || nesting->tried_for == NULL || nesting->touched == NULL ||
        nesting->containers == NULL) {
        slv_nesting_free(nesting);
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %u parts", patches->count);
    }
    return SLV_OK;
}

void slv_nesting_free(slv_nesting *nesting) {
    free(nesting->states);
    free(nesting->tried_for);
    free(nesting->touched);
    free(nesting->containers);
    *nesting = (slv_nesting){0};
}
