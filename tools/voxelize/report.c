// SPDX-License-Identifier: MIT
#include "tools/voxelize/report.h"

#include "tools/common/utf8.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double LARGE_METRES = 20; // more than that, and the unit is probably another

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
    printf("\n");
    if (longest > LARGE_METRES) {
        printf("%s: %.3g m long; if its unit is the centimetre, --scale 0.01 makes metres of it\n",
               options->mesh, longest);
    }
}

static void print_pack(const slv_voxelize_options *options, const slv_voxelize_report *report) {
    printf("%s: %s", options->pack,
           options->shape != NULL ? options->shape : slv_mode_name(report->mode));
    if (report->mode_reason != NULL) {
        printf(" (%s)", report->mode_reason);
    }
    printf(", %u particle%s, %llu distance", report->particles, report->particles == 1 ? "" : "s",
           (unsigned long long)report->distance_constraints);
    if (report->bending_constraints > 0) {
        printf(" and %llu bending", (unsigned long long)report->bending_constraints);
    }
    if (report->tetrahedra > 0) {
        printf(" and %llu volume", (unsigned long long)report->tetrahedra);
    }
    printf(" constraints, %.3g m apart, %.3g kg", report->spacing, report->mass);
    if (report->pack_bytes > 0) {
        printf(", %.2f MB", (double)report->pack_bytes * 1e-6);
    }
    printf("\n");
}

bool slv_report_print(const slv_voxelize_options *options, const slv_voxelize_report *report) {
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
    return fflush(stdout) == 0 && ferror(stdout) == 0;
}

// --- For a program ------------------------------------------------------------------------------

// Adds a number; cJSON's own checks (a NULL object adds nothing) make one final test enough.
static void add(cJSON *object, const char *name, double value) {
    (void)cJSON_AddNumberToObject(object, name, value);
}

static void add_path(cJSON *object, const char *name, const char *path) {
    char *text = slv_utf8_copy(path); // a file's name may be any bytes
    if (text != NULL) {
        (void)cJSON_AddStringToObject(object, name, text);
    }
    free(text);
}

static void add_mesh(cJSON *root, const slv_voxelize_report *report) {
    cJSON *mesh = cJSON_AddObjectToObject(root, "mesh");
    add(mesh, "triangles", report->triangles);
    add(mesh, "points", report->points);
    add(mesh, "polygons", report->polygons);
    add(mesh, "welded_points", report->welded);
    add(mesh, "dropped_triangles", report->dropped_triangles);
    (void)cJSON_AddBoolToObject(mesh, "closed", report->closed);
    add(mesh, "boundary_edges", report->boundary_edges);
    add(mesh, "flipped_triangles", report->flipped_triangles);
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
    add(grid, "spacing", lattice->spacing);
}

static void add_garment(cJSON *root, const slv_voxelize_report *report) {
    add(root, "particles", report->particles);
    cJSON *constraints = cJSON_AddObjectToObject(root, "constraints");
    add(constraints, "distance", (double)report->distance_constraints);
    add(constraints, "bending", (double)report->bending_constraints);
    add(constraints, "tetrahedra", (double)report->tetrahedra);
    add(root, "colours", report->colours);
    add(root, "constraint_groups", report->groups);
    add(root, "spacing", report->spacing);
    add(root, "mass", report->mass);
    add(root, "sets", report->sets);
    add(root, "render_vertices", report->render_vertices);
    add(root, "embedding_max_error", report->embedding_error);
    add(root, "pack_bytes", (double)report->pack_bytes);
}

static void add_seconds(cJSON *root, const slv_voxelize_report *report) {
    cJSON *seconds = cJSON_AddObjectToObject(root, "seconds");
    for (int stage = 0; stage < SLV_STAGE_COUNT; stage++) {
        add(seconds, slv_stage_name(stage), report->seconds[stage]);
    }
}

bool slv_report_print_json(const slv_voxelize_options *options, const slv_voxelize_report *report) {
    cJSON *root = cJSON_CreateObject();
    if (report->triangles > 0) {
        add_path(root, "input", options->mesh);
        add_mesh(root, report);
    } else {
        (void)cJSON_AddStringToObject(root, "shape", options->shape);
    }
    if (report->particles > 0) {
        add_path(root, "pack", options->pack);
        (void)cJSON_AddStringToObject(
            root, "mode", options->shape != NULL ? "shape" : slv_mode_name(report->mode));
        add_garment(root, report);
    }
    if (report->lattice.cells[0] > 0) {
        add_grid(root, &report->lattice);
    }
    if (options->sdf != NULL) {
        add_path(root, "sdf", options->sdf);
        add(root, "sdf_bytes", (double)report->sdf_bytes);
    }
    add_seconds(root, report);
    char *text = cJSON_Print(root);
    const bool printed = text != NULL && printf("%s\n", text) > 0 && fflush(stdout) == 0;
    cJSON_free(text);
    cJSON_Delete(root);
    return printed;
}
