# Both experiments of the red-black paper (bench/reproduce.sh).
add_executable(experiments experiments.c)
target_link_libraries(experiments PRIVATE selvage_runtime selvage_flags m)
