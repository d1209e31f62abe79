// SPDX-License-Identifier: MIT
#include "runtime/backends/opencl/opencl_device.h"

#include "runtime/backends/gpu/embedded.h"
#include "runtime/backends/gpu/gpu_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

slv_result slv_opencl_fail(slv_error *error, const char *call, cl_int code) {
    (void)slv_fail(error, SLV_ERROR_MEMORY, "OpenCL: %s: %s (%d)", call,
                   slv_opencl_error_name(code), (int)code);
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY
               ? SLV_ERROR_MEMORY
               : SLV_ERROR_DEVICE;
}

// --- Listing ----------------------------------------------------------------------------------------

enum { PLATFORM_LIMIT = 16 };

// Platform and device of an entry of the list.
typedef struct found_device {
    cl_platform_id platform;
    cl_device_id id;
} found_device;

static void read_text(const slv_opencl_api *api, cl_device_id id, cl_device_info what, char *text,
                      size_t size) {
    char value[256] = "";
    (void)api->GetDeviceInfo(id, what, sizeof value - 1, value, NULL);
    (void)snprintf(text, size, "%s", value);
}

static void describe(const slv_opencl_api *api, found_device found, slv_device *device) {
    cl_ulong memory = 0;
    cl_device_type type = 0;
    char version[120];
    char driver[64];
    read_text(api, found.id, CL_DEVICE_NAME, device->name, sizeof device->name);
    read_text(api, found.id, CL_DEVICE_VERSION, version, sizeof version);
    read_text(api, found.id, CL_DRIVER_VERSION, driver, sizeof driver);
    (void)snprintf(device->driver, sizeof device->driver, "%s, driver %s", version, driver);
    (void)api->GetDeviceInfo(found.id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    (void)api->GetDeviceInfo(found.id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    device->memory_bytes = memory;
    device->is_gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
}

static cl_int list_platform(const slv_opencl_api *api, cl_platform_id platform,
                            slv_device_list *list, found_device *found) {
    cl_device_id ids[SLV_DEVICE_LIMIT];
    cl_uint count = 0;
    cl_int code = api->GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, SLV_DEVICE_LIMIT, ids, &count);
    count = count < SLV_DEVICE_LIMIT ? count : SLV_DEVICE_LIMIT;
    for (cl_uint i = 0; code == CL_SUCCESS && i < count; i++) {
        slv_device *device = slv_device_list_add(list, "opencl");
        if (device) {
            found[device->index] = (found_device){platform, ids[i]};
            describe(api, found[device->index], device);
        }
    }
    return code == CL_DEVICE_NOT_FOUND ? CL_SUCCESS : code;
}

// A platform that fails is skipped.
static slv_result list_all(const slv_opencl_api *api, slv_device_list *list, found_device *found,
                           slv_error *error) {
    const cl_int no_platform = -1001; // the loader's own code
    cl_platform_id platforms[PLATFORM_LIMIT];
    cl_uint count = 0;
    const char *call = "clGetPlatformIDs";
    cl_int code = api->GetPlatformIDs(PLATFORM_LIMIT, platforms, &count);
    count = count < PLATFORM_LIMIT ? count : PLATFORM_LIMIT;
    if (code == CL_SUCCESS) {
        call = "clGetDeviceIDs";
        for (cl_uint i = 0; i < count; i++) {
            cl_int failure = list_platform(api, platforms[i], list, found);
            code = code == CL_SUCCESS ? failure : code;
        }
    }
    if (list->count > 0) {
        return SLV_OK;
    }
    if (code != CL_SUCCESS && code != no_platform) {
        return slv_opencl_fail(error, call, code);
    }
    return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                    count > 0
                        ? "OpenCL: there is a platform, but no device here"
                        : "OpenCL: no platform here; a GPU's driver brings one (for processors, "
                          "Debian: pocl-opencl-icd)");
}

void slv_opencl_list(slv_device_list *list, slv_error *error) {
    slv_opencl_api api;
    found_device found[SLV_DEVICE_LIMIT];
    if (slv_opencl_load(&api, error)) {
        (void)list_all(&api, list, found, error);
        slv_opencl_unload(&api);
    }
}

