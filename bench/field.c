// SPDX-License-Identifier: MIT
// Speed of distances and signs, against targets and against the method of SDFGen.
//   bench-field [--json FILE] [--full] [--size CELLS]
// --full: also 512 cells, and the baseline at 256 (minutes). --size: only this size, without memory figures.
#define _DEFAULT_SOURCE // wait4
#define _POSIX_C_SOURCE 200809L
#include "bench/bench_mesh.h"
#include "bench/bench_report.h"
#include "bench/sdf_sweep_baseline.h"
#include "tools/common/mesh_import.h"
#include "tools/voxelize/field_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REPEATS = 3, THREADS = 2 };

typedef struct bench {
    slv_bench_report report;
    slv_mesh mesh;
    char folder[64];
    char obj[128], sdf[128];
} bench;

static void need(slv_result result, const slv_error *error) {
    if (result != SLV_OK) {
        (void)fprintf(stderr, "bench-field: error: %s\n", error->text);
        exit((int)result);
    }
}

// The lattice of selvage-voxelize: padding 1, `samples` samples along the longest side.
static slv_lattice lattice_for(const slv_mesh *mesh, uint32_t samples) {
    double min[3];
    double max[3];
    slv_mesh_bounds(mesh, min, max);
    slv_lattice lattice = {.spacing = (max[0] - min[0]) / (samples - 2 + 0.5)};
    for (int axis = 0; axis < 3; axis++) {
        lattice.origin[axis] = min[axis] - lattice.spacing;
        lattice.cells[axis] =
            (uint32_t)((max[axis] - min[axis] + 2.0 * lattice.spacing) / lattice.spacing);
    }
    return lattice;
}

static slv_result discard(void *context, uint32_t first_layer, uint32_t layers, const float *values,
                          unsigned slot, slv_error *error) {
    (void)context;
    (void)first_layer;
    (void)layers;
    (void)values;
    (void)slot;
    (void)error;
    return SLV_OK;
}

static void run_distances(const slv_mesh *mesh, const slv_lattice *lattice, unsigned threads) {
    const slv_field_sink sink = {.emit = discard};
    slv_field_source *source = NULL;
    slv_error error;
    need(slv_field_source_create(mesh, lattice, threads, &source, &error), &error);
    need(slv_field_source_distances(source, threads, &sink, &error), &error);
    slv_field_source_destroy(source);
}

static void run_signs(const slv_mesh *mesh, const slv_lattice *lattice, unsigned threads) {
    slv_field_source *source = NULL;
    slv_error error;
    uint64_t *bits =
        malloc(slv_row_words(lattice) * lattice->cells[1] * lattice->cells[2] * sizeof *bits);
    need(bits != NULL ? SLV_OK : slv_fail(&error, SLV_ERROR_MEMORY, "out of memory"), &error);
    need(slv_field_source_create(mesh, lattice, threads, &source, &error), &error);
    need(slv_field_source_inside(source, threads, bits, &error), &error);
    slv_field_source_destroy(source);
    free(bits);
}

// Reads the mesh file, computes, writes the text file.
static void run_files(const bench *b, uint32_t samples, unsigned threads) {
    const slv_import_options options = {.undrawn = true}; // as the program does
    slv_console console = {.program = "bench-field", .quiet = true};
    slv_error error;
    slv_mesh mesh;
    slv_field_source *source = NULL;
    slv_field_output output = {.threads = threads};
    need(slv_mesh_import(b->obj, &options, &mesh, NULL, &error), &error);
    output.lattice = lattice_for(&mesh, samples);
    need(slv_field_source_create(&mesh, &output.lattice, threads, &source, &error), &error);
    output.source = source;
    memcpy(output.frame, mesh.frame, sizeof output.frame);
    slv_mesh_free(&mesh);
    need(slv_atomic_open(b->sdf, &output.text, &error), &error);
    need(slv_field_output_run(&output, &console, &error), &error);
    need(slv_atomic_commit(output.text, &error), &error);
    slv_field_source_destroy(source);
}

typedef enum work { DISTANCES, SIGNS, FILES } work;

// Wall time in seconds, the best of REPEATS.
static double time_of(const bench *b, work what, uint32_t samples, unsigned threads) {
    const slv_lattice lattice = lattice_for(&b->mesh, samples);
    double best = HUGE_VAL;
    for (int i = 0; i < (samples > 300 ? 1 : REPEATS); i++) {
        const double start = slv_console_seconds();
        switch (what) {
        case DISTANCES:
            run_distances(&b->mesh, &lattice, threads);
            break;
        case SIGNS:
            run_signs(&b->mesh, &lattice, threads);
            break;
        case FILES:
            run_files(b, samples, threads);
            break;
        }
        best = fmin(best, slv_console_seconds() - start);
    }
    return best;
}

static double cells_of(const bench *b, uint32_t samples) {
    const slv_lattice lattice = lattice_for(&b->mesh, samples);
    return (double)slv_lattice_count(&lattice);
}

