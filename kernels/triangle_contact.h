// SPDX-License-Identifier: MIT
// Triangles of a garment against colliders, after all constraints of a step. Particles keep the thickness of the cloth
// from colliders; between them, edges and corners of a box, or a sphere, would still reach through the cloth.
//
// Of each edge, and of the inside of each triangle, the point deepest in the collider is found. It has to keep a part of
// the thickness (SLV_TRIANGLE_GAP): cloth that lies on a face or hangs beside one is left to its particles.
//
// Most shapes are convex. The distance from one is a convex function, so that the plane of the gap at any point bounds it
// from below everywhere. A triangle above these planes at its corners is out of reach, which costs one gap where cloth
// lies on a face. Along an edge the planes of two points meet at the next point to try; at the edge of a box that is
// the deepest one at once. Inside of a triangle it lies under the point of the collider that is farthest along the
// triangle's normal. Fields count as convex along an edge, where the planes of all corners are asked, and their middle is
// tried inside of a triangle. Of edges against funnels, points at fixed fractions are tried.
//
// A contact moves the corners by their parts and inverse masses, with friction as contacts of particles have. It never
// moves them outwards by more than push_step beyond where the step began, relative to the collider: triangles that start
// inside are not launched. Corrections of a triangle's corners are summed in its own floats. Each particle then moves by
// the mean of those of its triangles, in a fixed order.
#ifndef SLV_KERNELS_TRIANGLE_CONTACT_H
#define SLV_KERNELS_TRIANGLE_CONTACT_H

#include "kernels/bins.h"
#include "kernels/contact.h"
#include "kernels/proximity.h"

enum {
    SLV_TRIANGLE_EDGES = 7, // bits of triangle_tiles: edges, from corner n to the next, of its own
    SLV_TRIANGLE_SHIFT = 3, // the tile of its first corner, above these
    SLV_TRIANGLE_FLOATS = 12, // of a triangle's corrections: three and a number of each corner
    SLV_EDGE_POINTS = 6,      // points of an edge that are tried one after another
    SLV_EDGE_SAMPLES = 3      // against funnels
};

#define SLV_TRIANGLE_GAP 0.5f // of the thickness
// Of that gap: so near to the least distance a point is deep enough.
#define SLV_TRIANGLE_CLOSE 0.05f
#define SLV_TRIANGLE_FACING 0.5f // cosine between the triangle's normal and the collider's
// Length of the mean of two normals: sharper edges have that of one side.
#define SLV_TRIANGLE_SHARPEST 0.1f
#define SLV_TRIANGLE_RELAXATION 1.5f // of the mean of several corrections

// A triangle and the corrections of its corners.
typedef struct slv_contact_triangle {
    int slots[3];
    slv_vector now[3], starts[3], moves[3];
    float inverse_masses[3];
    float counts[3]; // of corrections
    int edges;       // SLV_TRIANGLE_EDGES: those that belong to it
} slv_contact_triangle;

// One collider that it is tested against.
typedef struct slv_triangle_collider {
    slv_collider collider;
    slv_pair_material material;
    int kind;
    float gap; // metres to be kept
    float push_step;
} slv_triangle_collider;

SLV_INLINE int slv_is_convex(int kind) {
    return kind == SLV_SHAPE_SPHERE || kind == SLV_SHAPE_CAPSULE || kind == SLV_SHAPE_BOX ||
           kind == SLV_SHAPE_WEDGE;
}

SLV_INLINE slv_vector slv_weigh_corners(const SLV_PRIVATE slv_vector *corners,
                                        const SLV_PRIVATE float *weights) {
    slv_vector sum =
        corners[0]; // weights add up to 1: differences are exact where corners are near each other
    sum = slv_add_scaled(sum, weights[1], slv_subtract(corners[1], corners[0]));
    return slv_add_scaled(sum, weights[2], slv_subtract(corners[2], corners[0]));
}

// --- Corrections ----------------------------------------------------------------------------------------

