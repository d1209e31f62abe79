// SPDX-License-Identifier: MIT
#include "tools/voxelize/bvh.h"

#include "tools/common/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BIN_COUNT = 16,
    SMALL_RANGE = 6 * SLV_BVH_LEAF,
    BALANCED_DEPTH = 44, // deeper ranges are halved by count, which bounds the depth by 44 + 32
    SUBTREE_TRIANGLES = 4096, // smaller subtrees are one task
    ITEMS_PER_TASK = 4096
};

typedef struct box {
    float min[3], max[3];
} box;

static const box empty_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void box_add(box *into, const box *other) {
    for (int axis = 0; axis < 3; axis++) {
        into->min[axis] = other->min[axis] < into->min[axis] ? other->min[axis] : into->min[axis];
        into->max[axis] = other->max[axis] > into->max[axis] ? other->max[axis] : into->max[axis];
    }
}

static double box_half_area(const box *b) {
    const double x = (double)b->max[0] - (double)b->min[0];
    const double y = (double)b->max[1] - (double)b->min[1];
    const double z = (double)b->max[2] - (double)b->min[2];
    return x * y + y * z + z * x;
}

typedef struct subtree { // items first … first + count - 1 below node
    uint32_t first, count, node, depth;
} subtree;

typedef struct item { // a triangle on its way to its leaf
    box bounds;
    uint32_t triangle;
} item;

typedef struct builder {
    const slv_snapped *snapped;
    item *items;
    slv_bvh_node *nodes; // one per triangle; unused ones have count 0
    subtree *tasks;      // subtrees to be built in parallel
    uint32_t task_count;
} builder;

static float center(const item *i, int axis) {
    return 0.5f * (i->bounds.min[axis] + i->bounds.max[axis]);
}

typedef struct bins {
    int axis;
    float origin, scale; // bin = (center - origin) * scale
    box bounds[BIN_COUNT];
    uint32_t counts[BIN_COUNT];
} bins;

static int bin_of(const bins *b, const item *i) {
    const int bin = (int)((center(i, b->axis) - b->origin) * b->scale);
    return bin < 0 ? 0 : (bin >= BIN_COUNT ? BIN_COUNT - 1 : bin);
}

// Sorts a range into bins along the axis of the largest extent of the centers. False where all
// centers coincide.
static bool fill_bins(bins *b, const item *items, uint32_t count) {
    box spread = empty_box;
    for (uint32_t i = 0; i < count; i++) {
        const box point = {{center(&items[i], 0), center(&items[i], 1), center(&items[i], 2)},
                           {center(&items[i], 0), center(&items[i], 1), center(&items[i], 2)}};
        box_add(&spread, &point);
    }
    b->axis = 0;
    for (int axis = 1; axis < 3; axis++) {
        if (spread.max[axis] - spread.min[axis] > spread.max[b->axis] - spread.min[b->axis]) {
            b->axis = axis;
        }
    }
    const float width = spread.max[b->axis] - spread.min[b->axis];
    if (!(width > 0.0f)) {
        return false;
    }
    b->origin = spread.min[b->axis];
    b->scale = (float)BIN_COUNT / width;
    for (int k = 0; k < BIN_COUNT; k++) {
        b->bounds[k] = empty_box;
        b->counts[k] = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        const int k = bin_of(b, &items[i]);
        box_add(&b->bounds[k], &items[i].bounds);
        b->counts[k]++;
    }
    return true;
}

// The split with the least cost by the surface area heuristic: the last bin of the left half, or
// -1.
static int best_split(const bins *b) {
    double right_cost[BIN_COUNT];
    box bounds = empty_box;
    uint32_t count = 0;
    for (int k = BIN_COUNT - 1; k > 0; k--) {
        box_add(&bounds, &b->bounds[k]);
        count += b->counts[k];
        right_cost[k] = count > 0 ? (double)count * box_half_area(&bounds) : HUGE_VAL;
    }
    bounds = empty_box;
    count = 0;
    int best = -1;
    double best_cost = HUGE_VAL;
    for (int k = 0; k + 1 < BIN_COUNT; k++) {
        box_add(&bounds, &b->bounds[k]);
        count += b->counts[k];
        const double cost =
            count > 0 ? (double)count * box_half_area(&bounds) + right_cost[k + 1] : HUGE_VAL;
        if (cost < best_cost) {
            best_cost = cost;
            best = k;
        }
    }
    return best;
}

static void sort_along(item *items, uint32_t count, int axis) {
    for (uint32_t i = 1; i < count; i++) {
        const item moved = items[i];
        uint32_t at = i;
        for (; at > 0 && center(&items[at - 1], axis) > center(&moved, axis); at--) {
            items[at] = items[at - 1];
        }
        items[at] = moved;
    }
}

