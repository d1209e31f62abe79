// SPDX-License-Identifier: MIT
// Surfaces: the triangles of all garments whose contacts are between surfaces, and which of their vertices, edges and
// triangles may touch in a step.
//
// Surface vertices are the particles that triangles have as corners, those of a body side by side. Triangles of a body
// lie in an order in which those that are near each other at rest follow each other; SLV_LANES of them are a patch.
// Each vertex and each edge belongs to one of its triangles. So a pair of a vertex and a triangle, or of two edges, is
// tested with exactly one pair of triangles.
//
// A tree over all triangles, with SLV_LANES children a node, bounds where they start in the step and how far they move.
// Two nodes may meet where the one, moved by its motion relative to the other, reaches it: motion that both share does
// not count. For each patch the contacts of its triangles with those of the same and later patches are listed
// (slv_surface_find): pairs that may come within their thickness on their way, by slv_stay_apart.
//
// A listed pair holds while no vertex has left the end of the path with which lists were made by more than half of
// SLV_SURFACE_MARGIN. When one has, lists are made anew within the step (SLV_SURFACE_STALE).
#ifndef SLV_KERNELS_SURFACES_H
#define SLV_KERNELS_SURFACES_H

#include "kernels/bins.h"
#include "kernels/neighbors.h"
#include "kernels/proximity.h"

enum {
    SLV_SURFACE_LEVELS = 9,
    SLV_SURFACE_STACK = 72,
    SLV_SURFACE_ROOM = 16 // contacts of a patch for each unit of SLV_LISTS_CAPACITY
};

// The block of all surfaces in table, which the common body's `surfaces` names.
enum {
    SLV_SURFACES_VERTICES = 0, // a multiple of SLV_BLOCK
    SLV_SURFACES_PATCHES = 1,
    SLV_SURFACES_BODIES = 2,     // table: SLV_SURFACE_BODY_INTS each
    SLV_SURFACES_MATERIALS = 3,  // state: SLV_SURFACE_MATERIAL_FLOATS a body
    SLV_SURFACES_BODY_OF = 4,    // table, one a block of vertices
    SLV_SURFACES_OFFSET_OF = 5,  // table, one a vertex: of its x from its body's q; -1: none
    SLV_SURFACES_SLOT_OF = 6,    // table, one a vertex
    SLV_SURFACES_PATCH_BODY = 7, // table, one a patch
    SLV_SURFACES_CORNERS = 8,    // table: SLV_LANES first corners a patch, then second, third
    SLV_SURFACES_OWNED = 9,      // table, one a triangle: bit n its corner n, bit 3 + n the edge
                                 // from that to the next; those that belong to it
    SLV_SURFACES_STARTS = 10,    // state, 4 a vertex: at the start of the step; above 0 where
                                 // surfaces cross there
    SLV_SURFACES_NOW = 11,       // state, 4 a vertex: now; inverse mass
    SLV_SURFACES_LISTED = 12,    // state, 4 a vertex: when lists were made
    SLV_SURFACES_RESTS = 13,     // state, 4 a vertex: at rest
    SLV_SURFACES_SUMS = 14,      // table, 4 a vertex: of corrections, in units; their number
    SLV_SURFACES_BACK = 15,      // table, one a vertex: not 0: returns to its start
    SLV_SURFACES_LISTS = 16,     // table: capacity and growth of the lists (SLV_LISTS_…)
    SLV_SURFACES_COUNTS = 17,    // table, one a patch: contacts in its list
    SLV_SURFACES_ENDS = 18,      // table: SLV_CORNERS vertices a contact; twice the first, plus
                                 // 1 for edges
    SLV_SURFACES_CONTACTS = 19,  // state: SLV_SURFACE_CONTACT_FLOATS a contact
    SLV_SURFACES_STATUS = 20,    // state: SLV_SURFACE_STATUS_FLOATS
    SLV_SURFACES_TOTALS = 21,    // table: SLV_SURFACE_TOTALS
    SLV_SURFACES_LEVEL_COUNT = 22,
    SLV_SURFACES_NODES = 23, // [levels] number of nodes; those of level 0 are triangles
    SLV_SURFACES_BOXES = SLV_SURFACES_NODES + SLV_SURFACE_LEVELS, // [levels] state
    SLV_SURFACES_BODY_COUNT = SLV_SURFACES_BOXES + SLV_SURFACE_LEVELS,
    SLV_SURFACES_INTS = 48
};

