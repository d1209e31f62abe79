# Fabrics by simulated drape and cantilever tests.
selvage_bench_program(bench-fabric fabric.c)
target_link_libraries(selvage_bench_fabric PRIVATE selvage_voxelize_lib selvage_runtime selvage_formats selvage_bench_report m)
