// SPDX-License-Identifier: MIT
// What the GPU backends have in common: how a plan's launch becomes threads and values, and how a device
// is asked whether it rounds as IEEE 754 wants.
#ifndef SLV_RUNTIME_BACKENDS_GPU_GPU_LAUNCH_H
#define SLV_RUNTIME_BACKENDS_GPU_GPU_LAUNCH_H

#include "formats/result.h"
#include "runtime/backends/backend.h"

#include "kernels/probe.h"

// Threads along each axis (kernels/device.h): elements of a row, rows, components for grids; everything
// along the first for the rest.
void slv_gpu_threads(const slv_plan_launch *launch, size_t threads[3]);

// What the kernel is told: what all launches of the step share, and what is this launch's own.
slv_launch slv_gpu_values(const slv_launch *shared, const slv_plan_launch *launch);

// The stages that a step of a run has (bit n for stage n): all but taking back, and moves while there
// are any.
unsigned slv_gpu_stages(const slv_run *run, uint32_t step);

// Whether two runs' shared values differ in more than parity and step.
bool slv_gpu_same_values(const slv_launch *one, const slv_launch *other);

// How many bytes of staging memory a form's moves take, and where in them either kind lies.
size_t slv_gpu_staging_bytes(const slv_layout *layout);
slv_staging slv_gpu_staging(const slv_layout *layout, void *memory);

// Where an upload of a run of state or table comes from, and whether that is staging memory.
typedef struct slv_gpu_source {
    const void *bytes;
    bool staged;
} slv_gpu_source;
slv_gpu_source slv_gpu_find_source(const slv_layout *layout, slv_staging staging, bool table,
                                   slv_extent extent);

// Processor time of the calling thread: what sending work costs, whoever else is busy.
double slv_gpu_thread_seconds(void);

// --- Rounding -----------------------------------------------------------------------------------------

enum { SLV_PROBES = 2048 };

typedef struct slv_gpu_probe {
    float in[SLV_PROBES * SLV_PROBE_IN];
    float out[SLV_PROBES * SLV_PROBE_OUT]; // to be filled by the device
} slv_gpu_probe;

void slv_gpu_probe_fill(slv_gpu_probe *probe);
// Compares what the device made of it with what this processor does. True when all bits agree; else
// `found` says what is not rounded as it should be.
bool slv_gpu_probe_check(const slv_gpu_probe *probe, char *found, size_t size);

// A device that does not round exactly is refused where determinism was asked for.
slv_result slv_gpu_check_rounding(bool exact, const slv_device *device, const char *found,
                                  bool deterministic, slv_error *error);

// --- Who it is ----------------------------------------------------------------------------------------

typedef struct slv_gpu_identity {
    char name[256]; // and its driver
    char
        note[256]; // one line for a person, about its rounding; empty where there is nothing to say
} slv_gpu_identity;

slv_gpu_identity slv_gpu_identify(const slv_device *device, const char *wrongly_rounded);
slv_world_device slv_gpu_describe(const char *backend, const slv_gpu_identity *identity);

#endif
