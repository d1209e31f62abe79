// SPDX-License-Identifier: MIT
// Clusters: their rotations, which are state, and their launches.
#include "runtime/step/features/clusters.h"

#include "kernels/match.h"
#include "runtime/base/rotation.h"
#include "runtime/layout/match_layout.h"
#include "runtime/step/feature.h"
#include "runtime/step/launches.h"

#include <string.h>

extern const slv_feature slv_feature_clusters;

// Of the square of a rotation's length from 1. Steps keep it within rounding; a snapshot may be damaged.
static const float unit_tolerance = 0.01f;

typedef struct clusters_data {
    float stiffness, deformation;
} clusters_data;

typedef struct clusters_layout {
    bool filled;
} clusters_layout;

static clusters_layout *get_layout(const slv_layout *layout) {
    return slv_feature_get_layout_data(&slv_feature_clusters, layout);
}

static slv_result define(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                         slv_memory *scratch, slv_error *error) {
    clusters_data *data = slv_feature_get_body_data(&slv_feature_clusters, body);
    (void)garment;
    (void)scratch;
    (void)error;
    data->stiffness = def->shape_stiffness;
    data->deformation = def->shape_deformation;
    return SLV_OK;
}

// --- Layout -----------------------------------------------------------------------------------------

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    (void)settings;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        const clusters_data *data = slv_feature_get_body_data(&slv_feature_clusters, bodies[i]);
        slv_body_layout *body_layout = &layout->bodies[i];
        slv_body_extents *extents = &layout->extents[i];
        slv_match_extents places = {.rotations = {0, 0}};
        if (bodies[i]->clusters.count > 0) {
            body_layout->match_stiffness = data->stiffness;
            body_layout->match_linear = data->deformation;
            slv_match_layout_reserve(body_layout, bodies[i], &places, cursor);
            extents->state[SLV_ASPECT_clusters] = places.rotations;
            extents->state[SLV_ASPECT_cluster_weights] = places.weights;
            extents->table[SLV_ASPECT_cluster_weights] = places.weight_table;
        }
    }
}

// Rotations of all clusters at the start are that of the body.
static void reset(slv_layout *layout, uint32_t index, slv_body *body) {
    double given[4];
    float rotation[4];
    for (int i = 0; i < 4; i++) {
        given[i] = (double)body->start_pose.rotation[i];
    }
    slv_rotation_normalize(given);
    for (int i = 0; i < 4; i++) {
        rotation[i] = (float)given[i];
    }
    slv_match_layout_set_rotations(layout, index, rotation);
    layout->extents[index].written |= 1u << SLV_ASPECT_clusters;
}

static bool fill(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch) {
    bool done = true;
    (void)settings;
    for (uint32_t i = 0; done && i < layout->body_count; i++) {
        if (bodies[i]->clusters.count > 0) {
            done = slv_match_layout_fill(layout, i, bodies[i], scratch);
            reset(layout, i, bodies[i]);
        }
    }
    get_layout(layout)->filled = done;
    return done;
}

// While a layout is made this comes before `fill`.
static void set_response(slv_layout *layout, uint32_t index, const slv_body *body,
                         double time_step) {
    (void)time_step;
    if (body->clusters.count > 0 && get_layout(layout)->filled) {
        slv_match_layout_set_weights(layout, index, body);
        layout->extents[index].written |= 1u << SLV_ASPECT_cluster_weights;
    }
}

// --- The step ---------------------------------------------------------------------------------------

static double power(double base, uint64_t exponent) {
    double result = 1.0;
    for (; exponent > 0; exponent /= 2) {
        result *= exponent % 2 == 1 ? base : 1.0;
        base *= base;
    }
    return result;
}

// By bisection: pow has other last bits in other libraries.
double slv_clusters_divide(double stiffness, uint64_t iterations) {
    double low = 0.0;
    double high = 1.0;
    if (iterations <= 1 || !(stiffness < 1.0)) {
        return stiffness;
    }
    for (int i = 0; i < 60; i++) { // finds what is left after an iteration
        const double middle = 0.5 * (low + high);
        if (power(middle, iterations) > 1.0 - stiffness) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return 1.0 - high;
}

// Number of rows of a launch of a body.
typedef int count_rows(const slv_body_layout *body_layout);

static int count_small(const slv_body_layout *body_layout) {
    return body_layout->match_row_count;
}
static int count_chunks(const slv_body_layout *body_layout) {
    return body_layout->match_chunk_count;
}
static int count_large(const slv_body_layout *body_layout) {
    return body_layout->match_large_count;
}
static int count_shared(const slv_body_layout *body_layout) {
    return slv_count_lanes(body_layout->match_shared_count);
}
static int count_rotations(const slv_body_layout *body_layout) {
    return (int)slv_match_layout_count_rotations(body_layout) / SLV_LANES;
}

static void launch_rows(slv_plan_writer *writer, slv_kernel_id kernel, int index,
                        count_rows *count) {
    const uint64_t iterations =
        (uint64_t)writer->parameters->outer_iterations * writer->parameters->inner_iterations;
    const float usual = writer->relaxation;
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        writer->relaxation =
            (float)slv_clusters_divide((double)body_layout->match_stiffness, iterations);
        if (body_layout->match_stiffness > 0.0f && !body_layout->inert) {
            slv_plan_launch_rows(writer, kernel, i, index, 0, count(body_layout));
        }
    }
    writer->relaxation = usual;
}

