// SPDX-License-Identifier: MIT
#include "bench/crossings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- Exact predicates -------------------------------------------------------------------------------

__extension__ typedef __int128 wide_integer;

static int sign_of(wide_integer value) {
    return value > 0 ? 1 : value < 0 ? -1 : 0;
}

// Determinants are found in double first. Differences are exact there, and the error of the rest is below
// 8e-16 of the sum of the absolute products (Shewchuk 1997).
static const double error_bound = 8e-16;

int slv_exact_side(const int64_t a[3], const int64_t b[3], const int64_t c[3], const int64_t d[3]) {
    int64_t m[3][3];
    for (int i = 0; i < 3; i++) {
        m[0][i] = b[i] - a[i];
        m[1][i] = c[i] - a[i];
        m[2][i] = d[i] - a[i];
    }
    double sum = 0.0;
    double size = 0.0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        const int k = (i + 2) % 3;
        const double first = (double)m[1][j] * (double)m[2][k];
        const double second = (double)m[1][k] * (double)m[2][j];
        sum += (double)m[0][i] * (first - second);
        size += fabs((double)m[0][i]) * (fabs(first) + fabs(second));
    }
    if (fabs(sum) > error_bound * size) {
        return sum > 0.0 ? 1 : -1;
    }
    wide_integer exact = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        const int k = (i + 2) % 3;
        exact += m[0][i] * ((wide_integer)m[1][j] * m[2][k] - (wide_integer)m[1][k] * m[2][j]);
    }
    return sign_of(exact);
}

bool slv_segment_crosses(const int64_t p[3], const int64_t q[3], const int64_t a[3],
                         const int64_t b[3], const int64_t c[3]) {
    const int before = slv_exact_side(a, b, c, p);
    if (before == 0 || slv_exact_side(a, b, c, q) != -before) {
        return false;
    }
    const int sides[3] = {slv_exact_side(p, q, a, b), slv_exact_side(p, q, b, c),
                          slv_exact_side(p, q, c, a)};
    bool left = true;
    bool right = true;
    for (int i = 0; i < 3; i++) {
        left = left && sides[i] >= 0;
        right = right && sides[i] <= 0;
    }
    return left || right;
}

// --- All triangles together -------------------------------------------------------------------------

enum { LEAF = 4 }; // triangles of a leaf at most

static const double unit = 67108864.0; // 2^26 a metre
static const double range = 32.0;      // metres

typedef struct soup_triangle {
    float low[3], high[3];
    uint32_t mesh, number;
    uint32_t corner[3]; // of all vertices; equal positions have equal numbers
} soup_triangle;

typedef struct soup_node {
    float low[3], high[3];
    uint32_t first, count; // triangles
    uint32_t right;        // the left child follows its parent; 0: a leaf
} soup_node;

typedef struct soup {
    int64_t (*vertices)[3];
    soup_triangle *triangles;
    soup_node *nodes;
    uint32_t vertex_count, triangle_count, node_count;
    const slv_crossing_mesh *meshes;
    slv_crossing_found *found;
    void *context;
} soup;

static bool take(soup *all, const slv_crossing_mesh *meshes, uint32_t count) {
    for (uint32_t m = 0; m < count; m++) {
        all->vertex_count += meshes[m].vertex_count;
        all->triangle_count += meshes[m].triangle_count;
    }
    all->vertices = malloc((all->vertex_count + 1) * sizeof *all->vertices);
    all->triangles = malloc((all->triangle_count + 1) * sizeof *all->triangles);
    all->nodes = malloc((2 * (size_t)all->triangle_count + 1) * sizeof *all->nodes);
    all->meshes = meshes;
    return all->vertices && all->triangles && all->nodes;
}

static bool round_vertices(soup *all, const slv_crossing_mesh *meshes, uint32_t count) {
    const float *origin = NULL;
    uint32_t at = 0;
    for (uint32_t m = 0; m < count; m++) {
        for (size_t v = 0; v < meshes[m].vertex_count; v++, at++) {
            const float *position = meshes[m].positions + 3 * v;
            origin = origin ? origin : position;
            for (int d = 0; d < 3; d++) {
                const double away = (double)position[d] - (double)origin[d];
                if (!(fabs(away) < range)) {
                    return false;
                }
                all->vertices[at][d] = llrint(away * unit);
            }
        }
    }
    return true;
}

