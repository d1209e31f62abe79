# SPDX-License-Identifier: MIT
# Packs made by a build, remade exactly when an input changes: the tools write a
# depfile that lists what they read. Works with Ninja and with Makefiles.
#
#   selvage_add_garment(cape MESH cape.obj OPTIONS --mode surface COLORIZE)
#   selvage_add_garment(cloth SHAPE grid:100x100)
#   selvage_add_collider(walk CHARACTER man.glb CLIP walk OPTIONS --radius 0.015 --fps 60)
#
# Each makes a target of that name, part of `all`, and OUTPUT (default: NAME.slv in the binary folder; relative
# paths are taken from there). The target's property SELVAGE_PACK is the pack's full path. DEPENDS names
# targets and files that must be there first.

# Lists given as OPTIONS go to the tool as they are, one argument each.
function(_selvage_pack name tool output)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "INPUT" "ARGUMENTS;DEPENDS")
  get_filename_component(folder ${output} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  set(read)
  set(depfile)
  if(arg_INPUT) # a made shape reads nothing, and an empty depfile would count as a missing one
    set(read --depfile ${output}.d)
    set(depfile DEPFILE ${output}.d)
  endif()
  add_custom_command(OUTPUT ${output}
    COMMAND selvage::${tool} ${arg_ARGUMENTS} -o ${output} ${read} --quiet
    DEPENDS selvage::${tool} ${arg_INPUT} ${arg_DEPENDS}
    ${depfile}
    COMMENT "selvage-${tool}: ${name}"
    VERBATIM)
endfunction()

function(_selvage_output output name)
  if(NOT ${output})
    set(${output} ${name}.slv)
  endif()
  get_filename_component(path ${${output}} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
  set(${output} ${path} PARENT_SCOPE)
endfunction()

function(_selvage_target name pack)
  add_custom_target(${name} ALL DEPENDS ${pack})
  set_target_properties(${name} PROPERTIES SELVAGE_PACK ${pack})
endfunction()

function(_selvage_check function name)
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}(${name}): unknown: ${arg_UNPARSED_ARGUMENTS}")
  endif()
endfunction()

# selvage_add_garment(NAME MESH file | SHAPE spec [OUTPUT pack] [OPTIONS option…]
#                     [COLORIZE] [COLORIZE_OPTIONS option…] [DEPENDS …])
# OPTIONS are those of selvage-voxelize; COLORIZE runs selvage-colorize on the result.
function(selvage_add_garment name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COLORIZE" "MESH;SHAPE;OUTPUT"
    "OPTIONS;COLORIZE_OPTIONS;DEPENDS")
  _selvage_check(selvage_add_garment ${name})
  if((arg_MESH AND arg_SHAPE) OR NOT (arg_MESH OR arg_SHAPE))
    message(FATAL_ERROR "selvage_add_garment(${name}): one of MESH and SHAPE is needed")
  endif()
  _selvage_output(arg_OUTPUT ${name})
  set(voxelized ${arg_OUTPUT})
  if(arg_COLORIZE OR arg_COLORIZE_OPTIONS)
    string(REGEX REPLACE "\\.slv$" "" stem ${arg_OUTPUT})
    set(voxelized ${stem}.uncolored.slv)
  endif()
  if(arg_MESH)
    get_filename_component(arg_MESH ${arg_MESH} ABSOLUTE)
    _selvage_pack(${name} voxelize ${voxelized} INPUT ${arg_MESH} ARGUMENTS ${arg_MESH} ${arg_OPTIONS}
      DEPENDS ${arg_DEPENDS})
  else()
    _selvage_pack(${name} voxelize ${voxelized} ARGUMENTS --shape ${arg_SHAPE} ${arg_OPTIONS}
      DEPENDS ${arg_DEPENDS})
  endif()
  if(NOT voxelized STREQUAL arg_OUTPUT)
    _selvage_pack(${name} colorize ${arg_OUTPUT} INPUT ${voxelized}
      ARGUMENTS ${voxelized} ${arg_COLORIZE_OPTIONS})
  endif()
  _selvage_target(${name} ${arg_OUTPUT})
endfunction()

# selvage_add_collider(NAME CHARACTER file [CLIP name] [OUTPUT pack] [OPTIONS option…] [DEPENDS …])
# OPTIONS are those of selvage-bake-collider.
function(selvage_add_collider name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CHARACTER;CLIP;OUTPUT" "OPTIONS;DEPENDS")
  _selvage_check(selvage_add_collider ${name})
  if(NOT arg_CHARACTER)
    message(FATAL_ERROR "selvage_add_collider(${name}): CHARACTER is needed")
  endif()
  _selvage_output(arg_OUTPUT ${name})
  get_filename_component(arg_CHARACTER ${arg_CHARACTER} ABSOLUTE)
  set(clip)
  if(DEFINED arg_CLIP)
    set(clip --clip ${arg_CLIP})
  endif()
  _selvage_pack(${name} bake-collider ${arg_OUTPUT} INPUT ${arg_CHARACTER}
    ARGUMENTS ${arg_CHARACTER} ${clip} ${arg_OPTIONS} DEPENDS ${arg_DEPENDS})
  _selvage_target(${name} ${arg_OUTPUT})
endfunction()
