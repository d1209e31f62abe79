# The backends. The kernels of the CPU are compiled once per instruction set, which is chosen at run time.
list(APPEND runtime_sources
  backends/backend.c backends/device_list.c
  backends/cpu/cpu_backend.c backends/cpu/cpu_clusters.c backends/cpu/cpu_strain.c backends/cpu/cpu_kernels.c backends/cpu/cpu_work_split.c
  backends/cpu/cpu_wavefront.c backends/cpu/thread_team.c)
set(cpu_kernels backends/cpu/cpu_kernels_baseline.c)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND cpu_kernels backends/cpu/cpu_kernels_avx2.c backends/cpu/cpu_kernels_avx512.c)
  set_source_files_properties(backends/cpu/cpu_kernels_avx2.c PROPERTIES COMPILE_OPTIONS "-mavx2")
  set_source_files_properties(backends/cpu/cpu_kernels_avx512.c PROPERTIES COMPILE_OPTIONS
    "-mavx512f;-mavx512vl;-mavx512dq;-mprefer-vector-width=512")
endif()
set_property(SOURCE ${cpu_kernels} APPEND PROPERTY COMPILE_OPTIONS ${SELVAGE_KERNEL_CHECKS})
list(APPEND runtime_sources ${cpu_kernels})

# The GPU backends. Both drivers are loaded at run time; building needs OpenCL's headers and NVIDIA's nvcc.
# Without these the library has the CPU only and says how to get the rest.
option(SELVAGE_OPENCL "OpenCL backend, where its headers are found" ON)
option(SELVAGE_CUDA "CUDA backend, where nvcc is found" ON)
set(SELVAGE_CUDA_CACHE "${CMAKE_CURRENT_BINARY_DIR}/cuda" CACHE PATH
  "Folder of compiled CUDA kernels; build folders may share it")
set(device_text ${PROJECT_BINARY_DIR}/kernels/device.txt)
set(backend_definitions)

# selvage_embed(FILE NAME): FILE's bytes as a C source.
function(selvage_embed file name)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.c)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DFILE=${file} -DNAME=${name} -DOUTPUT=${output}
      -P ${PROJECT_SOURCE_DIR}/kernels/embed.cmake
    DEPENDS ${file} ${PROJECT_SOURCE_DIR}/kernels/embed.cmake VERBATIM)
endfunction()

include(CheckIncludeFile)
set(CMAKE_REQUIRED_QUIET ON)
check_include_file(CL/cl_gl.h SELVAGE_HAS_OPENCL_HEADERS)
if(SELVAGE_OPENCL AND SELVAGE_HAS_OPENCL_HEADERS)
  selvage_embed(${device_text} slv_device_text)
  list(APPEND runtime_sources backends/opencl/opencl_api.c backends/opencl/opencl_device.c
    backends/opencl/opencl_backend.c backends/opencl/opencl_gl.c backends/gpu/program_cache.c
    ${CMAKE_CURRENT_BINARY_DIR}/slv_device_text.c)
  list(APPEND backend_definitions SLV_HAS_OPENCL)
endif()

find_program(SELVAGE_NVCC nvcc PATHS /usr/local/cuda/bin /opt/cuda/bin)
if(SELVAGE_CUDA AND SELVAGE_NVCC)
  get_filename_component(nvcc_folder ${SELVAGE_NVCC} REALPATH)
  get_filename_component(nvcc_folder ${nvcc_folder} DIRECTORY)
  find_path(SELVAGE_CUDA_HEADERS cudaGL.h PATHS ${nvcc_folder}/../include NO_DEFAULT_PATH)
endif()
if(SELVAGE_CUDA AND SELVAGE_NVCC AND SELVAGE_CUDA_HEADERS)
  set(SELVAGE_HAS_CUDA TRUE)
  set(SELVAGE_HAS_CUDA TRUE PARENT_SCOPE) # for tests/
  set(cuda_image ${CMAKE_CURRENT_BINARY_DIR}/device.fatbin)
  add_custom_command(OUTPUT ${cuda_image}
    COMMAND ${CMAKE_COMMAND} -DNVCC=${SELVAGE_NVCC} -DTEXT=${device_text} -DOUTPUT=${cuda_image}
      -DCACHE=${SELVAGE_CUDA_CACHE} -P ${CMAKE_CURRENT_SOURCE_DIR}/backends/cuda/compile_cuda.cmake
    DEPENDS ${device_text} backends/cuda/compile_cuda.cmake VERBATIM
    COMMENT "Compiling the kernels for every CUDA architecture")
  selvage_embed(${cuda_image} slv_cuda_image)
  list(APPEND runtime_sources backends/cuda/cuda_api.c backends/cuda/cuda_device.c
    backends/cuda/cuda_graph.c backends/cuda/cuda_backend.c ${CMAKE_CURRENT_BINARY_DIR}/slv_cuda_image.c)
  list(APPEND backend_definitions SLV_HAS_CUDA)
endif()
if(backend_definitions)
  list(APPEND runtime_sources base/shared_library.c backends/gpu/gpu_launch.c)
endif()
