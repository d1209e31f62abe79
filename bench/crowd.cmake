# Many garments in one world, against worlds of their own.
selvage_bench_program(bench-crowd crowd.c ${PROJECT_SOURCE_DIR}/tests/common/generated_garment.c)
target_link_libraries(selvage_bench_crowd PRIVATE selvage_runtime selvage_formats selvage_bench_report m)
