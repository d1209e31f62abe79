# meshoptimizer's codec is a baseline for sizes; it is optional and used only here.
find_path(MESHOPTIMIZER_INCLUDE meshoptimizer.h)
find_library(MESHOPTIMIZER_LIBRARY meshoptimizer)

add_executable(bench-bake bake.c)
target_compile_definitions(bench-bake PRIVATE SLV_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(bench-bake PRIVATE
  selvage_bake_lib selvage_bench_report PkgConfig::ZSTD m)
if(MESHOPTIMIZER_INCLUDE AND MESHOPTIMIZER_LIBRARY)
  target_compile_definitions(bench-bake PRIVATE SLV_HAVE_MESHOPTIMIZER=1)
  target_include_directories(bench-bake SYSTEM PRIVATE ${MESHOPTIMIZER_INCLUDE})
  target_link_libraries(bench-bake PRIVATE ${MESHOPTIMIZER_LIBRARY})
else()
  target_compile_definitions(bench-bake PRIVATE SLV_HAVE_MESHOPTIMIZER=0)
endif()
