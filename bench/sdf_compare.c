// SPDX-License-Identifier: MIT
// Compares our distances with an .sdf file of the same mesh, on its lattice.
//   compare-sdf MESH REFERENCE.sdf
// Prints one line of JSON: largest difference within the band of one cell and beyond it (in cells), the band's sample
// of the largest difference with both values, the number of band samples with different signs, and our time on two
// threads without reading.
#include "formats/field.h"
#include "tools/common/console.h"
#include "tools/common/mesh_import.h"
#include "tools/voxelize/field_source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 2 };

typedef struct comparison {
    const slv_sdf_grid *reference;
    double in_band, beyond; // largest differences, in cells
    size_t worst;           // sample of the largest difference in the band
    double worst_ours, worst_theirs;
    size_t band_count, other_signs;
} comparison;

static void need(slv_result result, const slv_error *error) {
    if (result != SLV_OK) {
        (void)fprintf(stderr, "compare-sdf: error: %s\n", error->text);
        exit((int)result);
    }
}

static slv_result compare(void *context, uint32_t first_layer, uint32_t layers, const float *values,
                          unsigned slot, slv_error *error) {
    (void)slot;
    (void)error;
    comparison *c = context;
    const size_t layer = (size_t)c->reference->cells[0] * c->reference->cells[1];
    const float *theirs = c->reference->values + layer * first_layer;
    for (size_t i = 0; i < layer * layers; i++) {
        const double ours = (double)values[i] / c->reference->spacing;
        const double other = (double)theirs[i] / c->reference->spacing;
        const double difference = fabs(fabs(ours) - fabs(other));
        if (fabs(ours) < 1.0) {
            c->band_count++;
            c->other_signs += ours * other < 0.0 && fabs(ours) > 1e-4;
            if (difference >= c->in_band) {
                c->in_band = difference;
                c->worst = layer * first_layer + i;
                c->worst_ours = ours;
                c->worst_theirs = other;
            }
        } else {
            c->beyond = fmax(c->beyond, difference);
        }
    }
    return SLV_OK;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        (void)fprintf(stderr, "compare-sdf: error: usage: compare-sdf MESH REFERENCE.sdf\n");
        return 1;
    }
    const slv_import_options options = slv_default_import_options();
    slv_error error;
    slv_mesh mesh;
    slv_sdf_grid grid;
    need(slv_mesh_import(argv[1], &options, &mesh, NULL, &error), &error);
    need(slv_sdf_read(argv[2], UINT64_C(1) << 30, &grid, &error), &error);
    slv_lattice lattice = {.spacing = grid.spacing};
    for (int axis = 0; axis < 3; axis++) {
        lattice.cells[axis] = grid.cells[axis];
        lattice.origin[axis] = grid.origin[axis] - mesh.frame[axis];
    }
    comparison c = {.reference = &grid};
    const slv_field_sink sink = {.emit = compare, .context = &c};
    slv_field_source *source = NULL;
    const double start = slv_console_seconds();
    need(slv_field_source_create(&mesh, &lattice, THREADS, &source, &error), &error);
    need(slv_field_source_distances(source, THREADS, &sink, &error), &error);
    const double seconds = slv_console_seconds() - start;
    (void)printf("{\"cells\": %zu, \"triangles\": %u, \"band\": %zu, \"in_band\": %.3g, "
                 "\"beyond\": %.3g, \"worst\": [%zu, %.17g, %.17g], \"other_signs\": %zu, "
                 "\"seconds\": %.4f}\n",
                 slv_lattice_count(&lattice), mesh.triangle_count, c.band_count, c.in_band,
                 c.beyond, c.worst, c.worst_ours, c.worst_theirs, c.other_signs, seconds);
    slv_field_source_destroy(source);
    slv_sdf_free(&grid);
    slv_mesh_free(&mesh);
    return 0;
}