// --- Choosing ---------------------------------------------------------------------------------------

static bool has_extension(const slv_opencl_device *self, const char *name) {
    char extensions[4096] = "";
    if (self->api.GetDeviceInfo(self->id, CL_DEVICE_EXTENSIONS, sizeof extensions - 1, extensions,
                                NULL) != CL_SUCCESS) {
        return false;
    }
    const char *at = strstr(extensions, name);
    size_t length = strlen(name);
    return at && (at[length] == ' ' || at[length] == '\0');
}

static slv_result choose(slv_opencl_device *self, const slv_engine_def *def, slv_error *error) {
    slv_device_list list = {.count = 0};
    found_device found[SLV_DEVICE_LIMIT];
    slv_result status = list_all(&self->api, &list, found, error);
    if (status != SLV_OK) {
        return status;
    }
    int chosen = slv_device_list_choose(&list, def->device, error);
    if (chosen < 0) {
        return SLV_ERROR_UNSUPPORTED;
    }
    cl_device_type type = 0;
    self->platform = found[chosen].platform;
    self->id = found[chosen].id;
    self->about = list.devices[chosen];
    self->group_limit = 1;
    (void)self->api.GetDeviceInfo(self->id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof self->group_limit,
                                  &self->group_limit, NULL);
    (void)self->api.GetDeviceInfo(self->id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    self->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    self->shares_gl = def->gl_context && has_extension(self, "cl_khr_gl_sharing");
    return SLV_OK;
}

static slv_result create_queue(slv_opencl_device *self, const slv_engine_def *def,
                               slv_error *error) {
    const cl_context_properties alone[] = {CL_CONTEXT_PLATFORM,
                                           (cl_context_properties)self->platform, 0};
    const cl_context_properties beside_gl[] = {CL_CONTEXT_PLATFORM,
                                               (cl_context_properties)self->platform,
                                               CL_GL_CONTEXT_KHR,
                                               (cl_context_properties)def->gl_context,
                                               def->gl_is_egl ? CL_EGL_DISPLAY_KHR
                                                              : CL_GLX_DISPLAY_KHR,
                                               (cl_context_properties)def->gl_display,
                                               0};
    cl_int code = CL_SUCCESS;
    self->context = self->api.CreateContext(self->shares_gl ? beside_gl : alone, 1, &self->id, NULL,
                                            NULL, &code);
    if (code != CL_SUCCESS && self->shares_gl) { // the GL context belongs to another device
        self->shares_gl = false;
        self->context = self->api.CreateContext(alone, 1, &self->id, NULL, NULL, &code);
    }
    if (code != CL_SUCCESS) {
        self->context = NULL;
        return slv_opencl_fail(error, "clCreateContext", code);
    }
    cl_command_queue_properties properties = def->timing ? CL_QUEUE_PROFILING_ENABLE : 0;
    self->queue = self->api.CreateCommandQueue(self->context, self->id, properties, &code);
    if (code != CL_SUCCESS) {
        self->queue = NULL;
        return slv_opencl_fail(error, "clCreateCommandQueue", code);
    }
    return SLV_OK;
}

// --- Compiling --------------------------------------------------------------------------------------

// The compiler's log, as much of it as fits.
static slv_result fail_build(const slv_opencl_device *self, cl_int code, slv_error *error) {
    char log[400] = "";
    size_t size = 0;
    (void)self->api.GetProgramBuildInfo(self->program, self->id, CL_PROGRAM_BUILD_LOG, 0, NULL,
                                        &size);
    char *whole = size > 0 ? calloc(1, size + 1) : NULL;
    if (whole) {
        (void)self->api.GetProgramBuildInfo(self->program, self->id, CL_PROGRAM_BUILD_LOG, size,
                                            whole, NULL);
        (void)snprintf(log, sizeof log, "%s", whole);
        free(whole);
    }
    for (char *at = log; *at; at++) {
        *at = *at == '\n' ? ' ' : *at;
    }
    (void)slv_fail(error, SLV_ERROR_MEMORY, "OpenCL: clBuildProgram: %s (%d): %s",
                   slv_opencl_error_name(code), (int)code, log[0] ? log : "no message");
    return SLV_ERROR_DEVICE;
}

static const char *build_options(const slv_opencl_device *self) {
    cl_device_fp_config config = 0;
    (void)self->api.GetDeviceInfo(self->id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config,
                                  NULL);
    return config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT
               ? "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"
               : "-cl-std=CL1.2"; // slv_probe_rounding checks the result
}

static slv_program_key program_key(const slv_opencl_device *self, const char *options) {
    char vendor[128];
    char platform[256] = "";
    read_text(&self->api, self->id, CL_DEVICE_VENDOR, vendor, sizeof vendor);
    (void)self->api.GetPlatformInfo(self->platform, CL_PLATFORM_VERSION, sizeof platform - 1,
                                    platform, NULL);
    const char *const texts[] = {(const char *)slv_device_text,
                                 SLV_VERSION,
                                 options,
                                 platform,
                                 vendor,
                                 self->about.name,
                                 self->about.driver};
    return slv_program_key_of(texts, sizeof texts / sizeof *texts);
}

static void drop_program(slv_opencl_device *self) {
    if (self->program) {
        (void)self->api.ReleaseProgram(self->program);
        self->program = NULL;
    }
}

// The program from the cache, where the device accepts it. It stays marked as being loaded until a kernel has run.
static bool build_from_cache(slv_opencl_device *self, slv_program_key key, const char *options) {
    if (!slv_program_cache_begin(key, &self->cached)) {
        return false;
    }
    const unsigned char *binaries[1] = {self->cached.bytes};
    cl_int state = CL_SUCCESS;
    cl_int code = CL_SUCCESS;
    self->program = self->api.CreateProgramWithBinary(self->context, 1, &self->id,
                                                      &self->cached.size, binaries, &state, &code);
    if (code == CL_SUCCESS && state == CL_SUCCESS) {
        code = self->api.BuildProgram(self->program, 1, &self->id, options, NULL, NULL);
    } else {
        code = code == CL_SUCCESS ? state : code;
    }
    if (code != CL_SUCCESS) {
        drop_program(self);
        slv_program_cache_end(&self->cached, false);
    }
    return code == CL_SUCCESS;
}

static void keep_program(const slv_opencl_device *self, slv_program_key key) {
    size_t size = 0;
    cl_int code =
        self->api.GetProgramInfo(self->program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
    unsigned char *bytes = code == CL_SUCCESS && size > 0 ? malloc(size) : NULL;
    if (!bytes) {
        return;
    }
    code = self->api.GetProgramInfo(self->program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL);
    if (code == CL_SUCCESS) {
        slv_program_cache_store(key, bytes, size);
    }
    free(bytes);
}

static slv_result build(slv_opencl_device *self, slv_error *error) {
    const char *options = build_options(self);
    slv_program_key key = program_key(self, options);
    if (build_from_cache(self, key, options)) {
        return SLV_OK;
    }
    const char *text = (const char *)slv_device_text;
    cl_int code = CL_SUCCESS;
    self->program =
        self->api.CreateProgramWithSource(self->context, 1, &text, &slv_device_text_size, &code);
    if (code != CL_SUCCESS) {
        self->program = NULL;
        return slv_opencl_fail(error, "clCreateProgramWithSource", code);
    }
    code = self->api.BuildProgram(self->program, 1, &self->id, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        return fail_build(self, code, error);
    }
    keep_program(self, key);
    return SLV_OK;
}

// --- Rounding ---------------------------------------------------------------------------------------

// Names the call that failed.
static cl_int run_probe(const slv_opencl_device *self, slv_gpu_probe *probe, cl_kernel kernel,
                        cl_mem in, cl_mem out, const char **call) {
    const slv_opencl_api *api = &self->api;
    const cl_int count = SLV_PROBES;
    const size_t threads = SLV_PROBES;
    *call = "clSetKernelArg";
    cl_int code = api->SetKernelArg(kernel, 0, sizeof(cl_mem), &in);
    if (code == CL_SUCCESS) {
        code = api->SetKernelArg(kernel, 1, sizeof(cl_mem), &out);
    }
    if (code == CL_SUCCESS) {
        code = api->SetKernelArg(kernel, 2, sizeof count, &count);
    }
    if (code == CL_SUCCESS) {
        *call = "clEnqueueWriteBuffer";
        code = api->EnqueueWriteBuffer(self->queue, in, CL_TRUE, 0, sizeof probe->in, probe->in, 0,
                                       NULL, NULL);
    }
    if (code == CL_SUCCESS) {
        *call = "clEnqueueNDRangeKernel";
        code =
            api->EnqueueNDRangeKernel(self->queue, kernel, 1, NULL, &threads, NULL, 0, NULL, NULL);
    }
    if (code == CL_SUCCESS) {
        *call = "clEnqueueReadBuffer";
        code = api->EnqueueReadBuffer(self->queue, out, CL_TRUE, 0, sizeof probe->out, probe->out,
                                      0, NULL, NULL);
    }
    return code;
}

static slv_result ask_rounding(slv_opencl_device *self, slv_gpu_probe *probe, slv_error *error) {
    const slv_opencl_api *api = &self->api;
    const char *call = "clCreateKernel";
    cl_int code = CL_SUCCESS;
    cl_mem in = NULL;
    cl_mem out = NULL;
    cl_kernel kernel = api->CreateKernel(self->program, "slv_probe_rounding", &code);
    if (code == CL_SUCCESS) {
        call = "clCreateBuffer";
        in = api->CreateBuffer(self->context, CL_MEM_READ_ONLY, sizeof probe->in, NULL, &code);
    }
    if (code == CL_SUCCESS) {
        out = api->CreateBuffer(self->context, CL_MEM_READ_WRITE, sizeof probe->out, NULL, &code);
    }
    if (code == CL_SUCCESS) {
        code = run_probe(self, probe, kernel, in, out, &call);
    }
    if (in) {
        (void)api->ReleaseMemObject(in);
    }
    if (out) {
        (void)api->ReleaseMemObject(out);
    }
    if (kernel) {
        (void)api->ReleaseKernel(kernel);
    }
    return code == CL_SUCCESS ? SLV_OK : slv_opencl_fail(error, call, code);
}

static slv_result check_rounding(slv_opencl_device *self, const slv_engine_def *def,
                                 slv_error *error) {
    slv_gpu_probe *probe = malloc(sizeof *probe);
    if (!probe) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    slv_gpu_probe_fill(probe);
    slv_result status = ask_rounding(self, probe, error);
    bool exact =
        status == SLV_OK && slv_gpu_probe_check(probe, self->rounding, sizeof self->rounding);
    free(probe);
    return status == SLV_OK ? slv_gpu_check_rounding(exact, &self->about, self->rounding,
                                                     def->deterministic, error)
                            : status;
}

// --- Open and close ---------------------------------------------------------------------------------

slv_result slv_opencl_device_open(slv_opencl_device *device, const slv_engine_def *def,
                                  slv_error *error) {
    *device = (slv_opencl_device){.cached = {.folder = -1, .marker = -1}};
    if (!slv_opencl_load(&device->api, error)) {
        return SLV_ERROR_UNSUPPORTED;
    }
    slv_result status = choose(device, def, error);
    if (status == SLV_OK) {
        status = create_queue(device, def, error);
    }
    if (status == SLV_OK) {
        status = build(device, error);
    }
    if (status == SLV_OK) {
        status = check_rounding(device, def, error);
    }
    slv_program_cache_end(&device->cached, true);
    if (status != SLV_OK) {
        slv_opencl_device_close(device);
    }
    return status;
}

void slv_opencl_device_close(slv_opencl_device *device) {
    drop_program(device);
    if (device->queue) {
        (void)device->api.ReleaseCommandQueue(device->queue);
    }
    if (device->context) {
        (void)device->api.ReleaseContext(device->context);
    }
    slv_opencl_unload(&device->api);
}
