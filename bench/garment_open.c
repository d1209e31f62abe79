// SPDX-License-Identifier: MIT
// What adding a garment of a million particles to a world costs. The pack is opened and verified, then its
// arrays become a body (own order) and a layout (solver order). The program times the parts separately, on
// one thread, from the page cache, in processor time.
//   bench-garment-open [--json FILE] [--pack FILE]
#define _DEFAULT_SOURCE // mkstemp
#include "bench/bench_report.h"
#include "formats/file_bytes.h"
#include "formats/garment.h"

#include <selvage/selvage.h>

#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 5 };

// --- The parts --------------------------------------------------------------------------------------

// Reads every byte of the mapped file once, the lower bound of any verification. Returns their number.
static double read_bytes(const char *path) {
    slv_file_bytes file;
    if (slv_file_bytes_map(path, &file, NULL) != SLV_OK) {
        slv_bench_stop("the pack cannot be mapped");
    }
    slv_bench_read_words(file.bytes, file.size);
    const double size = (double)file.size;
    slv_file_bytes_free(&file);
    return size;
}

static uint32_t open_and_verify(const char *path) {
    slv_pack *pack = NULL;
    slv_garment garment;
    slv_error error = {0};
    if (slv_pack_open(path, NULL, &pack, &error) != SLV_OK ||
        slv_garment_open(pack, &garment, &error) != SLV_OK) {
        slv_bench_stop(error.text);
    }
    const uint32_t particles = garment.info.particle_count;
    slv_pack_close(pack);
    return particles;
}

// Seconds of slv_world_add_garment and of laying the garment out; the world is empty before.
static double add_garment(const char *path, slv_solver solver) {
    char message[256];
    slv_world *world = NULL;
    slv_world_def def = slv_default_world_def();
    slv_garment_def garment = slv_default_garment_def();
    def.threads = 1;
    def.parameters.solver = solver;
    garment.pack_path = path;
    if (slv_world_create(&def, &world, message, sizeof message) != SLV_OK) {
        slv_bench_stop(message);
    }
    const double start = slv_bench_seconds();
    if (slv_world_add_garment(world, &garment, NULL) != SLV_OK ||
        slv_world_step(world, 0) != SLV_OK) {
        slv_bench_stop(slv_world_get_message(world));
    }
    const double seconds = slv_bench_seconds() - start;
    slv_world_destroy(world);
    return seconds;
}

// --- Measuring --------------------------------------------------------------------------------------

typedef struct figures {
    double read, verify, grid, graph; // seconds, the best of ROUNDS
    double particles, bytes;
} figures;

static void keep_best(double *best, double seconds) {
    *best = seconds < *best ? seconds : *best;
}

static figures measure(const char *path) {
    figures best = {.read = 1e9, .verify = 1e9, .grid = 1e9, .graph = 1e9};
    for (int i = 0; i < ROUNDS; i++) {
        double start = slv_bench_seconds();
        best.bytes = read_bytes(path);
        keep_best(&best.read, slv_bench_seconds() - start);
        start = slv_bench_seconds();
        best.particles = (double)open_and_verify(path);
        keep_best(&best.verify, slv_bench_seconds() - start);
        keep_best(&best.grid, add_garment(path, SLV_PD_RBGS));
        keep_best(&best.graph, add_garment(path, SLV_PBD_GS));
    }
    return best;
}

static void print(const figures *found, const char *json_path) {
    slv_bench_report report;
    slv_bench_begin(&report, json_path);
    slv_bench_note(&report, "particles", found->particles, "");
    slv_bench_note(&report, "pack size", 1e-6 * found->bytes, "MB");
    slv_bench_note(&report, "read all bytes", 1e3 * found->read, "ms");
    slv_bench_note(&report, "open and verify", 1e3 * found->verify, "ms");
    slv_bench_note(&report, "add to a world, PD_RBGS", 1e3 * found->grid, "ms");
    slv_bench_note(&report, "add to a world, PBD_GS", 1e3 * found->graph, "ms");
    slv_bench_note(&report, "open and verify / read", found->verify / found->read, "x");
    slv_bench_note(&report, "add, PD_RBGS / open and verify", found->grid / found->verify, "x");
    slv_bench_note(&report, "add, PBD_GS / open and verify", found->graph / found->verify, "x");
    slv_bench_note(&report, "add, PD_RBGS, per particle", 1e9 * found->grid / found->particles,
                   "ns");
    slv_bench_end(&report);
}

int main(int argc, char **argv) {
    slv_bench_option options[] = {{"--pack", "FILE", "a garment pack to open", NULL, NULL}};
    const char *json = slv_bench_arguments(
        argc, argv, "Opening a garment of a million particles, part by part.", options, 1);
    const char *path = options[0].value;
    char made[] = "/tmp/selvage-bench-XXXXXX";
    if (!path) {
        char command[1024];
        const int file = mkstemp(made);
        (void)snprintf(command, sizeof command, "'%s' --shape grid:1000x1000 -o %s --quiet",
                       SLV_VOXELIZE_PROGRAM, made);
        if (file < 0 || close(file) != 0 || system(command) != 0) { // NOLINT(cert-env33-c)
            slv_bench_stop("selvage-voxelize made no pack");
        }
        path = made;
    }
    const figures found = measure(path);
    print(&found, json);
    if (path == made) {
        (void)unlink(made);
    }
    return 0;
}
