// SPDX-License-Identifier: MIT
#include "tools/bake-collider/report.h"

#include "tools/common/facts.h"

#include <stdio.h>
#include <stdlib.h>

// --- For a person -------------------------------------------------------------------------------

slv_result slv_bake_report_print(const slv_bake_options *options, const slv_bake_report *report,
                                 slv_error *error) {
    if (report->list) {
        printf("%s", report->list);
        return slv_facts_flush(error);
    }
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
    slv_print_space(options->character, &report->space);
    slv_print_unit_hint(options->character, report->extent, "across");
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
    const bool smaller = report->ratio >= 1.0;
    printf("%.2f MB, %.0f bytes a frame, %.1f times %s than raw\n",
           (double)report->pack_bytes * 1e-6, report->bytes_per_frame,
           smaller ? report->ratio : 1.0 / report->ratio, smaller ? "smaller" : "larger");
    return slv_facts_flush(error);
}

// --- For a program ------------------------------------------------------------------------------

static void add_coverage(cJSON *root, const slv_bake_report *report) {
    cJSON *coverage = cJSON_AddObjectToObject(root, "coverage");
    slv_facts_add(coverage, "radius", report->radius);
    slv_facts_add(coverage, "farthest", report->coverage);
    slv_facts_add(coverage, "farthest_frame", report->coverage_frame);
    slv_facts_add(coverage, "share_of_radius", report->coverage / report->radius);
    slv_facts_add(coverage, "stops_garment_radius", report->stops);
    slv_facts_add(coverage, "samples_per_frame", report->samples);
    slv_facts_add(coverage, "added_particles", report->added_particles);
}

slv_result slv_bake_report_print_json(const slv_bake_options *options,
                                      const slv_bake_report *report, slv_error *error) {
    cJSON *root = slv_facts_create();
    slv_facts_add_text(root, "input", options->character);
    if (report->list) {
        slv_facts_add_text(root, "list", report->list);
        return slv_facts_print(root, error);
    }
    slv_facts_add_text(root, "pack", options->pack);
    slv_facts_add_text(root, "clip", report->clip);
    (void)cJSON_AddBoolToObject(root, "still", report->still);
    slv_facts_add(root, "vertices", report->vertices);
    slv_facts_add(root, "triangles", report->triangles);
    slv_facts_add(root, "dropped_triangles", report->dropped_triangles);
    slv_facts_add(root, "extent", report->extent);
    slv_facts_add_space(root, &report->space);
    slv_facts_add_parts(root, &report->parts);
    slv_facts_add_bounds(root, (const double(*)[3])report->bounds);
    slv_facts_add(root, "frames", report->frames);
    slv_facts_add(root, "frame_rate", report->rate);
    slv_facts_add(root, "start", report->start);
    slv_facts_add(root, "duration", report->duration);
    slv_facts_add(root, "particles", report->particles);
    add_coverage(root, report);
    slv_facts_add(root, "attachments", report->attachments);
    slv_facts_add(root, "mesh_vertices", report->mesh_vertices);
    slv_facts_add(root, "error_mm", options->error);
    slv_facts_add(root, "largest_error_mm", 1000.0 * report->largest_error);
    slv_facts_add(root, "pack_bytes", (double)report->pack_bytes);
    slv_facts_add(root, "bytes_per_frame", report->bytes_per_frame);
    slv_facts_add(root, "ratio_to_raw", report->ratio);
    const double sum =
        slv_facts_add_seconds(root, slv_bake_stage_name, report->seconds, SLV_BAKE_STAGES);
    slv_facts_add(root, "frames_per_second", sum > 0.0 ? report->frames / sum : 0.0);
    return slv_facts_print(root, error);
}