static const int64_t (*sorted_vertices)[3]; // qsort has no context

static int compare_vertices(const void *one, const void *other) {
    const uint32_t a = *(const uint32_t *)one;
    const uint32_t b = *(const uint32_t *)other;
    for (int d = 0; d < 3; d++) {
        if (sorted_vertices[a][d] != sorted_vertices[b][d]) {
            return sorted_vertices[a][d] < sorted_vertices[b][d] ? -1 : 1;
        }
    }
    return a < b ? -1 : 1;
}

// The first vertex of each mesh at the position of a vertex: [vertex_count]. NULL without memory.
static uint32_t *weld(const soup *all, const slv_crossing_mesh *meshes, uint32_t count) {
    uint32_t *order = malloc((all->vertex_count + 1) * sizeof *order);
    uint32_t *first = malloc((all->vertex_count + 1) * sizeof *first);
    uint32_t at = 0;
    sorted_vertices = (const int64_t(*)[3])all->vertices;
    for (uint32_t m = 0; order && first && m < count; m++) {
        const uint32_t n = meshes[m].vertex_count;
        for (uint32_t v = 0; v < n; v++) {
            order[v] = at + v;
        }
        qsort(order, n, sizeof *order, compare_vertices);
        for (uint32_t v = 0; v < n; v++) {
            const bool same = v > 0 && memcmp(all->vertices[order[v]], all->vertices[order[v - 1]],
                                              sizeof *all->vertices) == 0;
            first[order[v]] = same ? first[order[v - 1]] : order[v];
        }
        at += n;
    }
    free(order);
    if (!order) {
        free(first);
        first = NULL;
    }
    return first;
}

