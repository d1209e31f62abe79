// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "tests/gpu/stand_in.h"
#include "tests/gpu/stand_in_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Failing, counting ------------------------------------------------------------------------------

static int device_count = 1;
static _Thread_local int depth; // of contexts

EXPORT stand_in_rounding_function stand_in_rounding;
EXPORT stand_in_devices_function stand_in_devices;

void stand_in_rounding(int wrong) {
    stand_in_set_wrong_rounding(wrong);
}

void stand_in_devices(int count) {
    device_count = count;
}

// "cuGraphLaunch 3 719": driver_fail for whole programs. The device is lost, unless a fourth word follows.
static void read_environment(void) {
    static int done;
    const char *text = getenv("SELVAGE_STAND_IN_FAIL");
    char name[DRIVER_NAME_ROOM];
    char kept[8];
    unsigned nth = 0;
    int code = 0;
    const int words = !done && text ? sscanf(text, "%47s %u %d %7s", name, &nth, &code, kept) : 0;
    if (words >= 3) {
        driver_fail(name, nth, code, words == 3);
    }
    done = 1;
}

CUresult stand_in_begin(const char *name) {
    read_environment();
    return (CUresult)driver_begin(name);
}

bool stand_in_within(void) {
    return depth > 0;
}

void *stand_in_make(size_t size) {
    void *object = calloc(1, size > 0 ? size : 1);
    if (!object) {
        abort();
    }
    driver_add_live(1);
    return object;
}

// A call that releases does so even where it fails.
CUresult stand_in_give_back(const char *name, void *object) {
    CUresult code = stand_in_begin(name);
    if (!object) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    free(object);
    driver_add_live(-1);
    return code;
}

// --- The driver and its devices ---------------------------------------------------------------------

EXPORT CUresult cuInit(unsigned flags) {
    (void)flags;
    BEGIN("cuInit")
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGetErrorName(CUresult code, const char **name) {
    static char text[DRIVER_NAME_ROOM];
    (void)snprintf(text, sizeof text, "CUDA_ERROR_%d", (int)code);
    *name = text;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGetErrorString(CUresult code, const char **text) {
    *text = code == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "the stand-in fails on request";
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDriverGetVersion(int *version) {
    BEGIN("cuDriverGetVersion")
    *version = 13000;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetCount(int *count) {
    BEGIN("cuDeviceGetCount")
    *count = device_count;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    BEGIN("cuDeviceGet")
    *device = ordinal;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
    BEGIN("cuDeviceGetName")
    (void)snprintf(name, (size_t)length, "stand-in %d", device);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
    (void)device;
    BEGIN("cuDeviceTotalMem")
    *bytes = (size_t)1 << 30;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    (void)device;
    BEGIN("cuDeviceGetAttribute")
    *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 7 : 5;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    (void)device;
    BEGIN("cuDevicePrimaryCtxRetain")
    static int only;
    driver_add_live(1);
    *context = (CUcontext)(void *)&only;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    (void)device;
    driver_add_live(-1);
    return stand_in_begin("cuDevicePrimaryCtxRelease");
}

EXPORT CUresult cuCtxPushCurrent(CUcontext context) {
    (void)context;
    BEGIN("cuCtxPushCurrent")
    depth++;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxPopCurrent(CUcontext *context) {
    depth--;
    *context = NULL;
    return stand_in_begin("cuCtxPopCurrent");
}

// --- Modules ----------------------------------------------------------------------------------------

EXPORT CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count,
                                   CUjit_option *options, void **values) {
    BEGIN_WITHIN("cuModuleLoadDataEx")
    (void)count;
    (void)options;
    (void)values;
    const unsigned fat_magic = 0xBA55ED50u; // the first bytes of every image of nvcc -fatbin
    if (memcmp(image, &fat_magic, sizeof fat_magic) != 0) {
        return CUDA_ERROR_INVALID_IMAGE;
    }
    *module = stand_in_make(1);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleUnload(CUmodule module) {
    return stand_in_give_back("cuModuleUnload", module);
}

// A function handle is the entry of stand_in_device.c with that name.
EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    (void)module;
    BEGIN_WITHIN("cuModuleGetFunction")
    const stand_in_kernel *kernel = stand_in_find_kernel(name);
    memcpy(function, &kernel, sizeof kernel);
    return kernel ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

const stand_in_kernel *stand_in_kernel_of(CUfunction function) {
    const stand_in_kernel *kernel = NULL;
    memcpy(&kernel, &function, sizeof kernel);
    return kernel;
}
