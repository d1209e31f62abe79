# Studies of the mass-spring solvers (bench/lab/run.sh).
selvage_bench_program(lab lab/lab.c lab/cloth.c lab/stability.c lab/order.c lab/cost.c lab/test_plan.c
  ${PROJECT_SOURCE_DIR}/tests/common/generated_garment.c)
target_link_libraries(selvage_lab PRIVATE selvage_runtime selvage_formats selvage_bench_report m)
