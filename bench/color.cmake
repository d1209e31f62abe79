# Coloring: time and memory of selvage-colorize, and the experiments of the phantom paper
# (bench/reproduce_color.sh).
set(soft_shapes ${PROJECT_SOURCE_DIR}/tests/runtime/soft_shapes.c)
add_executable(bench-color color.c color_baseline.c ${soft_shapes})
set_source_files_properties(color_baseline.c PROPERTIES COMPILE_OPTIONS
  "-fno-tree-vectorize;-fno-tree-slp-vectorize")
target_link_libraries(bench-color PRIVATE selvage_runtime selvage_formats selvage_bench_report m)
target_compile_definitions(bench-color
  PRIVATE SLV_COLORIZE_PROGRAM="$<TARGET_FILE:selvage-colorize>")
add_dependencies(bench-color selvage-colorize)

add_executable(color-shapes color_shapes.c ${soft_shapes})
target_link_libraries(color-shapes PRIVATE selvage_formats m)
add_executable(color-experiments color_experiments.c)
target_link_libraries(color-experiments PRIVATE selvage_runtime selvage_formats selvage_flags)
