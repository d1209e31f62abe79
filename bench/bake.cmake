# meshoptimizer's codec is a baseline for sizes; it is optional and used only here.
find_path(MESHOPTIMIZER_INCLUDE meshoptimizer.h)
find_library(MESHOPTIMIZER_LIBRARY meshoptimizer)

selvage_bench_program(bench-bake bake.c)
target_compile_definitions(selvage_bench_bake PRIVATE SLV_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(selvage_bench_bake PRIVATE
  selvage_bake_lib selvage_bench_report selvage_zstd m)
if(MESHOPTIMIZER_INCLUDE AND MESHOPTIMIZER_LIBRARY)
  target_compile_definitions(selvage_bench_bake PRIVATE SLV_HAVE_MESHOPTIMIZER=1)
  target_include_directories(selvage_bench_bake SYSTEM PRIVATE ${MESHOPTIMIZER_INCLUDE})
  target_link_libraries(selvage_bench_bake PRIVATE ${MESHOPTIMIZER_LIBRARY})
else()
  target_compile_definitions(selvage_bench_bake PRIVATE SLV_HAVE_MESHOPTIMIZER=0)
endif()
