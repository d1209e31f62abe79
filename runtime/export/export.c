// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "runtime/export/export.h"

#include "runtime/base/float_modes.h"
#include "runtime/step/features/contacts.h"
#include "runtime/world/begin.h"
#include "runtime/world/fetch.h"

#include <ctype.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum { EXPORT_COOKIE = 0x3E9F81C5 };

static const slv_export_format *const formats[] = {
    &slv_export_csv_frames, &slv_export_csv,  &slv_export_obj, &slv_export_pc2,
    &slv_export_mdd,        &slv_export_usda, &slv_export_glb, NULL,
};

slv_export_def slv_default_export_def(void) {
    return (slv_export_def){.frame_rate = 60.0, .cookie = EXPORT_COOKIE};
}

// --- Names ---------------------------------------------------------------------------------------------

// Where the extension of a path begins: its end where it has none.
static const char *extension_of(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') ? dot : path + strlen(path);
}

static bool same_extension(const char *a, const char *b) {
    while (*a && tolower((unsigned char)*a) == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

static const slv_export_format *find_format(const char *path) {
    const char *extension = extension_of(path);
    size_t i = 0;
    const bool numbered = extension > path && extension[-1] == '#';
    while (formats[i] && (!same_extension(extension, formats[i]->extension) ||
                          (formats[i]->is_numbered && !numbered))) {
        i++;
    }
    return formats[i];
}

char *slv_export_beside(const slv_export *run, const char *ending) {
    const size_t stem = (size_t)(extension_of(run->path) - run->path);
    const size_t length = strlen(ending);
    char *path = malloc(stem + length + 1);
    if (path) {
        memcpy(path, run->path, stem);
        memcpy(path + stem, ending, length + 1);
    }
    return path;
}

void slv_export_put_point(slv_export_text *text, const slv_export *run, const float point[3]) {
    if (run->is_at_zero) {
        slv_text_put_floats(text, point, 3, ",");
        return;
    }
    double position[3];
    for (int d = 0; d < 3; d++) {
        position[d] = run->origin[d] + (double)point[d];
    }
    slv_text_put_position(text, position, ",");
}

// --- Meshes --------------------------------------------------------------------------------------------

static void gather(const slv_particle_view *view, float *points) {
    for (uint32_t p = 0; p < view->count; p++) {
        slv_particle_view_get(view, p, points + 3 * (size_t)p);
    }
}

// Behind the points. Velocities are those of the last step.
static slv_result gather_velocities(slv_export *run, slv_world *world, uint32_t number,
                                    slv_export_mesh *mesh) {
    const uint32_t index = slv_garment_get_index(world, run->ids[number]);
    float *velocities = run->gathered[number] + 3 * (size_t)mesh->point_count;
    const slv_result status = slv_world_fetch_state(world);
    for (uint32_t p = 0; status == SLV_OK && p < mesh->point_count; p++) {
        double values[6];
        slv_layout_read_exactly(&world->layout, index, p, values);
        for (size_t d = 0; d < 3; d++) {
            velocities[3 * (size_t)p + d] = (float)((values[d] - values[3 + d]) / world->time_step);
        }
    }
    mesh->velocities = velocities;
    mesh->radius = slv_contacts_get_material(world->bodies[index])->radius;
    return status;
}

static slv_result find_particles(slv_export *run, slv_world *world, uint32_t number,
                                 slv_export_mesh *mesh) {
    slv_particle_view view;
    slv_result status = slv_garment_get_positions(world, run->ids[number], &view);
    if (status != SLV_OK) {
        return status;
    }
    if (!run->gathered[number]) {
        const size_t floats = run->format->has_velocities ? 6 : 3;
        run->gathered[number] = calloc(floats * (size_t)view.count, sizeof(float));
        if (!run->gathered[number]) {
            return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory for an export");
        }
    }
    // Another world may have the address of one that was destroyed.
    if (mesh->points && mesh->point_count != view.count) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT,
                          "%.300s: garment %u had %u particles when the export began, now %u",
                          run->path, number, mesh->point_count, view.count);
    }
    gather(&view, run->gathered[number]);
    *mesh = (slv_export_mesh){.point_count = view.count, .points = run->gathered[number]};
    return run->format->has_velocities ? gather_velocities(run, world, number, mesh) : SLV_OK;
}

