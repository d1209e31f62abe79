// SPDX-License-Identifier: MIT
// The bricks and packets of distance.h, compiled once per instruction set. The including file
// defines SLV_DISTANCE_LAYERS, the name of its one function. All lengths are in cells.
#include "tools/voxelize/distance_lanes.h"
#include "tools/voxelize/lanes.h"

#include <math.h>

// Samples along the edges of a brick: those that `path` in measure_brick visits.
enum { BRICK_X = 8, BRICK_Y = 4, BRICK_Z = 4 };

// Of a packet of 2 x 2 x 2 samples: sqrt(3) / 2, rounded up.
static const float half_diagonal = 0.87f;
static const float radius_rounding = 1.000001f; // eight roundings of a float above 1

static const uint32_t brick_edge[3] = {BRICK_X, BRICK_Y, BRICK_Z};

// --- triangles against a point, eight at a time --------------------------------------------------

// Distance and direction from the nearest point of each triangle of a leaf to a given point. The
// whole triangle lies behind the plane through its nearest point perpendicular to that direction.
typedef struct reach {
    slv_f8 distance;
    slv_f8 x, y, z; // unit length, or less where the distance is nearly zero
} reach;

// Vector from the nearest point of each triangle to a point, in the frame of the triangle.
typedef struct plane_offset {
    slv_f8 along, across, square; // square: squared length of both
} plane_offset;

typedef struct offset {
    slv_f8 along, across, height, square; // square: squared length of all three
} offset;

static inline plane_offset shorter(plane_offset a, plane_offset b) {
    const slv_i8 first = a.square < b.square;
    return (plane_offset){slv_f8_select(first, a.along, b.along),
                          slv_f8_select(first, a.across, b.across), slv_f8_min(a.square, b.square)};
}

// Vector from the nearest point of the segment between the origin and (to_x, to_y).
static inline plane_offset from_segment(slv_f8 x, slv_f8 y, slv_f8 to_x, slv_f8 to_y,
                                        slv_f8 inverse) {
    slv_f8 t = (x * to_x + y * to_y) * inverse;
    t = slv_f8_min(slv_f8_max(t, slv_f8_all(0.0f)), slv_f8_all(1.0f));
    const slv_f8 dx = x - t * to_x;
    const slv_f8 dy = y - t * to_y;
    return (plane_offset){dx, dy, dx * dx + dy * dy};
}

static inline slv_f8 axis_dot(const float axis[3][SLV_BVH_LEAF], const slv_f8 v[3]) {
    return slv_f8_load(axis[0]) * v[0] + slv_f8_load(axis[1]) * v[1] + slv_f8_load(axis[2]) * v[2];
}

static inline offset leaf_offset(const slv_facet_leaf *leaf, const float point[3]) {
    const slv_f8 zero = slv_f8_all(0.0f);
    const slv_f8 v[3] = {slv_f8_all(point[0]) - slv_f8_load(leaf->corner[0]),
                         slv_f8_all(point[1]) - slv_f8_load(leaf->corner[1]),
                         slv_f8_all(point[2]) - slv_f8_load(leaf->corner[2])};
    const slv_f8 x = axis_dot(leaf->along, v);
    const slv_f8 y = axis_dot(leaf->across, v);
    const slv_f8 height = axis_dot(leaf->normal, v);
    const slv_f8 b = slv_f8_load(leaf->b_along);
    const slv_f8 cx = slv_f8_load(leaf->c_along);
    const slv_f8 cy = slv_f8_load(leaf->c_across);
    const slv_f8 off = x - slv_f8_min(slv_f8_max(x, zero), b);
    plane_offset edge = {off, y, off * off + y * y};
    edge = shorter(edge, from_segment(x, y, cx, cy, slv_f8_load(leaf->ac_inverse)));
    edge = shorter(edge, from_segment(x - b, y, cx - b, cy, slv_f8_load(leaf->bc_inverse)));
    const slv_i8 inside = (y > zero) & (cy * x > cx * y) & ((cx - b) * y > cy * (x - b));
    return (offset){slv_f8_select(inside, zero, edge.along),
                    slv_f8_select(inside, zero, edge.across), height,
                    slv_f8_select(inside, zero, edge.square) + height * height};
}

