// SPDX-License-Identifier: MIT
#include "runtime/player/view/snapshot.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRESH = 4 };

// --- Making --------------------------------------------------------------------------------------

// Allocates the models' meshes, and marks the garments that are surfaces of models.
static bool make_models(slv_snapshot *snapshot, slv_world *world) {
    const uint32_t count = slv_world_get_clip_count(world);
    snapshot->model_surface = calloc(snapshot->garment_count + 1, sizeof *snapshot->model_surface);
    snapshot->models = calloc(count + 1, sizeof *snapshot->models);
    bool made = snapshot->model_surface && snapshot->models;
    for (uint32_t i = 0; made && i < count; i++) {
        slv_model_mesh *model = &snapshot->models[snapshot->model_count++];
        slv_clip_report report;
        made = slv_clip_get_report(world, slv_world_get_clip(world, i), &report) == SLV_OK;
        if (made && slv_garment_is_valid(world, report.surface)) {
            snapshot->model_surface[slv_garment_get_index(world, report.surface)] = 1;
        }
        model->count = made ? report.vertex_count : 0;
        model->vertices = calloc((size_t)model->count + 1, 6 * sizeof *model->vertices);
        made = made && model->vertices;
    }
    return made;
}

static bool make_one(slv_snapshot *snapshot, const uint32_t *first, uint32_t garments,
                     uint32_t solids) {
    const size_t particles = first[garments];
    snapshot->garment_count = garments;
    snapshot->first = malloc((garments + 1) * sizeof *snapshot->first);
    snapshot->positions = calloc(particles + 1, 3 * sizeof *snapshot->positions);
    if (snapshot->first) {
        memcpy(snapshot->first, first, (garments + 1) * sizeof *first);
    }
    snapshot->intact = calloc(garments + 1, sizeof *snapshot->intact);
    snapshot->solids = calloc(solids + 1, sizeof *snapshot->solids);
    snapshot->solid_count = solids;
    return snapshot->first && snapshot->positions && snapshot->intact && snapshot->solids;
}

slv_result slv_snapshots_make(slv_snapshots *snapshots, slv_world *world, uint32_t solids,
                              slv_error *error) {
    const uint32_t garments = slv_world_get_garment_count(world);
    *snapshots = (slv_snapshots){.back = 0, .front = 1};
    atomic_init(&snapshots->ready, 2);
    uint32_t *first = calloc(garments + 1, sizeof *first);
    bool made = first != NULL;
    for (uint32_t g = 0; g < garments && made; g++) {
        slv_particle_view view;
        made = slv_garment_get_positions(world, slv_world_get_garment(world, g), &view) == SLV_OK;
        first[g + 1] = first[g] + (made ? view.count : 0);
    }
    for (int i = 0; i < 3 && made; i++) {
        made = make_one(&snapshots->each[i], first, garments, solids) &&
               make_models(&snapshots->each[i], world);
    }
    free(first);
    return made ? SLV_OK : slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the picture");
}

void slv_snapshots_free(slv_snapshots *snapshots) {
    for (int i = 0; i < 3; i++) {
        for (uint32_t g = 0; snapshots->each[i].intact && g < snapshots->each[i].garment_count;
             g++) {
            free(snapshots->each[i].intact[g].triangles);
            free(snapshots->each[i].intact[g].is_torn);
        }
        for (uint32_t m = 0; m < snapshots->each[i].model_count; m++) {
            free(snapshots->each[i].models[m].vertices);
        }
        free(snapshots->each[i].models);
        free(snapshots->each[i].contacts);
        free(snapshots->each[i].model_surface);
        free(snapshots->each[i].intact);
        free(snapshots->each[i].solids);
        free(snapshots->each[i].first);
        free(snapshots->each[i].positions);
    }
    *snapshots = (slv_snapshots){.back = 0};
}

// --- Triple buffer ---------------------------------------------------------------------------------

slv_snapshot *slv_snapshots_get_back(slv_snapshots *snapshots) {
    return &snapshots->each[snapshots->back];
}

void slv_snapshots_publish(slv_snapshots *snapshots) {
    const int was = atomic_exchange(&snapshots->ready, snapshots->back | FRESH);
    snapshots->back = was & ~FRESH;
}