// A body with surfaces: offsets in state.
enum {
    SLV_SURFACE_BODY_Q = 0,
    SLV_SURFACE_BODY_PREV = 1, // two
    SLV_SURFACE_BODY_COMPONENT = 3,
    SLV_SURFACE_BODY_INVERSE_MASSES = 4,
    SLV_SURFACE_BODY_ASLEEP = 5,
    SLV_SURFACE_BODY_WITH_ITSELF = 6, // 1: its surfaces touch each other
    SLV_SURFACE_BODY_WITH_OTHERS = 7, // 1: they touch those of other bodies with the same
    SLV_SURFACE_BODY_INTS = 8
};

enum {
    SLV_SURFACE_THICKNESS = 0, // metres
    SLV_SURFACE_FRICTION = 1,  // square root, as of the next: friction of a pair is a product
    SLV_SURFACE_KINETIC_FRICTION = 2,
    SLV_SURFACE_MATERIAL_FLOATS = 4
};

enum {
    SLV_SURFACE_NORMAL = 0,   // [3] of a contact: from the second primitive to the first
    SLV_SURFACE_DISTANCE = 3, // metres, at the end of the step
    SLV_SURFACE_WEIGHTS = 4,  // [SLV_CORNERS]
    SLV_SURFACE_CONTACT_FLOATS = 8
};

enum {
    SLV_SURFACE_STALE = 0,      // above 0: lists are to be made in this pass
    SLV_SURFACE_NEXT_STALE = 1, // above 0: a vertex has left its margin
    SLV_SURFACE_ACTIVE = 2,     // above 0: there is something to do in this pass
    SLV_SURFACE_NEXT_ACTIVE = 3,
    SLV_SURFACE_STOPPED = 4, // above 0: all vertices return to their starts
    SLV_SURFACE_MARGIN = 5,  // metres; of this and the next: written with the layout
    SLV_SURFACE_REACH = 6,   // metres: largest thickness and the margin
    SLV_SURFACE_UNIT = 7,    // metres, of corrections
    SLV_SURFACE_REPORT = 8,  // [SLV_SURFACE_TOTALS] totals of the last step
    SLV_SURFACE_STATUS_FLOATS = 16
};

// Of the last step.
enum {
    SLV_SURFACE_CROSSINGS = 0, // edges that went through a triangle at the start
    SLV_SURFACE_SHORTENED = 1, // times that a pair's paths were shortened
    SLV_SURFACE_RETURNED = 2,  // pairs whose vertices returned to their starts
    SLV_SURFACE_STOPS = 3,     // 1: all surfaces returned to their starts
    SLV_SURFACE_LEFT = 4,      // pairs that may have passed through each other
    SLV_SURFACE_LISTED = 5,    // contacts listed when lists were made last
    SLV_SURFACE_PASSES = 6,    // times that lists were made
    SLV_SURFACE_TOTALS = 8
};

// Values of a node: one of each child side by side.
enum {
    SLV_NODE_LOW = 0,       // [3] of positions at the start of the step
    SLV_NODE_HIGH = 3,      // [3]
    SLV_NODE_MOVE_LOW = 6,  // [3] of displacements
    SLV_NODE_MOVE_HIGH = 9, // [3]
    SLV_NODE_FLOATS = 12
};

#define SLV_SURFACE_OVERLAP_STEP 0.1f // part of an overlap that is resolved in a step, as of balls
// Of the distance at rest: pairs of one body are kept that far apart at most.
#define SLV_REST_GAP 0.5f

// --- Blocks ---------------------------------------------------------------------------------------------

SLV_INLINE int slv_surface_status(const SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body) {
    return table[body->surfaces + SLV_SURFACES_STATUS];
}

SLV_INLINE int slv_surfaces_are_stale(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                      const SLV_PRIVATE slv_body_layout *body) {
    return state[slv_surface_status(table, body) + SLV_SURFACE_STALE] > 0.0f;
}

