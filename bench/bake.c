// SPDX-License-Identifier: MIT
// Size and speed of collider packs: 600 frames of the mannequin, at least 6,600 particles.
//   bench-bake [--json FILE]
// Sizes are compared with zstd -19 on float32 deltas and with meshoptimizer's vertex codec and zstd.
#define _POSIX_C_SOURCE 200809L
#include "tools/bake-collider/bake.h"
#include "bench/bench_report.h"
#include "formats/collider_pack.h"
#include "formats/file_bytes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>
#if SLV_HAVE_MESHOPTIMIZER
#include <meshoptimizer.h>
#endif

enum { FRAMES = 600, PARTICLES = 6600, THREADS = 2, LEVEL = 19 };
static const char character[] = SLV_SOURCE_DIR "/data/mannequin.glb";

// --- Baking ---------------------------------------------------------------------------------------

static double bake(const char *path, double error_mm, double radius, slv_bake_report *report) {
    slv_bake_options options = slv_default_bake_options();
    slv_console console = {.program = "bench-bake", .quiet = true};
    slv_output_files files = {.count = 0};
    slv_error error = {.code = SLV_OK};
    options.character = character;
    options.pack = path;
    options.clip = "raise_arms_and_sit";
    options.rate = 60.0;
    options.end = (FRAMES - 1) / 60.0;
    options.error = error_mm;
    options.radius = radius;
    options.particles = radius > 0.0 ? 0 : PARTICLES;
    options.threads = THREADS;
    const double start = slv_bench_clock();
    if (slv_bake(&options, &console, report, &files, &error) != SLV_OK ||
        slv_output_files_publish(&files, &report->error_source, &error) != SLV_OK) {
        slv_bench_stop(error.text);
    }
    return slv_bench_clock() - start;
}

// --- Packs ----------------------------------------------------------------------------------------

typedef struct opened {
    slv_pack *pack;
    slv_collider_pack collider;
    slv_motion_decoder *decoder;
    float *rows;
    float *frame;
} opened;

static void open_pack(const char *path, opened *o) {
    slv_error error = {.code = SLV_OK};
    if (slv_pack_open(path, NULL, &o->pack, &error) != SLV_OK ||
        slv_collider_pack_open(o->pack, &o->collider, &error) != SLV_OK) {
        slv_bench_stop(error.text);
    }
    const slv_motion *motion = &o->collider.motions[SLV_MOTION_PARTICLES];
    o->decoder = slv_motion_decoder_create(motion);
    o->rows = slv_aligned_bytes((size_t)motion->count * SLV_ROW_FLOATS * sizeof(float));
    o->frame = calloc(3 * (size_t)motion->count, sizeof(float));
    if (!o->decoder || !o->rows || !o->frame) {
        slv_bench_stop("out of memory");
    }
}

static void close_pack(opened *o) {
    slv_motion_decoder_destroy(o->decoder);
    free(o->rows);
    free(o->frame);
    slv_collider_pack_close(&o->collider);
    slv_pack_close(o->pack);
}

static void decode_frame(opened *o, uint32_t frame, uint32_t *group) {
    const slv_motion *motion = &o->collider.motions[SLV_MOTION_PARTICLES];
    if (frame / SLV_GROUP_FRAMES != *group) {
        *group = frame / SLV_GROUP_FRAMES;
        const char *fault = slv_motion_decode(o->decoder, *group, o->rows);
        if (fault) {
            slv_bench_stop(fault);
        }
    }
    slv_motion_take_frame(o->rows, motion->count, frame % SLV_GROUP_FRAMES, o->frame,
                          motion->count);
}

// All frames, [FRAMES][3][count].
static float *decode_all(const char *path, uint32_t *count) {
    opened o;
    open_pack(path, &o);
    *count = o.collider.info.particle_count;
    float *all = calloc(3 * (size_t)FRAMES * *count, sizeof *all);
    uint32_t group = UINT32_MAX;
    for (uint32_t f = 0; all && f < FRAMES; f++) {
        decode_frame(&o, f, &group);
        memcpy(all + 3 * (size_t)f * *count, o.frame, 3 * sizeof *all * (size_t)*count);
    }
    close_pack(&o);
    return all;
}