const slv_snapshot *slv_snapshots_get_newest(slv_snapshots *snapshots, bool *fresh) {
    const bool is_fresh = (atomic_load(&snapshots->ready) & FRESH) != 0;
    if (is_fresh) {
        snapshots->front = atomic_exchange(&snapshots->ready, snapshots->front) & ~FRESH;
    }
    if (fresh) {
        *fresh = is_fresh;
    }
    return &snapshots->each[snapshots->front];
}

// --- Filling -------------------------------------------------------------------------------------

static void gather(const slv_particle_view *view, float *positions) {
    for (uint32_t p = 0; p < view->count; p++) {
        slv_particle_view_get(view, p, positions + 3 * (size_t)p);
    }
}

enum { RUN = 32, RUNS = SLV_SAMPLES_MOST / RUN };

uint32_t slv_sample_runs(uint32_t count) {
    return count < SLV_SAMPLES_MOST ? (count + RUN - 1) / RUN : RUNS;
}

uint32_t slv_sample_run(uint32_t count, uint32_t run, uint32_t *length) {
    const uint32_t first = count < SLV_SAMPLES_MOST
                               ? run * RUN
                               : (uint32_t)((uint64_t)(count - RUN) * run / (RUNS - 1));
    *length = count - first < RUN ? count - first : RUN;
    return first;
}

void slv_snapshot_clear_bounds(slv_snapshot *snapshot) {
    for (int d = 0; d < 3; d++) {
        snapshot->low[d] = FLT_MAX;
        snapshot->high[d] = -FLT_MAX;
    }
}

void slv_snapshot_add_to_bounds(slv_snapshot *snapshot, const float *points, size_t count,
                                size_t stride) {
    for (size_t p = 0; p < count; p++) {
        for (int d = 0; d < 3; d++) {
            const float value = points[p * stride + (size_t)d];
            snapshot->low[d] = value < snapshot->low[d] ? value : snapshot->low[d];
            snapshot->high[d] = value > snapshot->high[d] ? value : snapshot->high[d];
        }
    }
}

static void add_runs_to_bounds(slv_snapshot *snapshot, const float *points, uint32_t count,
                               size_t stride) {
    const uint32_t runs = slv_sample_runs(count);
    for (uint32_t run = 0; run < runs; run++) {
        uint32_t length = 0;
        const uint32_t first = slv_sample_run(count, run, &length);
        slv_snapshot_add_to_bounds(snapshot, points + first * stride, length, stride);
    }
}

static void find_bounds(slv_snapshot *snapshot) {
    if (!snapshot->in_gl_buffers) {
        slv_snapshot_clear_bounds(snapshot);
        for (uint32_t g = 0; g < snapshot->garment_count; g++) {
            add_runs_to_bounds(snapshot, snapshot->positions + 3 * (size_t)snapshot->first[g],
                               snapshot->first[g + 1] - snapshot->first[g], 3);
        }
    }
    for (uint32_t m = 0; m < snapshot->model_count; m++) {
        add_runs_to_bounds(snapshot, snapshot->models[m].vertices, snapshot->models[m].count, 6);
    }
    if (!(snapshot->low[0] <= snapshot->high[0])) { // no points, or NaN
        slv_snapshot_clear_bounds(snapshot);
        slv_snapshot_add_to_bounds(snapshot, (const float[3]){0.0f, 0.0f, 0.0f}, 1, 3);
    }
}

static slv_result copy_model(slv_model_mesh *model, slv_world *world, uint32_t index) {
    slv_surface_view surface;
    if (model->count == 0) {
        return SLV_OK;
    }
    const slv_result status =
        slv_clip_get_surface(world, slv_world_get_clip(world, index), &surface);
    for (size_t v = 0; status == SLV_OK && v < model->count; v++) {
        memcpy(model->vertices + 6 * v, surface.positions + 3 * v, 3 * sizeof(float));
        memcpy(model->vertices + 6 * v + 3, surface.normals + 3 * v, 3 * sizeof(float));
    }
    return status;
}

