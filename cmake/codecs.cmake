# SPDX-License-Identifier: MIT
# Libraries that decode what some glTF files and textures are compressed with. Each is used where it is installed; without
# it the importer refuses what needs it by name, or leaves a texture out.
pkg_check_modules(JPEG IMPORTED_TARGET libjpeg)
find_package(meshoptimizer CONFIG QUIET)
pkg_check_modules(DRACO IMPORTED_TARGET draco)

# Draco has an interface in C++ only. One file calls it, compiled by the C++ compiler beside the C compiler: objects of two
# vendors do not share a sanitizer. Fuzzers are built without it: they try our code, and would stop at faults of Draco,
# which a user meets as a child process that ended.
set(SELVAGE_DRACO OFF)
if(DRACO_FOUND AND NOT SELVAGE_FUZZ)
  if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LOADED)
    string(REGEX REPLACE "gcc([^/]*)$" "g++\\1" compiler "${CMAKE_C_COMPILER}")
    string(REGEX REPLACE "clang([^/]*)$" "clang++\\1" compiler "${compiler}")
    string(REGEX REPLACE "(^|/)cc$" "\\1c++" compiler "${compiler}")
    if(EXISTS "${compiler}" AND NOT compiler STREQUAL CMAKE_C_COMPILER)
      set(CMAKE_CXX_COMPILER "${compiler}" CACHE FILEPATH "Compiler of the file that calls Draco")
      enable_language(CXX)
    endif()
  endif()
  if(CMAKE_CXX_COMPILER_LOADED AND CMAKE_CXX_COMPILER_ID STREQUAL CMAKE_C_COMPILER_ID)
    set(SELVAGE_DRACO ON)
  endif()
endif()