static int compare_seconds(const void *left, const void *right) {
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

// Time to decode each frame from another group. The median of a few tries excludes disturbances.
static void measure_seeking(const char *path, slv_bench_report *report) {
    enum { TRIES = 5 };
    opened o;
    double worst = 0.0;
    double sum = 0.0;
    open_pack(path, &o);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        double took[TRIES];
        for (int t = 0; t < TRIES; t++) {
            uint32_t group = UINT32_MAX;
            const double start = slv_bench_clock();
            decode_frame(&o, frame, &group);
            took[t] = slv_bench_clock() - start;
        }
        qsort(took, TRIES, sizeof *took, compare_seconds);
        worst = fmax(worst, took[TRIES / 2]);
        sum += took[TRIES / 2];
    }
    close_pack(&o);
    slv_bench_at_most(report, "seek to a frame, worst", 1000.0 * worst, 2, "ms");
    slv_bench_note(report, "seek to a frame, mean", 1000.0 * sum / FRAMES, "ms");
}

static void measure_reading(const char *path, slv_bench_report *report) {
    double best = HUGE_VAL;
    for (int round = 0; round < 5; round++) {
        opened o;
        open_pack(path, &o);
        uint32_t group = UINT32_MAX;
        const double start = slv_bench_seconds();
        for (uint32_t f = 0; f < FRAMES; f++) {
            decode_frame(&o, f, &group);
        }
        best = fmin(best, slv_bench_seconds() - start);
        close_pack(&o);
    }
    slv_bench_at_least(report, "decode, one core", FRAMES / best, 2000, "frames/s");
    double opening = 0.0;
    for (int round = 0; round < 20; round++) {
        slv_pack *pack = NULL;
        slv_collider_pack collider;
        const double start = slv_bench_clock();
        if (slv_pack_open(path, NULL, &pack, NULL) != SLV_OK ||
            slv_collider_pack_open(pack, &collider, NULL) != SLV_OK) {
            slv_bench_stop("the pack does not open");
        }
        opening = fmax(opening, slv_bench_clock() - start);
        slv_collider_pack_close(&collider);
        slv_pack_close(pack);
    }
    slv_bench_at_most(report, "open, worst of 20", 1000.0 * opening, 5, "ms");
    measure_seeking(path, report);
}

// --- Other codecs ---------------------------------------------------------------------------------------

static double compress(const void *bytes, size_t size) {
    const size_t room = ZSTD_compressBound(size);
    void *stored = malloc(room);
    const size_t done = stored ? ZSTD_compress(stored, room, bytes, size, LEVEL) : 0;
    free(stored);
    if (done == 0 || ZSTD_isError(done)) {
        slv_bench_stop("zstd failed");
    }
    return (double)done;
}

static double float_deltas(const float *all, uint32_t count) {
    const size_t row = 3 * (size_t)count;
    float *deltas = malloc(FRAMES * row * sizeof *deltas);
    for (size_t i = 0; deltas && i < FRAMES * row; i++) {
        deltas[i] = i < row ? all[i] : all[i] - all[i - row];
    }
    const double size = deltas ? compress(deltas, FRAMES * row * sizeof *deltas) : 0.0;
    free(deltas);
    return size;
}

