// SPDX-License-Identifier: MIT
#include "runtime/backends/cuda/cuda_device.h"

#include "runtime/backends/gpu/embedded.h"
#include "runtime/backends/gpu/gpu_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

slv_result slv_cuda_check(const slv_cuda_device *device, slv_error *error, const char *call,
                          CUresult code) {
    if (code == CUDA_SUCCESS) {
        return SLV_OK;
    }
    char text[200];
    slv_cuda_describe(&device->api, code, text, sizeof text);
    (void)slv_fail(error, SLV_ERROR_MEMORY, "CUDA: %s: %s", call, text);
    return code == CUDA_ERROR_OUT_OF_MEMORY ? SLV_ERROR_MEMORY : SLV_ERROR_DEVICE;
}

slv_result slv_cuda_enter(const slv_cuda_device *device, slv_error *error) {
    return SLV_CUDA_TRY(device, error, cuCtxPushCurrent, (device->context));
}

void slv_cuda_leave(const slv_cuda_device *device) {
    CUcontext own = NULL;
    (void)device->api.cuCtxPopCurrent(&own);
}

// --- Listing ----------------------------------------------------------------------------------------

static slv_result describe(const slv_cuda_device *self, CUdevice id, int driver, slv_device *about,
                           slv_error *error) {
    int major = 0;
    int minor = 0;
    size_t memory = 0;
    slv_result status =
        SLV_CUDA_TRY(self, error, cuDeviceGetName, (about->name, (int)sizeof about->name, id));
    if (status == SLV_OK) {
        status = SLV_CUDA_TRY(self, error, cuDeviceTotalMem, (&memory, id));
    }
    if (status == SLV_OK) {
        status = SLV_CUDA_TRY(self, error, cuDeviceGetAttribute,
                              (&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, id));
    }
    if (status == SLV_OK) {
        status = SLV_CUDA_TRY(self, error, cuDeviceGetAttribute,
                              (&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, id));
    }
    about->memory_bytes = memory;
    about->is_gpu = true;
    (void)snprintf(about->driver, sizeof about->driver, "CUDA %d.%d, compute capability %d.%d",
                   driver / 1000, driver % 1000 / 10, major, minor);
    return status;
}

static slv_result list_all(const slv_cuda_device *self, slv_device_list *list, slv_error *error) {
    int count = 0;
    int driver = 0;
    slv_result status = SLV_CUDA_TRY(self, error, cuDriverGetVersion, (&driver));
    if (status == SLV_OK) {
        status = SLV_CUDA_TRY(self, error, cuDeviceGetCount, (&count));
    }
    for (int i = 0; status == SLV_OK && i < count; i++) {
        CUdevice id = 0;
        slv_device *about = slv_device_list_add(list, "cuda");
        if (about) {
            status = SLV_CUDA_TRY(self, error, cuDeviceGet, (&id, i));
        }
        if (about && status == SLV_OK) {
            status = describe(self, id, driver, about, error);
        }
    }
    if (status == SLV_OK && list->count == 0) {
        (void)slv_fail(error, SLV_ERROR_UNSUPPORTED, "CUDA: no device here");
        status = SLV_ERROR_UNSUPPORTED;
    }
    return status;
}

void slv_cuda_list(slv_device_list *list, slv_error *error) {
    slv_cuda_device self = {.id = 0};
    if (slv_cuda_load(&self.api, error)) {
        uint32_t before = list->count;
        if (list_all(&self, list, error) != SLV_OK) {
            list->count = before;
        }
        slv_cuda_unload(&self.api);
    }
}

// --- Opening ----------------------------------------------------------------------------------------

static slv_result choose(slv_cuda_device *self, const slv_engine_def *def, slv_error *error) {
    slv_device_list list = {.count = 0};
    slv_result status = list_all(self, &list, error);
    if (status != SLV_OK) {
        return status;
    }
    int chosen = slv_device_list_choose(&list, def->device, error);
    if (chosen < 0) {
        return SLV_ERROR_UNSUPPORTED;
    }
    self->about = list.devices[chosen];
    status = SLV_CUDA_TRY(self, error, cuDeviceGet, (&self->id, chosen));
    if (status == SLV_OK) {
        status = SLV_CUDA_TRY(self, error, cuDevicePrimaryCtxRetain, (&self->context, self->id));
        self->context = status == SLV_OK ? self->context : NULL;
    }
    return status;
}

// The driver selects the binary for its device, or compiles the PTX; then the log of its compiler is
// kept.
static slv_result load_module(slv_cuda_device *self, slv_error *error) {
    char log[300] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(sizeof log - 1)}; // NOLINT: the driver takes a number here
    CUresult code = self->api.cuModuleLoadDataEx(&self->module, slv_cuda_image, 2, options, values);
    slv_result status = slv_cuda_check(self, error, "cuModuleLoadDataEx", code);
    if (status != SLV_OK) {
        self->module = NULL;
        if (log[0]) {
            const slv_error cause = *error;
            (void)slv_fail(error, SLV_ERROR_MEMORY, "%.200s: %s", cause.text, log);
        }
    }
    return status;
}

