# The solver against a plain one, the bandwidth of memory, and itself.
selvage_bench_program(bench-solver solver.c solver_baseline.c
  ${PROJECT_SOURCE_DIR}/tests/common/generated_garment.c)
target_link_libraries(selvage_bench_solver PRIVATE selvage_runtime selvage_formats selvage_bench_report
  Threads::Threads m)

# Time at equal quality.
selvage_bench_program(bench-quality quality.c plain_cloth.c
  ${PROJECT_SOURCE_DIR}/tests/common/generated_garment.c)
target_link_libraries(selvage_bench_quality PRIVATE selvage_runtime selvage_formats selvage_bench_report m)

# What scenes reach without settings.
selvage_bench_program(bench-defaults defaults.c)
target_link_libraries(selvage_bench_defaults PRIVATE selvage_runtime selvage_formats selvage_bench_report m)
target_compile_definitions(selvage_bench_defaults PRIVATE SLV_VOXELIZE_PROGRAM="$<TARGET_FILE:selvage-voxelize>"
  SLV_DATA_FOLDER="${PROJECT_SOURCE_DIR}/data")
add_dependencies(selvage_bench_defaults selvage-voxelize)