// Corrects the corners so that the point with these weights, whose distance from the collider is `gap`, keeps its gap.
SLV_INLINE void slv_press_triangle(SLV_PRIVATE slv_contact_triangle *triangle,
                                   const SLV_PRIVATE slv_triangle_collider *near, slv_gap gap,
                                   const SLV_PRIVATE float *weights) {
    slv_vector q = slv_weigh_corners(triangle->now, weights);
    slv_vector start = slv_weigh_corners(triangle->starts, weights);
    slv_vector moved = slv_subtract(slv_point_at_start(&near->collider, q), start);
    float outward = slv_dot(moved, gap.normal);
    float depth = slv_min(near->gap - gap.distance, near->push_step - outward);
    float response = 0.0f;
    for (int n = 0; n < 3; n++) {
        response += triangle->inverse_masses[n] * weights[n] * weights[n];
    }
    if (!(depth > 0.0f) || !(response > 0.0f)) {
        return;
    }
    slv_vector tangential = slv_add_scaled(moved, 0.0f - outward, gap.normal);
    float fraction =
        slv_friction_fraction(near->material, slv_dot(tangential, tangential), depth, depth);
    for (int n = 0; n < 3; n++) {
        float part = triangle->inverse_masses[n] * weights[n] / response;
        slv_vector own = slv_add_scaled(triangle->moves[n], part * depth, gap.normal);
        triangle->moves[n] = slv_add_scaled(own, 0.0f - part * fraction, tangential);
        triangle->counts[n] += part > 0.0f ? 1.0f : 0.0f;
    }
}

// --- Edges ----------------------------------------------------------------------------------------------

// At the edge of a box the normals on both sides of the deepest point differ. The contact's is the mixture that is across
// the cloth's edge, which leads straight out. Slopes: those of the gaps along the edge, one below and one above 0.
SLV_INLINE slv_gap slv_mix_gaps(slv_gap deepest, float slope, slv_gap other, float other_slope) {
    slv_gap mixed = deepest;
    float scale = 1.0f / (other_slope - slope);
    slv_vector normal = slv_make_vector(0.0f, 0.0f, 0.0f);
    normal = slv_add_scaled(normal, scale * other_slope, deepest.normal);
    normal = slv_add_scaled(normal, 0.0f - scale * slope, other.normal);
    float length = slv_length(normal);
    if (length > SLV_TRIANGLE_SHARPEST) {
        scale = 1.0f / length;
        mixed.normal = slv_make_vector(scale * normal.x, scale * normal.y, scale * normal.z);
        mixed.distance = scale * deepest.distance;
    }
    return mixed;
}

// The fraction of an edge from a to b at which it is deepest in a convex collider, and the gap there; -1 where that is
// an end, or where the edge keeps its gap. `low`, `high`: gaps of a and b.
SLV_INLINE float slv_find_deepest(const SLV_GLOBAL float *state,
                                  const SLV_PRIVATE slv_triangle_collider *near, slv_vector a,
                                  slv_vector b, slv_gap low, slv_gap high,
                                  SLV_PRIVATE slv_gap *gap) {
    slv_vector along = slv_subtract(b, a);
    float low_slope = slv_dot(low.normal, along);
    float high_slope = slv_dot(high.normal, along);
    float begin = 0.0f;
    float end = 1.0f;
    float reached = -1.0f;
    for (int n = 0; n < SLV_EDGE_POINTS && low_slope < 0.0f && high_slope > 0.0f; n++) {
        float rise = high.distance - low.distance - high_slope * (end - begin);
        float part = begin + slv_clamp(rise / (low_slope - high_slope), 0.0f, end - begin);
        float least = low.distance + low_slope * (part - begin);
        if (!(least < near->gap)) {
            return -1.0f;
        }
        slv_gap found = slv_collider_gap(state, &near->collider, &near->collider.end, near->kind,
                                         slv_add_scaled(a, part, along));
        float slope = slv_dot(found.normal, along);
        *gap = slope < 0.0f ? slv_mix_gaps(found, slope, high, high_slope)
                            : slv_mix_gaps(found, slope, low, low_slope);
        reached = part;
        if (found.distance - least <= SLV_TRIANGLE_CLOSE * near->gap) {
            break;
        }
        if (slope < 0.0f) {
            begin = part;
            low = found;
            low_slope = slope;
        } else {
            end = part;
            high = found;
            high_slope = slope;
        }
    }
    return reached;
}

// The same of the points that are tried against a funnel, whose distances end at its rims.
SLV_INLINE float slv_sample_deepest(const SLV_GLOBAL float *state,
                                    const SLV_PRIVATE slv_triangle_collider *near, slv_vector a,
                                    slv_vector b, SLV_PRIVATE slv_gap *gap) {
    slv_vector along = slv_subtract(b, a);
    float reached = -1.0f;
    gap->distance = near->gap;
    for (int n = 1; n <= SLV_EDGE_SAMPLES; n++) {
        float part = (float)n / (float)(SLV_EDGE_SAMPLES + 1);
        slv_gap found = slv_collider_gap(state, &near->collider, &near->collider.end, near->kind,
                                         slv_add_scaled(a, part, along));
        if (found.distance < gap->distance) {
            *gap = found;
            reached = part;
        }
    }
    return reached;
}

