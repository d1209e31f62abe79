# Coloring: time and memory of selvage-colorize, and the experiments of the phantom paper
# (bench/reproduce_color.sh).
set(soft_shapes ${PROJECT_SOURCE_DIR}/tests/common/soft_shapes.c)
selvage_bench_program(bench-color color.c color_baseline.c ${soft_shapes})
set_source_files_properties(color_baseline.c PROPERTIES COMPILE_OPTIONS
  "-fno-tree-vectorize;-fno-tree-slp-vectorize")
target_link_libraries(selvage_bench_color PRIVATE selvage_runtime selvage_formats selvage_bench_report m)
target_compile_definitions(selvage_bench_color
  PRIVATE SLV_COLORIZE_PROGRAM="$<TARGET_FILE:selvage-colorize>")
add_dependencies(selvage_bench_color selvage-colorize)

selvage_bench_program(color-shapes color_shapes.c ${soft_shapes})
target_link_libraries(selvage_color_shapes PRIVATE selvage_formats m)
selvage_bench_program(color-experiments color_experiments.c)
target_link_libraries(selvage_color_experiments PRIVATE selvage_runtime selvage_formats selvage_bench_report)
