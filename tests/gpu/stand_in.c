// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "tests/gpu/stand_in.h"

#include "runtime/cuda_api.h"
#include "tests/gpu/stand_in_device.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((__visibility__("default")))

// --- Failing, counting ------------------------------------------------------------------------------

enum { CALL_LIMIT = 64, NAME_ROOM = 48 };

static struct {
    char name[NAME_ROOM];
    unsigned count;
} calls[CALL_LIMIT];
static struct {
    char name[NAME_ROOM];
    unsigned nth;
    int code;
    int lost;
} failure;
static int lost_code; // of a device that is lost
static long live;
static int device_count = 1;
static int depth; // of contexts

static unsigned *counter(const char *name) {
    for (int i = 0; i < CALL_LIMIT; i++) {
        if (!calls[i].name[0]) {
            (void)snprintf(calls[i].name, NAME_ROOM, "%s", name);
        }
        if (strcmp(calls[i].name, name) == 0) {
            return &calls[i].count;
        }
    }
    abort();
}

EXPORT stand_in_fail_function stand_in_fail;
EXPORT stand_in_calls_function stand_in_calls;
EXPORT stand_in_live_function stand_in_live;
EXPORT stand_in_gl_function stand_in_gl_buffer;
EXPORT stand_in_rounding_function stand_in_rounding;
EXPORT stand_in_devices_function stand_in_devices;

void stand_in_fail(const char *call, unsigned nth, int code, int device_lost) {
    memset(&failure, 0, sizeof failure);
    memset(calls, 0, sizeof calls);
    lost_code = 0;
    if (call) {
        (void)snprintf(failure.name, NAME_ROOM, "%s", call);
        failure.nth = nth;
        failure.code = code;
        failure.lost = device_lost;
    }
}

unsigned stand_in_calls(const char *call) {
    return *counter(call);
}

long stand_in_live(void) {
    return live;
}

void stand_in_rounding(int wrong) {
    stand_in_set_wrong_rounding(wrong);
}

void stand_in_devices(int count) {
    device_count = count;
}

// "cuGraphLaunch 3 719": the same from outside, for whole programs.
static void read_environment(void) {
    static int done;
    const char *text = getenv("SELVAGE_STAND_IN_FAIL");
    char name[NAME_ROOM];
    unsigned nth = 0;
    int code = 0;
    if (!done && text && sscanf(text, "%47s %u %d", name, &nth, &code) == 3) {
        stand_in_fail(name, nth, code, 1);
    }
    done = 1;
}

static CUresult begin(const char *name) {
    read_environment();
    unsigned count = ++*counter(name);
    if (lost_code) {
        return (CUresult)lost_code;
    }
    if (failure.nth == count && strcmp(failure.name, name) == 0) {
        lost_code = failure.lost ? failure.code : 0;
        return (CUresult)failure.code;
    }
    return CUDA_SUCCESS;
}

// A call that makes something or works on it.
#define BEGIN(name)                                                                                \
    CUresult code = begin(name);                                                                   \
    if (code != CUDA_SUCCESS) {                                                                    \
        return code;                                                                               \
    }
// The same, within a context.
#define BEGIN_WITHIN(name)                                                                         \
    BEGIN(name)                                                                                    \
    if (depth < 1) {                                                                               \
        return CUDA_ERROR_INVALID_CONTEXT;                                                         \
    }

static void *make(size_t size) {
    void *object = calloc(1, size > 0 ? size : 1);
    if (!object) {
        abort();
    }
    live++;
    return object;
}

// A call that gives back does so even where it fails.
static CUresult give_back(const char *name, void *object) {
    CUresult code = begin(name);
    if (!object) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    free(object);
    live--;
    return code;
}

// --- The driver and its devices ---------------------------------------------------------------------

