// SPDX-License-Identifier: MIT
// Particles as text, a file a frame: NAME.####.csv is NAME.0000.csv, NAME.0001.csv, …. A line a particle:
// "object,particle,x,y,z,vx,vy,vz,radius", both numbers counted from 0, particles in own order; metres in the world and
// m/s.
#include "runtime/export/export.h"
#include "runtime/export/export_sequence.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The frame's number in place of the last run of #, with as many digits at least.
static char *name_frame(const slv_export *run, uint64_t frame) {
    enum { MOST_DIGITS = 20 };
    const char *last = strrchr(run->path, '#');
    const char *end = last + 1;
    while (last > run->path && last[-1] == '#') {
        last--;
    }
    const size_t stem = (size_t)(last - run->path);
    const size_t digits = (size_t)(end - last);
    const size_t size = strlen(run->path) + MOST_DIGITS + 1;
    char *path = malloc(size);
    if (path) {
        memcpy(path, run->path, stem);
        (void)snprintf(path + stem, size - stem, "%0*" PRIu64 "%s", (int)digits, frame, end);
    }
    return path;
}

static slv_result open_frames(slv_export *run, slv_error *error) {
    return run->particles ? slv_sequence_open(run, name_frame, error)
                          : slv_fail(error, SLV_ERROR_ARGUMENT,
                                     "a CSV file a frame holds particles, not render meshes");
}

static void put_particle(slv_export_text *text, const slv_export *run, const slv_export_mesh *mesh,
                         size_t p) {
    slv_text_put_count(text, p);
    slv_text_put(text, ",");
    slv_export_put_point(text, run, mesh->points + 3 * p);
    slv_text_put(text, ",");
    slv_text_put_floats(text, mesh->velocities + 3 * p, 3, ",");
    slv_text_put(text, ",");
    slv_text_put_float(text, mesh->radius);
    slv_text_put(text, "\n");
}

static slv_result write_frame(slv_export *run, slv_error *error) {
    slv_export_text text;
    slv_result result = slv_sequence_begin(run, &text, error);
    if (result != SLV_OK) {
        return result;
    }
    slv_text_put(&text, "object,particle,x,y,z,vx,vy,vz,radius\n");
    for (uint32_t m = 0; m < run->mesh_count; m++) {
        for (size_t p = 0; p < run->meshes[m].point_count; p++) {
            slv_text_put_count(&text, run->garments[m]);
            slv_text_put(&text, ",");
            put_particle(&text, run, &run->meshes[m], p);
        }
    }
    result = slv_text_end(&text);
    slv_sequence_end(run);
    return result;
}

const slv_export_format slv_export_csv_frames = {
    .extension = ".csv",
    .is_numbered = true,
    .has_velocities = true,
    .usually_particles = true,
    .may_change = true,
    .open = open_frames,
    .write = write_frame,
    .finish = slv_sequence_finish,
    .close = slv_sequence_close,
};
