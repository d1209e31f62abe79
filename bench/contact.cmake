# Contacts: what they cost, against plain C.
add_executable(bench-contact contact.c contact_baseline.c
  ${PROJECT_SOURCE_DIR}/tests/runtime/made_garment.c)
target_link_libraries(bench-contact PRIVATE selvage_runtime selvage_formats selvage_bench_report m)
