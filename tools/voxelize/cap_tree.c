// SPDX-License-Identifier: MIT
#include "tools/voxelize/cap_tree.h"

#include "tools/voxelize/solid_angle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double full_turn = 4.0 * 3.14159265358979323846;

static double length(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double distance_between(const double a[3], const double b[3]) {
    const double v[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return length(v);
}

// --- clusters ------------------------------------------------------------------------------------

static slv_cap_triangle make_triangle(const slv_snapped *caps, uint32_t triangle) {
    const double unit = ldexp(1.0, -(int)caps->fraction_bits);
    slv_cap_triangle made = {.radius = 0.0};
    for (int axis = 0; axis < 3; axis++) {
        for (int corner = 0; corner < 3; corner++) {
            made.corners[corner][axis] =
                (double)slv_snapped_corner(caps, triangle, corner)[axis] * unit;
            made.center[axis] += made.corners[corner][axis] / 3.0;
        }
    }
    for (int corner = 0; corner < 3; corner++) {
        made.radius = fmax(made.radius, distance_between(made.center, made.corners[corner]));
    }
    return made;
}

static slv_cap_cluster triangle_cluster(const slv_snapped *caps, uint32_t triangle,
                                        slv_cap_triangle *triangle_data) {
    const double unit = ldexp(1.0, -(int)caps->fraction_bits);
    slv_wide normal[3];
    slv_snapped_normal(slv_snapped_corner(caps, triangle, 0), slv_snapped_corner(caps, triangle, 1),
                       slv_snapped_corner(caps, triangle, 2), normal);
    slv_cap_cluster cluster = {.radius = 0.0};
    *triangle_data = make_triangle(caps, triangle);
    for (int axis = 0; axis < 3; axis++) {
        cluster.center[axis] = triangle_data->center[axis];
        cluster.dipole[axis] = 0.5 * (double)normal[axis] * unit * unit;
    }
    triangle_data->area = length(cluster.dipole);
    for (int axis = 0; axis < 3 && triangle_data->area > 0.0; axis++) {
        triangle_data->normal[axis] = cluster.dipole[axis] / triangle_data->area;
    }
    cluster.area = triangle_data->area;
    cluster.radius = triangle_data->radius;
    cluster.spread = cluster.area * cluster.radius * cluster.radius;
    return cluster;
}

static void set_center(slv_cap_cluster *whole, const slv_cap_cluster *parts, uint32_t count) {
    double total = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        whole->area += parts[i].area;
    }
    for (uint32_t i = 0; i < count; i++) {
        const double weight = whole->area > 0.0 ? parts[i].area : 1.0;
        total += weight;
        for (int axis = 0; axis < 3; axis++) {
            whole->center[axis] += weight * parts[i].center[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        whole->center[axis] /= total;
    }
}

static slv_cap_cluster join(const slv_cap_cluster *parts, uint32_t count) {
    slv_cap_cluster whole = {.radius = 0.0};
    set_center(&whole, parts, count);
    for (uint32_t i = 0; i < count; i++) {
        const slv_cap_cluster *part = &parts[i];
        const double apart = distance_between(whole.center, part->center);
        for (int a = 0; a < 3; a++) {
            whole.dipole[a] += part->dipole[a];
            for (int b = 0; b < 3; b++) {
                whole.quadrupole[a][b] +=
                    part->quadrupole[a][b] + part->dipole[a] * (part->center[b] - whole.center[b]);
            }
        }
        whole.spread += part->spread + part->area * apart * apart;
        whole.radius = fmax(whole.radius, part->radius + apart);
    }
    return whole;
}

static slv_cap_cluster leaf_cluster(const slv_cap_tree *tree, uint32_t leaf) {
    slv_cap_cluster parts[SLV_BVH_LEAF];
    uint32_t count = 0;
    for (uint32_t i = tree->bvh.starts[leaf]; i < tree->bvh.starts[leaf + 1]; i++) {
        parts[count++] = triangle_cluster(&tree->caps, tree->bvh.order[i], &tree->triangles[i]);
    }
    return join(parts, count);
}

static void make_clusters(slv_cap_tree *tree) {
    for (uint32_t n = tree->bvh.node_count; n-- > 0;) { // children come after their parents
        const slv_bvh_node *node = &tree->bvh.nodes[n];
        for (int side = 0; side < 2; side++) {
            if (node->count[side] == 0) {
                tree->clusters[n][side] = (slv_cap_cluster){.radius = 0.0};
            } else if (node->child[side] < 0) {
                tree->clusters[n][side] = leaf_cluster(tree, (uint32_t)~node->child[side]);
            } else {
                tree->clusters[n][side] = join(tree->clusters[node->child[side]], 2);
            }
        }
    }
}

slv_result slv_cap_tree_create(slv_snapped *caps, unsigned threads, slv_cap_tree *tree,
                               slv_error *error) {
    *tree = (slv_cap_tree){.caps = *caps};
    *caps = (slv_snapped){0};
    slv_result result = slv_bvh_create(&tree->caps, threads, &tree->bvh, error);
    if (result == SLV_OK) {
        tree->weights = malloc(tree->caps.triangle_count);
        tree->triangles = calloc(tree->caps.triangle_count, sizeof *tree->triangles);
        tree->clusters = calloc(tree->bvh.node_count, sizeof *tree->clusters);
        if (tree->weights != NULL && tree->triangles != NULL && tree->clusters != NULL) {
            memset(tree->weights, 1, tree->caps.triangle_count);
            make_clusters(tree);
            return SLV_OK;
        }
        result = slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %u caps",
                          tree->caps.triangle_count);
    }
    slv_cap_tree_free(tree);
    return result;
}

void slv_cap_tree_free(slv_cap_tree *tree) {
    slv_snapped_free(&tree->caps);
    slv_bvh_free(&tree->bvh);
    free(tree->weights);
    free(tree->triangles);
    free(tree->clusters);
    *tree = (slv_cap_tree){0};
}

// --- evaluation ----------------------------------------------------------------------------------

typedef struct evaluation {
    const slv_cap_tree *tree;
    double center[3];
    double radius;
    double opening;
    bool exact;
    int64_t point[3];     // the center in units; with exact only
    slv_solid_angle turn; // sum over triangles evaluated one by one
    slv_cap_winding winding;
} evaluation;

// Bound on the change of the contribution of `area` at distance `away` when the point moves by
// step: the gradient of r / |r|^3 is at most 2 / |r|^3.
static double displacement_error(double area, double step, double away) {
    return away > 0.0 ? area * step * 2.0 / (away * away * away * full_turn) : HUGE_VAL;
}

// Truncation error of the expansion: the second derivative is at most 6 / |r|^4, halved by the
// Taylor series.
static double remainder_of(const slv_cap_cluster *cluster, double away) {
    return 3.0 * cluster->spread / (away * away * away * away * full_turn);
}

// Dipole and quadrupole terms: contraction with r / |r|^3 and its gradient.
static void add_cluster(evaluation *v, const slv_cap_cluster *cluster, double away) {
    double r[3];
    for (int axis = 0; axis < 3; axis++) {
        r[axis] = cluster->center[axis] - v->center[axis];
    }
    const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    const double cube = square * sqrt(square);
    double facing = 0.0;
    double trace = 0.0;
    double along = 0.0;
    for (int a = 0; a < 3; a++) {
        facing += cluster->dipole[a] * r[a];
        trace += cluster->quadrupole[a][a];
        for (int b = 0; b < 3; b++) {
            along += r[a] * cluster->quadrupole[a][b] * r[b];
        }
    }
    v->winding.value += (facing + trace - 3.0 * along / square) / (cube * full_turn);
    v->winding.error +=
        remainder_of(cluster, away) + displacement_error(cluster->area, v->radius, away);
}

// Lower bound of the distance from a point to the triangle: to its bounding sphere and to its
// plane.
static double triangle_gap(const slv_cap_triangle *triangle_data, const double point[3]) {
    double height = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        height += triangle_data->normal[axis] * (point[axis] - triangle_data->center[axis]);
    }
    return fmax(distance_between(triangle_data->center, point) - triangle_data->radius,
                fabs(height));
}

// Lower bound of the distance to a branch: to its sphere and to its box.
static double branch_gap(const evaluation *v, int32_t index, int side) {
    const slv_bvh_node *node = &v->tree->bvh.nodes[index];
    const slv_cap_cluster *cluster = &v->tree->clusters[index][side];
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double below = (double)node->min[side][axis] - v->center[axis];
        const double above = v->center[axis] - (double)node->max[side][axis];
        const double gap = fmax(fmax(below, above), 0.0);
        square += gap * gap;
    }
    return fmax(distance_between(cluster->center, v->center) - cluster->radius, sqrt(square));
}