static inline reach reach_of(const slv_facet_leaf *leaf, const offset *o) {
    reach r = {.distance = slv_f8_sqrt(o->square)};
    const slv_f8 inverse = slv_f8_all(1.0f) / slv_f8_max(r.distance, slv_f8_all(0x1p-40f));
    const slv_f8 local[3] = {o->along * inverse, o->across * inverse, o->height * inverse};
    slv_f8 *const world[3] = {&r.x, &r.y, &r.z};
    for (int axis = 0; axis < 3; axis++) {
        *world[axis] = slv_f8_load(leaf->along[axis]) * local[0] +
                       slv_f8_load(leaf->across[axis]) * local[1] +
                       slv_f8_load(leaf->normal[axis]) * local[2];
    }
    return r;
}

// --- bricks --------------------------------------------------------------------------------------

typedef struct brick {
    float center[3];
    float half[3]; // half extents, from first to last sample
    float radius;  // from the center to a corner
    float margin;  // upper bound of the float32 rounding error
    // A point of the surface: its distance is an upper bound for the samples of the brick.
    float nearest[3], direction[3], distance;
    uint32_t nearest_leaf;
    slv_f4 low, high, target; // first and last sample, nearest point; the fourth lane is unused
    float slack;
} brick;

static inline slv_f4 load3(const float *from) { // and one that follows, unused
    slv_f4 a;
    memcpy(&a, from, sizeof a);
    return a;
}

static inline float box_distance(const float point[3], const slv_bvh_node *node, int side) {
    float square = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        const float below = node->min[side][axis] - point[axis];
        const float above = point[axis] - node->max[side][axis];
        float gap = below > above ? below : above;
        gap = gap > 0.0f ? gap : 0.0f;
        square += gap * gap;
    }
    return square;
}

static void nearest_in_leaf(brick *b, const slv_facet_leaf *leaves, uint32_t leaf) {
    const offset o = leaf_offset(&leaves[leaf], b->center);
    if (slv_i8_bits(o.square < slv_f8_all(b->distance * b->distance)) == 0) {
        return;
    }
    const reach r = reach_of(&leaves[leaf], &o);
    for (int lane = 0; lane < SLV_BVH_LEAF; lane++) {
        if (r.distance[lane] < b->distance) {
            b->distance = r.distance[lane];
            b->direction[0] = r.x[lane];
            b->direction[1] = r.y[lane];
            b->direction[2] = r.z[lane];
            b->nearest_leaf = leaf;
        }
    }
}

// Finds the point of the surface nearest to the center of the brick, starting from the nearest leaf
// of the previous brick.
static void find_nearest(brick *b, const slv_distance *distance) {
    struct {
        float square;
        int32_t child;
    } stack[SLV_BVH_DEPTH + 1];
    unsigned depth = 1;
    stack[0].square = 0.0f;
    stack[0].child = 0;
    b->distance = INFINITY;
    nearest_in_leaf(b, distance->leaves, b->nearest_leaf);
    while (depth > 0) {
        depth--;
        if (!(stack[depth].square < b->distance * b->distance)) {
            continue;
        }
        if (stack[depth].child < 0) {
            nearest_in_leaf(b, distance->leaves, (uint32_t)~stack[depth].child);
            continue;
        }
        const slv_bvh_node *node = &distance->bvh->nodes[stack[depth].child];
        const float squares[2] = {box_distance(b->center, node, 0),
                                  box_distance(b->center, node, 1)};
        const int near = squares[1] < squares[0];
        stack[depth].square = squares[1 - near];
        stack[depth++].child = node->child[1 - near];
        stack[depth].square = squares[near];
        stack[depth++].child = node->child[near];
    }
    for (int axis = 0; axis < 3; axis++) {
        b->nearest[axis] = b->center[axis] - b->distance * b->direction[axis];
    }
}

// Squared distance to the box minus that to the nearest point, per axis, at coordinates p.
static inline slv_f4 box_excess(const brick *b, slv_f4 p, slv_f4 min, slv_f4 max) {
    const slv_f4 zero = {0.0f, 0.0f, 0.0f, 0.0f};
    const slv_f4 gap = slv_f4_max(slv_f4_max(min - p, p - max), zero);
    const slv_f4 to_target = p - b->target;
    return gap * gap - to_target * to_target;
}

