// SPDX-License-Identifier: MIT
// The packet walk of distance.h, compiled once per instruction set: the including file defines
// SLV_DISTANCE_LAYERS, the name of its one function.
#include "tools/voxelize/distance.h"
#include "tools/voxelize/distance_lanes.h"
#include "tools/voxelize/lanes.h"

#include <math.h>

// Lane l is the sample (x + (l & 1), y + (l >> 1 & 1), z + (l >> 2)): the lower four lanes share
// their z, and so do the upper four.
typedef struct packet {
    slv_f8 x, y, z;
    slv_d4 column_x, column_y; // of either half
    double half_z[2];
    slv_d4 best[2];    // least squared distance so far
    slv_d4 nearest[2]; // the leaf that gave it; whole numbers
    slv_f8 limit;      // best, rounded up generously: a box beyond it cannot matter
} packet;

typedef struct waiting {
    slv_f8 bound;
    int32_t child;
} waiting;

// A little above any rounding in box_bound and facet_test.
static const float slack = 1.0f + 0x1p-18f;

static inline slv_f8 axis_gap(slv_f8 p, float min, float max) {
    const slv_f8 gap = slv_f8_max(slv_f8_all(min) - p, p - slv_f8_all(max));
    return slv_f8_max(gap, slv_f8_all(0.0f));
}

// Squared distance to a child's box.
static inline slv_f8 box_bound(const packet *p, const slv_bvh_node *node, int side) {
    const slv_f8 x = axis_gap(p->x, node->min[side][0], node->max[side][0]);
    const slv_f8 y = axis_gap(p->y, node->min[side][1], node->max[side][1]);
    const slv_f8 z = axis_gap(p->z, node->min[side][2], node->max[side][2]);
    return x * x + y * y + z * z;
}

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

static inline slv_f8 limit_of(const packet *p) {
    slv_f8 limit;
    for (int lane = 0; lane < 4; lane++) {
        limit[lane] = (float)p->best[0][lane];
        limit[lane + 4] = (float)p->best[1][lane];
    }
    // The addend covers what float32 cannot hold.
    return limit * slv_f8_all(slack) + slv_f8_all(0x1p-100f);
}

static inline void facet_test(packet *p, const slv_facet *facets, int32_t leaf) {
    const slv_facet *f = &facets[leaf];
    const slv_d4 dx = p->column_x - slv_d4_all(f->corner[0]);
    const slv_d4 dy = p->column_y - slv_d4_all(f->corner[1]);
    const slv_d4 id = slv_d4_all((double)leaf);
    const slv_d4 lower = facet_distance(f, dx, dy, p->half_z[0] - f->corner[2]);
    const slv_d4 upper = facet_distance(f, dx, dy, p->half_z[1] - f->corner[2]);
    const slv_l4 lower_better = lower < p->best[0];
    const slv_l4 upper_better = upper < p->best[1];
    if (slv_l4_bits(lower_better | upper_better) == 0) {
        return;
    }
    p->best[0] = slv_d4_min(lower, p->best[0]);
    p->best[1] = slv_d4_min(upper, p->best[1]);
    p->nearest[0] = slv_d4_select(lower_better, id, p->nearest[0]);
    p->nearest[1] = slv_d4_select(upper_better, id, p->nearest[1]);
    p->limit = limit_of(p);
}

// Walks the tree, nearer child first.
static void search(packet *p, const slv_distance *distance) {
    waiting stack[SLV_BVH_DEPTH];
    unsigned depth = 0;
    int32_t current = 0;
    for (;;) {
        if (current < 0) {
            facet_test(p, distance->facets, ~current);
        } else {
            const slv_bvh_node *node = &distance->bvh->nodes[current];
            const slv_f8 bound0 = box_bound(p, node, 0);
            const slv_f8 bound1 = box_bound(p, node, 1);
            const unsigned may0 = slv_i8_bits(bound0 <= p->limit);
            const unsigned may1 = slv_i8_bits(bound1 <= p->limit);
            if (may0 != 0 && may1 != 0) {
                const unsigned second_nearer = slv_i8_bits(bound1 < bound0);
                const int near = __builtin_popcount(second_nearer) > 4;
                stack[depth].bound = near ? bound0 : bound1;
                stack[depth++].child = node->child[1 - near];
                current = node->child[near];
                continue;
            }
            if (may0 != 0 || may1 != 0) {
                current = node->child[may0 == 0];
                continue;
            }
        }
        do {
            if (depth == 0) {
                return;
            }
            depth--;
        } while (slv_i8_bits(stack[depth].bound <= p->limit) == 0);
        current = stack[depth].child;
    }
}

static void place(packet *p, uint32_t x, uint32_t y, uint32_t z) {
    for (unsigned lane = 0; lane < 8; lane++) {
        p->x[lane] = (float)(x + (lane & 1));
        p->y[lane] = (float)(y + (lane >> 1 & 1));
        p->z[lane] = (float)(z + (lane >> 2));
    }
    for (unsigned lane = 0; lane < 4; lane++) {
        p->column_x[lane] = (double)(x + (lane & 1));
        p->column_y[lane] = (double)(y + (lane >> 1));
    }
    p->half_z[0] = (double)z;
    p->half_z[1] = (double)z + 1.0;
}

// Bounds from the leaves that were nearest to the packet before, wherever that was.
static void seed(packet *p, const slv_facet *facets) {
    int32_t leaves[8];
    for (int lane = 0; lane < 8; lane++) {
        leaves[lane] = (int32_t)p->nearest[lane >> 2][lane & 3];
    }
    p->best[0] = slv_d4_all(INFINITY);
    p->best[1] = slv_d4_all(INFINITY);
    for (int lane = 0; lane < 8; lane++) {
        bool seen = false;
        for (int earlier = 0; earlier < lane; earlier++) {
            seen |= leaves[earlier] == leaves[lane];
        }
        if (!seen) {
            facet_test(p, facets, leaves[lane]);
        }
    }
}

static void store(const packet *p, const slv_distance_query *q, uint32_t x, uint32_t y,
                  uint32_t layer) {
    for (uint32_t lane = 0; lane < 8; lane++) {
        const uint32_t i = x + (lane & 1);
        const uint32_t j = y + (lane >> 1 & 1);
        const uint32_t k = layer + (lane >> 2);
        if (i < q->cells[0] && j < q->cells[1] && k < q->layers) {
            const size_t at = i + (size_t)q->cells[0] * (j + (size_t)q->cells[1] * k);
            q->values[at] = (float)(sqrt(p->best[lane >> 2][lane & 3]) * q->unit);
        }
    }
}

void SLV_DISTANCE_LAYERS(const slv_distance_query *q) {
    const uint32_t packets_x = (q->cells[0] + 1) / 2;
    const uint32_t packets_y = (q->cells[1] + 1) / 2;
    packet p;
    p.nearest[0] = slv_d4_all(0.0);
    p.nearest[1] = slv_d4_all(0.0);
    for (uint32_t layer = 0; layer < q->layers; layer += 2) {
        for (uint32_t row = 0; row < packets_y; row++) {
            // Back and forth, so that the packet before is always a neighbour.
            const uint32_t y = 2 * ((layer / 2) % 2 == 0 ? row : packets_y - 1 - row);
            for (uint32_t step = 0; step < packets_x; step++) {
                const uint32_t x = 2 * (row % 2 == 0 ? step : packets_x - 1 - step);
                place(&p, x, y, q->first_layer + layer);
                seed(&p, q->distance->facets);
                search(&p, q->distance);
                store(&p, q, x, y, layer);
            }
        }
    }
}