void slv_clusters_launch(slv_plan_writer *writer) {
    static const struct {
        slv_kernel_id kernel;
        count_rows *count;
    } launches[] = {
        {SLV_ID_match_sum, count_chunks},    {SLV_ID_match_turn, count_large},
        {SLV_ID_match_pull, count_chunks},   {SLV_ID_match_balance, count_large},
        {SLV_ID_match_finish, count_chunks}, {SLV_ID_match_gather, count_shared},
    };
    launch_rows(writer, SLV_ID_match_project, 0, count_small); // beside the sums of large ones
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
        launch_rows(writer, launches[i].kernel, 0, launches[i].count);
        slv_plan_barrier(writer);
    }
}

// Rotations, like positions, go back to the start of a step that diverged.
static void keep_or_restore(slv_plan_writer *writer, int index) {
    const uint32_t before = writer->count;
    launch_rows(writer, SLV_ID_match_keep, index, count_rotations);
    if (writer->count > before) {
        slv_plan_barrier(writer);
    }
}

static void keep(slv_plan_writer *writer) {
    keep_or_restore(writer, 0);
}

static void rollback(slv_plan_writer *writer) {
    keep_or_restore(writer, 1);
}

// --- State ------------------------------------------------------------------------------------------

static float *rotations_of(const slv_layout *layout, uint32_t index) {
    return layout->state + layout->bodies[index].match_rotations;
}

static size_t size_of(const slv_layout *layout, uint32_t index) {
    return slv_match_layout_count_rotations(&layout->bodies[index]) * sizeof(float);
}

static void carry(const slv_layout *from, uint32_t old, slv_layout *to, uint32_t index,
                  const slv_body *body) {
    if (body->clusters.count > 0) {
        memcpy(rotations_of(to, index), rotations_of(from, old), size_of(to, index));
        to->extents[index].written |= 1u << SLV_ASPECT_clusters;
    }
}

static void turn(slv_layout *layout, uint32_t index, const double rotation[4]) {
    const size_t count = slv_match_layout_count_rotations(&layout->bodies[index]);
    float *rows = rotations_of(layout, index);
    for (size_t i = 0; i < count; i++) {
        float *first = rows + i;
        double own[4];
        double turned[4];
        if (i / SLV_LANES % 4 > 0) {
            continue;
        }
        for (size_t k = 0; k < 4; k++) {
            own[k] = (double)first[k * SLV_LANES];
        }
        slv_rotation_multiply(rotation, own, turned);
        slv_rotation_normalize(turned);
        for (size_t k = 0; k < 4; k++) {
            first[k * SLV_LANES] = (float)turned[k];
        }
        layout->extents[index].written |= 1u << SLV_ASPECT_clusters;
    }
}

static size_t get_size(const slv_layout *layout, const slv_body *body) {
    (void)layout;
    return slv_match_count_rotation_floats(&body->clusters) * sizeof(float);
}

static void save(const slv_layout *layout, uint32_t index, const slv_body *body, char *to) {
    (void)body;
    memcpy(to, rotations_of(layout, index), size_of(layout, index));
}

// Rows of SLV_LANES quaternions: x of all, then y, z, w.
static const char *check(const slv_layout *layout, const slv_body *body, const char *from,
                         size_t size, slv_marks marks) {
    (void)marks;
    if (size != get_size(layout, body)) {
        return "a garment has another number of clusters";
    }
    for (size_t row = 0; row < size; row += 4 * SLV_LANES * sizeof(float)) {
        float q[4 * SLV_LANES];
        memcpy(q, from + row, sizeof q);
        for (size_t i = 0; i < SLV_LANES; i++) {
            float square = 0.0f;
            for (size_t k = i; k < 4 * SLV_LANES; k += SLV_LANES) {
                square += q[k] * q[k];
            }
            if (!(square > 1.0f - unit_tolerance && square < 1.0f + unit_tolerance)) {
                return "the rotation of a cluster is no unit quaternion";
            }
        }
    }
    return NULL;
}

static void restore(slv_layout *layout, uint32_t index, slv_body *body, const char *from,
                    size_t size) {
    if (body->clusters.count > 0) {
        memcpy(rotations_of(layout, index), from, size);
        layout->extents[index].written |= 1u << SLV_ASPECT_clusters;
    }
}

static void hash(const slv_layout *layout, uint32_t index, slv_hash_floats *add, void *stream) {
    const size_t count = slv_match_layout_count_rotations(&layout->bodies[index]);
    if (count > 0) {
        add(stream, rotations_of(layout, index), count);
    }
}

const slv_feature slv_feature_clusters = {
    .name = "clusters",
    .state_aspects = 1u << SLV_ASPECT_clusters,
    .body_size = sizeof(clusters_data),
    .define = define,
    .layout_size = sizeof(clusters_layout),
    .reserve = reserve,
    .fill = fill,
    .set_response = set_response,
    .carry = carry,
    .launch = {[SLV_POINT_SOLVE_BEGIN] = keep, [SLV_POINT_ROLLBACK] = rollback},
    .reset = reset,
    .turn = turn,
    .get_size = get_size,
    .save = save,
    .check = check,
    .restore = restore,
    .hash = hash,
};
