// SPDX-License-Identifier: MIT
#include "runtime/player/snapshot.h"

#include <stdlib.h>
#include <string.h>

enum { FRESH = 4, BOUNDS_SAMPLES = 4096 };

// --- Making --------------------------------------------------------------------------------------

static bool make_one(slv_snapshot *snapshot, const uint32_t *first, uint32_t garments,
                     uint32_t solids) {
    const size_t particles = first[garments];
    snapshot->garment_count = garments;
    snapshot->first = malloc((garments + 1) * sizeof *snapshot->first);
    snapshot->positions = calloc(particles + 1, 3 * sizeof *snapshot->positions);
    if (snapshot->first) {
        memcpy(snapshot->first, first, (garments + 1) * sizeof *first);
    }
    snapshot->whole = calloc(garments + 1, sizeof *snapshot->whole);
    snapshot->solids = calloc(solids + 1, sizeof *snapshot->solids);
    snapshot->solid_count = solids;
    return snapshot->first && snapshot->positions && snapshot->whole && snapshot->solids;
}

slv_result slv_snapshots_make(slv_snapshots *snapshots, slv_world *world, uint32_t solids,
                              slv_error *error) {
    const uint32_t garments = slv_world_garment_count(world);
    *snapshots = (slv_snapshots){.filling = 0, .drawn = 1};
    atomic_init(&snapshots->waiting, 2);
    uint32_t *first = calloc(garments + 1, sizeof *first);
    bool made = first != NULL;
    for (uint32_t g = 0; g < garments && made; g++) {
        slv_particle_view view;
        made = slv_garment_positions(world, (slv_garment_id){g}, &view) == SLV_STATUS_OK;
        first[g + 1] = first[g] + (made ? view.count : 0);
    }
    for (int i = 0; i < 3 && made; i++) {
        made = make_one(&snapshots->each[i], first, garments, solids);
    }
    free(first);
    return made ? SLV_OK : slv_fail(error, SLV_ERROR_INTERNAL, "out of memory for the picture");
}

void slv_snapshots_free(slv_snapshots *snapshots) {
    for (int i = 0; i < 3; i++) {
        for (uint32_t g = 0; snapshots->each[i].whole && g < snapshots->each[i].garment_count;
             g++) {
            free(snapshots->each[i].whole[g].triangles);
        }
        free(snapshots->each[i].whole);
        free(snapshots->each[i].solids);
        free(snapshots->each[i].first);
        free(snapshots->each[i].positions);
    }
    *snapshots = (slv_snapshots){.filling = 0};
}

// --- Going round ---------------------------------------------------------------------------------

slv_snapshot *slv_snapshots_fill(slv_snapshots *snapshots) {
    return &snapshots->each[snapshots->filling];
}

void slv_snapshots_publish(slv_snapshots *snapshots) {
    const int was = atomic_exchange(&snapshots->waiting, snapshots->filling | FRESH);
    snapshots->filling = was & ~FRESH;
}

const slv_snapshot *slv_snapshots_newest(slv_snapshots *snapshots, bool *fresh) {
    const bool is_fresh = (atomic_load(&snapshots->waiting) & FRESH) != 0;
    if (is_fresh) {
        snapshots->drawn = atomic_exchange(&snapshots->waiting, snapshots->drawn) & ~FRESH;
    }
    if (fresh) {
        *fresh = is_fresh;
    }
    return &snapshots->each[snapshots->drawn];
}

// --- Filling -------------------------------------------------------------------------------------

static void gather(const slv_particle_view *view, float *positions) {
    for (size_t p = 0; p < view->count; p++) {
        const size_t at = (size_t)view->slot[p] * view->stride;
        positions[3 * p] = view->x[at];
        positions[3 * p + 1] = view->y[at];
        positions[3 * p + 2] = view->z[at];
    }
}

// A few thousand particles tell well enough where everything is.
static void find_bounds(slv_snapshot *snapshot) {
    const size_t count = snapshot->first[snapshot->garment_count];
    const size_t stride = count / BOUNDS_SAMPLES + 1;
    for (int d = 0; d < 3; d++) {
        float low = count ? snapshot->positions[d] : 0.0f;
        float high = low;
        for (size_t p = 0; p < count; p += stride) {
            const float value = snapshot->positions[3 * p + (size_t)d];
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        snapshot->low[d] = low;
        snapshot->high[d] = high;
    }
}

// Copies the triangles that are left when more has torn, or less since a restart, than this snapshot
// knows of.
static slv_status copy_whole(slv_whole_mesh *whole, slv_world *world, uint32_t garment) {
    uint32_t torn = 0;
    slv_surface_view surface;
    slv_status status = slv_garment_count_torn(world, (slv_garment_id){garment}, &torn);
    if (status != SLV_STATUS_OK || torn == whole->torn) {
        return status;
    }
    status = slv_garment_surface(world, (slv_garment_id){garment}, &surface);
    if (status != SLV_STATUS_OK) {
        return status;
    }
    const size_t size = (size_t)surface.triangle_count * 3 * sizeof *whole->triangles;
    uint32_t *triangles = realloc(whole->triangles, size + 4);
    if (triangles) { // without memory the tear is not seen yet
        memcpy(triangles, surface.triangles, size);
        *whole = (slv_whole_mesh){torn, surface.triangle_count, triangles};
    }
    return SLV_STATUS_OK;
}

slv_status slv_snapshot_take(slv_snapshot *snapshot, slv_world *world) {
    for (uint32_t g = 0; g < snapshot->garment_count; g++) {
        slv_particle_view view;
        slv_status status = slv_garment_positions(world, (slv_garment_id){g}, &view);
        if (status == SLV_STATUS_OK) {
            status = copy_whole(&snapshot->whole[g], world, g);
        }
        if (status != SLV_STATUS_OK) {
            return status;
        }
        gather(&view, snapshot->positions + 3 * (size_t)snapshot->first[g]);
    }
    find_bounds(snapshot);
    snapshot->step = slv_world_step_count(world);
    snapshot->parameters = slv_world_get_parameters(world);
    return SLV_STATUS_OK;
}