// Whether some point of the brick may be nearer to the box than to the nearest point. The
// difference of the squared distances is a sum over the axes. Each term has its minimum at an end
// of the brick or of the box, because it is linear or concave between them.
static inline bool box_may_be_nearest(const brick *b, const slv_bvh_node *node, int side) {
    const slv_f4 min = load3(node->min[side]);
    const slv_f4 max = load3(node->max[side]);
    const slv_f4 min_within = slv_f4_min(slv_f4_max(min, b->low), b->high);
    const slv_f4 max_within = slv_f4_min(slv_f4_max(max, b->low), b->high);
    const slv_f4 at_brick =
        slv_f4_min(box_excess(b, b->low, min, max), box_excess(b, b->high, min, max));
    const slv_f4 at_box =
        slv_f4_min(box_excess(b, min_within, min, max), box_excess(b, max_within, min, max));
    const slv_f4 least = slv_f4_min(at_brick, at_box);
    return least[0] + least[1] + least[2] <= b->slack;
}

// Whether some triangle of the leaf may be nearest to some point p = center + o of the brick. The
// triangle lies behind a plane, so its distance is at least distance + direction * o. The distance
// of the nearest point is at most b->distance + b->direction * o + o * o / (2 b->distance), and at
// most b->distance + |o|.
static inline bool leaf_may_be_nearest(const brick *b, const slv_facet_leaf *leaf,
                                       slv_candidate_leaf *listed) {
    const offset o = leaf_offset(leaf, b->center);
    const float farthest = b->distance + 2.0f * b->radius + 4.0f * b->margin;
    if (slv_i8_bits(o.square <= slv_f8_all(farthest * farthest)) == 0) {
        return false;
    }
    const reach r = reach_of(leaf, &o);
    slv_f8_store(listed->distance, r.distance);
    slv_f8_store(listed->x, r.x);
    slv_f8_store(listed->y, r.y);
    slv_f8_store(listed->z, r.z);
    const slv_f8 sign = slv_f8_all(-0.0f);
    const slv_f8 x = r.x - slv_f8_all(b->direction[0]);
    const slv_f8 y = r.y - slv_f8_all(b->direction[1]);
    const slv_f8 z = r.z - slv_f8_all(b->direction[2]);
    const slv_f8 turn = (slv_f8)(~(slv_i8)sign & (slv_i8)x) * slv_f8_all(b->half[0]) +
                        (slv_f8)(~(slv_i8)sign & (slv_i8)y) * slv_f8_all(b->half[1]) +
                        (slv_f8)(~(slv_i8)sign & (slv_i8)z) * slv_f8_all(b->half[2]);
    const float bend = b->radius * b->radius / (2.0f * b->distance + 0x1p-40f);
    const slv_f8 gain = slv_f8_min(slv_f8_all(bend) + turn, slv_f8_all(2.0f * b->radius));
    return slv_i8_bits(r.distance <= slv_f8_all(b->distance + 4.0f * b->margin) + gain) != 0;
}

// Lists the leaves that may hold the nearest triangle of some sample of the brick.
static uint32_t list_leaves(const brick *b, const slv_distance *distance,
                            slv_candidate_leaf *candidates) {
    int32_t stack[SLV_BVH_DEPTH + 1];
    unsigned depth = 1;
    uint32_t count = 0;
    stack[0] = 0;
    while (depth > 0) {
        const int32_t top = stack[--depth];
        if (top < 0) {
            candidates[count].leaf = (uint32_t)~top;
            count += leaf_may_be_nearest(b, &distance->leaves[~top], &candidates[count]);
            continue;
        }
        const slv_bvh_node *node = &distance->bvh->nodes[top];
        for (int side = 0; side < 2; side++) {
            stack[depth] = node->child[side];
            depth += box_may_be_nearest(b, node, side);
        }
    }
    return count;
}

static uint32_t open_brick(brick *b, const slv_distance_query *q, const uint32_t first[3]) {
    float low[4] = {0.0f};
    float high[4] = {0.0f};
    float target[4] = {0.0f};
    b->radius = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        b->half[axis] = 0.5f * (float)(brick_edge[axis] - 1);
        b->radius += b->half[axis] * b->half[axis];
        low[axis] = (float)first[axis];
        high[axis] = (float)(first[axis] + brick_edge[axis] - 1);
        b->center[axis] = low[axis] + b->half[axis];
    }
    b->radius = sqrtf(b->radius) * radius_rounding;
    find_nearest(b, q->distance);
    memcpy(target, b->nearest, sizeof b->nearest);
    b->low = load3(low);
    b->high = load3(high);
    b->target = load3(target);
    const float farthest = b->distance + 2.0f * b->radius;
    b->slack = farthest * (4.0f * b->margin) + farthest * farthest * 0x1p-20f;
    return list_leaves(b, q->distance, q->candidates);
}

