# Crossings of drawn triangles. Tests count with crossings.c too.
selvage_bench_program(bench-crossings count_crossings.c crossings.c)
target_link_libraries(selvage_bench_crossings PRIVATE selvage_runtime selvage_formats selvage_bench_report m)
