# Studies of the mass-spring solvers (bench/lab/run.sh).
selvage_bench_program(lab lab/lab.c lab/cloth.c lab/stability.c lab/order.c lab/cost.c lab/bound.c lab/quality.c lab/fabric.c
  lab/stretch.c lab/test_plan.c ${PROJECT_SOURCE_DIR}/tests/common/generated_garment.c)
target_link_libraries(selvage_lab PRIVATE selvage_runtime selvage_formats selvage_bench_report m)
if(TARGET selvage_colorize_lib) # factors of the constant matrix
  target_link_libraries(selvage_lab PRIVATE selvage_colorize_lib)
  target_compile_definitions(selvage_lab PRIVATE SLV_HAS_COLORIZE)
endif()
