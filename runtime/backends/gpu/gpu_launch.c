// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // clock_gettime
#include "runtime/backends/gpu/gpu_launch.h"

#include "runtime/base/float_modes.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

void slv_gpu_threads(const slv_plan_launch *launch, size_t threads[3]) {
    const slv_domain domain = slv_kernel_infos[launch->kernel].domain;
    const size_t columns = (size_t)launch->columns;
    const size_t rows = (size_t)(launch->end - launch->first);
    const bool grid = slv_domain_is_grid(domain);
    threads[0] = grid ? columns : rows * columns;
    threads[1] = grid ? rows : 1;
    threads[2] = slv_domain_dimensions(domain) > 2 ? 3 : 1;
}

slv_launch slv_gpu_values(const slv_launch *shared, const slv_plan_launch *launch) {
    slv_launch values = *shared;
    slv_plan_set_launch(&values, launch);
    return values;
}

unsigned slv_gpu_stages(const slv_run *run, uint32_t step) {
    unsigned mask = 0;
    for (int stage = 0; stage < SLV_STAGE_COUNT; stage++) {
        const bool due = slv_stage_is_due((slv_stage)stage, step < run->move_steps, false);
        mask |= due ? 1u << stage : 0;
    }
    return mask;
}

bool slv_gpu_same_values(const slv_launch *one, const slv_launch *other) {
    slv_launch alike = *other;
    alike.parity = one->parity;
    alike.step = one->step;
    return memcmp(one, &alike, sizeof alike) == 0; // NOLINT: bitwise
}

size_t slv_gpu_staging_bytes(const slv_layout *layout) {
    return layout->staged_state.count * sizeof(float) + layout->staged_table.count * sizeof(int);
}

slv_staging slv_gpu_staging(const slv_layout *layout, void *memory) {
    float *state = memory;
    return (slv_staging){state, (int *)(void *)(state + layout->staged_state.count)};
}

slv_gpu_source slv_gpu_find_source(const slv_layout *layout, slv_staging staging, bool table,
                                   slv_extent extent) {
    const slv_extent whole = table ? layout->staged_table : layout->staged_state;
    const bool staged = staging.state && extent.first >= whole.first &&
                        extent.first + extent.count <= whole.first + whole.count;
    const float *state = staged ? staging.state : layout->state;
    const int *numbers = staged ? staging.table : layout->table;
    const size_t first = extent.first - (staged ? whole.first : 0);
    return (slv_gpu_source){table ? (const void *)(numbers + first) : (const void *)(state + first),
                            staged};
}

int slv_gpu_find_gl(const void *entries, size_t size, int count, uint32_t name) {
    int vacant = -1;
    for (int i = 0; i < count; i++) {
        uint32_t held = 0;
        memcpy(&held, (const char *)entries + (size_t)i * size, sizeof held);
        if (held == name) {
            return i;
        }
        vacant = vacant < 0 && held == 0 ? i : vacant;
    }
    return vacant < 0 ? 0 : vacant;
}

double slv_gpu_thread_seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// --- Rounding ---------------------------------------------------------------------------------------

// A pseudo-random normal number between 2^-20 and 2^20.
static float next_number(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    uint32_t mantissa = *seed >> 9;
    *seed = *seed * 1664525u + 1013904223u;
    uint32_t bits = (127u - 20u + (*seed >> 16) % 41u) << 23 | mantissa;
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

// A third of the sums nearly cancel: there a fused multiply-add gives other digits.
void slv_gpu_probe_fill(slv_gpu_probe *probe) {
    uint32_t seed = 20250615;
    for (size_t i = 0; i < SLV_PROBES; i++) {
        float *in = probe->in + i * SLV_PROBE_IN;
        in[0] = next_number(&seed);
        in[1] = next_number(&seed);
        in[2] = i % 3 == 0 ? -(in[0] * in[1]) : next_number(&seed);
    }
    memset(probe->out, 0, sizeof probe->out);
}

bool slv_gpu_probe_check(const slv_gpu_probe *probe, char *found, size_t size) {
    static const char *const names[SLV_PROBE_OUT] = {"division", "the square root",
                                                     "multiplying and adding", "tiny numbers"};
    uint32_t wrong[SLV_PROBE_OUT] = {0};
    SLV_DEFAULT_FLOAT_MODES;
    for (int i = 0; i < SLV_PROBES; i++) {
        float in[SLV_PROBE_IN];
        float out[SLV_PROBE_OUT];
        memcpy(in, probe->in + i * SLV_PROBE_IN, sizeof in);
        slv_probe(in, out, 0);
        for (int n = 0; n < SLV_PROBE_OUT; n++) {
            // NOLINTNEXTLINE: bitwise
            wrong[n] += memcmp(&out[n], &probe->out[i * SLV_PROBE_OUT + n], sizeof *out) != 0;
        }
    }
    bool right = true;
    size_t used = 0;
    found[0] = '\0';
    for (int n = 0; n < SLV_PROBE_OUT; n++) {
        if (wrong[n] > 0 && used < size) {
            used +=
                (size_t)snprintf(found + used, size - used, "%s%s", right ? "" : ", ", names[n]);
        }
        right = right && wrong[n] == 0;
    }
    return right;
}

slv_result slv_gpu_check_rounding(bool exact, const slv_device *device, const char *found,
                                  bool deterministic, slv_error *error) {
    if (exact || !deterministic) {
        return SLV_OK;
    }
    return slv_fail(
        error, SLV_ERROR_UNSUPPORTED,
        "%s, %s: does not round %s as IEEE 754 requires, so its results would differ from "
        "other devices'",
        device->backend, device->name, found);
}

// --- Identity ---------------------------------------------------------------------------------------

slv_gpu_identity slv_gpu_identify(const slv_device *device, const char *wrongly_rounded) {
    slv_gpu_identity identity = {.note = ""};
    (void)snprintf(identity.name, sizeof identity.name, "%s, %.100s", device->name, device->driver);
    if (wrongly_rounded[0]) {
        (void)snprintf(identity.note, sizeof identity.note,
                       "%s does not round %s exactly: its results will differ from other devices'",
                       device->name, wrongly_rounded);
    }
    return identity;
}

slv_world_device slv_gpu_describe(const char *backend, const slv_gpu_identity *identity) {
    return (slv_world_device){.backend = backend,
                              .device = identity->name,
                              .instruction_set = "",
                              .note = identity->note};
}
