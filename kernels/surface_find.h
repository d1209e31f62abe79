// SPDX-License-Identifier: MIT
// Lists of the contacts between surfaces that a step may have (kernels/surfaces.h): the tree is descended from the root
// for each patch. Where surfaces cross at the start of the step, their vertices are marked. They are left passable until
// they have parted.
#ifndef SLV_KERNELS_SURFACE_FIND_H
#define SLV_KERNELS_SURFACE_FIND_H

#include "kernels/surfaces.h"

// A search of one patch.
typedef struct slv_surface_search {
    int surfaces, patch, body;
    int other_body;      // of the patch that is tested against
    float reach, margin; // as SLV_SURFACE_…
    float thickness;     // metres, of both bodies together
    int list;            // number of the patch's first contact
    int count, capacity; // contacts
    int crossings;       // edges that go through triangles
    int cut;             // 1 once the list is truncated
} slv_surface_search;

// The vertices of a pair and, in the order of slv_proximity, where they are.
typedef struct slv_surface_pair {
    int ends[SLV_CORNERS];
    int kind;
    slv_vector starts[SLV_CORNERS], moves[SLV_CORNERS];
} slv_surface_pair;

// Loads starts and displacements; returns the sum of the inverse masses.
SLV_INLINE float slv_load_surface_pair(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                       int surfaces, SLV_PRIVATE slv_surface_pair *pair) {
    int starts = table[surfaces + SLV_SURFACES_STARTS];
    int now = table[surfaces + SLV_SURFACES_NOW];
    float masses = 0.0f;
    for (int n = 0; n < SLV_CORNERS; n++) {
        int at = 4 * pair->ends[n];
        pair->starts[n] = slv_load_point(state, starts + at);
        pair->moves[n] = slv_subtract(slv_load_point(state, now + at), pair->starts[n]);
        masses += state[now + at + 3];
    }
    return masses;
}

// The distance of two primitives of one body at rest.
SLV_INLINE float slv_surface_rest_distance(const SLV_GLOBAL float *state,
                                           const SLV_GLOBAL int *table, int surfaces,
                                           const SLV_PRIVATE slv_surface_pair *pair) {
    slv_vector rests[SLV_CORNERS];
    for (int n = 0; n < SLV_CORNERS; n++) {
        rests[n] = slv_load_point(state, table[surfaces + SLV_SURFACES_RESTS] + 4 * pair->ends[n]);
    }
    return slv_find_proximity(rests, pair->kind).distance;
}

// NOLINTNEXTLINE(readability-non-const-parameter): atomic operations write it
SLV_INLINE void slv_mark_crossing(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                  int surfaces, int vertex) {
    slv_set_flag(&state[table[surfaces + SLV_SURFACES_STARTS] + 4 * vertex + 3]);
}

SLV_INLINE void slv_store_surface_contact(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                          SLV_PRIVATE slv_surface_search *search,
                                          const SLV_PRIVATE slv_surface_pair *pair,
                                          const SLV_PRIVATE slv_proximity *near, float distance) {
    if (search->count == search->capacity) {
        search->cut = 1;
        return;
    }
    int contact = search->list + search->count;
    int ends = table[search->surfaces + SLV_SURFACES_ENDS] + SLV_CORNERS * contact;
    int at = table[search->surfaces + SLV_SURFACES_CONTACTS] + SLV_SURFACE_CONTACT_FLOATS * contact;
    slv_store_point(state, at + SLV_SURFACE_NORMAL, near->normal, distance);
    for (int n = 0; n < SLV_CORNERS; n++) {
        table[ends + n] = n == 0 ? 2 * pair->ends[0] + pair->kind : pair->ends[n];
        state[at + SLV_SURFACE_WEIGHTS + n] = near->weights[n];
    }
    search->count++;
}

// Whether two primitives may come within `reach` of each other along one axis, where corners start at s and move by m.
SLV_INLINE int slv_corners_meet(int kind, const SLV_PRIVATE float *s, const SLV_PRIVATE float *m,
                                float reach) {
    int edges = kind == SLV_EDGE_EDGE;
    float low = edges ? slv_min(s[0], s[1]) : s[0];
    float high = edges ? slv_max(s[0], s[1]) : s[0];
    float move_low = edges ? slv_min(m[0], m[1]) : m[0];
    float move_high = edges ? slv_max(m[0], m[1]) : m[0];
    float other_low = slv_min(s[2], s[3]);
    float other_high = slv_max(s[2], s[3]);
    float other_move_low = slv_min(m[2], m[3]);
    float other_move_high = slv_max(m[2], m[3]);
    return slv_ranges_meet(low, high, move_low, move_high,
                           edges ? other_low : slv_min(other_low, s[1]),
                           edges ? other_high : slv_max(other_high, s[1]),
                           edges ? other_move_low : slv_min(other_move_low, m[1]),
                           edges ? other_move_high : slv_max(other_move_high, m[1]), reach);
}

