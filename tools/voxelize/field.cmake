# The field engine: a mesh and a lattice in, distances, signs and covered cells out.
add_library(selvage_field STATIC
  field_source.c snapped.c bvh.c distance.c distance_baseline.c raster_triangle.c crossings.c
  topology.c manifold_patches.c axis_ray.c nesting.c visibility.c orientation.c solid_angle.c caps.c
  cap_tree.c winding.c cover.c)
target_compile_options(selvage_field PRIVATE ${SELVAGE_HOT_OPTIONS})
target_link_libraries(selvage_field PUBLIC selvage_tools_common PRIVATE m)

# The packet traversal is compiled for each instruction set and chosen at run time. -Wno-psabi: vectors
# wider than the registers of the target are not passed between files, so their ABI has no effect.
set_source_files_properties(distance_baseline.c PROPERTIES COMPILE_OPTIONS "-Wno-psabi")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_sources(selvage_field PRIVATE distance_avx2.c)
  set_source_files_properties(distance_avx2.c PROPERTIES COMPILE_OPTIONS "-mavx2;-Wno-psabi")
  target_compile_definitions(selvage_field PRIVATE SLV_HAVE_AVX2_LANES)
endif()
