// SPDX-License-Identifier: MIT
#include "tools/voxelize/embedding.h"

#include "tools/common/parallel.h"
#include "tools/voxelize/influences.h"
#include "tools/voxelize/nearest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES_PER_TASK = 256 };

slv_result slv_add_render_mesh(const slv_mesh *mesh, slv_garment_builder *builder,
                               slv_error *error) {
    const size_t vertices = mesh->vertex_count;
    const size_t triangles = mesh->triangle_count;
    float *positions = slv_builder_array(builder, vertices, 3 * sizeof *positions, error);
    float *normals = slv_builder_array(builder, vertices, 3 * sizeof *normals, error);
    float *uvs = slv_builder_array(builder, vertices, 2 * sizeof *uvs, error);
    uint32_t *corners = slv_builder_array(builder, triangles, 3 * sizeof *corners, error);
    uint32_t *source = slv_builder_array(builder, vertices, sizeof *source, error);
    if (positions == NULL || normals == NULL || uvs == NULL || corners == NULL || source == NULL) {
        return SLV_ERROR_MEMORY;
    }
    for (size_t v = 0; v < vertices; v++) {
        const double *point = &mesh->points[3 * (size_t)mesh->vertex_point[v]];
        for (size_t axis = 0; axis < 3; axis++) {
            positions[3 * v + axis] = (float)point[axis];
        }
    }
    memcpy(normals, mesh->normals, vertices * 3 * sizeof *normals);
    memcpy(corners, mesh->triangles, triangles * 3 * sizeof *corners);
    memcpy(source, mesh->vertex_source, vertices * sizeof *source);
    if (mesh->uvs != NULL) {
        memcpy(uvs, mesh->uvs, vertices * 2 * sizeof *uvs);
    }
    uint8_t *texture = NULL;
    if (mesh->uvs != NULL && mesh->texture != NULL) {
        texture = slv_builder_array(builder, mesh->texture_size, 1, error);
        if (texture == NULL) {
            return SLV_ERROR_MEMORY;
        }
        memcpy(texture, mesh->texture, mesh->texture_size);
    }
    builder->garment.render = (slv_render_mesh){.vertex_count = mesh->vertex_count,
                                                .triangle_count = mesh->triangle_count,
                                                .positions = positions,
                                                .normals = normals,
                                                .uvs = mesh->uvs != NULL ? uvs : NULL,
                                                .texture = texture,
                                                .texture_size = texture ? mesh->texture_size : 0,
                                                .triangles = corners,
                                                .source = source};
    return SLV_OK;
}

slv_result slv_embed_in_points(const slv_mesh *mesh, slv_garment_builder *builder,
                               slv_error *error) {
    uint32_t *particles = slv_builder_array(builder, mesh->vertex_count, sizeof *particles, error);
    float *weights = slv_builder_array(builder, mesh->vertex_count, sizeof *weights, error);
    if (particles == NULL || weights == NULL) {
        return SLV_ERROR_MEMORY;
    }
    memcpy(particles, mesh->vertex_point, mesh->vertex_count * sizeof *particles);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        weights[v] = 1;
    }
    builder->garment.render.influences = 1;
    builder->garment.render.particles = particles;
    builder->garment.render.weights = weights;
    return SLV_OK;
}

// --- In a grid ----------------------------------------------------------------------------------

typedef struct embed_work {
    const slv_garment *garment;
    const slv_nearest *nearest;
    uint32_t *particles;
    float *weights;
    float *offsets;
    double *task_error;  // [tasks] largest distance at rest between vertex and embedded position
    double *task_offset; // [tasks] longest offset
} embed_work;

static void particle_position(const slv_garment *garment, uint32_t stored, double position[3]) {
    position[0] = (double)garment->x[stored];
    position[1] = (double)garment->y[stored];
    position[2] = (double)garment->z[stored];
}

// Weights rounded to float32 that still sum to one.
static void round_weights(const slv_influences *influences, float weights[SLV_INFLUENCES]) {
    double sum = 0;
    size_t largest = 0;
    for (size_t n = 0; n < SLV_INFLUENCES; n++) {
        weights[n] = (float)influences->weight[n];
        sum += (double)weights[n];
        largest = weights[n] > weights[largest] ? n : largest;
    }
    weights[largest] += (float)(1 - sum);
}

