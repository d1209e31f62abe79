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

// What a ray from the middle of a face of a patch comes upon.
typedef struct sight {
    uint32_t seen; // faces, without its own
    int winding;   // of the other patches
} sight;

typedef struct origin {
    uint32_t patch, face;
    int64_t middle[3];
} origin;

static sight look(slv_views *views, const origin *from, int axis, bool forward) {
    const slv_patches *patches = views->patches;
    slv_probe probe;
    slv_probe_hit hit;
    sight s = {0};
    slv_probe_begin(&probe, patches->snapped, views->bvh, from->middle, axis, forward);
    while (slv_probe_next(&probe, &hit)) {
        const uint32_t face = patches->face_of[hit.triangle];
        if (face != SLV_NO_FACE) {
            s.seen += hit.winding != 0 && face != from->face;
            s.winding += patches->patch_of[face] != from->patch
                             ? slv_patches_weight(patches, face) * hit.winding
                             : 0;
        }
    }
    views->effort += probe.effort;
    return s;
}

// The middle of a member of the patch; false where it is not to be asked.
static bool pick_origin(const slv_patches *patches, uint32_t patch, uint32_t member, origin *from) {
    const slv_patch *p = &patches->items[patch];
    from->patch = patch;
    from->face = patches->members[p->first + member];
    const uint32_t triangle = patches->topology.faces[from->face].triangle;
    for (int axis = 0; axis < 3; axis++) {
        from->middle[axis] = 0;
        for (int corner = 0; corner < 3; corner++) {
            from->middle[axis] += slv_snapped_corner(patches->snapped, triangle, corner)[axis];
        }
        from->middle[axis] /= 3;
    }
    return slv_is_picked(from->middle, 1 + p->face_count / MANY_FACES);
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
    const uint32_t count = patches->items[patch].face_count;
    slv_outlook outlook = {0};
    for (uint32_t m = 0; m < count && !slv_views_given_up(views); m++) {
        origin from;
        double parts[3];
        if (!pick_origin(patches, patch, m, &from)) {
            continue;
        }
        split_normal(patches, from.face, parts);
        for (int axis = 0; axis < 3; axis++) {
            if (parts[axis] != 0.0) {
                look_along(&outlook, parts[axis], look(views, &from, axis, true).seen,
                           look(views, &from, axis, false).seen);
            }
        }
    }
    return outlook;
}

bool slv_views_enclosed(slv_views *views, uint32_t patch) {
    const slv_patches *patches = views->patches;
    const uint32_t count = patches->items[patch].face_count;
    uint32_t rays = 0;
    uint32_t within = 0;
    for (uint32_t m = 0; m < count && !slv_views_given_up(views); m++) {
        origin from;
        if (!pick_origin(patches, patch, m, &from)) {
            continue;
        }
        for (int direction = 0; direction < 6; direction++) {
            rays++;
            within += look(views, &from, direction / 2, direction % 2 == 1).winding != 0;
        }
    }
    return 2 * within > rays && !slv_views_given_up(views);
}
