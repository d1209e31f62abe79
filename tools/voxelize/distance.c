// SPDX-License-Identifier: MIT
#include "tools/voxelize/distance.h"

#include "tools/common/parallel.h"
#include "tools/voxelize/distance_lanes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { LEAVES_PER_TASK = 512 };

typedef struct facet_work {
    const slv_snapped *snapped;
    const slv_distance *distance;
} facet_work;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// Normalizes v and returns its former length; zero stays zero.
static double normalize(double v[3]) {
    const double length = sqrt(dot(v, v));
    if (length > 0.0) {
        for (int axis = 0; axis < 3; axis++) {
            v[axis] /= length;
        }
    }
    return length;
}

// Some unit vector perpendicular to the unit vector v, or any unit vector where v is zero.
static void any_perpendicular(const double v[3], double out[3]) {
    int least = 0;
    for (int axis = 1; axis < 3; axis++) {
        least = fabs(v[axis]) < fabs(v[least]) ? axis : least;
    }
    double other[3] = {0.0, 0.0, 0.0};
    other[least] = 1.0;
    cross(v, other, out);
    if (!(normalize(out) > 0.0)) {
        out[1] = 1.0;
    }
}

// The start corner of the longest edge.
static int longest_edge(const int64_t *const corners[3]) {
    int best = 0;
    double best_length = -1.0;
    for (int c = 0; c < 3; c++) {
        double edge[3];
        for (int axis = 0; axis < 3; axis++) {
            edge[axis] = (double)(corners[(c + 1) % 3][axis] - corners[c][axis]);
        }
        if (dot(edge, edge) > best_length) {
            best_length = dot(edge, edge);
            best = c;
        }
    }
    return best;
}

static double inverse_square(double x, double y) {
    const double square = x * x + y * y;
    return square > 0.0 ? 1.0 / square : 0.0;
}

static slv_facet make_facet(const slv_snapped *snapped, uint32_t triangle) {
    const int64_t *corners[3];
    for (int c = 0; c < 3; c++) {
        corners[c] = slv_snapped_corner(snapped, triangle, c);
    }
    const int first = longest_edge(corners);
    const int64_t *a = corners[first];
    const int64_t *b = corners[(first + 1) % 3];
    const int64_t *c = corners[(first + 2) % 3];
    const double unit = ldexp(1.0, -(int)snapped->fraction_bits);
    slv_wide wide_normal[3];
    slv_snapped_normal(a, b, c, wide_normal);
    slv_facet f;
    double ac[3];
    for (int axis = 0; axis < 3; axis++) {
        f.corner[axis] = (double)a[axis] * unit;
        f.along[axis] = (double)(b[axis] - a[axis]) * unit;
        ac[axis] = (double)(c[axis] - a[axis]) * unit;
        f.normal[axis] = (double)wide_normal[axis] * unit * unit;
    }
    f.b_along = normalize(f.along);
    const double twice_area = normalize(f.normal);
    if (!(twice_area > 0.0)) {
        any_perpendicular(f.along, f.normal);
    }
    cross(f.normal, f.along, f.across);
    if (!(f.b_along > 0.0)) { // all corners coincide: any frame is valid
        f.along[0] = 1.0;
        any_perpendicular(f.along, f.across);
        cross(f.along, f.across, f.normal);
    }
    f.c_along = dot(ac, f.along);
    f.c_across = f.b_along > 0.0 ? twice_area / f.b_along : 0.0;
    f.c_from_b = f.c_along - f.b_along;
    f.ac_inverse = inverse_square(f.c_along, f.c_across);
    f.bc_inverse = inverse_square(f.c_from_b, f.c_across);
    return f;
}

static void fill_lane(slv_facet_leaf *leaf, unsigned lane, const slv_facet *f) {
    for (int axis = 0; axis < 3; axis++) {
        leaf->corner[axis][lane] = (float)f->corner[axis];
        leaf->along[axis][lane] = (float)f->along[axis];
        leaf->across[axis][lane] = (float)f->across[axis];
        leaf->normal[axis][lane] = (float)f->normal[axis];
    }
    leaf->b_along[lane] = (float)f->b_along;
    leaf->c_along[lane] = (float)f->c_along;
    leaf->c_across[lane] = (float)f->c_across;
    leaf->ac_inverse[lane] = (float)f->ac_inverse;
    leaf->bc_inverse[lane] = (float)f->bc_inverse;
}

static void make_leaf(const facet_work *work, uint32_t index) {
    const slv_bvh *bvh = work->distance->bvh;
    slv_facet_leaf *leaf = &work->distance->leaves[index];
    leaf->first = bvh->starts[index];
    leaf->count = bvh->starts[index + 1] - leaf->first;
    slv_facet *facets = work->distance->facets + leaf->first;
    for (unsigned lane = 0; lane < SLV_BVH_LEAF; lane++) {
        if (lane < leaf->count) {
            facets[lane] = make_facet(work->snapped, bvh->order[leaf->first + lane]);
        }
        fill_lane(leaf, lane, &facets[lane < leaf->count ? lane : 0]);
    }
}

static void make_leaves(void *context, size_t index, unsigned worker) {
    (void)worker;
    const facet_work *work = context;
    const uint32_t first = (uint32_t)index * LEAVES_PER_TASK;
    for (uint32_t i = 0; i < LEAVES_PER_TASK && first + i < work->distance->bvh->leaf_count; i++) {
        make_leaf(work, first + i);
    }
}

static bool has_avx2(void) {
#if defined(SLV_HAVE_AVX2_LANES)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

slv_result slv_distance_create(const slv_snapped *snapped, const slv_bvh *bvh, slv_lanes lanes,
                               unsigned threads, slv_distance *distance, slv_error *error) {
    *distance = (slv_distance){.bvh = bvh, .lanes = lanes};
    if (lanes == SLV_LANES_BEST) {
        distance->lanes = has_avx2() ? SLV_LANES_AVX2 : SLV_LANES_BASELINE;
    } else if (lanes == SLV_LANES_AVX2 && !has_avx2()) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED, "this processor has no AVX2");
    }
    distance->facets = malloc(bvh->triangle_count * sizeof *distance->facets);
    distance->leaves = malloc(bvh->leaf_count * sizeof *distance->leaves);
    if (distance->facets == NULL || distance->leaves == NULL) {
        slv_distance_free(distance);
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %u triangles",
                        bvh->triangle_count);
    }
    facet_work work = {snapped, distance};
    slv_parallel_for(threads, (bvh->leaf_count + LEAVES_PER_TASK - 1) / LEAVES_PER_TASK,
                     make_leaves, &work);
    return SLV_OK;
}

void slv_distance_free(slv_distance *distance) {
    free(distance->facets);
    free(distance->leaves);
    *distance = (slv_distance){0};
}

void slv_distance_layers(const slv_distance_query *query) {
#if defined(SLV_HAVE_AVX2_LANES)
    if (query->distance->lanes == SLV_LANES_AVX2) {
        slv_distance_layers_avx2(query);
        return;
    }
#endif
    slv_distance_layers_baseline(query);
}
