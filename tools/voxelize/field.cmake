# The field engine: a mesh and a lattice in, distances, signs and covered cells out.
add_library(selvage_field STATIC
  field_source.c snapped.c bvh.c distance.c distance_baseline.c face.c crossings.c topology.c
  patches.c probe.c nesting.c views.c orientation.c solid_angle.c caps.c cap_tree.c winding.c
  cover.c)
target_link_libraries(selvage_field PUBLIC selvage_tools_common PRIVATE m)

# The walk over packets is compiled for each instruction set and chosen at run time. -Wno-psabi:
# vectors wider than the target's registers never cross a file, so how they are passed is no matter.
set_source_files_properties(distance_baseline.c PROPERTIES COMPILE_OPTIONS "-Wno-psabi")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_sources(selvage_field PRIVATE distance_avx2.c)
  set_source_files_properties(distance_avx2.c PROPERTIES COMPILE_OPTIONS "-mavx2;-Wno-psabi")
  target_compile_definitions(selvage_field PRIVATE SLV_HAVE_AVX2_LANES)
endif()