SLV_INLINE void slv_press_edges(const SLV_GLOBAL float *state,
                                SLV_PRIVATE slv_contact_triangle *triangle,
                                const SLV_PRIVATE slv_triangle_collider *near,
                                const SLV_PRIVATE slv_gap *gaps) {
    for (int n = 0; n < 3; n++) {
        int next = n == 2 ? 0 : n + 1;
        float weights[3] = {0.0f, 0.0f, 0.0f};
        slv_gap gap = gaps[n];
        if ((triangle->edges & 1 << n) == 0) {
            continue;
        }
        float part =
            near->kind == SLV_SHAPE_FUNNEL
                ? slv_sample_deepest(state, near, triangle->now[n], triangle->now[next], &gap)
                : slv_find_deepest(state, near, triangle->now[n], triangle->now[next], gaps[n],
                                   gaps[next], &gap);
        if (part > 0.0f && part < 1.0f) {
            weights[n] = 1.0f - part;
            weights[next] = part;
            slv_press_triangle(triangle, near, gap, weights);
        }
    }
}

// --- Faces ----------------------------------------------------------------------------------------------

// The point of a convex collider that is farthest along a direction, a unit vector.
SLV_INLINE slv_vector slv_find_support(const SLV_PRIVATE slv_triangle_collider *near,
                                       slv_vector direction) {
    const SLV_PRIVATE slv_collider *collider = &near->collider;
    const SLV_PRIVATE float *size = collider->size;
    slv_vector inner = slv_rotate_back(&collider->end, direction);
    slv_vector point = slv_make_vector(0.0f, 0.0f, 0.0f);
    if (near->kind == SLV_SHAPE_SPHERE || near->kind == SLV_SHAPE_CAPSULE) {
        float axis = near->kind == SLV_SHAPE_CAPSULE ? size[1] : 0.0f;
        point.y = inner.y < 0.0f ? 0.0f - axis : axis;
        return slv_add_scaled(slv_to_world(&collider->end, point), size[0], direction);
    }
    if (near->kind == SLV_SHAPE_BOX) {
        point.x = inner.x < 0.0f ? 0.0f - size[0] : size[0];
        point.y = inner.y < 0.0f ? 0.0f - size[1] : size[1];
    } else { // the edge below, or one of those above it
        float side = slv_absolute(inner.x) * size[0] + inner.y * size[1];
        float above = side > 0.0f ? 1.0f : 0.0f;
        point.x = inner.x < 0.0f ? 0.0f - above * size[0] : above * size[0];
        point.y = above * size[1];
    }
    point.z = inner.z < 0.0f ? 0.0f - size[2] : size[2];
    return slv_to_world(&collider->end, point);
}

// Whether a point of the triangle lies over that point of the collider, so that its distance from there, along the
// normal of the triangle, is its gap.
SLV_INLINE int slv_find_face(const SLV_GLOBAL float *state,
                             const SLV_PRIVATE slv_contact_triangle *triangle,
                             const SLV_PRIVATE slv_triangle_collider *near, slv_vector outward,
                             SLV_PRIVATE slv_gap *gap, SLV_PRIVATE float *weights) {
    slv_vector x[SLV_CORNERS];
    slv_proximity proximity;
    for (int n = 0; n < 3; n++) {
        x[n + 1] = triangle->now[n];
    }
    x[0] = x[1];
    slv_vector area = slv_find_area(x, SLV_VERTEX_TRIANGLE);
    float size = slv_length(area);
    if (!(size > 0.0f)) {
        return 0;
    }
    float scale = (slv_dot(area, outward) < 0.0f ? -1.0f : 1.0f) / size;
    slv_vector normal = slv_make_vector(scale * area.x, scale * area.y, scale * area.z);
    x[0] = slv_find_support(near, normal);
    float distance = slv_dot(normal, slv_subtract(x[1], x[0]));
    if (!(distance < near->gap)) {
        return 0;
    }
    slv_weigh_vertex_triangle(x, &proximity);
    for (int n = 0; n < 3; n++) {
        weights[n] = 0.0f - proximity.weights[n + 1];
    }
    if (!slv_is_inner(&proximity)) {
        return 0;
    }
    *gap = slv_collider_gap(state, &near->collider, &near->collider.end, near->kind,
                            slv_weigh_corners(triangle->now, weights));
    int facing = slv_dot(gap->normal, normal) >= SLV_TRIANGLE_FACING;
    gap->distance = distance;
    gap->normal = normal;
    return facing;
}