#if SLV_HAVE_MESHOPTIMIZER
// Positions quantized to 16 bits with the same step, frame by frame, absolute or as differences.
static double meshoptimizer_size(const float *all, uint32_t count, double step, bool changes) {
    const size_t bound = meshopt_encodeVertexBufferBound(count, 8);
    unsigned char *bytes = malloc(bound * FRAMES);
    uint16_t *vertices = calloc(4 * (size_t)count, sizeof *vertices);
    int32_t *before = calloc((size_t)count + 1, 3 * sizeof *before);
    if (!bytes || !vertices || !before) {
        slv_bench_stop("out of memory");
    }
    size_t used = 0;
    for (size_t f = 0; f < FRAMES; f++) {
        for (size_t i = 0; i < 3 * (size_t)count; i++) {
            const double value = (double)all[3 * f * count + i];
            const int32_t now_at = (int32_t)floor(value / step + 0.5) + 32768;
            vertices[4 * (i % count) + i / count] =
                (uint16_t)(changes ? now_at - before[i] : now_at);
            before[i] = now_at;
        }
        used += meshopt_encodeVertexBuffer(bytes + used, bound, vertices, count, 8);
    }
    const double size = compress(bytes, used);
    free(bytes);
    free(vertices);
    free(before);
    return size;
}
#endif

static void compare(const char *name, double bytes, double error, const float *all, uint32_t count,
                    double deltas, slv_bench_report *report) {
    char line[80];
    (void)snprintf(line, sizeof line, "%s: zstd -19 of float32 deltas / pack", name);
    slv_bench_at_least(report, line, deltas / bytes, 2, "x");
#if SLV_HAVE_MESHOPTIMIZER
    const double step = 2.0 * error / sqrt(3.0);
    const double best = fmin(meshoptimizer_size(all, count, step, false),
                             meshoptimizer_size(all, count, step, true));
    (void)snprintf(line, sizeof line, "%s: meshoptimizer + zstd -19 / pack", name);
    slv_bench_at_least(report, line, best / bytes, 1.3, "x");
#else
    (void)error;
    (void)all;
    (void)count;
    printf("%s: no comparison with meshoptimizer: libmeshoptimizer-dev was not found\n", name);
#endif
}

int main(int argc, char **argv) {
    const char *json = slv_bench_arguments(
        argc, argv, "Clips of the mannequin: size, baking, decoding, opening, seeking.", NULL, 0);
    slv_bench_report report;
    slv_bake_report exact;
    slv_bake_report fine;
    slv_bake_report coarse;
    char folder[] = "/tmp/selvage-bench-XXXXXX";
    char path[64];
    if (!mkdtemp(folder)) {
        slv_bench_stop("cannot create a temporary folder");
    }
    (void)snprintf(path, sizeof path, "%s/clip.slv", folder);
    slv_bench_begin(&report, json);
    const double seconds = bake(path, 0.1, 0.0, &fine);
    slv_bench_at_least(&report, "frames", fine.frames, FRAMES, "");
    slv_bench_at_least(&report, "particles", fine.particles, PARTICLES, "");
    slv_bench_at_least(&report, "bake, two threads", fine.frames / seconds, 100, "frames/s");
    slv_bench_at_most(&report, "largest distance to the surface / radius",
                      fine.coverage / fine.radius, 1.1, "");
    slv_bench_at_most(&report, "0.1 mm: largest error", 1000.0 * fine.largest_error, 0.1, "mm");
    slv_bench_at_most(&report, "0.1 mm: pack", (double)fine.pack_bytes * 1e-6, 4, "MB");
    measure_reading(path, &report);
    (void)bake(path, 0.5, fine.radius, &coarse);
    slv_bench_at_most(&report, "0.5 mm: largest error", 1000.0 * coarse.largest_error, 0.5, "mm");
    slv_bench_at_most(&report, "0.5 mm: pack", (double)coarse.pack_bytes * 1e-6, 2, "MB");
    (void)bake(path, 0.001, fine.radius, &exact); // in place of the unquantized positions
    uint32_t count = 0;
    float *all = decode_all(path, &count);
    if (!all) {
        slv_bench_stop("out of memory");
    }
    slv_bench_note(&report, "raw float32 positions", 12e-6 * FRAMES * count, "MB");
    const double deltas = float_deltas(all, count);
    compare("0.1 mm", (double)fine.pack_bytes, 1e-4, all, count, deltas, &report);
    compare("0.5 mm", (double)coarse.pack_bytes, 5e-4, all, count, deltas, &report);
    slv_bench_end(&report);
    free(all);
    (void)unlink(path);
    (void)rmdir(folder);
    return 0;
}
