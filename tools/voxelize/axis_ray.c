// SPDX-License-Identifier: MIT
#include "tools/voxelize/axis_ray.h"

#include "tools/voxelize/raster_triangle.h"
#include "tools/voxelize/solid_angle.h"

#include <math.h>

// Rotates the axis to x. A forward ray is also reflected to point to -x, which flips the winding of
// all triangles.
static void transform_point(const slv_axis_ray *ray, const int64_t point[3],
                            int64_t transformed[3]) {
    for (int k = 0; k < 3; k++) {
        const int64_t value = point[(ray->axis + k) % 3];
        transformed[k] = ray->forward ? -value : value;
    }
}

void slv_axis_ray_begin(slv_axis_ray *ray, const slv_snapped *surface, const slv_bvh *bvh,
                        const int64_t point[3], int axis, bool forward) {
    const double unit = ldexp(1.0, -(int)surface->fraction_bits);
    float lo[3];
    float hi[3];
    for (int k = 0; k < 3; k++) {
        lo[k] = nextafterf((float)((double)point[k] * unit), -INFINITY);
        hi[k] = nextafterf((float)((double)point[k] * unit), INFINITY);
    }
    if (forward) {
        hi[axis] = INFINITY;
    } else {
        lo[axis] = -INFINITY;
    }
    ray->surface = surface;
    ray->axis = axis;
    ray->forward = forward;
    ray->tested_count = 0;
    transform_point(ray, point, ray->point);
    slv_bvh_query_begin(&ray->query, bvh, lo, hi);
}

static bool lies_on(const slv_raster_triangle *face, const int64_t point[3]) {
    slv_wide height = 0;
    for (int k = 0; k < 3; k++) {
        height += face->normal[k] * (point[k] - face->corners[0][k]);
    }
    slv_solid_angle turn = slv_solid_angle_zero();
    return height == 0 && slv_solid_angle_add_exact(&turn, 1, face->corners, point);
}

// Quick rejection: the ray misses the bounds of the triangle.
static bool misses_bounds(int64_t corners[3][3], const int64_t point[3]) {
    bool clear = corners[0][0] > point[0] && corners[1][0] > point[0] && corners[2][0] > point[0];
    for (int k = 1; k < 3; k++) {
        clear |= corners[0][k] > point[k] && corners[1][k] > point[k] && corners[2][k] > point[k];
        clear |= corners[0][k] < point[k] && corners[1][k] < point[k] && corners[2][k] < point[k];
    }
    return clear;
}

bool slv_axis_ray_next(slv_axis_ray *ray, slv_axis_ray_hit *hit) {
    while (slv_bvh_query_next(&ray->query, &hit->triangle)) {
        int64_t corners[3][3];
        for (int corner = 0; corner < 3; corner++) {
            transform_point(ray, slv_snapped_corner(ray->surface, hit->triangle, corner),
                            corners[corner]);
        }
        ray->tested_count++;
        if (misses_bounds(corners, ray->point)) {
            continue;
        }
        slv_raster_triangle face = {.fraction_bits = ray->surface->fraction_bits,
                                    .corners = {corners[0], corners[1], corners[2]}};
        slv_snapped_normal(corners[0], corners[1], corners[2], face.normal);
        const int winding = slv_raster_triangle_winding(&face, ray->point);
        hit->winding = ray->forward ? -winding : winding;
        hit->on = lies_on(&face, ray->point);
        if (hit->winding != 0 || hit->on) {
            return true;
        }
    }
    return false;
}