SLV_INLINE void slv_press_face(const SLV_GLOBAL float *state,
                               SLV_PRIVATE slv_contact_triangle *triangle,
                               const SLV_PRIVATE slv_triangle_collider *near) {
    float weights[3] = {1.0f / 3.0f, 1.0f / 3.0f, 1.0f / 3.0f};
    slv_gap gap = slv_collider_gap(state, &near->collider, &near->collider.end, near->kind,
                                   slv_weigh_corners(triangle->now, weights));
    int deep = slv_is_convex(near->kind)
                   ? slv_find_face(state, triangle, near, gap.normal, &gap, weights)
                   : gap.distance < near->gap;
    if (deep) {
        slv_press_triangle(triangle, near, gap, weights);
    }
}

// --- Triangles ------------------------------------------------------------------------------------------

// Finds the gaps of the corners. Whether the triangle may come nearer to the collider than its gap between them: not
// where it is far, and not where it is above the planes of these gaps. Of a convex shape one plane is enough.
SLV_INLINE int slv_find_corner_gaps(const SLV_GLOBAL float *state,
                                    const SLV_PRIVATE slv_contact_triangle *triangle,
                                    const SLV_PRIVATE slv_triangle_collider *near,
                                    SLV_PRIVATE slv_gap *gaps) {
    int above = 0;
    for (int n = 0; n < 3; n++) {
        int next = n == 2 ? 0 : n + 1;
        int last = n == 0 ? 2 : n - 1;
        slv_vector to_next = slv_subtract(triangle->now[next], triangle->now[n]);
        slv_vector to_last = slv_subtract(triangle->now[last], triangle->now[n]);
        gaps[n] = slv_collider_gap(state, &near->collider, &near->collider.end, near->kind,
                                   triangle->now[n]);
        float farthest = slv_max(slv_dot(to_next, to_next), slv_dot(to_last, to_last));
        float away = gaps[n].distance - near->gap;
        float least = slv_min(slv_dot(gaps[n].normal, to_next), slv_dot(gaps[n].normal, to_last));
        int is_above = away + slv_min(least, 0.0f) >= 0.0f;
        int is_far = away > 0.0f && away * away >= farthest;
        if (near->kind != SLV_SHAPE_FUNNEL && (is_far || (is_above && slv_is_convex(near->kind)))) {
            return 0;
        }
        above += is_above;
    }
    return above < 3 || near->kind == SLV_SHAPE_FUNNEL;
}

// What slv_collider_gap reads of a collider at its end. The rest is loaded where a triangle is near.
SLV_INLINE void slv_load_shape(const SLV_GLOBAL float *state, int record,
                               SLV_PRIVATE slv_collider *collider) {
    int field = record + SLV_COLLIDER_SAMPLES;
    collider->end = slv_load_frame(state, record + SLV_COLLIDER_END);
    for (int i = 0; i < 4; i++) {
        collider->size[i] = state[record + SLV_COLLIDER_SIZE + i];
    }
    collider->field.origin = slv_make_vector(state[field], state[field + 1], state[field + 2]);
    collider->field.spacing = state[field + 3];
    for (int d = 0; d < 3; d++) {
        collider->field.count[d] = (int)state[field + 4 + d];
    }
    collider->field.samples = (int)state[field + 7] * SLV_LANES;
}

SLV_INLINE void slv_load_triangle_motion(const SLV_GLOBAL float *state,
                                         const SLV_PRIVATE slv_body_layout *body,
                                         const SLV_PRIVATE slv_launch *launch,
                                         SLV_PRIVATE slv_contact_triangle *triangle) {
    for (int n = 0; n < 3; n++) {
        int slot = triangle->slots[n];
        triangle->starts[n] = slv_load_vector(state, body, slv_step_start(body, launch), slot);
        triangle->inverse_masses[n] = state[body->inverse_mass + slot];
    }
}

