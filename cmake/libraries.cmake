# SPDX-License-Identifier: MIT
# The libraries of other projects: selvage::selvage (shared), selvage::static and selvage::formats. The same names
# come from find_package, add_subdirectory and FetchContent. None of them carries our warnings or include folders:
# inside the tree selvage_runtime and selvage_formats do.

# The headers of formats/ as <selvage/formats/…>.
set(public_headers ${PROJECT_BINARY_DIR}/include)
file(GLOB header_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/formats/*.h ${PROJECT_SOURCE_DIR}/kernels/*.h)
add_custom_command(OUTPUT ${public_headers}/stamp
  COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DOUTPUT=${public_headers}
    -P ${PROJECT_SOURCE_DIR}/cmake/gather_headers.cmake
  DEPENDS ${header_sources} cmake/gather_headers.cmake VERBATIM)
add_custom_target(selvage_format_headers ALL DEPENDS ${public_headers}/stamp)

# Each archive is self-contained: libselvage.a includes the objects of formats/ that it needs.
add_library(selvage_archive STATIC $<TARGET_OBJECTS:selvage_objects> $<TARGET_OBJECTS:selvage_formats>)
add_library(selvage_formats_archive STATIC $<TARGET_OBJECTS:selvage_formats>)
add_dependencies(selvage_formats_archive selvage_format_headers)
foreach(library selvage_archive selvage_formats_archive)
  set_target_properties(${library} PROPERTIES LINKER_LANGUAGE C
    ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/archive)
  target_link_libraries(${library} INTERFACE $<BUILD_INTERFACE:selvage_zstd> $<INSTALL_INTERFACE:zstd> m)
endforeach()
target_link_libraries(selvage_archive INTERFACE -pthread ${CMAKE_DL_LIBS})
if(SELVAGE_SANITIZE)
  target_link_options(selvage_archive INTERFACE -fsanitize=${SELVAGE_SANITIZE})
  target_link_options(selvage_formats_archive INTERFACE -fsanitize=${SELVAGE_SANITIZE})
endif()
set_target_properties(selvage_shared PROPERTIES EXPORT_NAME selvage)
set_target_properties(selvage_archive PROPERTIES OUTPUT_NAME selvage EXPORT_NAME static)
set_target_properties(selvage_formats_archive PROPERTIES OUTPUT_NAME selvage-formats EXPORT_NAME formats)

foreach(library selvage_shared selvage_archive selvage_formats_archive)
  target_include_directories(${library} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/formats/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  get_target_property(name ${library} EXPORT_NAME)
  add_library(selvage::${name} ALIAS ${library})
endforeach()
foreach(library selvage_shared selvage_archive)
  target_include_directories(${library} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/runtime/include>)
endforeach()
target_include_directories(selvage_formats_archive INTERFACE $<BUILD_INTERFACE:${public_headers}>)
