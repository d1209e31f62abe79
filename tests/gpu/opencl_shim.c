// SPDX-License-Identifier: MIT
// OpenCL's calls as a shared library that passes them on to the real one. Calls and objects are counted, and calls
// fail on request (test_driver.h). It also claims to share buffers with OpenGL: these are ordinary buffers.
#define _GNU_SOURCE
#include "tests/gpu/opencl_shim.h"
#include "runtime/backends/opencl/opencl_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAPPED_LIMIT = 16 };
static struct {
    char *first; // NULL: none
    size_t size;
} mapped[MAPPED_LIMIT];

static slv_opencl_api real;

static void load(void) {
    if (!real.library) {
        static const char *const variable = "SELVAGE_OPENCL_LIBRARY"; // names this shim
        char own[1024];
        slv_error error;
        (void)snprintf(own, sizeof own, "%s", getenv(variable));
        (void)unsetenv(variable);
        if (!slv_opencl_load(&real, &error)) {
            (void)fprintf(stderr, "%s\n", error.text);
            abort();
        }
        (void)setenv(variable, own, 1);
    }
}

static cl_int begin(const char *name) {
    load();
    return driver_begin(name);
}

// --- One real context and program for all worlds ------------------------------------------------------

// PoCL loads a program by reading all its kernels, which takes longer than a world's few steps. Worlds made from the
// same binary share one real program in one real context; calls and objects are counted as if each had its own.
static struct {
    cl_context context; // NULL: none yet
    cl_program program;
    bool built;
    unsigned char *binary;
    size_t size;
} kept;

static bool is_kept_binary(size_t size, const unsigned char *binary) {
    return kept.program && kept.size == size && memcmp(kept.binary, binary, size) == 0;
}

// The first binary is kept. One that the driver refuses is not.
static void keep_binary(cl_program program, size_t size, const unsigned char *binary) {
    unsigned char *copy = kept.program ? NULL : malloc(size);
    if (copy) {
        memcpy(copy, binary, size);
        kept.program = program;
        kept.binary = copy;
        kept.size = size;
    }
}

// --- Calls that answer with a code ------------------------------------------------------------------

#define PASS(name, parameters, arguments)                                                          \
    EXPORT cl_int cl##name parameters {                                                            \
        cl_int code = begin("cl" #name);                                                           \
        return code != CL_SUCCESS ? code : real.name arguments;                                    \
    }

PASS(GetPlatformIDs, (cl_uint n, cl_platform_id *p, cl_uint *count), (n, p, count))
PASS(GetPlatformInfo, (cl_platform_id p, cl_platform_info i, size_t s, void *v, size_t *r),
     (p, i, s, v, r))
PASS(GetDeviceIDs, (cl_platform_id p, cl_device_type t, cl_uint n, cl_device_id *d, cl_uint *c),
     (p, t, n, d, c))
PASS(GetProgramInfo, (cl_program p, cl_program_info i, size_t s, void *v, size_t *r),
     (p, i, s, v, r))
PASS(GetProgramBuildInfo,
     (cl_program p, cl_device_id d, cl_program_build_info i, size_t s, void *v, size_t *r),
     (p, d, i, s, v, r))
PASS(SetKernelArg, (cl_kernel k, cl_uint i, size_t s, const void *v), (k, i, s, v))
PASS(Flush, (cl_command_queue q), (q))
PASS(GetEventProfilingInfo, (cl_event e, cl_profiling_info i, size_t s, void *v, size_t *r),
     (e, i, s, v, r))

EXPORT cl_int clBuildProgram(cl_program p, cl_uint n, const cl_device_id *d, const char *o,
                             void(CL_CALLBACK *f)(cl_program, void *), void *u) {
    cl_int code = begin("clBuildProgram");
    const bool is_kept = p == kept.program;
    if (code != CL_SUCCESS || (is_kept && kept.built)) {
        return code;
    }
    code = real.BuildProgram(p, n, d, o, f, u);
    kept.built = kept.built || (is_kept && code == CL_SUCCESS);
    return code;
}

