# Scene files: JSON, keys and schema, worlds made of them; and the first program of the documents.
selvage_test(test_json SOURCES test_json.c LIBRARIES selvage_runtime selvage_formats)
selvage_test(test_scene SOURCES test_scene.c LIBRARIES selvage_runtime selvage_format_samples)
selvage_test(test_scene_keys SOURCES test_scene_keys.c LIBRARIES selvage_runtime selvage_formats)
set_target_properties(selvage_generate PROPERTIES EXCLUDE_FROM_ALL FALSE)
add_test(NAME runtime_parameters_are_generated
  COMMAND selvage_generate --check ${PROJECT_SOURCE_DIR})

find_package(Python3 COMPONENTS Interpreter REQUIRED)
add_test(NAME sample_scenes_fit_the_schema
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/sample_scenes_fit.py
          ${PROJECT_SOURCE_DIR}/data)

if(SELVAGE_TOOLS)
  set(voxelize $<TARGET_FILE:selvage-voxelize>) # makes its pack
endif()
foreach(example hello frame_loop)
  add_executable(selvage_example_${example} ${PROJECT_SOURCE_DIR}/runtime/examples/${example}.c)
  target_link_libraries(selvage_example_${example} PRIVATE selvage_runtime selvage_flags)
endforeach()
set_source_files_properties(${PROJECT_SOURCE_DIR}/runtime/examples/hello.c PROPERTIES
  COMPILE_OPTIONS -Wno-double-promotion) # a house rule, not the reader's
add_test(NAME examples_run_as_the_documents_show_them
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/examples_run.py
          ${PROJECT_SOURCE_DIR} $<TARGET_FILE:selvage_example_hello> $<TARGET_FILE:selvage_example_frame_loop>
          ${CMAKE_CURRENT_BINARY_DIR}/hello-work ${voxelize})
set_tests_properties(examples_run_as_the_documents_show_them PROPERTIES SKIP_RETURN_CODE 77)

selvage_fuzz(fuzz_scene SOURCES fuzz_scene.c LIBRARIES selvage_runtime selvage_formats
  SEEDS ${PROJECT_SOURCE_DIR}/data/scenes)