// --- packets -------------------------------------------------------------------------------------

// Lane l is the sample (x + (l & 1), y + (l >> 1 & 1), z + (l >> 2)): lanes 0 … 3 have one z, lanes
// 4 … 7 the next.
typedef struct packet {
    slv_d4 column_x, column_y; // the same for both halves
    double half_z[2];
    float center[3];
    slv_d4 best[2];    // smallest squared distance so far
    slv_d4 nearest[2]; // index of its facet, an integer stored as double
} packet;

static inline slv_d4 dot(slv_d4 x, slv_d4 y, double z, const double axis[3]) {
    return x * slv_d4_all(axis[0]) + y * slv_d4_all(axis[1]) + slv_d4_all(z * axis[2]);
}

// Squared distance in the plane from (x, y) to the segment from the origin to (to_x, to_y).
static inline slv_d4 segment(slv_d4 x, slv_d4 y, double to_x, double to_y, double inverse) {
    const slv_d4 ux = slv_d4_all(to_x);
    const slv_d4 uy = slv_d4_all(to_y);
    slv_d4 t = (x * ux + y * uy) * slv_d4_all(inverse);
    t = slv_d4_min(slv_d4_max(t, slv_d4_all(0.0)), slv_d4_all(1.0));
    const slv_d4 dx = x - t * ux;
    const slv_d4 dy = y - t * uy;
    return dx * dx + dy * dy;
}

// Squared distance from four samples, given relative to the facet's corner.
static inline slv_d4 facet_distance(const slv_facet *f, slv_d4 dx, slv_d4 dy, double dz) {
    const slv_d4 zero = slv_d4_all(0.0);
    const slv_d4 x = dot(dx, dy, dz, f->along);
    const slv_d4 y = dot(dx, dy, dz, f->across);
    const slv_d4 height = dot(dx, dy, dz, f->normal);
    const slv_d4 cx = slv_d4_all(f->c_along);
    const slv_d4 cy = slv_d4_all(f->c_across);
    const slv_d4 from_b = x - slv_d4_all(f->b_along);
    const slv_d4 off = x - slv_d4_min(slv_d4_max(x, zero), slv_d4_all(f->b_along));
    slv_d4 edge = off * off + y * y;
    edge = slv_d4_min(edge, segment(x, y, f->c_along, f->c_across, f->ac_inverse));
    edge = slv_d4_min(edge, segment(from_b, y, f->c_from_b, f->c_across, f->bc_inverse));
    const slv_l4 inside =
        (y > zero) & (cy * x > cx * y) & (slv_d4_all(f->c_from_b) * y > cy * from_b);
    return height * height + slv_d4_select(inside, zero, edge);
}

// Measures four samples, those of the lower or upper half. Returns whether any of them came nearer.
static inline bool facet_test(packet *p, const slv_facet *facets, uint32_t facet, int half) {
    const slv_facet *f = &facets[facet];
    const slv_d4 dx = p->column_x - slv_d4_all(f->corner[0]);
    const slv_d4 dy = p->column_y - slv_d4_all(f->corner[1]);
    const slv_d4 square = facet_distance(f, dx, dy, p->half_z[half] - f->corner[2]);
    const slv_l4 better = square < p->best[half];
    p->best[half] = slv_d4_min(square, p->best[half]);
    p->nearest[half] = slv_d4_select(better, slv_d4_all((double)facet), p->nearest[half]);
    return slv_l4_bits(better) != 0;
}

static void place(packet *p, const uint32_t at[3]) {
    const double x = at[0];
    const double y = at[1];
    p->column_x = (slv_d4){x, x + 1.0, x, x + 1.0};
    p->column_y = (slv_d4){y, y, y + 1.0, y + 1.0};
    p->half_z[0] = (double)at[2];
    p->half_z[1] = (double)at[2] + 1.0;
    for (int axis = 0; axis < 3; axis++) {
        p->center[axis] = (float)at[axis] + 0.5f;
    }
}