// The same along all axes. Most pairs of triangles that share corners have no pair of features that pass.
SLV_INLINE int slv_pair_may_meet(const SLV_PRIVATE slv_surface_pair *pair, float reach) {
    int meet = 1;
    for (int d = 0; d < 3; d++) {
        float s[SLV_CORNERS];
        float m[SLV_CORNERS];
        for (int n = 0; n < SLV_CORNERS; n++) {
            const SLV_PRIVATE slv_vector *start = &pair->starts[n];
            const SLV_PRIVATE slv_vector *move = &pair->moves[n];
            s[n] = d == 0 ? start->x : d == 1 ? start->y : start->z;
            m[n] = d == 0 ? move->x : d == 1 ? move->y : move->z;
        }
        meet &= slv_corners_meet(pair->kind, s, m, reach);
    }
    return meet;
}

// Lists a pair that may come within its thickness. Pairs of one body that lie near each other at rest are kept apart by
// a part of that distance only: beyond it the constraints of the cloth act.
SLV_INLINE void slv_try_surface_pair(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                     SLV_PRIVATE slv_surface_search *search,
                                     SLV_PRIVATE slv_surface_pair *pair) {
    slv_proximity near;
    float thickness = search->thickness;
    if (!(slv_load_surface_pair(state, table, search->surfaces, pair) > 0.0f) ||
        !slv_pair_may_meet(pair, thickness + search->margin) ||
        slv_stay_apart(pair->starts, pair->moves, pair->kind, thickness + search->margin,
                       SLV_APART_ANY, &near) >= 1.0f) {
        return;
    }
    if (search->body == search->other_body) {
        float rest = SLV_REST_GAP * slv_surface_rest_distance(state, table, search->surfaces, pair);
        if (rest < thickness) {
            thickness = rest;
            if (slv_stay_apart(pair->starts, pair->moves, pair->kind, thickness + search->margin,
                               SLV_APART_ANY, &near) >= 1.0f) {
                return;
            }
        }
    }
    float apart = slv_find_proximity(pair->starts, pair->kind).distance;
    if (apart < SLV_TOUCHING) {
        for (int n = 0; n < SLV_CORNERS; n++) {
            slv_mark_crossing(state, table, search->surfaces, pair->ends[n]);
        }
    }
    slv_store_surface_contact(
        state, table, search, pair, &near,
        apart < thickness ? apart + SLV_SURFACE_OVERLAP_STEP * (thickness - apart) : thickness);
}

SLV_INLINE int slv_is_one_of(int vertex, const SLV_PRIVATE int *corners) {
    return vertex == corners[0] || vertex == corners[1] || vertex == corners[2];
}

// Six times the volume of a tetrahedron.
SLV_INLINE float slv_signed_volume(slv_vector a, slv_vector b, slv_vector c, slv_vector d) {
    return slv_dot(slv_cross(slv_subtract(b, a), slv_subtract(c, a)), slv_subtract(d, a));
}

// Whether an edge goes through a triangle that it shares no corner with, at the start of the step. Marks their corners.
SLV_INLINE int slv_mark_edge_through(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                     int surfaces, int p, int q, const SLV_PRIVATE int *corners) {
    int starts = table[surfaces + SLV_SURFACES_STARTS];
    slv_vector from = slv_load_point(state, starts + 4 * p);
    slv_vector to = slv_load_point(state, starts + 4 * q);
    slv_vector a = slv_load_point(state, starts + 4 * corners[0]);
    slv_vector b = slv_load_point(state, starts + 4 * corners[1]);
    slv_vector c = slv_load_point(state, starts + 4 * corners[2]);
    slv_vector area = slv_cross(slv_subtract(b, a), slv_subtract(c, a));
    float flat = SLV_TOUCHING * slv_length(area); // what lies in the plane but for rounding
    float below = slv_dot(area, slv_subtract(from, a));
    float above = slv_dot(area, slv_subtract(to, a));
    if (!((below < 0.0f - flat && above > flat) || (below > flat && above < 0.0f - flat))) {
        return 0;
    }
    float ab = slv_signed_volume(from, to, a, b);
    float bc = slv_signed_volume(from, to, b, c);
    float ca = slv_signed_volume(from, to, c, a);
    if (!((ab >= 0.0f && bc >= 0.0f && ca >= 0.0f) || (ab <= 0.0f && bc <= 0.0f && ca <= 0.0f))) {
        return 0;
    }
    slv_mark_crossing(state, table, surfaces, p);
    slv_mark_crossing(state, table, surfaces, q);
    for (int n = 0; n < 3; n++) {
        slv_mark_crossing(state, table, surfaces, corners[n]);
    }
    return 1;
}

