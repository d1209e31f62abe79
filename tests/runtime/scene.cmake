# Scene files: JSON, keys and schema, worlds made of them; and the README's first program.
selvage_test(test_json SOURCES test_json.c LIBRARIES selvage_runtime selvage_formats)
selvage_test(test_scene SOURCES test_scene.c LIBRARIES selvage_runtime selvage_format_samples)
selvage_test(test_scene_schema SOURCES test_scene_schema.c LIBRARIES selvage_runtime selvage_formats)

find_package(Python3 COMPONENTS Interpreter REQUIRED)
add_test(NAME sample_scenes_fit_the_schema
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/sample_scenes_fit.py
          ${PROJECT_SOURCE_DIR}/data)
set_tests_properties(sample_scenes_fit_the_schema PROPERTIES SKIP_RETURN_CODE 77)

if(SELVAGE_TOOLS)
  set(voxelize $<TARGET_FILE:selvage-voxelize>) # makes its pack
endif()
add_executable(hello ${PROJECT_SOURCE_DIR}/runtime/examples/hello.c)
target_link_libraries(hello PRIVATE selvage_runtime selvage_flags)
set_source_files_properties(${PROJECT_SOURCE_DIR}/runtime/examples/hello.c PROPERTIES
  COMPILE_OPTIONS -Wno-double-promotion) # a house rule, not the reader's
add_test(NAME hello_runs_as_the_readme_shows_it
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/hello_runs.py
          ${PROJECT_SOURCE_DIR} $<TARGET_FILE:hello> ${CMAKE_CURRENT_BINARY_DIR}/hello-work ${voxelize})
set_tests_properties(hello_runs_as_the_readme_shows_it PROPERTIES SKIP_RETURN_CODE 77)

selvage_fuzz(fuzz_scene SOURCES fuzz_scene.c LIBRARIES selvage_runtime selvage_formats
  SEEDS ${PROJECT_SOURCE_DIR}/data/scenes)
