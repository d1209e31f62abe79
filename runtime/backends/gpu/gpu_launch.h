// SPDX-License-Identifier: MIT
// Code that the GPU backends share: threads and values of a launch, staging memory, and the check of a
// device's rounding.
#ifndef SLV_RUNTIME_BACKENDS_GPU_GPU_LAUNCH_H
#define SLV_RUNTIME_BACKENDS_GPU_GPU_LAUNCH_H

#include "formats/result.h"
#include "runtime/backends/backend.h"

#include "kernels/probe.h"

// Threads along each axis (kernels/domains.h).
void slv_gpu_threads(const slv_plan_launch *launch, size_t threads[3]);

// The arguments of a launch: values of the run, and its own.
slv_launch slv_gpu_values(const slv_launch *shared, const slv_plan_launch *launch);

// The stages of a step of a run (bit n for stage n), if it does not diverge. After a divergence
// launches do nothing (SLV_HALTED), and the host rolls back when it next waits.
unsigned slv_gpu_stages(const slv_run *run, uint32_t step);

// Whether the values of two runs are equal except for parity and step.
bool slv_gpu_same_values(const slv_launch *one, const slv_launch *other);

// Bytes of staging memory for the staged arrays of a layout, and where in it each array lies.
size_t slv_gpu_staging_bytes(const slv_layout *layout);
slv_staging slv_gpu_staging(const slv_layout *layout, void *memory);

// The source of an upload of an extent of state or table, and whether it is staging memory.
typedef struct slv_gpu_source {
    const void *bytes;
    bool staged;
} slv_gpu_source;
slv_gpu_source slv_gpu_find_source(const slv_layout *layout, slv_staging staging, bool table,
                                   slv_extent extent);

// The index of an OpenGL buffer in an array of `count` entries of `size` bytes, each of which begins with the uint32_t
// name of its buffer, 0 in a free entry. A new buffer gets a free entry or, without any, the first.
int slv_gpu_find_gl(const void *entries, size_t size, int count, uint32_t name);

// Processor time of the calling thread: the cost of submitting work, independent of other threads.
double slv_gpu_thread_seconds(void);

// --- Rounding -----------------------------------------------------------------------------------------

enum { SLV_PROBES = 2048 };

typedef struct slv_gpu_probe {
    float in[SLV_PROBES * SLV_PROBE_IN];
    float out[SLV_PROBES * SLV_PROBE_OUT]; // written by the device
} slv_gpu_probe;

void slv_gpu_probe_fill(slv_gpu_probe *probe);
// Compares the device's results with this processor's. True when all bits agree; else `found` lists the
// operations that are not rounded exactly.
bool slv_gpu_probe_check(const slv_gpu_probe *probe, char *found, size_t size);

// Refuses a device that does not round exactly where determinism is required.
slv_result slv_gpu_check_rounding(bool exact, const slv_device *device, const char *found,
                                  bool deterministic, slv_error *error);

// --- Identity -----------------------------------------------------------------------------------------

typedef struct slv_gpu_identity {
    char name[256]; // and its driver
    char note[256]; // a sentence about its rounding; empty where it is exact
} slv_gpu_identity;

slv_gpu_identity slv_gpu_identify(const slv_device *device, const char *wrongly_rounded);
slv_world_device slv_gpu_describe(const char *backend, const slv_gpu_identity *identity);

#endif