// Vertices and edges that belong to the first triangle against the second.
SLV_INLINE void slv_try_surface_features(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                         SLV_PRIVATE slv_surface_search *search, int owned,
                                         const SLV_PRIVATE int *corners,
                                         const SLV_PRIVATE int *others) {
    for (int n = 0; n < 3; n++) {
        int next = corners[n == 2 ? 0 : n + 1];
        int shared = slv_is_one_of(corners[n], others);
        if ((owned & 1 << n) != 0 && !shared) {
            slv_surface_pair pair;
            pair.kind = SLV_VERTEX_TRIANGLE;
            pair.ends[0] = corners[n];
            for (int m = 0; m < 3; m++) {
                pair.ends[m + 1] = others[m];
            }
            slv_try_surface_pair(state, table, search, &pair);
        }
        if ((owned & 8 << n) != 0 && !shared && !slv_is_one_of(next, others)) {
            search->crossings +=
                slv_mark_edge_through(state, table, search->surfaces, corners[n], next, others);
        }
    }
}

SLV_INLINE void slv_try_surface_edges(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                      SLV_PRIVATE slv_surface_search *search, int owned,
                                      int owned_by_other, const SLV_PRIVATE int *corners,
                                      const SLV_PRIVATE int *others) {
    for (int n = 0; n < 9; n++) {
        int m = n / 3;
        int k = n % 3;
        slv_surface_pair pair;
        pair.kind = SLV_EDGE_EDGE;
        pair.ends[0] = corners[m];
        pair.ends[1] = corners[m == 2 ? 0 : m + 1];
        pair.ends[2] = others[k];
        pair.ends[3] = others[k == 2 ? 0 : k + 1];
        int belong = (owned & 8 << m) != 0 && (owned_by_other & 8 << k) != 0;
        int share = pair.ends[0] == pair.ends[2] || pair.ends[0] == pair.ends[3] ||
                    pair.ends[1] == pair.ends[2] || pair.ends[1] == pair.ends[3];
        if (belong && !share) {
            slv_try_surface_pair(state, table, search, &pair);
        }
    }
}

SLV_INLINE void slv_try_triangles(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                  SLV_PRIVATE slv_surface_search *search, int one, int other) {
    int owned_of = table[search->surfaces + SLV_SURFACES_OWNED];
    int corners[3];
    int others[3];
    for (int n = 0; n < 3; n++) {
        corners[n] = slv_surface_corner(table, search->surfaces, one, n);
        others[n] = slv_surface_corner(table, search->surfaces, other, n);
    }
    slv_try_surface_features(state, table, search, table[owned_of + one], corners, others);
    slv_try_surface_features(state, table, search, table[owned_of + other], others, corners);
    slv_try_surface_edges(state, table, search, table[owned_of + one], table[owned_of + other],
                          corners, others);
}

// Whether surfaces of two bodies touch each other; of one body where both are the same. Those that sleep do not move.
SLV_INLINE int slv_bodies_touch(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                int surfaces, int one, int other) {
    int bodies = table[surfaces + SLV_SURFACES_BODIES];
    int with = one == other ? SLV_SURFACE_BODY_WITH_ITSELF : SLV_SURFACE_BODY_WITH_OTHERS;
    return table[bodies + one * SLV_SURFACE_BODY_INTS + with] != 0 &&
           table[bodies + other * SLV_SURFACE_BODY_INTS + with] != 0 &&
           !(slv_surface_body_is_asleep(state, table, surfaces, one) &&
             slv_surface_body_is_asleep(state, table, surfaces, other));
}