static double length_of(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// target - weighted sum of the particles.
static void residual(const embed_work *work, const uint32_t *particles, const float *weights,
                     const float *target, double left[3]) {
    for (size_t axis = 0; axis < 3; axis++) {
        left[axis] = (double)target[axis];
    }
    for (size_t n = 0; n < SLV_INFLUENCES; n++) {
        double position[3];
        particle_position(work->garment, particles[n], position);
        for (size_t axis = 0; axis < 3; axis++) {
            left[axis] -= (double)weights[n] * position[axis];
        }
    }
}

static void embed_vertex(const embed_work *work, size_t v, double *error, double *longest) {
    const slv_lattice *lattice = &work->nearest->index->lattice;
    const float *target = &work->garment->render.positions[3 * v];
    uint32_t *particles = &work->particles[SLV_INFLUENCES * v];
    float *weights = &work->weights[SLV_INFLUENCES * v];
    float *offset = &work->offsets[3 * v];
    double cell_position[3];
    for (size_t axis = 0; axis < 3; axis++) {
        cell_position[axis] = ((double)target[axis] - lattice->origin[axis]) / lattice->spacing;
    }
    slv_influences influences;
    slv_choose_influences(work->nearest, cell_position, &influences);
    memcpy(particles, influences.stored, sizeof influences.stored);
    round_weights(&influences, weights);

    double left[3];
    double corner[3][3];
    double axes[3][3];
    residual(work, particles, weights, target, left);
    for (size_t n = 0; n < 3; n++) {
        particle_position(work->garment, particles[n], corner[n]);
    }
    slv_embedding_frame(corner[0], corner[1], corner[2], axes);
    double wrong[3] = {left[0], left[1], left[2]};
    for (size_t n = 0; n < 3; n++) {
        offset[n] = (float)(left[0] * axes[n][0] + left[1] * axes[n][1] + left[2] * axes[n][2]);
        for (size_t axis = 0; axis < 3; axis++) {
            wrong[axis] -= (double)offset[n] * axes[n][axis];
        }
    }
    *error = fmax(*error, length_of(wrong));
    *longest = fmax(*longest, length_of(left));
}

static void embed_vertices(void *context, size_t task, unsigned worker) {
    (void)worker;
    const embed_work *work = context;
    const size_t first = task * VERTICES_PER_TASK;
    const size_t count = work->garment->render.vertex_count;
    const size_t end = first + VERTICES_PER_TASK < count ? first + VERTICES_PER_TASK : count;
    double error = 0;
    double longest = 0;
    for (size_t v = first; v < end; v++) {
        embed_vertex(work, v, &error, &longest);
    }
    work->task_error[task] = error;
    work->task_offset[task] = longest;
}

static double largest_of(const double *values, size_t count) {
    double largest = 0;
    for (size_t n = 0; n < count; n++) {
        largest = fmax(largest, values[n]);
    }
    return largest;
}

// Offsets shorter than this are rounding errors of float32 coordinates and are not stored (12 bytes
// per vertex).
static double rounding_of(const slv_garment_info *info) {
    double reach = 0;
    for (int axis = 0; axis < 3; axis++) {
        reach = fmax(reach, fmax(fabs((double)info->bounds_min[axis]),
                                 fabs((double)info->bounds_max[axis])));
    }
    return 0x1p-22 * reach;
}

static slv_result embed_all(embed_work *work, unsigned threads, slv_garment_builder *builder,
                            double *largest_error, slv_error *error) {
    const size_t vertices = work->garment->render.vertex_count;
    const size_t tasks = (vertices + VERTICES_PER_TASK - 1) / VERTICES_PER_TASK;
    work->task_error = slv_builder_array(builder, tasks, sizeof(double), error);
    work->task_offset = slv_builder_array(builder, tasks, sizeof(double), error);
    work->particles =
        slv_builder_array(builder, vertices, SLV_INFLUENCES * sizeof *work->particles, error);
    work->weights =
        slv_builder_array(builder, vertices, SLV_INFLUENCES * sizeof *work->weights, error);
    work->offsets = slv_builder_array(builder, vertices, 3 * sizeof *work->offsets, error);
    if (work->task_error == NULL || work->task_offset == NULL || work->particles == NULL ||
        work->weights == NULL || work->offsets == NULL) {
        return SLV_ERROR_MEMORY;
    }
    slv_parallel_for(threads, tasks, embed_vertices, work);

    const double longest = largest_of(work->task_offset, tasks);
    const bool offsets_matter = longest > rounding_of(&builder->garment.info);
    *largest_error = offsets_matter ? largest_of(work->task_error, tasks) : longest;
    slv_render_mesh *render = &builder->garment.render;
    render->influences = SLV_INFLUENCES;
    render->particles = work->particles;
    render->weights = work->weights;
    render->offsets = offsets_matter ? work->offsets : NULL;
    return SLV_OK;
}

slv_result slv_embed_in_grid(const slv_grid_index *index, unsigned threads,
                             slv_garment_builder *builder, double *largest_error,
                             slv_error *error) {
    slv_nearest nearest;
    slv_result result = slv_nearest_create(index, &nearest, error);
    if (result == SLV_OK) {
        embed_work work = {.garment = &builder->garment, .nearest = &nearest};
        result = embed_all(&work, threads, builder, largest_error, error);
        slv_nearest_free(&nearest);
    }
    return result;
}
