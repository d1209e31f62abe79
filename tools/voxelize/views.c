// SPDX-License-Identifier: MIT
#include "tools/voxelize/views.h"

#include "tools/voxelize/probe.h"

enum {
    MANY_FACES = 256,       // patches of more have only some of their faces asked
    BASE_EFFORT = 10000000, // triangles that all rays together may come upon, …
    FACE_EFFORT = 500,      // … and how many more for each face: several times what solids need
};

bool slv_views_given_up(const slv_views *views) {
    return views->effort >
           BASE_EFFORT + (uint64_t)FACE_EFFORT * views->patches->topology.face_count;
}

// The middle of a member of the patch; false where it is not to be asked.
static bool pick_middle(const slv_patches *patches, const slv_patch *p, uint32_t member,
                        int64_t middle[3]) {
    const uint32_t face = patches->members[p->first + member];
    const uint32_t triangle = patches->topology.faces[face].triangle;
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = 0;
        for (int corner = 0; corner < 3; corner++) {
            middle[axis] += slv_snapped_corner(patches->snapped, triangle, corner)[axis];
        }
        middle[axis] /= 3;
    }
    return slv_is_picked(middle, 1 + p->face_count / MANY_FACES);
}

static uint32_t count_seen(slv_views *views, uint32_t from, const int64_t middle[3], int axis,
                           bool forward) {
    const slv_patches *patches = views->patches;
    slv_probe probe;
    slv_probe_hit hit;
    uint32_t seen = 0;
    slv_probe_begin(&probe, patches->snapped, views->bvh, middle, axis, forward);
    while (slv_probe_next(&probe, &hit)) {
        const uint32_t face = patches->face_of[hit.triangle];
        seen += hit.winding != 0 && face != SLV_NO_FACE && face != from;
    }
    views->effort += probe.effort;
    return seen;
}

// Squared parts of the face's unit normal along the axes, negative where it points to the back.
static void split_normal(const slv_patches *patches, uint32_t face, double parts[3]) {
    const uint32_t *points = patches->snapped->triangles[patches->topology.faces[face].triangle];
    slv_wide normal[3];
    slv_snapped_normal(patches->snapped->points[points[0]], patches->snapped->points[points[1]],
                       patches->snapped->points[points[2]], normal);
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double n = (double)normal[axis];
        square += n * n;
        parts[axis] = n < 0.0 ? -n * n : n * n;
    }
    const int weight = slv_patches_weight(patches, face);
    for (int axis = 0; axis < 3; axis++) {
        parts[axis] = square > 0.0 ? weight * parts[axis] / square : 0.0;
    }
}

static void look_along(slv_outlook *outlook, double part, uint32_t ahead, uint32_t behind) {
    const double weight = part < 0.0 ? -part : part;
    outlook->all += weight;
    if ((ahead == 0) == (behind == 0)) {
        return;
    }
    if ((ahead + behind) % 2 == 0) {
        outlook->unlike += weight;
    } else if ((ahead == 0) == (part > 0.0)) {
        outlook->outwards += weight;
    } else {
        outlook->inwards += weight;
    }
}

slv_outlook slv_views_outlook(slv_views *views, uint32_t patch) {
    const slv_patches *patches = views->patches;
    const slv_patch *p = &patches->items[patch];
    slv_outlook outlook = {0};
    for (uint32_t m = 0; m < p->face_count && !slv_views_given_up(views); m++) {
        const uint32_t face = patches->members[p->first + m];
        int64_t middle[3];
        double parts[3];
        if (!pick_middle(patches, p, m, middle)) {
            continue;
        }
        split_normal(patches, face, parts);
        for (int axis = 0; axis < 3; axis++) {
            if (parts[axis] != 0.0) {
                look_along(&outlook, parts[axis], count_seen(views, face, middle, axis, true),
                           count_seen(views, face, middle, axis, false));
            }
        }
    }
    return outlook;
}

static int winding_of_others(slv_views *views, uint32_t patch, const int64_t middle[3], int axis,
                             bool forward) {
    const slv_patches *patches = views->patches;
    slv_probe probe;
    slv_probe_hit hit;
    int winding = 0;
    slv_probe_begin(&probe, patches->snapped, views->bvh, middle, axis, forward);
    while (slv_probe_next(&probe, &hit)) {
        const uint32_t face = patches->face_of[hit.triangle];
        if (face != SLV_NO_FACE && patches->patch_of[face] != patch) {
            winding += slv_patches_weight(patches, face) * hit.winding;
        }
    }
    views->effort += probe.effort;
    return winding;
}

bool slv_views_enclosed(slv_views *views, uint32_t patch) {
    const slv_patches *patches = views->patches;
    const slv_patch *p = &patches->items[patch];
    uint32_t rays = 0;
    uint32_t within = 0;
    for (uint32_t m = 0; m < p->face_count && !slv_views_given_up(views); m++) {
        int64_t middle[3];
        if (!pick_middle(patches, p, m, middle)) {
            continue;
        }
        for (int direction = 0; direction < 6; direction++) {
            rays++;
            within +=
                winding_of_others(views, patch, middle, direction / 2, direction % 2 == 1) != 0;
        }
    }
    return 2 * within > rays && !slv_views_given_up(views);
}
