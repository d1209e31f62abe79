// SPDX-License-Identifier: MIT
#include "runtime/backends/cuda/cuda_api.h"

#include "runtime/base/shared_library.h"

#include <stdio.h>

#define SLV_TEXT(name) #name
#define SLV_EXPANDED_TEXT(name) SLV_TEXT(name)

bool slv_cuda_load(slv_cuda_api *api, slv_error *error) {
    const slv_symbol symbols[] = {
#define SLV_CALL(name) {SLV_EXPANDED_TEXT(name), &api->name},
        SLV_CUDA_CALLS(SLV_CALL)
#undef SLV_CALL
    };
    *api = (slv_cuda_api){.library = NULL};
    api->library = slv_library_open("CUDA", "SELVAGE_CUDA_LIBRARY", "libcuda.so.1", symbols,
                                    sizeof symbols / sizeof *symbols, error);
    if (!api->library) {
        return false;
    }
    CUresult code = api->cuInit(0);
    if (code != CUDA_SUCCESS) {
        char text[200];
        slv_cuda_describe(api, code, text, sizeof text);
        (void)slv_fail(error, SLV_ERROR_UNSUPPORTED, "CUDA: cuInit: %s", text);
        slv_cuda_unload(api);
    }
    return code == CUDA_SUCCESS;
}

void slv_cuda_unload(slv_cuda_api *api) {
    slv_library_close(api->library);
    api->library = NULL;
}

void slv_cuda_describe(const slv_cuda_api *api, CUresult code, char *text, size_t size) {
    const char *name = NULL;
    const char *meaning = NULL;
    (void)api->cuGetErrorName(code, &name);
    (void)api->cuGetErrorString(code, &meaning);
    (void)snprintf(text, size, "%s: %s", name ? name : "an unknown error",
                   meaning ? meaning : "the driver gives no description");
}