SLV_INLINE int slv_surfaces_are_active(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                       const SLV_PRIVATE slv_body_layout *body) {
    return state[slv_surface_status(table, body) + SLV_SURFACE_ACTIVE] > 0.0f;
}

// Offset of child number `child` of a level: its values are SLV_LANES apart.
SLV_INLINE int slv_surface_node(const SLV_GLOBAL int *table, int surfaces, int level, int child) {
    return table[surfaces + SLV_SURFACES_BOXES + level] +
           child / SLV_LANES * (SLV_NODE_FLOATS * SLV_LANES) + child % SLV_LANES;
}

SLV_INLINE int slv_surface_corner(const SLV_GLOBAL int *table, int surfaces, int triangle, int n) {
    return table[table[surfaces + SLV_SURFACES_CORNERS] +
                 (triangle / SLV_LANES * 3 + n) * SLV_LANES + triangle % SLV_LANES];
}

SLV_INLINE int slv_surface_list(const SLV_GLOBAL int *table, int surfaces, int patch) {
    int lists = table[surfaces + SLV_SURFACES_LISTS];
    return patch * SLV_SURFACE_ROOM * table[lists + SLV_LISTS_CAPACITY];
}

SLV_INLINE int slv_surface_material(const SLV_GLOBAL int *table, int surfaces, int vertex) {
    int body_of = table[surfaces + SLV_SURFACES_BODY_OF];
    return table[surfaces + SLV_SURFACES_MATERIALS] +
           table[body_of + vertex / SLV_BLOCK] * SLV_SURFACE_MATERIAL_FLOATS;
}

// --- Begin of a step and of a pass ----------------------------------------------------------------------

SLV_INLINE int slv_surface_body_is_asleep(const SLV_GLOBAL float *state,
                                          const SLV_GLOBAL int *table, int surfaces, int number) {
    int at = table[surfaces + SLV_SURFACES_BODIES] + number * SLV_SURFACE_BODY_INTS;
    return state[table[at + SLV_SURFACE_BODY_ASLEEP]] > 0.0f;
}

// Whether any body with surfaces is awake.
SLV_INLINE int slv_surfaces_are_awake(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                      int surfaces) {
    int awake = 0;
    for (int n = 0; n < table[surfaces + SLV_SURFACES_BODY_COUNT] && !awake; n++) {
        int at = table[surfaces + SLV_SURFACES_BODIES] + n * SLV_SURFACE_BODY_INTS;
        int has = table[at + SLV_SURFACE_BODY_WITH_ITSELF] != 0 ||
                  table[at + SLV_SURFACE_BODY_WITH_OTHERS] != 0;
        awake = has && !slv_surface_body_is_asleep(state, table, surfaces, n);
    }
    return awake;
}

SLV_INLINE void slv_surface_begin_step(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                       const SLV_PRIVATE slv_body_layout *body) {
    int status = slv_surface_status(table, body);
    int totals = table[body->surfaces + SLV_SURFACES_TOTALS];
    int lists = table[body->surfaces + SLV_SURFACES_LISTS];
    float awake = slv_surfaces_are_awake(state, table, body->surfaces) ? 1.0f : 0.0f;
    state[status + SLV_SURFACE_NEXT_STALE] = awake;
    state[status + SLV_SURFACE_NEXT_ACTIVE] = awake;
    state[status + SLV_SURFACE_STOPPED] = 0.0f;
    state[table[lists + SLV_LISTS_FLAGS] + SLV_LISTS_TRUNCATED] = 0.0f;
    for (int n = 0; n < SLV_SURFACE_TOTALS; n++) {
        table[totals + n] = 0;
    }
}

// What vertices and pairs have asked for becomes what is done in this pass.
SLV_INLINE void slv_surface_begin_pass(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                       const SLV_PRIVATE slv_body_layout *body) {
    int status = slv_surface_status(table, body);
    int totals = table[body->surfaces + SLV_SURFACES_TOTALS];
    float stale = state[status + SLV_SURFACE_NEXT_STALE];
    state[status + SLV_SURFACE_STALE] = stale;
    state[status + SLV_SURFACE_ACTIVE] = slv_max(stale, state[status + SLV_SURFACE_NEXT_ACTIVE]);
    state[status + SLV_SURFACE_NEXT_STALE] = 0.0f;
    state[status + SLV_SURFACE_NEXT_ACTIVE] = 0.0f;
    if (stale > 0.0f) {
        table[totals + SLV_SURFACE_CROSSINGS] = 0;
        table[totals + SLV_SURFACE_LISTED] = 0;
        table[totals + SLV_SURFACE_PASSES]++;
    }
}

