// SPDX-License-Identifier: MIT
// Cost of submitting work to a GPU: the calling thread's time against the device's time, for the 300 x
// 300 cloth at 8 steps of 16 iterations a frame.
//     bench-gpu [BACKEND [JSON]]
#include "bench/bench_cloth.h"
#include "bench/bench_report.h"

#include <selvage/selvage.h>

enum { SIDE = 300, STEPS = 8, FRAMES = 5 };

// Cost of FRAMES frames, after one to warm up.
static slv_timing measure(const char *backend, bool timing, char *device, size_t size) {
    char message[600];
    slv_world *world = NULL;
    slv_timing result;
    slv_world_def def = slv_default_world_def();
    def.backend = backend;
    def.fallback = false;
    def.timing = timing;
    if (slv_world_create(&def, &world, message, sizeof message) != SLV_OK) {
        slv_bench_stop(message);
    }
    slv_result status = slv_bench_add_cloth(world, SIDE);
    for (int frame = 0; status == SLV_OK && frame <= FRAMES; frame++) {
        if (frame == 1) { // the first compiles and records
            status = slv_world_get_timing(world, &result);
        }
        status = status == SLV_OK ? slv_world_step(world, STEPS) : status;
    }
    if (status == SLV_OK) {
        status = slv_world_get_timing(world, &result);
    }
    if (status != SLV_OK) {
        slv_bench_stop(slv_world_get_message(world));
    }
    (void)snprintf(device, size, "%s", slv_world_get_device(world).device);
    slv_world_destroy(world);
    return result;
}

int main(int argc, char **argv) {
    static const char *const backends[] = {"opencl", "cuda", NULL};
    slv_bench_option options[] = {
        {"--backend", "NAME", "opencl (the default) or cuda", backends, NULL}};
    const char *json =
        slv_bench_arguments(argc, argv, "What sending work to a GPU costs the host.", options, 1);
    const char *backend = options[0].value ? options[0].value : "opencl";
    char device[256];
    slv_bench_report report;
    slv_timing sent = measure(backend, false, device, sizeof device);
    slv_timing timed = measure(backend, true, device, sizeof device);
    double device_seconds = 0;
    for (uint32_t i = 0; i < timed.stage_count; i++) {
        device_seconds += timed.stages[i].seconds;
    }
    slv_bench_begin(&report, json);
    printf("# %s: %s\n", backend, device);
    slv_bench_note(&report, "kernel launches a frame", (double)sent.launches / FRAMES, "");
    slv_bench_note(&report, "calls that send work a frame", (double)sent.submissions / FRAMES, "");
    slv_bench_note(&report, "device time a frame", 1e3 * device_seconds / FRAMES, "ms");
    slv_bench_note(&report, "time of sending a frame", 1e3 * sent.issue_seconds / FRAMES, "ms");
    slv_bench_at_most(&report, "time of sending over device time",
                      100 * sent.issue_seconds / device_seconds, 5, "%");
    slv_bench_end(&report);
    return 0;
}
