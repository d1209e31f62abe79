// SPDX-License-Identifier: MIT
// Embedded by the build: the text of kernels/device.h with all its includes, for OpenCL, and the same
// compiled for every CUDA architecture, where the build found nvcc.
#ifndef SLV_RUNTIME_BACKENDS_GPU_EMBEDDED_H
#define SLV_RUNTIME_BACKENDS_GPU_EMBEDDED_H

#include <stddef.h>

extern const unsigned char slv_device_text[]; // zero-terminated
extern const size_t slv_device_text_size;     // without the zero

extern const unsigned char slv_cuda_image[];
extern const size_t slv_cuda_image_size;

#endif