// First upper bounds from the nearest facets of the previous packet.
static void seed(packet *p, const slv_facet *facets) {
    uint32_t nearest[8];
    for (int lane = 0; lane < 8; lane++) {
        nearest[lane] = (uint32_t)p->nearest[lane >> 2][lane & 3];
    }
    p->best[0] = slv_d4_all(HUGE_VAL);
    p->best[1] = slv_d4_all(HUGE_VAL);
    for (int lane = 0; lane < 8; lane++) {
        bool seen = false;
        for (int earlier = 0; earlier < lane; earlier++) {
            seen |= nearest[earlier] == nearest[lane];
        }
        if (!seen) {
            (void)facet_test(p, facets, nearest[lane], 0);
            (void)facet_test(p, facets, nearest[lane], 1);
        }
    }
}

typedef struct packet_bounds {
    float lane[8]; // upper bound of the distance of each sample
    float square;  // triangles farther than its root from the center of the packet are culled
} packet_bounds;

static packet_bounds bounds_of(const packet *p, float margin) {
    packet_bounds bounds;
    float greatest = 0.0f;
    for (int lane = 0; lane < 8; lane++) {
        bounds.lane[lane] = (float)sqrt(p->best[lane >> 2][lane & 3]) + margin;
        greatest = bounds.lane[lane] > greatest ? bounds.lane[lane] : greatest;
    }
    const float farthest = greatest + half_diagonal;
    bounds.square = farthest * farthest;
    return bounds;
}

// One bit per triangle: it may be nearer to one of the four samples of the lower or upper half.
typedef struct halves {
    unsigned mask[2];
} halves;

// Triangles that may be nearer to some lane than its bound, given their distances to a point; the
// center of the packet is at the offset `from_there`. As in leaf_may_be_nearest, each triangle lies
// behind a plane.
static inline halves nearer_halves(const reach *r, const packet_bounds *bounds,
                                   const float from_there[3]) {
    const slv_f8 half = slv_f8_all(0.5f);
    const slv_f8 x = half * r->x;
    const slv_f8 y = half * r->y;
    const slv_f8 z = half * r->z;
    const slv_f8 offsets[4] = {z - y - x, z - y + x, z + y - x,
                               z + y + x}; // offsets of lanes 4 … 7
    slv_f8 lower = slv_f8_all(-INFINITY);
    slv_f8 upper = slv_f8_all(-INFINITY);
    for (int k = 0; k < 4; k++) {
        upper = slv_f8_max(upper, slv_f8_all(bounds->lane[4 + k]) - offsets[k]);
        lower = slv_f8_max(lower, slv_f8_all(bounds->lane[3 - k]) + offsets[k]);
    }
    const slv_f8 at_center = r->distance + r->x * slv_f8_all(from_there[0]) +
                             r->y * slv_f8_all(from_there[1]) + r->z * slv_f8_all(from_there[2]);
    return (halves){{slv_i8_bits(at_center <= lower), slv_i8_bits(at_center <= upper)}};
}

// Bounds from the distances stored with the brick: cheaper than from the leaf, and usually
// sufficient.
static inline halves listed_halves(const slv_candidate_leaf *listed, const packet_bounds *bounds,
                                   const float from_brick[3]) {
    const reach r = {slv_f8_load(listed->distance), slv_f8_load(listed->x), slv_f8_load(listed->y),
                     slv_f8_load(listed->z)};
    return nearer_halves(&r, bounds, from_brick);
}

static inline halves leaf_halves(const packet *p, const slv_facet_leaf *leaf,
                                 const packet_bounds *bounds) {
    static const float nowhere[3] = {0.0f, 0.0f, 0.0f};
    const offset o = leaf_offset(leaf, p->center);
    if (slv_i8_bits(o.square <= slv_f8_all(bounds->square)) == 0) {
        return (halves){{0, 0}};
    }
    const reach r = reach_of(leaf, &o);
    return nearer_halves(&r, bounds, nowhere);
}

