// SPDX-License-Identifier: MIT
#include "tools/voxelize/report.h"

#include "tools/common/facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// --- For a person -------------------------------------------------------------------------------

static void print_mesh(const slv_voxelize_options *options, const slv_voxelize_report *report) {
    const double *extent = report->extent;
    const double longest = fmax(extent[0], fmax(extent[1], extent[2]));
    printf("%s: %u triangles, %u points, ", options->mesh, report->triangles, report->points);
    if (report->closed) {
        printf("closed");
    } else {
        printf("open (%u boundary edges)", report->boundary_edges);
    }
    if (report->welded > 0) {
        printf(", %u welded", report->welded);
    }
    if (report->dropped_triangles > 0) {
        printf(", %u degenerate triangles dropped", report->dropped_triangles);
    }
    if (report->flipped_triangles > 0) {
        printf(", %u triangles turned round", report->flipped_triangles);
    }
    if (report->textured) {
        printf(", textured");
    }
    if (report->painted) {
        printf(", painted");
    }
    printf("\n");
    slv_print_space(options->mesh, &report->space);
    slv_print_unit_hint(options->mesh, longest, "long");
}

static void print_pack(const slv_voxelize_options *options, const slv_voxelize_report *report) {
    printf("%s: %s", options->pack,
           options->shape != NULL ? options->shape : slv_mode_name(report->mode));
    if (report->mode_reason != NULL) {
        printf(" (%s)", report->mode_reason);
    }
    printf(", %u particle%s, ", report->particles, report->particles == 1 ? "" : "s");
    if (report->clusters > 0) {
        printf("%u cluster%s of %llu members and ", report->clusters,
               report->clusters == 1 ? "" : "s", (unsigned long long)report->cluster_members);
    }
    printf("%llu distance", (unsigned long long)report->distance_constraints);
    if (report->bending_constraints > 0) {
        printf(" and %llu bending", (unsigned long long)report->bending_constraints);
    }
    if (report->tetrahedra > 0) {
        printf(" and %llu volume", (unsigned long long)report->tetrahedra);
    }
    printf(" constraints, %.3g m apart, %.3g kg", report->spacing, report->mass);
    if (report->pieces.count > 1) {
        printf(", %u pieces", report->pieces.count);
    }
    if (report->pieces.removed > 0) {
        printf(" of which %u particles are left out", report->pieces.removed);
    }
    if (report->pack_bytes > 0) {
        printf(", %.2f MB", (double)report->pack_bytes * 1e-6);
    }
    printf("\n");
}

slv_result slv_report_print(const slv_voxelize_options *options, const slv_voxelize_report *report,
                            slv_error *error) {
    if (report->list != NULL) {
        printf("%s", report->list);
        return slv_facts_flush(error);
    }
    if (report->triangles > 0) {
        print_mesh(options, report);
    }
    if (report->particles > 0) {
        print_pack(options, report);
    }
    if (options->sdf != NULL) {
        const uint32_t *cells = report->lattice.cells;
        printf("%s: %u x %u x %u distances, %.3g m apart, signs by %s, %.2f MB\n", options->sdf,
               cells[0], cells[1], cells[2], report->lattice.spacing, report->sign_method,
               (double)report->sdf_bytes * 1e-6);
    }
    return slv_facts_flush(error);
}

// --- For a program ------------------------------------------------------------------------------

static void add_mesh(cJSON *root, const slv_voxelize_report *report) {
    cJSON *mesh = cJSON_AddObjectToObject(root, "mesh");
    slv_facts_add(mesh, "triangles", report->triangles);
    slv_facts_add(mesh, "points", report->points);
    slv_facts_add(mesh, "polygons", report->polygons);
    slv_facts_add(mesh, "welded_points", report->welded);
    slv_facts_add(mesh, "dropped_triangles", report->dropped_triangles);
    slv_facts_add(mesh, "textured", report->textured);
    slv_facts_add(mesh, "painted", report->painted);
    (void)cJSON_AddBoolToObject(mesh, "closed", report->closed);
    slv_facts_add(mesh, "boundary_edges", report->boundary_edges);
    slv_facts_add(mesh, "flipped_triangles", report->flipped_triangles);
    if (report->sign_method != NULL) {
        (void)cJSON_AddStringToObject(mesh, "sign_method", report->sign_method);
    }
}

