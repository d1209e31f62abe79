# Both experiments of the red-black paper (bench/reproduce.sh).
selvage_bench_program(experiments experiments.c)
target_link_libraries(selvage_experiments PRIVATE selvage_runtime selvage_bench_report m)