static slv_result find_kernels(slv_cuda_device *self, CUfunction *probe, slv_error *error) {
    slv_result status = SLV_OK;
    for (int i = 0; status == SLV_OK && i < SLV_KERNEL_COUNT; i++) {
        char name[96];
        (void)snprintf(name, sizeof name, "slv_run_%s", slv_kernel_infos[i].name);
        status =
            SLV_CUDA_TRY(self, error, cuModuleGetFunction, (&self->kernels[i], self->module, name));
    }
    const struct {
        CUfunction *function;
        const char *name;
    } others[] = {{&self->end_step, "slv_end_step"},
                  {&self->export_positions, "slv_export_positions"},
                  {probe, "slv_probe_rounding"}};
    for (size_t i = 0; status == SLV_OK && i < sizeof others / sizeof *others; i++) {
        status = SLV_CUDA_TRY(self, error, cuModuleGetFunction,
                              (others[i].function, self->module, others[i].name));
    }
    return status;
}

// --- Rounding ---------------------------------------------------------------------------------------

static slv_result run_probe(const slv_cuda_device *self, CUfunction kernel, slv_gpu_probe *probe,
                            CUdeviceptr in, CUdeviceptr out, slv_error *error) {
    int count = SLV_PROBES;
    void *arguments[] = {&in, &out, &count};
    slv_result status = SLV_CUDA_TRY(self, error, cuMemcpyHtoDAsync,
                                     (in, probe->in, sizeof probe->in, self->stream));
    if (status == SLV_OK) {
        status = SLV_CUDA_TRY(self, error, cuLaunchKernel,
                              (kernel, SLV_PROBES / SLV_CUDA_BLOCK, 1, 1, SLV_CUDA_BLOCK, 1, 1, 0,
                               self->stream, arguments, NULL));
    }
    if (status == SLV_OK) {
        status = SLV_CUDA_TRY(self, error, cuMemcpyDtoHAsync,
                              (probe->out, out, sizeof probe->out, self->stream));
    }
    if (status == SLV_OK) {
        status = SLV_CUDA_TRY(self, error, cuStreamSynchronize, (self->stream));
    }
    return status;
}

static slv_result ask_rounding(slv_cuda_device *self, CUfunction kernel, slv_gpu_probe *probe,
                               slv_error *error) {
    CUdeviceptr in = 0;
    CUdeviceptr out = 0;
    slv_gpu_probe_fill(probe);
    slv_result status = SLV_CUDA_TRY(self, error, cuMemAlloc, (&in, sizeof probe->in));
    if (status != SLV_OK) {
        return status;
    }
    status = SLV_CUDA_TRY(self, error, cuMemAlloc, (&out, sizeof probe->out));
    if (status == SLV_OK) {
        status = run_probe(self, kernel, probe, in, out, error);
        (void)self->api.cuMemFree(out);
    }
    (void)self->api.cuMemFree(in);
    return status;
}

static slv_result check_rounding(slv_cuda_device *self, CUfunction kernel, bool deterministic,
                                 slv_error *error) {
    slv_gpu_probe *probe = malloc(sizeof *probe);
    if (!probe) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    slv_result status = ask_rounding(self, kernel, probe, error);
    if (status == SLV_OK) {
        bool exact = slv_gpu_probe_check(probe, self->rounding, sizeof self->rounding);
        status = slv_gpu_check_rounding(exact, &self->about, self->rounding, deterministic, error);
    }
    free(probe);
    return status;
}

// --- Open and close ---------------------------------------------------------------------------------

static slv_result prepare(slv_cuda_device *self, const slv_engine_def *def, slv_error *error) {
    CUfunction probe = NULL;
    slv_result status =
        SLV_CUDA_TRY(self, error, cuStreamCreate, (&self->stream, CU_STREAM_NON_BLOCKING));
    if (status != SLV_OK) {
        self->stream = NULL;
        return status;
    }
    status = load_module(self, error);
    if (status == SLV_OK) {
        status = find_kernels(self, &probe, error);
    }
    return status == SLV_OK ? check_rounding(self, probe, def->deterministic, error) : status;
}

slv_result slv_cuda_device_open(slv_cuda_device *device, const slv_engine_def *def,
                                slv_error *error) {
    *device = (slv_cuda_device){.context = NULL};
    if (!slv_cuda_load(&device->api, error)) {
        return SLV_ERROR_UNSUPPORTED;
    }
    slv_result status = choose(device, def, error);
    if (status == SLV_OK) {
        status = slv_cuda_enter(device, error);
    }
    if (status == SLV_OK) {
        status = prepare(device, def, error);
        slv_cuda_leave(device);
    }
    if (status != SLV_OK) {
        slv_cuda_device_close(device);
    }
    return status;
}

// A lost device fails every call; errors are ignored here.
void slv_cuda_device_close(slv_cuda_device *device) {
    slv_error ignored;
    if (device->context) {
        bool entered = slv_cuda_enter(device, &ignored) == SLV_OK;
        if (device->module) {
            (void)device->api.cuModuleUnload(device->module);
        }
        if (device->stream) {
            (void)device->api.cuStreamDestroy(device->stream);
        }
        if (entered) {
            slv_cuda_leave(device);
        }
        (void)device->api.cuDevicePrimaryCtxRelease(device->id);
    }
    slv_cuda_unload(&device->api);
}
