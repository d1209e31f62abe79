// SPDX-License-Identifier: MIT
#include "tools/voxelize/visibility.h"

#include "tools/voxelize/axis_ray.h"

enum {
    SAMPLED_FACES = 256,    // larger patches cast rays from a sample of about this many faces
    BASE_BUDGET = 10000000, // triangle tests allowed for all rays together, …
    FACE_BUDGET = 500,      // … and in addition for each face; solids need a fraction of it
};

bool slv_visibility_over_budget(const slv_visibility *visibility) {
    return visibility->tested_count >
           BASE_BUDGET + (uint64_t)FACE_BUDGET * visibility->patches->topology.face_count;
}

// Result of one ray from the centroid of a face.
typedef struct ray_result {
    uint32_t hits; // number of faces hit, without the face of the origin
    int winding;   // winding number of the other patches at the origin
} ray_result;

typedef struct origin {
    uint32_t patch, face;
    int64_t centroid[3];
} origin;

static ray_result cast_ray(slv_visibility *visibility, const origin *from, int axis, bool forward) {
    const slv_manifold_patches *patches = visibility->patches;
    slv_axis_ray ray;
    slv_axis_ray_hit hit;
    ray_result s = {0};
    slv_axis_ray_begin(&ray, patches->snapped, visibility->bvh, from->centroid, axis, forward);
    while (slv_axis_ray_next(&ray, &hit)) {
        const uint32_t face = patches->face_of[hit.triangle];
        if (face != SLV_NO_FACE) {
            s.hits += hit.winding != 0 && face != from->face;
            s.winding += patches->patch_of[face] != from->patch
                             ? slv_manifold_patches_weight(patches, face) * hit.winding
                             : 0;
        }
    }
    visibility->tested_count += ray.tested_count;
    return s;
}

// Fills the ray origin of a face of the patch. False where the face is not in the sample.
static bool select_origin(const slv_manifold_patches *patches, uint32_t patch, uint32_t member,
                          origin *from) {
    const slv_manifold_patch *p = &patches->items[patch];
    from->patch = patch;
    from->face = patches->members[p->first + member];
    const uint32_t triangle = patches->topology.faces[from->face].triangle;
    for (int axis = 0; axis < 3; axis++) {
        from->centroid[axis] = 0;
        for (int corner = 0; corner < 3; corner++) {
            from->centroid[axis] += slv_snapped_corner(patches->snapped, triangle, corner)[axis];
        }
        from->centroid[axis] /= 3;
    }
    return slv_is_sampled_point(from->centroid, 1 + p->face_count / SAMPLED_FACES);
}

// Squared components of the unit normal of the face, negative where the component is negative; all
// zero for an excluded patch.
static void squared_normal(const slv_manifold_patches *patches, uint32_t face, double squares[3]) {
    const uint32_t *points = patches->snapped->triangles[patches->topology.faces[face].triangle];
    slv_wide normal[3];
    slv_snapped_normal(patches->snapped->points[points[0]], patches->snapped->points[points[1]],
                       patches->snapped->points[points[2]], normal);
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double n = (double)normal[axis];
        square += n * n;
        squares[axis] = n < 0.0 ? -n * n : n * n;
    }
    const int weight = slv_manifold_patches_weight(patches, face);
    for (int axis = 0; axis < 3; axis++) {
        squares[axis] = square > 0.0 ? weight * squares[axis] / square : 0.0;
    }
}

static void add_ray_pair(slv_facing *facing, double square, uint32_t ahead, uint32_t behind) {
    const double weight = square < 0.0 ? -square : square;
    facing->total += weight;
    if ((ahead == 0) == (behind == 0)) {
        return;
    }
    if ((ahead + behind) % 2 == 0) {
        facing->not_solid += weight;
    } else if ((ahead == 0) == (square > 0.0)) {
        facing->outward += weight;
    } else {
        facing->inward += weight;
    }
}

slv_facing slv_visibility_facing(slv_visibility *visibility, uint32_t patch) {
    const slv_manifold_patches *patches = visibility->patches;
    const uint32_t count = patches->items[patch].face_count;
    slv_facing facing = {0};
    for (uint32_t m = 0; m < count && !slv_visibility_over_budget(visibility); m++) {
        origin from;
        double squares[3];
        if (!select_origin(patches, patch, m, &from)) {
            continue;
        }
        squared_normal(patches, from.face, squares);
        for (int axis = 0; axis < 3; axis++) {
            if (squares[axis] != 0.0) {
                add_ray_pair(&facing, squares[axis], cast_ray(visibility, &from, axis, true).hits,
                             cast_ray(visibility, &from, axis, false).hits);
            }
        }
    }
    return facing;
}

bool slv_visibility_is_enclosed(slv_visibility *visibility, uint32_t patch) {
    const slv_manifold_patches *patches = visibility->patches;
    const uint32_t count = patches->items[patch].face_count;
    uint32_t rays = 0;
    uint32_t within = 0;
    for (uint32_t m = 0; m < count && !slv_visibility_over_budget(visibility); m++) {
        origin from;
        if (!select_origin(patches, patch, m, &from)) {
            continue;
        }
        for (int direction = 0; direction < 6; direction++) {
            rays++;
            within += cast_ray(visibility, &from, direction / 2, direction % 2 == 1).winding != 0;
        }
    }
    return 2 * within > rays && !slv_visibility_over_budget(visibility);
}
