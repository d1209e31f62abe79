# The solver against a plain one, the machine's memory, and itself.
add_executable(bench-solver solver.c solver_baseline.c
  ${PROJECT_SOURCE_DIR}/tests/runtime/made_garment.c)
target_link_libraries(bench-solver PRIVATE selvage_runtime selvage_formats selvage_bench_report
  Threads::Threads m)