static void search(packet *p, const slv_distance_query *q, const brick *b, uint32_t leaf_count) {
    const float margin = 2.0f * b->margin;
    const float from_brick[3] = {p->center[0] - b->center[0], p->center[1] - b->center[1],
                                 p->center[2] - b->center[2]};
    packet_bounds bounds = bounds_of(p, margin);
    for (uint32_t i = 0; i < leaf_count; i++) {
        const slv_facet_leaf *leaf = &q->distance->leaves[q->candidates[i].leaf];
        const halves listed = listed_halves(&q->candidates[i], &bounds, from_brick);
        if ((listed.mask[0] | listed.mask[1]) == 0) {
            continue;
        }
        const halves near = leaf_halves(p, leaf, &bounds);
        const unsigned lanes = (1u << leaf->count) - 1u;
        bool nearer = false;
        for (int half = 0; half < 2; half++) {
            unsigned mask = listed.mask[half] & near.mask[half] & lanes;
            for (; mask != 0; mask &= mask - 1) {
                nearer |= facet_test(p, q->distance->facets,
                                     leaf->first + (uint32_t)__builtin_ctz(mask), half);
            }
        }
        if (nearer) {
            bounds = bounds_of(p, margin);
        }
    }
}

static void store(const packet *p, const slv_distance_query *q, const uint32_t at[3]) {
    for (uint32_t lane = 0; lane < 8; lane++) {
        const uint32_t i = at[0] + (lane & 1);
        const uint32_t j = at[1] + (lane >> 1 & 1);
        const uint32_t k = at[2] + (lane >> 2) - q->first_layer;
        if (i < q->cells[0] && j < q->cells[1] && k < q->layers) {
            const size_t value = i + (size_t)q->cells[0] * (j + (size_t)q->cells[1] * k);
            q->values[value] = (float)(sqrt(p->best[lane >> 2][lane & 3]) * q->unit);
        }
    }
}

// --- the whole -----------------------------------------------------------------------------------

static void measure_brick(brick *b, packet *p, const slv_distance_query *q,
                          const uint32_t first[3]) {
    // Order of the packets: each one is adjacent to the previous one.
    static const uint8_t path[][3] = {
        {0, 0, 0}, {2, 0, 0}, {4, 0, 0}, {6, 0, 0}, {6, 2, 0}, {4, 2, 0}, {2, 2, 0}, {0, 2, 0},
        {0, 2, 2}, {2, 2, 2}, {4, 2, 2}, {6, 2, 2}, {6, 0, 2}, {4, 0, 2}, {2, 0, 2}, {0, 0, 2}};
    const uint32_t leaf_count = open_brick(b, q, first);
    for (size_t step = 0; step < sizeof path / sizeof *path; step++) {
        const uint32_t at[3] = {first[0] + path[step][0], first[1] + path[step][1],
                                first[2] + path[step][2]};
        if (at[0] >= q->cells[0] || at[1] >= q->cells[1] || at[2] >= q->first_layer + q->layers) {
            continue;
        }
        place(p, at);
        seed(p, q->distance->facets);
        search(p, q, b, leaf_count);
        store(p, q, at);
    }
}

// Rounding error of a dozen operations on numbers up to the extent of lattice and surface.
static float margin_of(const slv_distance_query *q) {
    const slv_bvh_node *root = &q->distance->bvh->nodes[0];
    float size = 1.0f;
    for (int axis = 0; axis < 3; axis++) {
        size = fmaxf(size, (float)q->cells[axis]);
        size = fmaxf(size, -fminf(root->min[0][axis], root->min[1][axis]));
        size = fmaxf(size, fmaxf(root->max[0][axis], root->max[1][axis]));
    }
    return size * 0x1p-18f;
}

void SLV_DISTANCE_LAYERS(const slv_distance_query *q) {
    const uint32_t bricks_x = (q->cells[0] + BRICK_X - 1) / BRICK_X;
    const uint32_t bricks_y = (q->cells[1] + BRICK_Y - 1) / BRICK_Y;
    brick b = {.margin = margin_of(q)};
    packet p;
    p.nearest[0] = slv_d4_all(0.0);
    p.nearest[1] = slv_d4_all(0.0);
    for (uint32_t layer = 0; layer < q->layers; layer += BRICK_Z) {
        for (uint32_t row = 0; row < bricks_y; row++) {
            // Boustrophedon order: the previous brick is always adjacent.
            const uint32_t y = (layer / BRICK_Z) % 2 == 0 ? row : bricks_y - 1 - row;
            for (uint32_t step = 0; step < bricks_x; step++) {
                const uint32_t x = row % 2 == 0 ? step : bricks_x - 1 - step;
                const uint32_t first[3] = {BRICK_X * x, BRICK_Y * y, q->first_layer + layer};
                measure_brick(&b, &p, q, first);
            }
        }
    }
}
