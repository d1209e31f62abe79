// SPDX-License-Identifier: MIT
#include "tools/voxelize/probe.h"

#include "tools/voxelize/face.h"
#include "tools/voxelize/solid_angle.h"

#include <math.h>

// The axis becomes x, by a rotation; the forward half of it becomes the backward one, by a reflection
// that turns all triangles inside out.
static void turn_point(const slv_probe *probe, const int64_t point[3], int64_t turned[3]) {
    for (int k = 0; k < 3; k++) {
        const int64_t value = point[(probe->axis + k) % 3];
        turned[k] = probe->forward ? -value : value;
    }
}

void slv_probe_begin(slv_probe *probe, const slv_snapped *surface, const slv_bvh *bvh,
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
    probe->surface = surface;
    probe->axis = axis;
    probe->forward = forward;
    probe->effort = 0;
    turn_point(probe, point, probe->point);
    slv_bvh_walk_begin(&probe->walk, bvh, lo, hi);
}

static bool lies_on(const slv_face *face, const int64_t point[3]) {
    slv_wide height = 0;
    for (int k = 0; k < 3; k++) {
        height += face->normal[k] * (point[k] - face->corners[0][k]);
    }
    slv_solid_angle turn = slv_solid_angle_zero();
    return height == 0 && slv_solid_angle_add_exact(&turn, 1, face->corners, point);
}

// The triangle's bounds keep clear of the ray: most do that the walk comes upon.
static bool passes_by(int64_t corners[3][3], const int64_t point[3]) {
    bool clear = corners[0][0] > point[0] && corners[1][0] > point[0] && corners[2][0] > point[0];
    for (int k = 1; k < 3; k++) {
        clear |= corners[0][k] > point[k] && corners[1][k] > point[k] && corners[2][k] > point[k];
        clear |= corners[0][k] < point[k] && corners[1][k] < point[k] && corners[2][k] < point[k];
    }
    return clear;
}

bool slv_probe_next(slv_probe *probe, slv_probe_hit *hit) {
    while (slv_bvh_walk_next(&probe->walk, &hit->triangle)) {
        int64_t corners[3][3];
        for (int corner = 0; corner < 3; corner++) {
            turn_point(probe, slv_snapped_corner(probe->surface, hit->triangle, corner),
                       corners[corner]);
        }
        probe->effort++;
        if (passes_by(corners, probe->point)) {
            continue;
        }
        slv_face face = {.fraction_bits = probe->surface->fraction_bits,
                         .corners = {corners[0], corners[1], corners[2]}};
        slv_snapped_normal(corners[0], corners[1], corners[2], face.normal);
        const int winding = slv_face_winding(&face, probe->point);
        hit->winding = probe->forward ? -winding : winding;
        hit->on = lies_on(&face, probe->point);
        if (hit->winding != 0 || hit->on) {
            return true;
        }
    }
    return false;
}