// Partitions a range; returns the size of the left half. Small ranges are cut at multiples of the
// leaf size, so that leaves are full.
static uint32_t split(item *items, uint32_t count, uint32_t depth) {
    bins b;
    if (depth >= BALANCED_DEPTH || !fill_bins(&b, items, count)) {
        return count / 2;
    }
    if (count <= SMALL_RANGE) {
        sort_along(items, count, b.axis);
        return (count + 2 * SLV_BVH_LEAF - 1) / (2 * SLV_BVH_LEAF) * SLV_BVH_LEAF;
    }
    const int last = best_split(&b);
    if (last < 0) {
        return count / 2;
    }
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (bin_of(&b, &items[i]) <= last) {
            const item moved = items[i];
            items[i] = items[left];
            items[left++] = moved;
        }
    }
    return left;
}

static void set_child(slv_bvh_node *node, int side, const item *items, subtree child) {
    box bounds = empty_box;
    for (uint32_t i = 0; i < child.count; i++) {
        box_add(&bounds, &items[child.first + i].bounds);
    }
    memcpy(node->min[side], bounds.min, sizeof bounds.min);
    memcpy(node->max[side], bounds.max, sizeof bounds.max);
    node->child[side] = child.count > SLV_BVH_LEAF ? (int32_t)child.node : ~(int32_t)child.first;
    node->count[side] = child.count;
}

static void build(builder *b, subtree range, uint32_t leave_below);

static void build_child(builder *b, subtree child, uint32_t leave_below) {
    if (child.count <= SLV_BVH_LEAF) {
        return;
    }
    if (child.count < leave_below) {
        b->tasks[b->task_count++] = child;
    } else {
        build(b, child, leave_below);
    }
}

// Subtrees of fewer than leave_below triangles become tasks. A subtree of n triangles has fewer
// than n nodes and gets n - 1 slots, so every subtree has a fixed place. Leaves are identified by
// their first item until compact() numbers them.
static void build(builder *b, subtree range, uint32_t leave_below) {
    const uint32_t left = split(b->items + range.first, range.count, range.depth);
    const uint32_t right = range.count - left;
    slv_bvh_node *node = &b->nodes[range.node];
    const subtree lower = {range.first, left, range.node + 1, range.depth + 1};
    const subtree upper = {range.first + left, right, range.node + left, range.depth + 1};
    set_child(node, 0, b->items, lower);
    set_child(node, 1, b->items, upper);
    build_child(b, lower, leave_below);
    build_child(b, upper, leave_below);
}

static void build_task(void *context, size_t index, unsigned worker) {
    (void)worker;
    builder *b = context;
    build(b, b->tasks[index], 0);
}

static float below(double value) {
    const float rounded = (float)value;
    return (double)rounded > value ? nextafterf(rounded, -INFINITY) : rounded;
}

static float above(double value) {
    const float rounded = (float)value;
    return (double)rounded < value ? nextafterf(rounded, INFINITY) : rounded;
}

static item make_item(const slv_snapped *snapped, uint32_t triangle) {
    item made = {.bounds = empty_box, .triangle = triangle};
    const double unit = ldexp(1.0, -(int)snapped->fraction_bits);
    for (int corner = 0; corner < 3; corner++) {
        const int64_t *point = slv_snapped_corner(snapped, triangle, corner);
        for (int axis = 0; axis < 3; axis++) {
            const double cells = (double)point[axis] * unit;
            made.bounds.min[axis] = fminf(made.bounds.min[axis], below(cells));
            made.bounds.max[axis] = fmaxf(made.bounds.max[axis], above(cells));
        }
    }
    return made;
}

static void make_items(void *context, size_t index, unsigned worker) {
    (void)worker;
    const builder *b = context;
    const uint32_t first = (uint32_t)index * ITEMS_PER_TASK;
    const uint32_t left = b->snapped->triangle_count - first;
    for (uint32_t i = 0; i < (left < ITEMS_PER_TASK ? left : ITEMS_PER_TASK); i++) {
        b->items[first + i] = make_item(b->snapped, first + i);
    }
}

static void build_all(builder *b, uint32_t count, unsigned threads) {
    if (count <= SLV_BVH_LEAF) { // a root with one child
        const subtree all = {0, count, 0, 0};
        const subtree none = {0, 0, 0, 0};
        set_child(&b->nodes[0], 0, b->items, all);
        set_child(&b->nodes[0], 1, b->items, none);
        return;
    }
    build_child(b, (subtree){0, count, 0, 0}, SUBTREE_TRIANGLES);
    slv_parallel_for(threads, b->task_count, build_task, b);
}

// Exclusive prefix sum: used[i] is 0 or 1 before, and the number of ones before i after. Returns
// the total.
static uint32_t number_used(uint32_t *used, uint32_t count) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t is_used = used[i];
        used[i] = next;
        next += is_used;
    }
    return next;
}