// --- Vertices -------------------------------------------------------------------------------------------

SLV_INLINE int slv_surface_body_of(const SLV_GLOBAL int *table, int surfaces, int vertex) {
    return table[surfaces + SLV_SURFACES_BODIES] +
           table[table[surfaces + SLV_SURFACES_BODY_OF] + vertex / SLV_BLOCK] *
               SLV_SURFACE_BODY_INTS;
}

// At the begin of a step: copies the start and the present position of a vertex.
SLV_INLINE void slv_surface_load(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_body_layout *body,
                                 const SLV_PRIVATE slv_launch *launch, int vertex) {
    int surfaces = body->surfaces;
    int offset = table[table[surfaces + SLV_SURFACES_OFFSET_OF] + vertex];
    int at = slv_surface_body_of(table, surfaces, vertex);
    int step = table[at + SLV_SURFACE_BODY_COMPONENT];
    int start = table[at + SLV_SURFACE_BODY_PREV + (launch->parity ? 0 : 1)];
    if (offset < 0) {
        return;
    }
    int slot = table[table[surfaces + SLV_SURFACES_SLOT_OF] + vertex];
    int asleep = state[table[at + SLV_SURFACE_BODY_ASLEEP]] > 0.0f;
    float inverse_mass = state[table[at + SLV_SURFACE_BODY_INVERSE_MASSES] + slot];
    slv_store_point(state, table[surfaces + SLV_SURFACES_STARTS] + 4 * vertex,
                    slv_load_strided(state, start + offset, step), 0.0f);
    slv_store_point(state, table[surfaces + SLV_SURFACES_NOW] + 4 * vertex,
                    slv_load_strided(state, table[at + SLV_SURFACE_BODY_Q] + offset, step),
                    asleep ? 0.0f : inverse_mass);
    table[table[surfaces + SLV_SURFACES_BACK] + vertex] = 0;
    for (int n = 0; n < 4; n++) {
        table[table[surfaces + SLV_SURFACES_SUMS] + 4 * vertex + n] = 0;
    }
}

// Notes where a vertex is when lists are made.
SLV_INLINE void slv_surface_note(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_body_layout *body, int vertex) {
    if (slv_surfaces_are_stale(state, table, body)) {
        int now = table[body->surfaces + SLV_SURFACES_NOW] + 4 * vertex;
        slv_store_point(state, table[body->surfaces + SLV_SURFACES_LISTED] + 4 * vertex,
                        slv_load_point(state, now), 0.0f);
    }
}

// Asks for new lists where a vertex has left its margin.
SLV_INLINE void slv_surface_watch(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body, int vertex) {
    int status = slv_surface_status(table, body);
    int now = table[body->surfaces + SLV_SURFACES_NOW] + 4 * vertex;
    int listed = table[body->surfaces + SLV_SURFACES_LISTED] + 4 * vertex;
    slv_vector away = slv_subtract(slv_load_point(state, now), slv_load_point(state, listed));
    float most = 0.5f * state[status + SLV_SURFACE_MARGIN];
    if (!(slv_dot(away, away) <= most * most)) {
        slv_set_flag_often(&state[status + SLV_SURFACE_NEXT_STALE]);
    }
}

// After colliders have moved particles: takes over the present position.
SLV_INLINE void slv_surface_fetch(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body, int vertex) {
    int surfaces = body->surfaces;
    int offset = table[table[surfaces + SLV_SURFACES_OFFSET_OF] + vertex];
    if (offset >= 0) {
        int at = slv_surface_body_of(table, surfaces, vertex);
        int q = table[at + SLV_SURFACE_BODY_Q] + offset;
        slv_store_vector_at(state, table[surfaces + SLV_SURFACES_NOW] + 4 * vertex,
                            slv_load_strided(state, q, table[at + SLV_SURFACE_BODY_COMPONENT]));
        slv_surface_watch(state, table, body, vertex);
    }
}

