// SPDX-License-Identifier: MIT
// What the build puts into the library: the text of kernels/device.h with all it includes, for OpenCL,
// and the same compiled for every CUDA architecture, where the build found nvcc.
#ifndef SLV_RUNTIME_BACKENDS_GPU_EMBEDDED_H
#define SLV_RUNTIME_BACKENDS_GPU_EMBEDDED_H

#include <stddef.h>

extern const unsigned char slv_device_text[]; // ends in 0
extern const size_t slv_device_text_size;     // without it

extern const unsigned char slv_cuda_image[];
extern const size_t slv_cuda_image_size;

#endif
