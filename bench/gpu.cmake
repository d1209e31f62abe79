# Devices: garment sizes within a time budget, and the cost of submitting work.
add_executable(selvage-bench selvage_bench.c bench_cloth.c ${PROJECT_SOURCE_DIR}/tests/common/generated_garment.c)
target_link_libraries(selvage-bench PRIVATE selvage_runtime selvage_formats selvage_cli selvage_bench_report Threads::Threads m)
selvage_bench_program(bench-gpu gpu.c bench_cloth.c ${PROJECT_SOURCE_DIR}/tests/common/generated_garment.c)
target_link_libraries(selvage_bench_gpu PRIVATE selvage_runtime selvage_formats selvage_bench_report
  Threads::Threads m)
