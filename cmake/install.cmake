# What `cmake --install` puts down for programs that use the library: header, both libraries, a CMake package
# and a pkg-config file; and the scenes, where they were made (--target scenes). Programs and man pages install
# themselves.
include(CMakePackageConfigHelpers)

install(TARGETS selvage_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY runtime/include/selvage formats/include/selvage DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# The archive stands alone: what the library needs of formats/ is in it.
add_library(selvage_archive STATIC $<TARGET_OBJECTS:selvage_objects> $<TARGET_OBJECTS:selvage_formats>)
set_target_properties(selvage_archive PROPERTIES OUTPUT_NAME selvage LINKER_LANGUAGE C
  ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/archive)
install(TARGETS selvage_archive ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/selvage)
set(LIBRARY_FOLDER ${CMAKE_INSTALL_LIBDIR})
set(HEADER_FOLDER ${CMAKE_INSTALL_INCLUDEDIR})
set(PROGRAM_FOLDER ${CMAKE_INSTALL_BINDIR})
configure_package_config_file(cmake/selvageConfig.cmake.in ${PROJECT_BINARY_DIR}/selvageConfig.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS LIBRARY_FOLDER HEADER_FOLDER PROGRAM_FOLDER)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/selvageConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/selvageConfig.cmake ${PROJECT_BINARY_DIR}/selvageConfigVersion.cmake
  cmake/SelvageBake.cmake DESTINATION ${package_folder})

file(RELATIVE_PATH PREFIX_FROM_PKGCONFIG /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/selvage.pc.in ${PROJECT_BINARY_DIR}/selvage.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/selvage.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY ${PROJECT_BINARY_DIR}/data/scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/selvage/scenes
  OPTIONAL FILES_MATCHING PATTERN "*.json" PATTERN "*.slv")