// --- The tree -------------------------------------------------------------------------------------------

SLV_INLINE void slv_surface_store_node(SLV_GLOBAL float *state, int node, slv_range starts,
                                       slv_range moves) {
    const slv_vector values[4] = {starts.low, starts.high, moves.low, moves.high};
    for (int n = 0; n < 4; n++) {
        state[node + (3 * n) * SLV_LANES] = values[n].x;
        state[node + (3 * n + 1) * SLV_LANES] = values[n].y;
        state[node + (3 * n + 2) * SLV_LANES] = values[n].z;
    }
}

SLV_INLINE slv_vector slv_surface_node_vector(const SLV_GLOBAL float *state, int node, int value) {
    return slv_load_strided(state, node + value * SLV_LANES, SLV_LANES);
}

// Bounds of a triangle; empty where there is none.
SLV_INLINE void slv_surface_bound(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body, int triangle) {
    int surfaces = body->surfaces;
    slv_range starts = slv_empty_range();
    slv_range moves = slv_empty_range();
    if (!slv_surfaces_are_stale(state, table, body)) {
        return;
    }
    for (int n = 0; n < 3; n++) {
        int vertex = slv_surface_corner(table, surfaces, triangle, n);
        if (vertex >= 0) {
            slv_vector start =
                slv_load_point(state, table[surfaces + SLV_SURFACES_STARTS] + 4 * vertex);
            slv_vector move = slv_subtract(
                slv_load_point(state, table[surfaces + SLV_SURFACES_NOW] + 4 * vertex), start);
            starts = slv_extend_range(starts, start, start);
            moves = slv_extend_range(moves, move, move);
        }
    }
    slv_surface_store_node(state, slv_surface_node(table, surfaces, 0, triangle), starts, moves);
}

// Bounds of a node of a level by those of its children, which lie side by side in the level below.
SLV_INLINE void slv_surface_merge(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body, int level, int node) {
    int surfaces = body->surfaces;
    slv_range starts = slv_empty_range();
    slv_range moves = slv_empty_range();
    if (!slv_surfaces_are_stale(state, table, body)) {
        return;
    }
    for (int n = 0; n < SLV_LANES; n++) {
        int child = slv_surface_node(table, surfaces, level - 1, node * SLV_LANES + n);
        starts = slv_extend_range(starts, slv_surface_node_vector(state, child, SLV_NODE_LOW),
                                  slv_surface_node_vector(state, child, SLV_NODE_HIGH));
        moves = slv_extend_range(moves, slv_surface_node_vector(state, child, SLV_NODE_MOVE_LOW),
                                 slv_surface_node_vector(state, child, SLV_NODE_MOVE_HIGH));
    }
    slv_surface_store_node(state, slv_surface_node(table, surfaces, level, node), starts, moves);
}

// Whether the ranges of two primitives come within `reach` of each other along an axis, at the same time or at
// different times: the second moved by its motion relative to the first.
SLV_INLINE int slv_ranges_meet(float low, float high, float move_low, float move_high,
                               float other_low, float other_high, float other_move_low,
                               float other_move_high, float reach) {
    float nearest = other_low + slv_min(other_move_low - move_high, 0.0f);
    float farthest = other_high + slv_max(other_move_high - move_low, 0.0f);
    return nearest <= high + reach && farthest >= low - reach;
}

SLV_INLINE int slv_surface_nodes_meet(const SLV_GLOBAL float *state, int one, int other,
                                      float reach) {
    int meet = 1;
    for (int d = 0; d < 3; d++) {
        int low = (SLV_NODE_LOW + d) * SLV_LANES;
        int high = (SLV_NODE_HIGH + d) * SLV_LANES;
        int move_low = (SLV_NODE_MOVE_LOW + d) * SLV_LANES;
        int move_high = (SLV_NODE_MOVE_HIGH + d) * SLV_LANES;
        meet &= slv_ranges_meet(state[one + low], state[one + high], state[one + move_low],
                                state[one + move_high], state[other + low], state[other + high],
                                state[other + move_low], state[other + move_high], reach);
    }
    return meet;
}

#endif