// Adds the triangle at an index of the BVH order.
static void add_triangle(evaluation *v, uint32_t index) {
    const slv_snapped *caps = &v->tree->caps;
    if (v->exact) {
        const uint32_t triangle = v->tree->bvh.order[index];
        const int64_t *const corners[3] = {slv_snapped_corner(caps, triangle, 0),
                                           slv_snapped_corner(caps, triangle, 1),
                                           slv_snapped_corner(caps, triangle, 2)};
        v->winding.on_cap |= slv_solid_angle_add_exact(&v->turn, 1, corners, v->point);
        return;
    }
    const slv_cap_triangle *triangle_data = &v->tree->triangles[index];
    double corners[3][3];
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            corners[corner][axis] = triangle_data->corners[corner][axis] - v->center[axis];
        }
    }
    const double away = triangle_gap(triangle_data, v->center) - v->radius;
    slv_solid_angle_add(&v->turn, corners[0], corners[1], corners[2]);
    v->winding.error += displacement_error(triangle_data->area, v->radius, away);
}

static slv_cap_winding evaluate(evaluation *v) {
    const slv_bvh *bvh = &v->tree->bvh;
    int32_t stack[SLV_BVH_DEPTH + 1] = {0};
    unsigned depth = 1;
    v->turn = slv_solid_angle_zero();
    v->winding = (slv_cap_winding){.value = 0.0};
    while (depth > 0 && v->winding.error < 1.0) {
        const int32_t top = stack[--depth];
        if (top < 0) {
            for (uint32_t i = bvh->starts[~top]; i < bvh->starts[~top + 1]; i++) {
                add_triangle(v, i);
            }
            continue;
        }
        for (int side = 0; side < 2; side++) {
            if (bvh->nodes[top].count[side] == 0) {
                continue;
            }
            const slv_cap_cluster *cluster = &v->tree->clusters[top][side];
            const double away = branch_gap(v, top, side) - v->radius;
            if (away > v->opening * (cluster->radius + v->radius)) {
                add_cluster(v, cluster, away);
            } else {
                stack[depth++] = bvh->nodes[top].child[side];
            }
        }
    }
    v->winding.value += slv_solid_angle_winding(&v->turn);
    return v->winding;
}

slv_cap_winding slv_cap_tree_winding(const slv_cap_tree *tree, const double center[3],
                                     double radius, double opening) {
    evaluation v = {.tree = tree, .radius = radius, .opening = opening};
    memcpy(v.center, center, sizeof v.center);
    return evaluate(&v);
}

slv_cap_winding slv_cap_tree_winding_at_sample(const slv_cap_tree *tree, const uint32_t sample[3],
                                               double opening) {
    evaluation v = {.tree = tree, .opening = opening, .exact = true};
    for (int axis = 0; axis < 3; axis++) {
        v.center[axis] = sample[axis];
        v.point[axis] = (int64_t)sample[axis] << tree->caps.fraction_bits;
    }
    return evaluate(&v);
}
