# Shape matching, against plain C.
selvage_bench_program(bench-bodies bodies.c bodies_baseline.c
  ${PROJECT_SOURCE_DIR}/tests/common/generated_garment.c ${PROJECT_SOURCE_DIR}/tests/common/generated_body.c)
target_link_libraries(selvage_bench_bodies PRIVATE selvage_runtime selvage_formats selvage_bench_report m)
