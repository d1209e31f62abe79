// SPDX-License-Identifier: MIT
// A pair of triangles over an edge measures one number of the curvature. Three things make the sum over all pairs the
// energy of a plate, B/2 times the square of the curvature per area, for any mesh and direction:
// - Weights w by the shape of both triangles. In a plane tiled by mirror images of a triangle they make the sum equal in
//   all directions but for its fourth harmonic, which is 0 for equilateral and for right isosceles triangles.
// - Pairs that mirror each other. Squares that are all cut along the same diagonal would resist 5 times as much in one
//   diagonal direction as in the other. So the corner opposite to an edge may be that of the square's other half.
// - The shape at rest as the mesh has it: K x of a curved mesh is no bending.
// Bent to a cylinder, meshes of 8 x 8 to 32 x 32 of squares cut either way, of equilateral and of random triangles have
// 0.87 to 1.07 of a plate's energy; free borders, whose triangles have neighbors on one side only, are what is missing.
#include "runtime/model/flexures.h"

#include "runtime/model/triangles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double right_angle =
    0.3; // largest cosine of an angle that counts as right: 72 to 108 degrees
static const double same_plane = 0.9; // least cosine between the normals of a square's halves
static const double steepest =
    50.0; // cotangent: angles below 1.1 degrees do not count as triangles
static const double least_mirror =
    0.25; // of 1 + cot cot: very obtuse triangles would get any weight

// A side of a triangle.
typedef struct side {
    uint32_t low, high; // own numbers of its ends
    uint32_t apex;      // the third corner
    uint32_t number;    // of the side, so that the order of equal ones is certain
} side;

typedef struct side_list {
    const slv_body *body;
    const slv_garment *garment;
    side *sides;
    size_t count;
} side_list;

typedef struct vector {
    double x, y, z;
} vector;

static vector position_of(const slv_garment *garment, uint32_t own) {
    const uint32_t s = garment->stored_of_own[own];
    return (vector){(double)garment->x[s], (double)garment->y[s], (double)garment->z[s]};
}

