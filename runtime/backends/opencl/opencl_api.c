// SPDX-License-Identifier: MIT
#include "runtime/backends/opencl/opencl_api.h"

#include "runtime/base/shared_library.h"

bool slv_opencl_load(slv_opencl_api *api, slv_error *error) {
    const slv_symbol symbols[] = {
#define SLV_CALL(name) {"cl" #name, &api->name},
        SLV_OPENCL_CALLS(SLV_CALL)
#undef SLV_CALL
    };
    *api = (slv_opencl_api){.library = NULL};
    api->library = slv_library_open("OpenCL", "SELVAGE_OPENCL_LIBRARY", "libOpenCL.so.1", symbols,
                                    sizeof symbols / sizeof *symbols, error);
    return api->library != NULL;
}

void slv_opencl_unload(slv_opencl_api *api) {
    slv_library_close(api->library);
    api->library = NULL;
}

const char *slv_opencl_error_name(cl_int code) {
    static const struct {
        cl_int code;
        const char *name;
    } names[] = {
#define SLV_NAME(code) {code, #code}
        SLV_NAME(CL_DEVICE_NOT_FOUND),
        SLV_NAME(CL_DEVICE_NOT_AVAILABLE),
        SLV_NAME(CL_COMPILER_NOT_AVAILABLE),
        SLV_NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE),
        SLV_NAME(CL_OUT_OF_RESOURCES),
        SLV_NAME(CL_OUT_OF_HOST_MEMORY),
        SLV_NAME(CL_PROFILING_INFO_NOT_AVAILABLE),
        SLV_NAME(CL_BUILD_PROGRAM_FAILURE),
        SLV_NAME(CL_MAP_FAILURE),
        SLV_NAME(CL_INVALID_VALUE),
        SLV_NAME(CL_INVALID_DEVICE),
        SLV_NAME(CL_INVALID_CONTEXT),
        SLV_NAME(CL_INVALID_COMMAND_QUEUE),
        SLV_NAME(CL_INVALID_MEM_OBJECT),
        SLV_NAME(CL_INVALID_BINARY),
        SLV_NAME(CL_INVALID_BUILD_OPTIONS),
        SLV_NAME(CL_INVALID_PROGRAM),
        SLV_NAME(CL_INVALID_PROGRAM_EXECUTABLE),
        SLV_NAME(CL_INVALID_KERNEL_NAME),
        SLV_NAME(CL_INVALID_KERNEL),
        SLV_NAME(CL_INVALID_ARG_INDEX),
        SLV_NAME(CL_INVALID_ARG_VALUE),
        SLV_NAME(CL_INVALID_ARG_SIZE),
        SLV_NAME(CL_INVALID_KERNEL_ARGS),
        SLV_NAME(CL_INVALID_WORK_DIMENSION),
        SLV_NAME(CL_INVALID_WORK_GROUP_SIZE),
        SLV_NAME(CL_INVALID_WORK_ITEM_SIZE),
        SLV_NAME(CL_INVALID_GLOBAL_WORK_SIZE),
        SLV_NAME(CL_INVALID_OPERATION),
        SLV_NAME(CL_INVALID_GL_OBJECT),
        SLV_NAME(CL_INVALID_BUFFER_SIZE),
#undef SLV_NAME
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].code == code) {
            return names[i].name;
        }
    }
    return "an unknown error";
}