static slv_result find_surface(slv_world *world, slv_garment_id id, slv_export_mesh *mesh) {
    slv_surface_view view;
    slv_result status = slv_garment_get_surface(world, id, &view);
    if (status == SLV_OK) {
        *mesh = (slv_export_mesh){.point_count = view.vertex_count,
                                  .triangle_count = view.triangle_count,
                                  .points = view.positions,
                                  .normals = view.normals,
                                  .uvs = view.uvs,
                                  .triangles = view.triangles};
    }
    return status;
}

// The meshes of the present state. Those of later frames must have the points of the first.
static slv_result find_meshes(slv_export *run, slv_world *world) {
    if (run->world != world) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "%.300s: the export belongs to another world",
                          run->path);
    }
    double origin[3];
    slv_world_get_origin(world, origin);
    if (origin[0] != run->origin[0] || origin[1] != run->origin[1] || origin[2] != run->origin[2]) {
        return slv_refuse(world, SLV_ERROR_UNSUPPORTED,
                          "%.300s: the origin of the world has moved since the export began",
                          run->path);
    }
    if (slv_world_get_garment_count(world) != run->garment_count) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT,
                          "the export began with %u garments, now there are %u", run->garment_count,
                          slv_world_get_garment_count(world));
    }
    for (uint32_t g = 0; g < run->mesh_count; g++) {
        const slv_export_mesh before = run->meshes[g];
        slv_export_mesh *mesh = &run->meshes[g];
        slv_result status = run->particles ? find_particles(run, world, g, mesh)
                                           : find_surface(world, run->ids[g], mesh);
        if (status != SLV_OK) {
            return status;
        }
        const bool changed = before.point_count != mesh->point_count ||
                             before.triangle_count != mesh->triangle_count;
        if (before.points && changed && !run->format->may_change) {
            return slv_refuse(world, SLV_ERROR_UNSUPPORTED,
                              "%.300s: the mesh of garment %u tore, and %s files hold one mesh; "
                              "export .obj, or the particles",
                              run->path, g, run->format->extension);
        }
    }
    return SLV_OK;
}

// --- The public side -----------------------------------------------------------------------------------

static slv_result check_def(slv_world *world, const slv_export_def *def) {
    if (!def || def->cookie != EXPORT_COOKIE) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT,
                          "def: a definition must come from slv_default_export_def");
    }
    if (!def->path || !find_format(def->path)) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT,
                          "%.300s: an export ends in .csv, .obj, .pc2, .mdd, .usda or .glb",
                          def->path ? def->path : "path is NULL");
    }
    if ((unsigned)def->what > SLV_EXPORT_PARTICLES) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT,
                          "what is %d, should be one of the slv_export_what values",
                          (int)def->what);
    }
    if (slv_world_get_garment_count(world) == 0) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "there is no garment to export");
    }
    return slv_check_between(&world->error, "frame_rate", def->frame_rate, 1e-3, 1e6);
}

static slv_export *create_run(slv_world *world, const slv_export_def *def) {
    slv_export *run = calloc(1, sizeof *run);
    if (run) {
        run->format = find_format(def->path);
        run->particles = def->what == SLV_EXPORT_USUAL ? run->format->usually_particles
                                                       : def->what == SLV_EXPORT_PARTICLES;
        run->frame_rate = def->frame_rate;
        run->garment_count = slv_world_get_garment_count(world);
        run->path = strdup(def->path);
        run->world = world;
        slv_world_get_origin(world, run->origin);
        run->is_at_zero = run->origin[0] == 0.0 && run->origin[1] == 0.0 && run->origin[2] == 0.0;
        run->garments = calloc(run->garment_count, sizeof *run->garments);
        run->ids = calloc(run->garment_count, sizeof *run->ids);
        run->meshes = calloc(run->garment_count, sizeof *run->meshes);
        run->gathered = calloc(run->garment_count, sizeof *run->gathered);
    }
    if (!run || !run->path || !run->garments || !run->ids || !run->meshes || !run->gathered) {
        slv_export_abandon(run);
        return NULL;
    }
    return run;
}