EXPORT cl_int clGetDeviceInfo(cl_device_id d, cl_device_info i, size_t s, void *v, size_t *r) {
    cl_int code = begin("clGetDeviceInfo");
    if (code != CL_SUCCESS) {
        return code;
    }
    code = real.GetDeviceInfo(d, i, s, v, r);
    if (code == CL_SUCCESS && i == CL_DEVICE_EXTENSIONS && v) {
        (void)snprintf(v, s, "cl_khr_gl_sharing");
    }
    return code;
}

// After a wait that fails, the caller may free memory in use: the work of a lost device ends.
EXPORT cl_int clFinish(cl_command_queue q) {
    cl_int code = begin("clFinish");
    cl_int real_code = real.Finish(q);
    return code != CL_SUCCESS ? code : real_code;
}

// --- Mapped memory ----------------------------------------------------------------------------------

static bool is_mapped(const char *first, size_t size) {
    bool found = false;
    for (int i = 0; i < MAPPED_LIMIT; i++) {
        found = found || (mapped[i].first && first >= mapped[i].first &&
                          first + size <= mapped[i].first + mapped[i].size);
    }
    return found;
}

EXPORT cl_int clEnqueueWriteBuffer(cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t s,
                                   const void *p, cl_uint n, const cl_event *w, cl_event *e) {
    cl_int code = begin("clEnqueueWriteBuffer");
    driver_add_sent(!b && is_mapped(p, s), s);
    return code != CL_SUCCESS ? code : real.EnqueueWriteBuffer(q, m, b, o, s, p, n, w, e);
}

EXPORT cl_int clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t s,
                                  void *p, cl_uint n, const cl_event *w, cl_event *e) {
    cl_int code = begin("clEnqueueReadBuffer");
    driver_add_received(s);
    return code != CL_SUCCESS ? code : real.EnqueueReadBuffer(q, m, b, o, s, p, n, w, e);
}

EXPORT void *clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool b, cl_map_flags f, size_t o,
                                size_t s, cl_uint n, const cl_event *w, cl_event *e, cl_int *code) {
    *code = begin("clEnqueueMapBuffer");
    char *made =
        *code != CL_SUCCESS ? NULL : real.EnqueueMapBuffer(q, m, b, f, o, s, n, w, e, code);
    for (int i = 0; made && i < MAPPED_LIMIT; i++) {
        if (!mapped[i].first) {
            mapped[i].first = made;
            mapped[i].size = s;
            driver_add_live(1);
            return made;
        }
    }
    if (made) {
        abort();
    }
    return NULL;
}

// Releases even where it fails.
EXPORT cl_int clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void *p, cl_uint n,
                                      const cl_event *w, cl_event *e) {
    cl_int code = begin("clEnqueueUnmapMemObject");
    for (int i = 0; i < MAPPED_LIMIT; i++) {
        if (mapped[i].first == p) {
            mapped[i].first = NULL;
            driver_add_live(-1);
        }
    }
    (void)real.EnqueueUnmapMemObject(q, m, p, n, w, e);
    return code;
}

// --- Launches ---------------------------------------------------------------------------------------

EXPORT cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint n, const size_t *o,
                                     const size_t *g, const size_t *l, cl_uint c, const cl_event *w,
                                     cl_event *e) {
    cl_int code = begin("clEnqueueNDRangeKernel");
    code = code != CL_SUCCESS ? code : real.EnqueueNDRangeKernel(q, k, n, o, g, l, c, w, e);
    driver_add_live(code == CL_SUCCESS && e ? 1 : 0);
    return code;
}

// --- Calls that make something ----------------------------------------------------------------------

#define MAKE(type, name, parameters, arguments)                                                    \
    EXPORT type cl##name parameters {                                                              \
        *code = begin("cl" #name);                                                                 \
        type made = *code != CL_SUCCESS ? NULL : real.name arguments;                              \
        driver_add_live(made ? 1 : 0);                                                             \
        return made;                                                                               \
    }