SLV_INLINE void slv_collide_triangle(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                     const SLV_PRIVATE slv_body_layout *body,
                                     const SLV_PRIVATE slv_launch *launch,
                                     SLV_PRIVATE slv_contact_triangle *triangle, int number) {
    int contact = body->contact;
    int kind = table[table[contact + SLV_CONTACT_KINDS] + number];
    slv_triangle_collider near;
    slv_gap gaps[3];
    int record = table[contact + SLV_CONTACT_COLLIDERS] + number * SLV_COLLIDER_FLOATS;
    slv_load_shape(state, record, &near.collider);
    near.kind = kind;
    near.gap = SLV_TRIANGLE_GAP * body->thickness;
    near.push_step = body->push_step;
    if (slv_find_corner_gaps(state, triangle, &near, gaps)) {
        near.collider = slv_load_collider(state, record);
        slv_load_triangle_motion(state, body, launch, triangle);
        near.material =
            slv_combine_materials(body, launch, near.collider.friction, near.collider.kinetic);
        slv_press_edges(state, triangle, &near, gaps);
        slv_press_face(state, triangle, &near);
    }
}

// Its positions. The rest is loaded where it is near a collider (slv_load_triangle_motion).
SLV_INLINE void slv_load_contact_triangle(const SLV_GLOBAL float *state,
                                          const SLV_GLOBAL int *table,
                                          const SLV_PRIVATE slv_body_layout *body, int number,
                                          SLV_PRIVATE slv_contact_triangle *triangle) {
    triangle->edges = table[body->triangle_tiles + number] & SLV_TRIANGLE_EDGES;
    for (int n = 0; n < 3; n++) {
        int slot = table[body->triangle_corners + 3 * number + n];
        triangle->slots[n] = slot;
        triangle->now[n] = slv_load_vector(state, body, body->q, slot);
        triangle->moves[n] = slv_make_vector(0.0f, 0.0f, 0.0f);
        triangle->counts[n] = 0.0f;
    }
}

// Finds the corrections of a triangle's corners. Most lie near a plane at most, which their corners keep them off.
SLV_INLINE void slv_triangle_collide(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                     const SLV_PRIVATE slv_body_layout *body,
                                     const SLV_PRIVATE slv_launch *launch, int number) {
    slv_contact_triangle triangle;
    int moves = body->triangle_moves + SLV_TRIANGLE_FLOATS * number;
    int kinds = table[body->contact + SLV_CONTACT_KINDS];
    int loaded = 0;
    if (table[body->triangle_corners + 3 * number] < 0) {
        return;
    }
    int tile = table[body->triangle_tiles + number] >> SLV_TRIANGLE_SHIFT;
    int list = slv_near_list(table, body, tile);
    int count = slv_count_near(table, body, list);
    int numbers = slv_find_near(table, body, list);
    for (int n = 0; n < count; n++) {
        int collider = table[numbers + n];
        if (table[kinds + collider] == SLV_SHAPE_NONE ||
            table[kinds + collider] == SLV_SHAPE_PLANE) {
            continue;
        }
        if (!loaded) {
            slv_load_contact_triangle(state, table, body, number, &triangle);
            loaded = 1;
        }
        slv_collide_triangle(state, table, body, launch, &triangle, collider);
    }
    for (int n = 0; n < 3; n++) {
        if (loaded) {
            slv_store_point(state, moves + 4 * n, triangle.moves[n], triangle.counts[n]);
        } else {
            state[moves + 4 * n + 3] = 0.0f;
        }
    }
}

// Moves a particle by the mean of the corrections of its triangles.
SLV_INLINE void slv_triangle_apply(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                   const SLV_PRIVATE slv_body_layout *body, int slot) {
    slv_vector sum = slv_make_vector(0.0f, 0.0f, 0.0f);
    float count = 0.0f;
    if (slot < 0) {
        return;
    }
    int end = table[body->triangle_first + slot + 1];
    for (int n = table[body->triangle_first + slot]; n < end; n++) {
        int at = table[body->triangle_fans + n];
        if (state[at + 3] > 0.0f) {
            sum = slv_add_scaled(sum, 1.0f, slv_load_strided(state, at, 1));
            count += state[at + 3];
        }
    }
    if (count > 0.0f) {
        float mean = slv_min(SLV_TRIANGLE_RELAXATION / count, 1.0f);
        slv_vector q = slv_load_vector(state, body, body->q, slot);
        slv_store_vector(state, body, body->q, slot, slv_add_scaled(q, mean, sum));
    }
}

#endif