// Which garments there is something of: those without a render mesh, such as what stands for an animated
// character, are left out of render meshes.
static slv_result choose_garments(slv_export *run, slv_world *world) {
    slv_result status = SLV_OK;
    for (uint32_t g = 0; g < run->garment_count && status == SLV_OK; g++) {
        const slv_garment_id id = slv_world_get_garment(world, g);
        slv_export_mesh mesh = {.point_count = 1};
        status = run->particles ? SLV_OK : find_surface(world, id, &mesh);
        if (status == SLV_OK && mesh.point_count > 0) {
            run->ids[run->mesh_count] = id;
            run->garments[run->mesh_count++] = g;
        }
    }
    if (status == SLV_OK && run->mesh_count == 0) {
        status = slv_refuse(world, SLV_ERROR_ARGUMENT,
                            "no garment has a render mesh; export the particles");
    }
    return status;
}

// Calls the format with a point for a point, whatever the program's language says.
static slv_result call(slv_export *run, slv_world *world,
                       slv_result (*function)(slv_export *run, slv_error *error)) {
    slv_error error = {0};
    const locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory for an export");
    }
    const locale_t callers = uselocale(plain);
    const slv_result result = function(run, &error);
    (void)uselocale(callers);
    freelocale(plain);
    // The codes are the same: 1 invalid argument … 5 not supported.
    return result == SLV_OK
               ? SLV_OK
               : slv_refuse(world, (slv_result)result, "%.300s: %.200s", run->path, error.text);
}

slv_result slv_export_open(slv_world *world, const slv_export_def *def, slv_export **made) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = slv_begin(world);
    if (status != SLV_OK) {
        return status;
    }
    if (!made) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "made is NULL");
    }
    *made = NULL;
    status = check_def(world, def);
    if (status != SLV_OK) {
        return status;
    }
    slv_export *run = create_run(world, def);
    if (!run) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory for an export");
    }
    status = choose_garments(run, world);
    if (status == SLV_OK) {
        status = find_meshes(run, world);
    }
    for (uint32_t g = 0; g < run->mesh_count; g++) {
        run->point_count += run->meshes[g].point_count;
    }
    if (status == SLV_OK) {
        status = call(run, world, run->format->open);
    }
    if (status != SLV_OK) {
        slv_export_abandon(run);
        return status;
    }
    *made = run;
    return SLV_OK;
}

slv_result slv_export_frame(slv_export *run, slv_world *world) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = slv_begin(world);
    if (status != SLV_OK || !run) {
        return status != SLV_OK ? status : SLV_ERROR_ARGUMENT;
    }
    status = find_meshes(run, world);
    if (status == SLV_OK) {
        status = call(run, world, run->format->write);
    }
    run->frame_count += status == SLV_OK;
    return status;
}

slv_result slv_export_finish(slv_export *run, slv_world *world) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = slv_begin(world);
    if (status == SLV_OK && run) {
        status = run->frame_count > 0 ? call(run, world, run->format->finish)
                                      : slv_refuse(world, SLV_ERROR_ARGUMENT,
                                                   "%.300s: no frame was exported", run->path);
    } else if (status == SLV_OK) {
        status = SLV_ERROR_ARGUMENT;
    }
    slv_export_abandon(run);
    return status;
}

void slv_export_abandon(slv_export *run) {
    if (!run) {
        return;
    }
    if (run->work) {
        run->format->close(run);
    }
    for (uint32_t g = 0; run->gathered && g < run->mesh_count; g++) {
        free(run->gathered[g]);
    }
    free(run->gathered);
    free(run->garments);
    free(run->ids);
    free(run->meshes);
    free(run->path);
    free(run);
}