static double time_baseline(const bench *b, uint32_t samples) {
    const slv_lattice lattice = lattice_for(&b->mesh, samples);
    slv_error error;
    float *values = malloc(slv_lattice_count(&lattice) * sizeof *values);
    need(values != NULL ? SLV_OK : slv_fail(&error, SLV_ERROR_MEMORY, "out of memory"), &error);
    const double start = slv_console_seconds();
    need(slv_sdf_sweep_baseline(&b->mesh, &lattice, values, &error), &error);
    const double seconds = slv_console_seconds() - start;
    free(values);
    return seconds;
}

// Peak memory of a child process over the size of the float grid.
static double memory_ratio(const bench *b, uint32_t samples) {
    struct rusage usage;
    int status = 1;
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        run_files(b, samples, THREADS);
        _exit(0);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) {
        (void)fprintf(stderr, "bench-field: error: a child process failed\n");
        exit((int)SLV_ERROR_MEMORY);
    }
    return (double)usage.ru_maxrss * 1024.0 / (cells_of(b, samples) * sizeof(float));
}

static void report_memory(bench *b, uint32_t samples) {
    char name[64];
    (void)snprintf(name, sizeof name, "%u: peak memory / float grid", samples);
    slv_bench_at_most(&b->report, name, memory_ratio(b, samples), 1.3, "x");
}

static void report_size(bench *b, uint32_t samples, bool with_baseline, double least_ratio) {
    char name[64];
    const double cells = cells_of(b, samples);
    const double files = time_of(b, FILES, samples, THREADS);
    (void)snprintf(name, sizeof name, "%u: file to file, 2 threads, per cell", samples);
    slv_bench_at_most(&b->report, name, 1e6 * files / cells, 0.25, "us");
    const double two = time_of(b, DISTANCES, samples, 2);
    const double one = time_of(b, DISTANCES, samples, 1);
    (void)snprintf(name, sizeof name, "%u: distances alone, 2 threads, per cell", samples);
    slv_bench_note(&b->report, name, 1e6 * two / cells, "us");
    (void)snprintf(name, sizeof name, "%u: speed, two threads / one", samples);
    slv_bench_at_least(&b->report, name, one / two, 1.8, "x");
    (void)snprintf(name, sizeof name, "%u: signs alone, 2 threads, per cell", samples);
    slv_bench_at_most(&b->report, name, 1e6 * time_of(b, SIGNS, samples, 2) / cells, 0.03, "us");
    if (with_baseline) {
        const double baseline = time_baseline(b, samples);
        (void)snprintf(name, sizeof name, "%u: SDFGen's method, 1 thread, per cell", samples);
        slv_bench_note(&b->report, name, 1e6 * baseline / cells, "us");
        (void)snprintf(name, sizeof name, "%u: SDFGen's method / file to file", samples);
        slv_bench_at_least(&b->report, name, baseline / files, least_ratio, "x");
    }
}

static void prepare(bench *b) {
    slv_error error;
    need(slv_bench_mesh_create(SLV_BENCH_DIVISIONS, &b->mesh, &error), &error);
    (void)snprintf(b->folder, sizeof b->folder, "/tmp/bench-field-XXXXXX");
    if (mkdtemp(b->folder) == NULL) {
        need(slv_fail(&error, SLV_ERROR_FILE, "cannot create a temporary folder in /tmp"), &error);
    }
    (void)snprintf(b->obj, sizeof b->obj, "%s/body.obj", b->folder);
    (void)snprintf(b->sdf, sizeof b->sdf, "%s/body.sdf", b->folder);
    need(slv_bench_mesh_write_obj(&b->mesh, b->obj, &error), &error);
}

int main(int argc, char **argv) {
    static const char *const choices[] = {"64", "128", "256", "512", NULL};
    slv_bench_option options[] = {
        {"--full", NULL, "also 512 cells, and the baseline at 256 (minutes)", NULL, NULL},
        {"--size", "CELLS", "only 64, 128, 256 or 512", choices, NULL}};
    const char *json = slv_bench_arguments(
        argc, argv, "Distance fields of a mesh of 70,000 triangles, against the method of SDFGen.",
        options, 2);
    const bool full = options[0].value != NULL;
    const uint32_t only = options[1].value ? (uint32_t)strtoul(options[1].value, NULL, 10) : 0;
    bench b = {.mesh = {.point_count = 0}};
    prepare(&b);
    slv_bench_begin(&b.report, json);
    static const uint32_t sizes[] = {64, 128, 256, 512};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const uint32_t size = sizes[i];
        if (only > 0 ? size == only : size < 512 || full) {
            report_size(&b, size, size == 128 || (size == 256 && full), size == 128 ? 15.0 : 20.0);
        }
    }
    if (only == 0) {
        report_memory(&b, 256);
    }
    if (full) {
        report_memory(&b, 512);
    }
    slv_bench_end(&b.report);
    slv_mesh_free(&b.mesh);
    (void)unlink(b.obj);
    (void)unlink(b.sdf);
    (void)rmdir(b.folder);
    return 0;
}
