// SPDX-License-Identifier: MIT
#include "runtime/player/app/warnings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// The file of a garment; the last part of its path.
static const char *name_garment(const slv_play_request *request, const slv_scene *scene,
                                uint32_t index) {
    slv_scene_object object;
    const char *path = "";
    if (scene) {
        if (slv_scene_get_object(scene, index, &object) == SLV_OK) {
            path = object.garment.pack_path;
        }
    } else if (index < request->file_count) {
        path = request->files[index];
    }
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "";
}

static void name_target(slv_world *world, const slv_inside_report *report, char *text,
                        size_t size) {
    for (uint32_t i = 0; i < slv_world_get_collider_count(world); i++) {
        const slv_collider_id id = slv_world_get_collider(world, i);
        if (id.slot == report->collider.slot && id.generation == report->collider.generation) {
            (void)snprintf(text, size, "collider %" PRIu32, i);
            return;
        }
    }
    (void)snprintf(text, size, "the model");
}

slv_inside_report slv_find_inside_warning(const slv_play_request *request, const slv_scene *scene,
                                          slv_world *world, const char *when,
                                          char text[SLV_WARNING_SIZE]) {
    slv_inside_report report = {.depth = 0.0};
    char target[64];
    text[0] = '\0';
    if (slv_world_find_inside(world, &report) != SLV_OK) {
        (void)snprintf(text, SLV_WARNING_SIZE, "%s it is unknown what is inside colliders: %.300s",
                       when, slv_world_get_message(world));
    } else if (report.particle_count > 0) {
        const uint32_t index = slv_garment_get_index(world, report.garment);
        name_target(world, &report, target, sizeof target);
        (void)snprintf(text, SLV_WARNING_SIZE,
                       "%s %" PRIu32 " particle%s inside colliders or the model; the deepest is "
                       "particle %" PRIu32 " of object %" PRIu32
                       " (%.200s) at (%.4g, %.4g, %.4g) m, %.4g mm inside %s",
                       when, report.particle_count, report.particle_count == 1 ? " is" : "s are",
                       report.particle, index, name_garment(request, scene, index),
                       report.position[0], report.position[1], report.position[2],
                       1000.0 * report.depth, target);
    }
    return report;
}

void slv_find_stretch_warning(double largest, uint64_t frame, double last,
                              char text[SLV_WARNING_SIZE]) {
    text[0] = '\0';
    if (!(largest <= SLV_STRETCH_LIMIT)) {
        (void)snprintf(text, SLV_WARNING_SIZE,
                       "a distance constraint is stretched to %.4g times its rest length after "
                       "frame %" PRIu64 ", and to %.4g at the end; more than %g looks wrong",
                       largest, frame, last, SLV_STRETCH_LIMIT);
    }
}