static void bound_triangle(const soup *all, soup_triangle *triangle) {
    for (int d = 0; d < 3; d++) {
        int64_t low = all->vertices[triangle->corner[0]][d];
        int64_t high = low;
        for (int n = 1; n < 3; n++) {
            const int64_t x = all->vertices[triangle->corner[n]][d];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        // Wider by more than what conversion to float rounds.
        triangle->low[d] = (float)low - 256.0f;
        triangle->high[d] = (float)high + 256.0f;
    }
}

static bool fill(soup *all, const slv_crossing_mesh *meshes, uint32_t count) {
    uint32_t *first = weld(all, meshes, count);
    uint32_t at = 0;
    uint32_t base = 0;
    for (uint32_t m = 0; first && m < count; m++) {
        for (uint32_t t = 0; t < meshes[m].triangle_count; t++, at++) {
            soup_triangle *triangle = &all->triangles[at];
            triangle->mesh = m;
            triangle->number = t;
            for (uint32_t n = 0; n < 3; n++) {
                triangle->corner[n] = first[base + meshes[m].triangles[3 * (size_t)t + n]];
            }
            bound_triangle(all, triangle);
        }
        base += meshes[m].vertex_count;
    }
    free(first);
    return first != NULL;
}

// --- Tree -------------------------------------------------------------------------------------------

static void bound_node(const soup *all, soup_node *node) {
    for (int d = 0; d < 3; d++) {
        node->low[d] = INFINITY;
        node->high[d] = -INFINITY;
    }
    for (uint32_t n = node->first; n < node->first + node->count; n++) {
        for (int d = 0; d < 3; d++) {
            node->low[d] = fminf(node->low[d], all->triangles[n].low[d]);
            node->high[d] = fmaxf(node->high[d], all->triangles[n].high[d]);
        }
    }
}

static float middle_of(const soup_triangle *triangle, int axis) {
    return triangle->low[axis] + triangle->high[axis];
}

// Brings triangles below the middle of the longest axis to the front and returns how many they are.
static uint32_t split(const soup *all, const soup_node *node) {
    int axis = 0;
    for (int d = 1; d < 3; d++) {
        axis = node->high[d] - node->low[d] > node->high[axis] - node->low[axis] ? d : axis;
    }
    const float middle = node->low[axis] + node->high[axis];
    uint32_t left = node->first;
    for (uint32_t n = node->first; n < node->first + node->count; n++) {
        if (middle_of(&all->triangles[n], axis) < middle) {
            const soup_triangle kept = all->triangles[left];
            all->triangles[left++] = all->triangles[n];
            all->triangles[n] = kept;
        }
    }
    const uint32_t count = left - node->first;
    return count == 0 || count == node->count ? node->count / 2 : count;
}

// NOLINTNEXTLINE(misc-no-recursion): a tree
static uint32_t build(soup *all, uint32_t first, uint32_t count) {
    const uint32_t number = all->node_count++;
    soup_node *node = &all->nodes[number];
    *node = (soup_node){.first = first, .count = count};
    bound_node(all, node);
    if (count > LEAF) {
        const uint32_t left = split(all, node);
        (void)build(all, first, left);
        node->right = build(all, first + left, count - left);
    }
    return number;
}

// --- Pairs ------------------------------------------------------------------------------------------

static bool boxes_overlap(const float *low, const float *high, const float *other_low,
                          const float *other_high) {
    bool overlap = true;
    for (int d = 0; d < 3; d++) {
        overlap = overlap && low[d] <= other_high[d] && other_low[d] <= high[d];
    }
    return overlap;
}

// Whether an edge of `one` goes through `other`; edges with a corner of `other` cannot.
static bool edge_crosses(const soup *all, const soup_triangle *one, const soup_triangle *other) {
    const uint32_t *corner = other->corner;
    for (int n = 0; n < 3; n++) {
        const uint32_t p = one->corner[n];
        const uint32_t q = one->corner[(n + 1) % 3];
        bool shared = false;
        for (int i = 0; i < 3; i++) {
            shared = shared || corner[i] == p || corner[i] == q;
        }
        if (!shared &&
            slv_segment_crosses(all->vertices[p], all->vertices[q], all->vertices[corner[0]],
                                all->vertices[corner[1]], all->vertices[corner[2]])) {
            return true;
        }
    }
    return false;
}

static void test_pair(const soup *all, const soup_triangle *one, const soup_triangle *other) {
    if ((all->meshes[one->mesh].quiet && all->meshes[other->mesh].quiet) ||
        !boxes_overlap(one->low, one->high, other->low, other->high)) {
        return;
    }
    if (edge_crosses(all, one, other) || edge_crosses(all, other, one)) {
        const bool turned = one->mesh > other->mesh;
        const soup_triangle *first = turned ? other : one;
        const soup_triangle *second = turned ? one : other;
        const slv_crossing crossing = {{first->mesh, second->mesh},
                                       {first->number, second->number}};
        all->found(all->context, &crossing);
    }
}

static void test_leaves(const soup *all, const soup_node *a, const soup_node *b) {
    for (uint32_t i = a->first; i < a->first + a->count; i++) {
        for (uint32_t j = a == b ? i + 1 : b->first; j < b->first + b->count; j++) {
            test_pair(all, &all->triangles[i], &all->triangles[j]);
        }
    }
}

// NOLINTNEXTLINE(misc-no-recursion): a tree
static void test_nodes(const soup *all, uint32_t one, uint32_t other) {
    const soup_node *a = &all->nodes[one];
    const soup_node *b = &all->nodes[other];
    if (one != other && !boxes_overlap(a->low, a->high, b->low, b->high)) {
        return;
    }
    if (a->right == 0 && b->right == 0) {
        test_leaves(all, a, b);
    } else if (one == other) {
        test_nodes(all, one + 1, one + 1);
        test_nodes(all, one + 1, a->right);
        test_nodes(all, a->right, a->right);
    } else if (b->right == 0 || (a->right != 0 && a->count >= b->count)) {
        test_nodes(all, one + 1, other);
        test_nodes(all, a->right, other);
    } else {
        test_nodes(all, one, other + 1);
        test_nodes(all, one, b->right);
    }
}

bool slv_find_crossings(const slv_crossing_mesh *meshes, uint32_t count, slv_crossing_found *found,
                        void *context) {
    soup all = {.found = found, .context = context};
    bool done = take(&all, meshes, count) && round_vertices(&all, meshes, count) &&
                fill(&all, meshes, count);
    if (done && all.triangle_count > 0) {
        (void)build(&all, 0, all.triangle_count);
        test_nodes(&all, 0, 0);
    }
    free(all.vertices);
    free(all.triangles);
    free(all.nodes);
    return done;
}