// Removes unused nodes and numbers the leaves. node_numbers and leaf_numbers are zero, one per
// triangle.
static slv_result compact(const builder *b, uint32_t count, uint32_t *node_numbers,
                          uint32_t *leaf_numbers, slv_bvh *bvh) {
    for (uint32_t i = 0; i < count; i++) {
        node_numbers[i] = b->nodes[i].count[0] > 0;
        for (int side = 0; side < 2; side++) {
            if (b->nodes[i].count[side] > 0 && b->nodes[i].child[side] < 0) {
                leaf_numbers[~b->nodes[i].child[side]] = 1;
            }
        }
    }
    bvh->node_count = number_used(node_numbers, count);
    bvh->leaf_count = number_used(leaf_numbers, count);
    bvh->nodes = aligned_alloc(64, bvh->node_count * sizeof *bvh->nodes);
    bvh->starts = malloc(((size_t)bvh->leaf_count + 1) * sizeof *bvh->starts);
    bvh->order = malloc(count * sizeof *bvh->order);
    if (bvh->nodes == NULL || bvh->starts == NULL || bvh->order == NULL) {
        return SLV_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        bvh->order[i] = b->items[i].triangle;
        if (b->nodes[i].count[0] == 0) {
            continue;
        }
        slv_bvh_node *node = &bvh->nodes[node_numbers[i]];
        *node = b->nodes[i];
        for (int side = 0; side < 2; side++) {
            const int32_t child = node->child[side];
            if (child >= 0) {
                node->child[side] = (int32_t)node_numbers[child];
            } else {
                node->child[side] = ~(int32_t)leaf_numbers[~child];
                bvh->starts[leaf_numbers[~child]] = (uint32_t)~child;
            }
        }
    }
    bvh->starts[bvh->leaf_count] = count;
    return SLV_OK;
}

slv_result slv_bvh_create(const slv_snapped *snapped, unsigned threads, slv_bvh *bvh,
                          slv_error *error) {
    const uint32_t count = snapped->triangle_count;
    *bvh = (slv_bvh){.triangle_count = count};
    builder b = {.snapped = snapped,
                 .items = malloc(count * sizeof *b.items),
                 .nodes = calloc(count, sizeof *b.nodes),
                 .tasks = malloc(count * sizeof *b.tasks)};
    uint32_t *node_numbers = calloc(count, sizeof *node_numbers);
    uint32_t *leaf_numbers = calloc(count, sizeof *leaf_numbers);
    slv_result result = SLV_ERROR_MEMORY;
    if (b.items != NULL && b.nodes != NULL && b.tasks != NULL && node_numbers != NULL &&
        leaf_numbers != NULL) {
        slv_parallel_for(threads, (count + ITEMS_PER_TASK - 1) / ITEMS_PER_TASK, make_items, &b);
        build_all(&b, count, threads);
        result = compact(&b, count, node_numbers, leaf_numbers, bvh);
    }
    free(b.items);
    free(b.nodes);
    free(b.tasks);
    free(node_numbers);
    free(leaf_numbers);
    if (result != SLV_OK) {
        slv_bvh_free(bvh);
        return slv_fail(error, result, "out of memory for the tree of %u triangles", count);
    }
    return SLV_OK;
}

void slv_bvh_free(slv_bvh *bvh) {
    free(bvh->order);
    free(bvh->starts);
    free(bvh->nodes);
    *bvh = (slv_bvh){0};
}

void slv_bvh_query_begin(slv_bvh_query *query, const slv_bvh *bvh, const float lo[3],
                         const float hi[3]) {
    query->bvh = bvh;
    memcpy(query->lo, lo, sizeof query->lo);
    memcpy(query->hi, hi, sizeof query->hi);
    query->stack[0] = 0;
    query->depth = bvh->node_count > 0 ? 1 : 0;
    query->next = 0;
    query->end = 0;
}

static bool overlaps(const slv_bvh_query *query, const slv_bvh_node *node, int side) {
    for (int axis = 0; axis < 3; axis++) {
        if (node->min[side][axis] > query->hi[axis] || node->max[side][axis] < query->lo[axis]) {
            return false;
        }
    }
    return true;
}

bool slv_bvh_query_next(slv_bvh_query *query, uint32_t *triangle) {
    const slv_bvh *bvh = query->bvh;
    while (query->next == query->end && query->depth > 0) {
        const int32_t top = query->stack[--query->depth];
        if (top < 0) {
            query->next = bvh->starts[~top];
            query->end = bvh->starts[~top + 1];
            continue;
        }
        const slv_bvh_node *node = &bvh->nodes[top];
        for (int side = 1; side >= 0; side--) {
            if (overlaps(query, node, side)) {
                query->stack[query->depth++] = node->child[side];
            }
        }
    }
    if (query->next == query->end) {
        return false;
    }
    *triangle = bvh->order[query->next++];
    return true;
}