// Properties of OpenGL contexts are left out: the real library has none here.
EXPORT cl_context clCreateContext(const cl_context_properties *p, cl_uint n, const cl_device_id *d,
                                  void(CL_CALLBACK *f)(const char *, const void *, size_t, void *),
                                  void *u, cl_int *code) {
    const cl_context_properties alone[] = {p[0], p[1], 0};
    *code = begin("clCreateContext");
    if (*code == CL_SUCCESS && !kept.context) {
        kept.context = real.CreateContext(alone, n, d, f, u, code);
    }
    cl_context made = *code != CL_SUCCESS ? NULL : kept.context;
    driver_add_live(made ? 1 : 0);
    return made;
}

MAKE(cl_command_queue, CreateCommandQueue,
     (cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int *code), (c, d, p, code))
MAKE(cl_program, CreateProgramWithSource,
     (cl_context c, cl_uint n, const char **s, const size_t *l, cl_int *code), (c, n, s, l, code))

EXPORT cl_program clCreateProgramWithBinary(cl_context c, cl_uint n, const cl_device_id *d,
                                            const size_t *l, const unsigned char **b, cl_int *s,
                                            cl_int *code) {
    *code = begin("clCreateProgramWithBinary");
    if (*code != CL_SUCCESS) {
        return NULL;
    }
    cl_program made = kept.program;
    if (is_kept_binary(l[0], b[0])) {
        s[0] = CL_SUCCESS;
    } else {
        made = real.CreateProgramWithBinary(c, n, d, l, b, s, code);
        if (made) {
            keep_binary(made, l[0], b[0]);
        }
    }
    driver_add_live(made ? 1 : 0);
    return made;
}

MAKE(cl_kernel, CreateKernel, (cl_program p, const char *n, cl_int *code), (p, n, code))
MAKE(cl_mem, CreateBuffer, (cl_context c, cl_mem_flags f, size_t s, void *h, cl_int *code),
     (c, f, s, h, code))

EXPORT cl_mem clCreateFromGLBuffer(cl_context c, cl_mem_flags f, cl_GLuint name, cl_int *code) {
    (void)f;
    (void)name;
    *code = begin("clCreateFromGLBuffer");
    cl_mem made =
        *code != CL_SUCCESS ? NULL : real.CreateBuffer(c, CL_MEM_READ_WRITE, 99 * 12, NULL, code);
    driver_add_live(made ? 1 : 0);
    return made;
}

EXPORT cl_int clEnqueueAcquireGLObjects(cl_command_queue q, cl_uint n, const cl_mem *m, cl_uint c,
                                        const cl_event *w, cl_event *e) {
    (void)q, (void)n, (void)m, (void)c, (void)w, (void)e;
    return begin("clEnqueueAcquireGLObjects");
}

static float shared[99 * 3];

EXPORT cl_int clEnqueueReleaseGLObjects(cl_command_queue q, cl_uint n, const cl_mem *m, cl_uint c,
                                        const cl_event *w, cl_event *e) {
    (void)n, (void)c, (void)w, (void)e;
    cl_int code = begin("clEnqueueReleaseGLObjects");
    return code != CL_SUCCESS
               ? code
               : real.EnqueueReadBuffer(q, m[0], CL_TRUE, 0, sizeof shared, shared, 0, NULL, NULL);
}

EXPORT shim_gl_function shim_gl_buffer;

const float *shim_gl_buffer(void) {
    return shared;
}

// --- Calls that give back: they do so even where they fail ------------------------------------------

#define GIVE_BACK(name, type)                                                                      \
    EXPORT cl_int clRelease##name(type object) {                                                   \
        cl_int code = begin("clRelease" #name);                                                    \
        driver_add_live(-1);                                                                       \
        if ((const void *)object != (const void *)kept.context &&                                  \
            (const void *)object != (const void *)kept.program) {                                  \
            (void)real.Release##name(object);                                                      \
        }                                                                                          \
        return code;                                                                               \
    }

GIVE_BACK(Context, cl_context)
GIVE_BACK(CommandQueue, cl_command_queue)
GIVE_BACK(Program, cl_program)
GIVE_BACK(Kernel, cl_kernel)
GIVE_BACK(MemObject, cl_mem)
GIVE_BACK(Event, cl_event)
