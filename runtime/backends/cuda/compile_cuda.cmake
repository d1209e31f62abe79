# Compiles TEXT for the architectures in ARCHITECTURES, and as PTX for later ones, into one image OUTPUT; the log of
# ptxas about registers is OUTPUT.log. This is slow and depends only on text, compiler and options, so results are
# cached in CACHE by their hash.
#     cmake -DNVCC=… -DTEXT=… -DOUTPUT=… -DCACHE=… -DARCHITECTURES=all|ends|75,90,… -P compile_cuda.cmake
cmake_minimum_required(VERSION 3.22)

execute_process(COMMAND ${NVCC} --version OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${NVCC} --list-gpu-code OUTPUT_VARIABLE codes COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "sm_[0-9]+" codes "${codes}")
list(SORT codes COMPARE NATURAL)
if(ARCHITECTURES STREQUAL ends)
  list(GET codes 0 first)
  list(GET codes -1 last)
  set(codes ${first} ${last})
elseif(NOT ARCHITECTURES STREQUAL all)
  string(REPLACE "," ";" wanted "${ARCHITECTURES}")
  list(TRANSFORM wanted PREPEND sm_)
  foreach(code ${wanted})
    if(NOT code IN_LIST codes)
      message(FATAL_ERROR "SELVAGE_CUDA_ARCHITECTURES: nvcc supports ${codes}, not ${code}")
    endif()
  endforeach()
  set(codes ${wanted})
  list(SORT codes COMPARE NATURAL)
endif()

# Every operation is rounded by itself, as on all devices: no fused multiply-add, exact division and square root.
# Variables that some kernels do not use (550) are by design of list.h.
set(options -O3 -fmad=false -prec-div=true -prec-sqrt=true -ftz=false
  -Werror all-warnings -diag-suppress 550 -Xptxas -v)
if(version MATCHES "release ([0-9]+\\.[0-9]+)" AND CMAKE_MATCH_1 VERSION_GREATER_EQUAL 12.8)
  list(APPEND options --compress-mode=size)
endif()
# Our text gives the same PTX for every architecture of a generation (below 100, and from there on): it
# is made once for the oldest of each, which is most of the time, and assembled for all of them. That of
# the newest generation goes into the image too.
foreach(code ${codes})
  string(REPLACE sm_ compute_ architecture ${code})
  if(NOT DEFINED eldest OR (code MATCHES "sm_[0-9][0-9][0-9]" AND NOT eldest MATCHES "compute_[0-9][0-9][0-9]"))
    set(eldest ${architecture})
  endif()
  list(APPEND options -gencode arch=${eldest},code=${code})
endforeach()
list(APPEND options -gencode arch=${eldest},code=${eldest})

file(SHA256 ${TEXT} hash)
string(SHA256 hash "${hash} ${version} ${options}")
set(kept ${CACHE}/${hash}.fatbin)
if(NOT EXISTS ${kept} OR NOT EXISTS ${kept}.log)
  string(RANDOM LENGTH 12 mark)
  set(fresh ${CACHE}/${mark})
  file(MAKE_DIRECTORY ${CACHE})
  execute_process(COMMAND ${NVCC} -x cu --threads 2 -fatbin ${options} -o ${fresh} ${TEXT}
    OUTPUT_VARIABLE log ERROR_VARIABLE log RESULT_VARIABLE status)
  if(status)
    message(FATAL_ERROR "${log}")
  endif()
  file(WRITE ${fresh}.log "${log}")
  file(RENAME ${fresh}.log ${kept}.log)
  file(RENAME ${fresh} ${kept})
endif()
file(COPY_FILE ${kept}.log ${OUTPUT}.log)
file(COPY_FILE ${kept} ${OUTPUT})