// Triangles of the patch against those of another, which is the same or a later one.
SLV_INLINE void slv_try_patches(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                SLV_PRIVATE slv_surface_search *search, int other) {
    int surfaces = search->surfaces;
    int node = slv_surface_node(table, surfaces, 1, other);
    int materials = table[surfaces + SLV_SURFACES_MATERIALS] + SLV_SURFACE_THICKNESS;
    search->other_body = table[table[surfaces + SLV_SURFACES_PATCH_BODY] + other];
    if (!slv_bodies_touch(state, table, surfaces, search->body, search->other_body)) {
        return;
    }
    search->thickness =
        0.5f * (state[materials + search->body * SLV_SURFACE_MATERIAL_FLOATS] +
                state[materials + search->other_body * SLV_SURFACE_MATERIAL_FLOATS]);
    for (int n = 0; n < SLV_LANES; n++) {
        int one = search->patch * SLV_LANES + n;
        int own = slv_surface_node(table, surfaces, 0, one);
        int near = slv_surface_nodes_meet(state, own, node, search->reach);
        for (int m = other == search->patch ? n + 1 : 0; near && m < SLV_LANES; m++) {
            int triangle = other * SLV_LANES + m;
            if (slv_surface_nodes_meet(state, own, slv_surface_node(table, surfaces, 0, triangle),
                                       search->reach)) {
                slv_try_triangles(state, table, search, one, triangle);
            }
        }
    }
}

SLV_INLINE void slv_end_surface_search(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                       const SLV_PRIVATE slv_surface_search *search) {
    int lists = table[search->surfaces + SLV_SURFACES_LISTS];
    int flags = table[lists + SLV_LISTS_FLAGS];
    int totals = table[search->surfaces + SLV_SURFACES_TOTALS];
    table[table[search->surfaces + SLV_SURFACES_COUNTS] + search->patch] = search->count;
    slv_set_flag_often(
        &state[flags + SLV_LISTS_SEEN + (search->count + SLV_SURFACE_ROOM - 1) / SLV_SURFACE_ROOM]);
    if (search->cut) {
        slv_set_flag(&state[flags + SLV_LISTS_TRUNCATED]);
    }
    if (search->cut && table[lists + SLV_LISTS_GROW]) {
        slv_set_flag(&state[SLV_DIVERGED]);
    }
    if (search->count > 0) {
        slv_add_integer(&table[totals + SLV_SURFACE_LISTED], search->count);
    }
    if (search->crossings > 0) {
        slv_add_integer(&table[totals + SLV_SURFACE_CROSSINGS], search->crossings);
    }
}

// Lists the contacts of a patch. Subtrees whose patches all come before it are left out.
SLV_INLINE void slv_surface_find(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_body_layout *body, int patch) {
    int surfaces = body->surfaces;
    if (!slv_surfaces_are_stale(state, table, body)) {
        return;
    }
    int status = slv_surface_status(table, body);
    int stack[SLV_SURFACE_STACK]; // nodes times SLV_SURFACE_LEVELS, plus their level
    int root = table[surfaces + SLV_SURFACES_LEVEL_COUNT] - 1;
    int own = slv_surface_node(table, surfaces, 1, patch);
    int waiting = 1;
    slv_surface_search search;
    search.surfaces = surfaces;
    search.patch = patch;
    search.body = table[table[surfaces + SLV_SURFACES_PATCH_BODY] + patch];
    search.reach = state[status + SLV_SURFACE_REACH];
    search.margin = state[status + SLV_SURFACE_MARGIN];
    search.list = slv_surface_list(table, surfaces, patch);
    search.capacity =
        SLV_SURFACE_ROOM * table[table[surfaces + SLV_SURFACES_LISTS] + SLV_LISTS_CAPACITY];
    search.count = 0;
    search.crossings = 0;
    search.cut = 0;
    stack[0] = root;
    while (waiting > 0) {
        waiting--;
        int level = stack[waiting] % SLV_SURFACE_LEVELS;
        int node = stack[waiting] / SLV_SURFACE_LEVELS;
        if (level == 1) {
            slv_try_patches(state, table, &search, node);
            continue;
        }
        for (int n = SLV_LANES - 1; n >= 0; n--) { // the first child comes off the stack first
            int child = node * SLV_LANES + n;
            int last = child;
            for (int k = 2; k < level; k++) { // the last patch below it
                last = last * SLV_LANES + SLV_LANES - 1;
            }
            if (last >= patch &&
                slv_surface_nodes_meet(state, own,
                                       slv_surface_node(table, surfaces, level - 1, child),
                                       search.reach)) {
                stack[waiting] = child * SLV_SURFACE_LEVELS + level - 1;
                waiting++;
            }
        }
    }
    slv_end_surface_search(state, table, &search);
}

#endif