static void add_grid(cJSON *root, const slv_lattice *lattice) {
    cJSON *grid = cJSON_AddObjectToObject(root, "grid");
    cJSON *cells = cJSON_AddArrayToObject(grid, "cells");
    for (int axis = 0; axis < 3; axis++) {
        (void)cJSON_AddItemToArray(cells, cJSON_CreateNumber(lattice->cells[axis]));
    }
    slv_facts_add(grid, "spacing", lattice->spacing);
}

static void add_garment(cJSON *root, const slv_voxelize_report *report) {
    slv_facts_add(root, "particles", report->particles);
    cJSON *constraints = cJSON_AddObjectToObject(root, "constraints");
    slv_facts_add(constraints, "distance", (double)report->distance_constraints);
    slv_facts_add(constraints, "bending", (double)report->bending_constraints);
    slv_facts_add(constraints, "tetrahedra", (double)report->tetrahedra);
    if (report->clusters > 0) {
        slv_facts_add(root, "clusters", report->clusters);
        slv_facts_add(root, "cluster_members", (double)report->cluster_members);
    }
    slv_facts_add(root, "colors", report->colors);
    slv_facts_add(root, "constraint_groups", report->groups);
    slv_facts_add(root, "spacing", report->spacing);
    slv_facts_add(root, "mass", report->mass);
    slv_facts_add(root, "sets", report->sets);
    if (report->pieces.count > 0) {
        slv_facts_add(root, "pieces", report->pieces.count);
        slv_facts_add(root, "loose_particles", report->pieces.loose);
        slv_facts_add(root, "particles_left_out", report->pieces.removed);
        slv_facts_add(root, "mesh_parts", report->mesh_parts);
        slv_facts_add(root, "lost_parts", report->lost_parts);
    }
    slv_facts_add(root, "render_vertices", report->render_vertices);
    slv_facts_add(root, "embedding_max_error", report->embedding_error);
    slv_facts_add(root, "pack_bytes", (double)report->pack_bytes);
}

slv_result slv_report_print_json(const slv_voxelize_options *options,
                                 const slv_voxelize_report *report, slv_error *error) {
    cJSON *root = slv_facts_create();
    if (report->list != NULL) {
        slv_facts_add_text(root, "input", options->mesh);
        slv_facts_add_text(root, "list", report->list);
        return slv_facts_print(root, error);
    }
    if (report->triangles > 0) {
        slv_facts_add_text(root, "input", options->mesh);
        slv_facts_add_space(root, &report->space);
        slv_facts_add_parts(root, &report->parts);
        slv_facts_add_bounds(root, (const double(*)[3])report->bounds);
        add_mesh(root, report);
    } else {
        (void)cJSON_AddStringToObject(root, "shape", options->shape);
    }
    if (report->particles > 0) {
        slv_facts_add_text(root, "pack", options->pack);
        (void)cJSON_AddStringToObject(
            root, "mode", options->shape != NULL ? "shape" : slv_mode_name(report->mode));
        add_garment(root, report);
    }
    if (report->lattice.cells[0] > 0) {
        add_grid(root, &report->lattice);
    }
    if (options->sdf != NULL) {
        slv_facts_add_text(root, "sdf", options->sdf);
        slv_facts_add(root, "sdf_bytes", (double)report->sdf_bytes);
    }
    (void)slv_facts_add_seconds(root, slv_stage_name, report->seconds, SLV_STAGE_COUNT);
    return slv_facts_print(root, error);
}
