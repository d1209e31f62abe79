# Colouring: what selvage-colorize costs, and the experiments of the paper on phantoms, which
# bench/reproduce_colour.sh runs and draws.
set(soft_shapes ${PROJECT_SOURCE_DIR}/tests/runtime/soft_shapes.c)
add_executable(bench-colour colour.c colour_baseline.c ${soft_shapes})
set_source_files_properties(colour_baseline.c PROPERTIES COMPILE_OPTIONS
  "-fno-tree-vectorize;-fno-tree-slp-vectorize")
target_link_libraries(bench-colour PRIVATE selvage_runtime selvage_formats selvage_bench_report m)
target_compile_definitions(bench-colour
  PRIVATE SLV_COLORIZE_PROGRAM="$<TARGET_FILE:selvage-colorize>")
add_dependencies(bench-colour selvage-colorize)

add_executable(colour-shapes colour_shapes.c ${soft_shapes})
target_link_libraries(colour-shapes PRIVATE selvage_formats m)
add_executable(colour-experiments colour_experiments.c)
target_link_libraries(colour-experiments PRIVATE selvage_runtime selvage_formats selvage_flags)