// Copies the intact triangles when the number of torn constraints has changed; a restart sets it back to 0.
static slv_result copy_intact_mesh(slv_intact_mesh *intact, slv_world *world, uint32_t garment) {
    uint32_t torn = 0;
    slv_surface_view surface;
    slv_result status =
        slv_garment_get_torn_count(world, slv_world_get_garment(world, garment), &torn);
    if (status != SLV_OK || torn == intact->torn) {
        return status;
    }
    status = slv_garment_get_surface(world, slv_world_get_garment(world, garment), &surface);
    if (status != SLV_OK) {
        return status;
    }
    const uint8_t *torn_ones = NULL;
    slv_garment_structure structure;
    status = slv_garment_get_structure(world, slv_world_get_garment(world, garment), &structure);
    if (status == SLV_OK) {
        status = slv_garment_get_torn(world, slv_world_get_garment(world, garment), &torn_ones);
    }
    if (status != SLV_OK) {
        return status;
    }
    const size_t size = (size_t)surface.triangle_count * 3 * sizeof *intact->triangles;
    uint32_t *triangles = realloc(intact->triangles, size + 4);
    intact->triangles = triangles ? triangles : intact->triangles;
    uint8_t *is_torn = realloc(intact->is_torn, (size_t)structure.constraint_count + 1);
    intact->is_torn = is_torn ? is_torn : intact->is_torn;
    if (triangles && is_torn && torn_ones) { // without memory the tear is not drawn yet
        memcpy(triangles, surface.triangles, size);
        memcpy(is_torn, torn_ones, structure.constraint_count);
        intact->torn = torn;
        intact->count = surface.triangle_count;
    }
    return SLV_OK;
}

static void copy_device_info(slv_device_info *info, const slv_world *world) {
    const slv_world_device device = slv_world_get_device(world);
    info->on_gpu = strcmp(device.backend, "cpu") != 0;
    info->threads = device.threads;
    (void)snprintf(info->backend, sizeof info->backend, "%s", device.backend);
    (void)snprintf(info->device, sizeof info->device, "%s", device.device);
    (void)snprintf(info->note, sizeof info->note, "%s", device.note);
}

slv_result slv_snapshot_fill(slv_snapshot *snapshot, slv_world *world, bool want_positions) {
    snapshot->has_positions = want_positions || !snapshot->in_gl_buffers;
    for (uint32_t g = 0; g < snapshot->garment_count; g++) {
        slv_particle_view view = {.count = 0};
        slv_result status =
            snapshot->has_positions
                ? slv_garment_get_positions(world, slv_world_get_garment(world, g), &view)
                : SLV_OK;
        if (status == SLV_OK) {
            status = copy_intact_mesh(&snapshot->intact[g], world, g);
        }
        if (status != SLV_OK) {
            return status;
        }
        gather(&view, snapshot->positions + 3 * (size_t)snapshot->first[g]);
    }
    for (uint32_t m = 0; m < snapshot->model_count; m++) {
        const slv_result status = copy_model(&snapshot->models[m], world, m);
        if (status != SLV_OK) {
            return status;
        }
    }
    find_bounds(snapshot);
    snapshot->step = slv_world_get_step_count(world);
    snapshot->parameters = slv_world_get_parameters(world);
    snapshot->solver = slv_world_get_solver(world);
    copy_device_info(&snapshot->device, world);
    return SLV_OK;
}

slv_result slv_snapshot_find_contacts(slv_snapshot *snapshot, slv_world *world) {
    slv_result status = SLV_OK;
    snapshot->contact_count = 0;
    for (uint32_t g = 0; g < snapshot->garment_count && status == SLV_OK; g++) {
        const slv_garment_id id = slv_world_get_garment(world, g);
        uint32_t count = 0;
        if (snapshot->model_surface[g]) {
            continue;
        }
        status = slv_garment_get_contact_points(world, id, NULL, 0, &count);
        const size_t needed = (size_t)snapshot->contact_count + count;
        if (needed > snapshot->contact_capacity) {
            slv_contact_point *contacts =
                realloc(snapshot->contacts, 2 * needed * sizeof *contacts);
            snapshot->contacts = contacts ? contacts : snapshot->contacts;
            snapshot->contact_capacity =
                contacts ? (uint32_t)(2 * needed) : snapshot->contact_capacity;
        }
        const uint32_t room = snapshot->contact_capacity - snapshot->contact_count;
        if (status == SLV_OK && room > 0) {
            status = slv_garment_get_contact_points(
                world, id, snapshot->contacts + snapshot->contact_count, room, &count);
            snapshot->contact_count += count < room ? count : room;
        }
    }
    return status;
}