EXPORT CUresult cuInit(unsigned flags) {
    (void)flags;
    BEGIN("cuInit")
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGetErrorName(CUresult code, const char **name) {
    static char text[NAME_ROOM];
    (void)snprintf(text, sizeof text, "CUDA_ERROR_%d", (int)code);
    *name = text;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGetErrorString(CUresult code, const char **text) {
    *text = code == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "the stand-in was told to fail";
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
    live++;
    *context = (CUcontext)(void *)&only;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    (void)device;
    live--;
    return begin("cuDevicePrimaryCtxRelease");
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
    return begin("cuCtxPopCurrent");
}

// --- Modules ----------------------------------------------------------------------------------------

EXPORT CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count,
                                   CUjit_option *options, void **values) {
    BEGIN_WITHIN("cuModuleLoadDataEx")
    (void)count;
    (void)options;
    (void)values;
    const unsigned fat_magic = 0xBA55ED50u; // what every image of nvcc -fatbin begins with
    if (memcmp(image, &fat_magic, sizeof fat_magic) != 0) {
        return CUDA_ERROR_INVALID_IMAGE;
    }
    *module = make(1);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleUnload(CUmodule module) {
    return give_back("cuModuleUnload", module);
}

// A function is what the device side knows under its name.
EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    (void)module;
    BEGIN_WITHIN("cuModuleGetFunction")
    const stand_in_kernel *kernel = stand_in_find_kernel(name);
    memcpy(function, &kernel, sizeof kernel);
    return kernel ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

static const stand_in_kernel *kernel_of(CUfunction function) {
    const stand_in_kernel *kernel = NULL;
    memcpy(&kernel, &function, sizeof kernel);
    return kernel;
}

// --- Memory -----------------------------------------------------------------------------------------

enum { BLOCK_LIMIT = 256 };
static struct {
    char *bytes;
    size_t size;
} blocks[BLOCK_LIMIT];

EXPORT CUresult cuMemAlloc(CUdeviceptr *memory, size_t size) {
    BEGIN_WITHIN("cuMemAlloc")
    for (int i = 0; i < BLOCK_LIMIT; i++) {
        if (!blocks[i].bytes) {
            blocks[i].bytes = make(size);
            blocks[i].size = size;
            memset(blocks[i].bytes, 0xA5, size); // no device hands out zeros
            *memory = (CUdeviceptr)(uintptr_t)blocks[i].bytes;
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
}

static void do_jobs(void);

// Waits for what is under way, as the real one does.
EXPORT CUresult cuMemFree(CUdeviceptr memory) {
    do_jobs();
    for (int i = 0; i < BLOCK_LIMIT; i++) {
        if (blocks[i].bytes == (char *)(uintptr_t)memory) {
            void *bytes = blocks[i].bytes;
            blocks[i].bytes = NULL;
            return give_back("cuMemFree", bytes);
        }
    }
    return CUDA_ERROR_INVALID_VALUE;
}

static bool is_mine(CUdeviceptr memory, size_t size) {
    const char *first = (const char *)(uintptr_t)memory;
    bool mine = false;
    for (int i = 0; i < BLOCK_LIMIT; i++) {
        mine = mine || (blocks[i].bytes && first >= blocks[i].bytes &&
                        first + size <= blocks[i].bytes + blocks[i].size);
    }
    return mine;
}

// --- Streams: nothing is done before somebody waits -------------------------------------------------

typedef struct job {
    const stand_in_kernel *kernel; // NULL: a copy
    unsigned grid[3], block[3];
    unsigned char arguments[STAND_IN_ARGUMENT_BYTES];
    void *to;
    const void *from;
    size_t size;
} job;

static job *jobs;
static size_t job_count, job_room;

static job *add_job(void) {
    if (job_count == job_room) {
        job_room = 2 * job_room + 1024;
        jobs = realloc(jobs, job_room * sizeof *jobs);
        if (!jobs) {
            abort();
        }
    }
    return &jobs[job_count++];
}

static void do_jobs(void) {
    for (size_t i = 0; i < job_count; i++) {
        job *one = &jobs[i];
        if (one->kernel) {
            stand_in_run(one->kernel, one->grid, one->block, one->arguments);
        } else {
            memcpy(one->to, one->from, one->size);
        }
    }
    free(jobs);
    jobs = NULL;
    job_count = job_room = 0;
}

EXPORT CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
    (void)flags;
    BEGIN_WITHIN("cuStreamCreate")
    *stream = make(1);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamDestroy(CUstream stream) {
    return give_back("cuStreamDestroy", stream);
}

EXPORT CUresult cuStreamSynchronize(CUstream stream) {
    (void)stream;
    CUresult code = begin("cuStreamSynchronize");
    if (code != CUDA_SUCCESS) {
        job_count = 0; // whoever waited in vain will free what the jobs work on
        return code;
    }
    do_jobs();
    return CUDA_SUCCESS;
}

static CUresult copy(void *to, const void *from, size_t size, CUdeviceptr device) {
    if (!is_mine(device, size)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *add_job() = (job){.to = to, .from = from, .size = size};
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size, CUstream stream) {
    (void)stream;
    BEGIN_WITHIN("cuMemcpyHtoDAsync")
    return copy((void *)(uintptr_t)to, from, size, to);
}

EXPORT CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size, CUstream stream) {
    (void)stream;
    BEGIN_WITHIN("cuMemcpyDtoHAsync")
    return copy(to, (const void *)(uintptr_t)from, size, from);
}

EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz,
                               unsigned bx, unsigned by, unsigned bz, unsigned shared,
                               CUstream stream, void **arguments, void **extra) {
    (void)shared;
    (void)stream;
    (void)extra;
    BEGIN_WITHIN("cuLaunchKernel")
    if (bx * by * bz > 1024 || gy > 65535 || gz > 65535 || gx * gy * gz == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    job *one = add_job();
    *one = (job){.kernel = kernel_of(function), .grid = {gx, gy, gz}, .block = {bx, by, bz}};
    return stand_in_copy_arguments(one->kernel, arguments, one->arguments)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

// --- Events: there is nothing to measure ------------------------------------------------------------

EXPORT CUresult cuEventCreate(CUevent *event, unsigned flags) {
    (void)flags;
    BEGIN_WITHIN("cuEventCreate")
    *event = make(1);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventDestroy(CUevent event) {
    return give_back("cuEventDestroy", event);
}

EXPORT CUresult cuEventRecord(CUevent event, CUstream stream) {
    (void)event;
    (void)stream;
    BEGIN_WITHIN("cuEventRecord")
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventElapsedTime(float *milliseconds, CUevent first, CUevent last) {
    (void)first;
    (void)last;
    BEGIN_WITHIN("cuEventElapsedTime")
    *milliseconds = 0.001f;
    return CUDA_SUCCESS;
}

// --- Graphs -----------------------------------------------------------------------------------------

typedef struct CUgraphNode_st node;
struct CUgraphNode_st {
    job job;      // kernel NULL: empty
    size_t index; // within its graph
    size_t waits; // for how many
    node **after; // who waits for this one
    size_t after_count;
};

struct CUgraph_st {
    node **nodes;
    size_t count, room;
};

// A graph's jobs in an order that its edges allow, the last recorded first.
struct CUgraphExec_st {
    job *jobs;
    size_t *place_of; // of a node, among the jobs
    size_t count;
};

EXPORT CUresult cuGraphCreate(CUgraph *graph, unsigned flags) {
    (void)flags;
    BEGIN_WITHIN("cuGraphCreate")
    *graph = make(sizeof **graph);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphDestroy(CUgraph graph) {
    for (size_t i = 0; graph && i < graph->count; i++) {
        free(graph->nodes[i]->after);
        free(graph->nodes[i]);
    }
    if (graph) {
        free(graph->nodes);
    }
    return give_back("cuGraphDestroy", graph);
}

static void *grow(void *array, size_t count, size_t size) {
    bool full = (count & (count - 1)) == 0; // at powers of two
    void *grown = full ? realloc(array, (count > 0 ? 2 * count : 1) * size) : array;
    if (!grown) {
        abort();
    }
    return grown;
}

static node *add_node(CUgraph graph, const CUgraphNode *before, size_t count) {
    node *made = calloc(1, sizeof *made);
    if (!made) {
        abort();
    }
    graph->nodes = grow(graph->nodes, graph->count, sizeof(node *));
    made->index = graph->count;
    graph->nodes[graph->count++] = made;
    for (size_t i = 0; i < count; i++) {
        before[i]->after = grow(before[i]->after, before[i]->after_count, sizeof(node *));
        before[i]->after[before[i]->after_count++] = made;
    }
    made->waits = count;
    return made;
}

static CUresult fill_job(job *one, const CUDA_KERNEL_NODE_PARAMS *p) {
    *one = (job){.kernel = kernel_of(p->func),
                 .grid = {p->gridDimX, p->gridDimY, p->gridDimZ},
                 .block = {p->blockDimX, p->blockDimY, p->blockDimZ}};
    if (p->blockDimX * p->blockDimY * p->blockDimZ > 1024 || p->gridDimY > 65535) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return stand_in_copy_arguments(one->kernel, p->kernelParams, one->arguments)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuGraphAddKernelNode(CUgraphNode *made, CUgraph graph, const CUgraphNode *before,
                                     size_t count, const CUDA_KERNEL_NODE_PARAMS *parameters) {
    BEGIN_WITHIN("cuGraphAddKernelNode")
    *made = add_node(graph, before, count);
    return fill_job(&(*made)->job, parameters);
}

EXPORT CUresult cuGraphAddEmptyNode(CUgraphNode *made, CUgraph graph, const CUgraphNode *before,
                                    size_t count) {
    BEGIN_WITHIN("cuGraphAddEmptyNode")
    *made = add_node(graph, before, count);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
    (void)flags;
    BEGIN_WITHIN("cuGraphInstantiate")
    size_t room = graph->count + 1;
    CUgraphExec made = make(sizeof *made);
    node **ready = calloc(room, sizeof *ready);
    made->jobs = calloc(room, sizeof *made->jobs);
    made->place_of = calloc(room, sizeof *made->place_of);
    if (!ready || !made->jobs || !made->place_of) {
        abort();
    }
    size_t waiting = 0;
    size_t *waits = calloc(room, sizeof *waits);
    for (size_t i = 0; waits && i < graph->count; i++) {
        waits[i] = graph->nodes[i]->waits;
        if (waits[i] == 0) {
            ready[waiting++] = graph->nodes[i];
        }
    }
    while (waits && waiting > 0) {
        const node *next = ready[--waiting];
        made->place_of[next->index] = made->count;
        made->jobs[made->count++] = next->job;
        for (size_t i = 0; i < next->after_count; i++) {
            if (--waits[next->after[i]->index] == 0) {
                ready[waiting++] = next->after[i];
            }
        }
    }
    free(waits);
    free(ready);
    *exec = made;
    return made->count == graph->count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuGraphExecDestroy(CUgraphExec exec) {
    if (exec) {
        free(exec->jobs);
        free(exec->place_of);
    }
    return give_back("cuGraphExecDestroy", exec);
}

EXPORT CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode which,
                                               const CUDA_KERNEL_NODE_PARAMS *parameters) {
    BEGIN_WITHIN("cuGraphExecKernelNodeSetParams")
    return fill_job(&exec->jobs[exec->place_of[which->index]], parameters);
}

EXPORT CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
    (void)stream;
    BEGIN_WITHIN("cuGraphLaunch")
    for (size_t i = 0; i < exec->count; i++) {
        if (exec->jobs[i].kernel) {
            *add_job() = exec->jobs[i];
        }
    }
    return CUDA_SUCCESS;
}

// --- OpenGL -----------------------------------------------------------------------------------------

enum { GL_LIMIT = 8 };
static struct {
    unsigned name;
    void *bytes;
    size_t size;
} gl_buffers[GL_LIMIT];

void stand_in_gl_buffer(unsigned name, void *bytes, size_t size) {
    gl_buffers[name % GL_LIMIT].name = name;
    gl_buffers[name % GL_LIMIT].bytes = bytes;
    gl_buffers[name % GL_LIMIT].size = size;
}

struct CUgraphicsResource_st {
    unsigned name;
    int mapped;
};

EXPORT CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource *resource, GLuint name,
                                           unsigned flags) {
    (void)flags;
    BEGIN_WITHIN("cuGraphicsGLRegisterBuffer")
    if (!gl_buffers[name % GL_LIMIT].bytes || gl_buffers[name % GL_LIMIT].name != name) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *resource = make(sizeof **resource);
    (*resource)->name = name;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphicsUnregisterResource(CUgraphicsResource resource) {
    return give_back("cuGraphicsUnregisterResource", resource);
}

EXPORT CUresult cuGraphicsMapResources(unsigned count, CUgraphicsResource *resources,
                                       CUstream stream) {
    (void)count;
    (void)stream;
    BEGIN_WITHIN("cuGraphicsMapResources")
    resources[0]->mapped = 1;
    return CUDA_SUCCESS;
}

// OpenGL may look at the buffer from here on.
EXPORT CUresult cuGraphicsUnmapResources(unsigned count, CUgraphicsResource *resources,
                                         CUstream stream) {
    (void)count;
    (void)stream;
    resources[0]->mapped = 0;
    BEGIN_WITHIN("cuGraphicsUnmapResources")
    do_jobs();
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphicsResourceGetMappedPointer(CUdeviceptr *memory, size_t *size,
                                                   CUgraphicsResource resource) {
    BEGIN_WITHIN("cuGraphicsResourceGetMappedPointer")
    if (!resource->mapped) {
        return CUDA_ERROR_NOT_MAPPED;
    }
    *memory = (CUdeviceptr)(uintptr_t)gl_buffers[resource->name % GL_LIMIT].bytes;
    *size = gl_buffers[resource->name % GL_LIMIT].size;
    return CUDA_SUCCESS;
}
