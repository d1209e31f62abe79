// SPDX-License-Identifier: MIT
// The only file of kernels/ with compiler conditionals. Everything else is written in what C99, CUDA
// C++ and OpenCL C 1.2 have in common. Floating-point contraction is off in all three: by the build's
// flags in C and CUDA, by the pragma here in OpenCL, so that every device rounds alike.
//
// SLV_HOST_MEMBER is a member of a struct that devices do not have. SLV_NOINLINE is for large functions with several callers: GPU compilers need not copy them to each.
// slv_set_flag sets a float to 1 that several elements may set at the same time; no element reads it in the same
// launch. slv_set_flag_often is for flags that most elements set: the CPU leaves out a store to a flag that is set
// already, which would move its cache line between cores. slv_set_mark sets an integer. slv_add_integer adds to an integer
// to which several elements may add; sums of integers do not depend on their order.
#ifndef SLV_KERNELS_PLATFORM_H
#define SLV_KERNELS_PLATFORM_H

#if defined(__OPENCL_C_VERSION__) || defined(__OPENCL_VERSION__)
#pragma OPENCL FP_CONTRACT OFF
#define SLV_INLINE static inline
#define SLV_NOINLINE static __attribute__((noinline))
#define SLV_GLOBAL __global
#define SLV_PRIVATE __private
#define slv_square_root(x) sqrt(x)
#define slv_absolute(x) fabs(x)
#define slv_float_bits(x) as_int(x)
#define slv_bits_float(x) as_float(x)
#define slv_set_flag(flag) ((void)atomic_xchg(flag, 1.0f))
#define slv_set_flag_often(flag) slv_set_flag(flag)
#define slv_set_mark(flag) ((void)atomic_xchg(flag, 1))
#define slv_add_integer(sum, value) ((void)atomic_add(sum, value))
#define SLV_ENTRY __kernel void
#define SLV_ARGUMENT const
#define SLV_THREAD(axis) ((int)get_global_id(axis))
#define SLV_HOST_MEMBER(type, name)
#elif defined(__CUDACC__)
#define SLV_INLINE static __device__ __forceinline__
#define SLV_NOINLINE static __device__ __noinline__
#define SLV_GLOBAL
#define SLV_PRIVATE
#define slv_square_root(x) __fsqrt_rn(x)
#define slv_absolute(x) fabsf(x)
#define slv_float_bits(x) __float_as_int(x)
#define slv_bits_float(x) __int_as_float(x)
#define slv_set_flag(flag) ((void)atomicExch(flag, 1.0f))
#define slv_set_flag_often(flag) slv_set_flag(flag)
#define slv_set_mark(flag) ((void)atomicExch(flag, 1))
#define slv_add_integer(sum, value) ((void)atomicAdd(sum, value))
#if defined(__cplusplus)
#define SLV_ENTRY extern "C" __global__ void
#else
#define SLV_ENTRY __global__ void
#endif
#define SLV_ARGUMENT const __grid_constant__
#define SLV_THREAD(axis) SLV_THREAD_##axis
#define SLV_HOST_MEMBER(type, name)
#define SLV_THREAD_0 ((int)(blockIdx.x * blockDim.x + threadIdx.x))
#define SLV_THREAD_1 ((int)(blockIdx.y * blockDim.y + threadIdx.y))
#define SLV_THREAD_2 ((int)(blockIdx.z * blockDim.z + threadIdx.z))
#else
#include <math.h>
#include <stddef.h>
#define SLV_HOST_MEMBER(type, name) type name;
#if defined(__OPTIMIZE__)
#define SLV_INLINE static inline __attribute__((__always_inline__, __unused__))
#else // copies of every function in every kernel would take most of the time of an unoptimized build
#define SLV_INLINE static inline __attribute__((__unused__))
#endif
#define SLV_NOINLINE SLV_INLINE
#define SLV_GLOBAL
#define SLV_PRIVATE
#define slv_square_root(x) sqrtf(x)
#define slv_absolute(x) fabsf(x)
#define slv_set_flag(flag) __atomic_store(flag, &(float){1.0f}, __ATOMIC_RELAXED)
#define slv_set_mark(flag) __atomic_store_n(flag, 1, __ATOMIC_RELAXED)
#define slv_add_integer(sum, value) ((void)__atomic_fetch_add(sum, value, __ATOMIC_RELAXED))
SLV_INLINE int slv_float_bits(float x) {
    union {
        float number;
        int bits;
    } value = {x};
    return value.bits;
}
SLV_INLINE float slv_bits_float(int x) {
    union {
        int bits;
        float number;
    } value = {x};
    return value.number;
}
// NOLINTNEXTLINE(readability-non-const-parameter): the atomic store writes it
SLV_INLINE void slv_set_flag_often(float *flag) {
    float value = 0.0f;
    __atomic_load(flag, &value, __ATOMIC_RELAXED);
    if (!(value > 0.0f)) {
        slv_set_flag(flag);
    }
}
#endif

#endif
