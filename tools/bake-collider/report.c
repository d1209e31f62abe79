// SPDX-License-Identifier: MIT
#include "tools/bake-collider/report.h"

#include "tools/common/utf8.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

static const double LARGE_METRES = 20; // more than that, and the unit is probably another

// --- For a person -------------------------------------------------------------------------------

bool slv_bake_report_print(const slv_bake_options *options, const slv_bake_report *report) {
    printf("%s: %u triangles, ", options->character, report->triangles);
    if (report->dropped_triangles > 0) {
        printf("%u of them degenerate, ", report->dropped_triangles);
    }
    if (report->clip[0] != '\0') {
        printf("clip '%s', ", report->clip);
    }
    if (report->still) {
        printf("no animation, one frame\n");
    } else {
        printf("%u frames at %g per second, %.4g s from %.4g s on\n", report->frames, report->rate,
               report->duration, report->start);
    }
    if (report->extent > LARGE_METRES) {
        printf(
            "%s: %.3g m across; if its unit is the centimetre, --scale 0.01 makes metres of it\n",
            options->character, report->extent);
    }
    printf(
        "%s: %u particles of radius %.3g m (%u added where skin stretches), surface within %.3g m "
        "of one in every frame\n",
        options->pack, report->particles, report->radius, report->added_particles,
        report->coverage);
    printf("%s: positions within %.3g mm, ", options->pack, 1000.0 * report->largest_error);
    if (report->attachments > 0) {
        printf("%u attachment%s, ", report->attachments, report->attachments == 1 ? "" : "s");
    }
    if (report->mesh_vertices > 0) {
        printf("%u drawn vertices, ", report->mesh_vertices);
    }
    printf("%.2f MB, %.0f bytes a frame, %.1f times smaller than raw\n",
           (double)report->pack_bytes * 1e-6, report->bytes_per_frame, report->ratio);
    return fflush(stdout) == 0 && ferror(stdout) == 0;
}

// --- For a program ------------------------------------------------------------------------------

// Adds a number; cJSON's own checks (a NULL object adds nothing) make one final test enough.
static void add(cJSON *object, const char *name, double value) {
    (void)cJSON_AddNumberToObject(object, name, value);
}

static void add_text(cJSON *object, const char *name, const char *text) {
    char *copy = slv_utf8_copy(text); // a file's name may be any bytes
    if (copy) {
        (void)cJSON_AddStringToObject(object, name, copy);
    }
    free(copy);
}

static void add_coverage(cJSON *root, const slv_bake_report *report) {
    cJSON *coverage = cJSON_AddObjectToObject(root, "coverage");
    add(coverage, "radius", report->radius);
    add(coverage, "farthest", report->coverage);
    add(coverage, "farthest_frame", report->coverage_frame);
    add(coverage, "share_of_radius", report->coverage / report->radius);
    add(coverage, "stops_garment_radius", report->stops);
    add(coverage, "samples_per_frame", report->samples);
    add(coverage, "added_particles", report->added_particles);
}

bool slv_bake_report_print_json(const slv_bake_options *options, const slv_bake_report *report) {
    cJSON *root = cJSON_CreateObject();
    add_text(root, "input", options->character);
    add_text(root, "pack", options->pack);
    add_text(root, "clip", report->clip);
    (void)cJSON_AddBoolToObject(root, "still", report->still);
    add(root, "vertices", report->vertices);
    add(root, "triangles", report->triangles);
    add(root, "dropped_triangles", report->dropped_triangles);
    add(root, "extent", report->extent);
    add(root, "frames", report->frames);
    add(root, "frame_rate", report->rate);
    add(root, "start", report->start);
    add(root, "duration", report->duration);
    add(root, "particles", report->particles);
    add_coverage(root, report);
    add(root, "attachments", report->attachments);
    add(root, "mesh_vertices", report->mesh_vertices);
    add(root, "error_mm", options->error);
    add(root, "largest_error_mm", 1000.0 * report->largest_error);
    add(root, "pack_bytes", (double)report->pack_bytes);
    add(root, "bytes_per_frame", report->bytes_per_frame);
    add(root, "ratio_to_raw", report->ratio);
    cJSON *seconds = cJSON_AddObjectToObject(root, "seconds");
    double sum = 0.0;
    for (int stage = 0; stage < SLV_BAKE_STAGES; stage++) {
        add(seconds, slv_bake_stage_name(stage), report->seconds[stage]);
        sum += report->seconds[stage];
    }
    add(root, "frames_per_second", sum > 0.0 ? report->frames / sum : 0.0);
    char *text = cJSON_Print(root);
    const bool printed = text && printf("%s\n", text) > 0 && fflush(stdout) == 0;
    cJSON_free(text);
    cJSON_Delete(root);
    return printed;
}
