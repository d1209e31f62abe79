# The backends. The kernels of the CPU are compiled once per instruction set, which is chosen at run time.
list(APPEND runtime_sources
  backends/backend.c backends/device_list.c
  backends/cpu/cpu_backend.c backends/cpu/cpu_clusters.c backends/cpu/cpu_strain.c backends/cpu/cpu_kernels.c backends/cpu/cpu_work_split.c
  backends/cpu/cpu_costs.c backends/cpu/cpu_member.c backends/cpu/cpu_schedule.c
  backends/cpu/cpu_wavefront.c backends/cpu/thread_team.c)
set(cpu_kernels backends/cpu/cpu_kernels_baseline.c)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(SELVAGE_INSTRUCTION_SETS "avx2;avx512" CACHE STRING
    "Instruction sets beyond the processor's common one that the CPU backend is compiled for")
  set(options_of_avx2 -mavx2)
  set(options_of_avx512 -mavx512f -mavx512vl -mavx512dq -mprefer-vector-width=512)
endif()
foreach(set ${SELVAGE_INSTRUCTION_SETS})
  if(NOT DEFINED options_of_${set})
    message(FATAL_ERROR "SELVAGE_INSTRUCTION_SETS: ${set} is not known for this processor; there are avx2 and avx512 for x86-64")
  endif()
  list(APPEND cpu_kernels backends/cpu/cpu_kernels_${set}.c)
  set_source_files_properties(backends/cpu/cpu_kernels_${set}.c PROPERTIES COMPILE_OPTIONS "${options_of_${set}}")
  string(TOUPPER ${set} name)
  set_property(SOURCE backends/cpu/cpu_kernels.c APPEND PROPERTY COMPILE_DEFINITIONS SLV_HAS_${name})
endforeach()
set_property(SOURCE ${cpu_kernels} APPEND PROPERTY COMPILE_OPTIONS ${SELVAGE_KERNEL_CHECKS})
list(APPEND runtime_sources ${cpu_kernels})

# The GPU backends. Both drivers are loaded at run time; building needs OpenCL's headers and NVIDIA's nvcc.
# Without these the library has the CPU only and says how to get the rest.
option(SELVAGE_OPENCL "OpenCL backend, where its headers are found" ON)
option(SELVAGE_CUDA "CUDA backend, where nvcc is found" ON)
set(SELVAGE_CUDA_CACHE "${CMAKE_CURRENT_BINARY_DIR}/cuda" CACHE PATH
  "Folder of compiled CUDA kernels; build folders may share it")
set(SELVAGE_CUDA_ARCHITECTURES all CACHE STRING
  "Which architectures have compiled CUDA kernels: all, ends (the oldest and the newest), or numbers: 75,90")
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
    backends/gpu/keyed_hash.c
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
      -DCACHE=${SELVAGE_CUDA_CACHE} -DARCHITECTURES=${SELVAGE_CUDA_ARCHITECTURES}
      -P ${CMAKE_CURRENT_SOURCE_DIR}/backends/cuda/compile_cuda.cmake
    DEPENDS ${device_text} backends/cuda/compile_cuda.cmake VERBATIM
    COMMENT "Compiling the CUDA kernels")
  selvage_embed(${cuda_image} slv_cuda_image)
  list(APPEND runtime_sources backends/cuda/cuda_api.c backends/cuda/cuda_device.c
    backends/cuda/cuda_graph.c backends/cuda/cuda_backend.c ${CMAKE_CURRENT_BINARY_DIR}/slv_cuda_image.c)
  list(APPEND backend_definitions SLV_HAS_CUDA)
endif()
if(backend_definitions)
  list(APPEND runtime_sources base/shared_library.c backends/gpu/gpu_launch.c)
endif()
