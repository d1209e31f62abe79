// SPDX-License-Identifier: MIT
// Speed and memory of opening a garment pack: mapped and fully verified, on one thread, from the page cache.
// Bounds: the speeds of reading the bytes and of hashing them with XXH3.
//   bench-pack-open [--json FILE]
#define _GNU_SOURCE // Linux counts private writable memory in RLIMIT_DATA
#include "bench/bench_report.h"
#include "formats/checksum.h"
#include "formats/file_bytes.h"
#include "formats/garment.h"
#include "tests/formats/sample_garment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 7, CELLS_XY = 300, CELLS_Z = 30 }; // 2.7 million particles

// --- Measured functions ----------------------------------------------------------

static int build_pack(const char *path, size_t unused) {
    (void)unused;
    sample_garment sample;
    slv_error error = {0};
    sample_grid(&sample, CELLS_XY, CELLS_XY, CELLS_Z);
    slv_result result = sample_write(&sample.garment, NULL, path, &error);
    if (result != SLV_OK) {
        (void)fprintf(stderr, "bench-pack-open: error: %s: %s\n", path, error.text);
    }
    sample_free(&sample);
    return (int)result;
}

static int open_container(const char *path, slv_open_mode mode, slv_pack **pack) {
    slv_open_options options = slv_default_open_options();
    options.mode = mode;
    return (int)slv_pack_open(path, &options, pack, NULL);
}

static int open_all(const char *path, slv_open_mode mode) {
    slv_pack *pack = NULL;
    slv_garment garment;
    int result = open_container(path, mode, &pack);
    if (result == SLV_OK) {
        result = (int)slv_garment_open(pack, &garment, NULL);
    }
    slv_pack_close(pack);
    return result;
}

static int open_mapped(const char *path) {
    return open_all(path, SLV_OPEN_MAP);
}

static int open_copied(const char *path) {
    return open_all(path, SLV_OPEN_COPY);
}

static int open_container_only(const char *path) {
    slv_pack *pack = NULL;
    int result = open_container(path, SLV_OPEN_MAP, &pack);
    slv_pack_close(pack);
    return result;
}

static int map_and_hash(const char *path) {
    slv_file_bytes file;
    if (slv_file_bytes_map(path, &file, NULL) != SLV_OK) {
        return 1;
    }
    volatile uint64_t value = slv_checksum(file.bytes, file.size);
    (void)value;
    slv_file_bytes_free(&file);
    return 0;
}

static int map_and_sum(const char *path) {
    slv_file_bytes file;
    if (slv_file_bytes_map(path, &file, NULL) != SLV_OK) {
        return 1;
    }
    slv_bench_read_words(file.bytes, file.size);
    slv_file_bytes_free(&file);
    return 0;
}

// --- Measuring -------------------------------------------------------------------------------------

// Runs work in a child process, whose memory is counted separately.
static int in_child(int (*work)(const char *path, size_t amount), const char *path, size_t amount) {
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        _exit(work(path, amount));
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
        return -1;
    }
    return WEXITSTATUS(status);
}

// Private writable memory of this process, bytes; 0 where unknown.
static size_t data_bytes(void) {
    size_t kilobytes = 0;
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status)) {
        if (strncmp(line, "VmData:", 7) == 0) {
            kilobytes = strtoul(line + 7, NULL, 10);
        }
    }
    if (status) {
        (void)fclose(status);
    }
    return kilobytes * 1024;
}

static int open_within(const char *path, size_t allowance) {
    size_t have = data_bytes();
    const struct rlimit limit = {have + allowance, have + allowance};
    return have == 0 || setrlimit(RLIMIT_DATA, &limit) != 0 ? 1 : open_mapped(path);
}

// The smallest allowance of private memory, in steps of 64 KiB, within which the pack still opens.
static double own_memory(const char *path) {
    const size_t step = 65536;
    for (size_t allowance = step; allowance <= 64 * step; allowance += step) {
        if (in_child(open_within, path, allowance) == 0) {
            return (double)allowance / 1e6;
        }
    }
    return 1e9;
}

// Gigabytes per second of the best round.
static double speed(int (*work)(const char *path), const char *path, double bytes) {
    double best = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        double start = slv_bench_seconds();
        if (work(path) != 0) {
            (void)fprintf(stderr, "bench-pack-open: error: the pack does not open\n");
            exit(4);
        }
        double seconds = slv_bench_seconds() - start;
        best = seconds < best ? seconds : best;
    }
    return 1e-9 * bytes / best;
}

static void measure(const char *path, const char *json_path) {
    slv_file_bytes file;
    if (slv_file_bytes_map(path, &file, NULL) != SLV_OK) {
        return;
    }
    double bytes = (double)file.size;
    slv_file_bytes_free(&file);
    slv_bench_report report;
    slv_bench_begin(&report, json_path);
    double memory = own_memory(path);
    double sum = speed(map_and_sum, path, bytes);
    double hash = speed(map_and_hash, path, bytes);
    double container = speed(open_container_only, path, bytes);
    double mapped = speed(open_mapped, path, bytes);
    slv_bench_note(&report, "pack size", 1e-6 * bytes, "MB");
    slv_bench_note(&report, "map and sum all words", sum, "GB/s");
    slv_bench_note(&report, "map and hash all bytes (XXH3)", hash, "GB/s");
    slv_bench_note(&report, "open the container (map)", container, "GB/s");
    slv_bench_at_least(&report, "open and verify the garment (map)", mapped, 2, "GB/s");
    slv_bench_note(&report, "open and verify the garment (copy)", speed(open_copied, path, bytes),
                   "GB/s");
    slv_bench_note(&report, "open and verify / hash", mapped / hash, "");
    slv_bench_at_most(&report, "private memory", memory, 1, "MB");
    slv_bench_end(&report);
}

int main(int argc, char **argv) {
    const char *json =
        slv_bench_arguments(argc, argv, "Opening and verifying a garment pack of 275 MB.", NULL, 0);
    const char *parent = getenv("TMPDIR");
    char path[512];
    (void)snprintf(path, sizeof path, "%s/selvage-bench-%ld.slv", parent ? parent : "/tmp",
                   (long)getpid());
    int built = in_child(build_pack, path, 0);
    if (built == 0) {
        measure(path, json);
    }
    (void)unlink(path);
    return built == 0 ? 0 : 4;
}