static vector difference(vector a, vector b) {
    return (vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(vector a, vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vector cross(vector a, vector b) {
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// --- The shape of a triangle ------------------------------------------------------------------------

// Of a triangle over an edge: cotangents of its angles at both ends of the edge and at the apex.
typedef struct triangle_shape {
    double at_low, at_high, at_apex;
    double area; // m²; 0: too thin
} triangle_shape;

static triangle_shape measure(const slv_garment *garment, uint32_t low, uint32_t high,
                              uint32_t apex) {
    const vector a = position_of(garment, low);
    const vector b = position_of(garment, high);
    const vector c = position_of(garment, apex);
    const vector ab = difference(b, a);
    const vector ac = difference(c, a);
    const vector bc = difference(c, b);
    const vector normal = cross(ab, ac);
    const double twice = sqrt(dot(normal, normal));
    triangle_shape shape = {.at_low = dot(ab, ac), .at_high = -dot(ab, bc), .at_apex = dot(ac, bc)};
    const double most = steepest * twice;
    if (!(fabs(shape.at_low) < most && fabs(shape.at_high) < most && fabs(shape.at_apex) < most)) {
        return (triangle_shape){.area = 0.0};
    }
    shape.at_low /= twice;
    shape.at_high /= twice;
    shape.at_apex /= twice;
    shape.area = 0.5 * twice;
    return shape;
}

// With i, j and k the cotangents at the ends of an edge and opposite to it, the edge measures the curvature across less
// i j times the curvature along it. A weight of 1 / ((1 + k²) (i + j) (1 + i j)) cancels the second harmonic.
static double harmonic_weight(double i, double j, double k) {
    return 1.0 / ((1.0 + k * k) * (i + j) * fmax(1.0 + i * j, least_mirror));
}

// Mean over all directions of what an edge contributes, times 4/3.
static double mean_of(double i, double j) {
    const double along = 1.0 - i * j;
    const double change = 1.0 + i * j;
    return along * along + 0.5 * change * change;
}

static double weight_of(const triangle_shape *shape) {
    const double a = shape->at_low;
    const double b = shape->at_high;
    const double c = shape->at_apex;
    const double own = harmonic_weight(a, b, c);
    const double sum = own * mean_of(a, b) + harmonic_weight(b, c, a) * mean_of(b, c) +
                       harmonic_weight(c, a, b) * mean_of(c, a);
    return own / (0.75 * sum);
}

// --- Pairs of triangles -----------------------------------------------------------------------------

static int compare_ends(const void *left, const void *right) {
    const side *a = left;
    const side *b = right;
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    return (a->high > b->high) - (a->high < b->high);
}

static int compare_sides(const void *left, const void *right) {
    const int ends = compare_ends(left, right);
    const side *a = left;
    const side *b = right;
    return ends != 0 ? ends : (a->number > b->number) - (a->number < b->number);
}

static void list_sides(side_list *list, const slv_triangles *triangles) {
    for (uint32_t t = 0; t < triangles->count; t++) {
        const uint32_t *corners = triangles->corners + 3 * (size_t)t;
        for (size_t c = 0; c < 3; c++) {
            const uint32_t a = corners[c];
            const uint32_t b = corners[(c + 1) % 3];
            const uint32_t apex = corners[(c + 2) % 3];
            if (a != b && a != apex && b != apex) {
                list->sides[list->count] =
                    (side){a < b ? a : b, a < b ? b : a, apex, (uint32_t)list->count};
                list->count++;
            }
        }
    }
    qsort(list->sides, list->count, sizeof *list->sides, compare_sides);
}

static bool is_right(const slv_garment *garment, uint32_t apex, uint32_t a, uint32_t b) {
    const vector p = position_of(garment, apex);
    const vector u = difference(position_of(garment, a), p);
    const vector v = difference(position_of(garment, b), p);
    const double cosine = dot(u, v);
    return cosine * cosine < right_angle * right_angle * dot(u, u) * dot(v, v);
}

static vector normal_of(const slv_garment *garment, uint32_t a, uint32_t b, uint32_t c) {
    const vector p = position_of(garment, a);
    return cross(difference(position_of(garment, b), p), difference(position_of(garment, c), p));
}

// The fourth corner of the square whose half is the triangle of ends a and b and an apex, where that has a right angle at
// b and the longest side from a to the apex. SLV_NO_INDEX: there is none.
static uint32_t find_fourth(const side_list *list, uint32_t a, uint32_t b, uint32_t apex) {
    const side key = {.low = a < apex ? a : apex, .high = a < apex ? apex : a};
    const side *found = is_right(list->garment, b, a, apex)
                            ? bsearch(&key, list->sides, list->count, sizeof key, compare_ends)
                            : NULL;
    if (!found) {
        return SLV_NO_INDEX;
    }
    while (found > list->sides && compare_ends(found - 1, &key) == 0) {
        found--;
    }
    const side *end = list->sides + list->count;
    if (found + 1 >= end || compare_ends(found + 1, &key) != 0 ||
        (found + 2 < end && compare_ends(found + 2, &key) == 0)) {
        return SLV_NO_INDEX; // a border, or more than two triangles
    }
    const uint32_t fourth = found[0].apex == b ? found[1].apex : found[0].apex;
    const vector here = normal_of(list->garment, a, b, apex);
    const vector there = normal_of(list->garment, a, apex, fourth);
    const double cosine = dot(here, there);
    const bool flat = cosine > 0.0 && cosine * cosine > same_plane * same_plane * dot(here, here) *
                                                            dot(there, there);
    return flat && fourth != b && is_right(list->garment, fourth, a, apex) ? fourth : SLV_NO_INDEX;
}

// The corner of a side, and that of the other half of its square.
typedef struct apex_choice {
    uint32_t apex[2];
    int count;
} apex_choice;

static apex_choice find_apexes(const side_list *list, const side *s) {
    apex_choice choice = {{s->apex, SLV_NO_INDEX}, 1};
    uint32_t other = find_fourth(list, s->low, s->high, s->apex);
    other = other != SLV_NO_INDEX ? other : find_fourth(list, s->high, s->low, s->apex);
    if (other != SLV_NO_INDEX) {
        choice.apex[choice.count++] = other;
    }
    return choice;
}

// Chooses the corners that lie most nearly opposite to each other.
static bool choose_corners(const side_list *list, const side *one, const side *two,
                           uint32_t ends[SLV_ARITY_MAX]) {
    const slv_garment *garment = list->garment;
    const vector edge = difference(position_of(garment, one->high), position_of(garment, one->low));
    const apex_choice first = find_apexes(list, one);
    const apex_choice second = find_apexes(list, two);
    double best = HUGE_VAL;
    ends[0] = one->low;
    ends[1] = one->high;
    for (int i = 0; i < first.count; i++) {
        for (int j = 0; j < second.count; j++) {
            const uint32_t c = first.apex[i];
            const uint32_t d = second.apex[j];
            const vector between = difference(position_of(garment, c), position_of(garment, d));
            // Of equal ones the triangles themselves.
            const double skew = fabs(dot(between, edge)) / dot(edge, edge) + 0.01 * (i + j);
            if (c != d && skew < best) {
                best = skew;
                ends[2] = c;
                ends[3] = d;
            }
        }
    }
    return best < HUGE_VAL && measure(garment, ends[0], ends[1], ends[2]).area > 0.0 &&
           measure(garment, ends[0], ends[1], ends[3]).area > 0.0;
}

// Sides of one edge follow one another; each forms a pair with the next.
static void make_pairs(const side_list *list, slv_constraint_batch *batch) {
    for (size_t s = 0; s + 1 < list->count; s++) {
        const side *one = &list->sides[s];
        if (compare_ends(one, one + 1) == 0 &&
            choose_corners(list, one, one + 1, batch->ends[batch->count])) {
            batch->count++;
        }
    }
}

static bool find_triangles(slv_triangles *triangles, const slv_body *body, slv_memory *scratch) {
    *triangles = (slv_triangles){NULL, 0};
    if (slv_triangles_have_grid(body)) {
        return slv_triangles_find_grid(triangles, body, scratch, scratch);
    }
    return !slv_triangles_are_drawn(body) || slv_triangles_find_drawn(triangles, body, scratch);
}

static slv_result no_memory(slv_error *error) {
    return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for flexures");
}

// Flexures over all edges that triangles share.
static slv_result make_flexures(slv_body *body, const slv_garment *garment, slv_memory *scratch,
                                slv_error *error) {
    slv_constraint_batch *batch = &body->batches[SLV_BATCH_FLEXURE];
    slv_triangles triangles;
    if (!find_triangles(&triangles, body, scratch)) {
        return no_memory(error);
    }
    if (triangles.count == 0) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "flexural_rigidity: needs a flat grid or a mesh whose vertices are "
                        "particles (selvage-voxelize --mode surface)");
    }
    const size_t room = 3 * (size_t)triangles.count;
    side_list list = {body, garment, slv_memory_take(scratch, room, sizeof *list.sides), 0};
    *batch = (slv_constraint_batch){
        .ends = slv_memory_take(&body->memory, room / 2 + 1, sizeof *batch->ends),
        .rests = slv_memory_take(&body->memory, room / 2 + 1, sizeof *batch->rests),
        .groups = slv_memory_take(&body->memory, 1, sizeof *batch->groups)};
    if (room > UINT32_MAX / 16 || !list.sides || !batch->ends || !batch->rests || !batch->groups) {
        return no_memory(error);
    }
    list_sides(&list, &triangles);
    make_pairs(&list, batch);
    batch->groups[batch->group_count++] = (slv_batch_group){0, batch->count};
    if (!slv_batch_color(batch, slv_batch_arity(SLV_BATCH_FLEXURE), body->count, &body->memory,
                         scratch)) {
        return no_memory(error);
    }
    for (uint32_t i = 0; i < batch->count && body->phantoms.copy_count > 0; i++) {
        for (uint32_t e = 0; e < slv_batch_arity(SLV_BATCH_FLEXURE); e++) {
            slv_phantom_set_note_use(&body->phantoms, batch->ends[i][e], body->count,
                                     SLV_PHASE_BATCHES + SLV_BATCH_FLEXURE);
        }
    }
    return SLV_OK;
}

// --- At rest ----------------------------------------------------------------------------------------

// K of the four corners, which stay 0 where a triangle is too thin, and the area over three weights.
static slv_flexure_rest measure_rest(const slv_garment *garment,
                                     const uint32_t original[SLV_ARITY_MAX], double scale) {
    const triangle_shape one = measure(garment, original[0], original[1], original[2]);
    const triangle_shape two = measure(garment, original[0], original[1], original[3]);
    if (!(one.area > 0.0 && two.area > 0.0)) {
        return (slv_flexure_rest){.area = 0.0};
    }
    const double area = one.area + two.area;
    const double weight = (one.area * weight_of(&one) + two.area * weight_of(&two)) / area;
    return (slv_flexure_rest){.factors = {one.at_high + two.at_high, one.at_low + two.at_low,
                                          -one.at_low - one.at_high, -two.at_low - two.at_high},
                              .area = scale * scale * area / (3.0 * weight)};
}

static double rest_deflection(const slv_garment *garment, const uint32_t original[SLV_ARITY_MAX],
                              const slv_flexure_rest *rest) {
    const vector origin = position_of(garment, original[0]);
    vector sum = {0.0, 0.0, 0.0};
    for (int e = 1; e < SLV_ARITY_MAX; e++) {
        const vector way = difference(position_of(garment, original[e]), origin);
        sum.x += rest->factors[e] * way.x;
        sum.y += rest->factors[e] * way.y;
        sum.z += rest->factors[e] * way.z;
    }
    return sqrt(dot(sum, sum));
}

static slv_result measure_all(slv_body *body, const slv_garment *garment, double scale, bool made,
                              slv_error *error) {
    slv_constraint_batch *batch = &body->batches[SLV_BATCH_FLEXURE];
    body->flexures = slv_memory_take(&body->memory, batch->count, sizeof *body->flexures);
    if (!body->flexures) {
        return no_memory(error);
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t original[SLV_ARITY_MAX];
        for (int e = 0; e < SLV_ARITY_MAX; e++) {
            const uint32_t end = batch->ends[i][e];
            original[e] = end < body->count ? end : body->phantoms.originals[end - body->count];
        }
        body->flexures[i] = measure_rest(garment, original, scale);
        if (made) {
            batch->rests[i] =
                (float)(scale * rest_deflection(garment, original, &body->flexures[i]));
        }
    }
    return SLV_OK;
}

slv_result slv_flexures_create(slv_body *body, const slv_garment *garment,
                               const slv_garment_def *def, slv_error *error) {
    if (!(def->flexural_rigidity > 0.0f)) {
        return SLV_OK;
    }
    if (def->tearing_threshold > 0.0f) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "flexural_rigidity: what resists bending does not tear; a garment with a "
                        "tearing_threshold has bending_stiffness instead");
    }
    slv_memory scratch = {.allocator = body->memory.allocator};
    const bool made = body->batches[SLV_BATCH_FLEXURE].count == 0;
    slv_result status = made ? make_flexures(body, garment, &scratch, error) : SLV_OK;
    if (status == SLV_OK) {
        status = measure_all(body, garment, (double)def->scale, made, error);
    }
    slv_memory_release(&scratch);
    return status;
}
