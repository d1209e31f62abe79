# Cost of contacts, against plain C.
selvage_bench_program(bench-contact contact.c contact_baseline.c
  ${PROJECT_SOURCE_DIR}/tests/common/generated_garment.c)
target_link_libraries(selvage_bench_contact PRIVATE selvage_runtime selvage_formats selvage_bench_report m)
