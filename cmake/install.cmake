# SPDX-License-Identifier: MIT
# What `cmake --install` puts down: the libraries with their headers, a CMake package and a pkg-config file, the
# programs that were built with their man pages, and the scenes where they were made (--target selvage_scenes).
include(CMakePackageConfigHelpers)

install(TARGETS selvage_shared selvage_archive selvage_formats_archive EXPORT selvageTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY runtime/include/selvage formats/include/selvage ${PROJECT_BINARY_DIR}/include/selvage
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/selvage)
set(PROGRAM_FOLDER ${CMAKE_INSTALL_BINDIR})
install(EXPORT selvageTargets NAMESPACE selvage:: DESTINATION ${package_folder})
configure_package_config_file(cmake/selvageConfig.cmake.in ${PROJECT_BINARY_DIR}/selvageConfig.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS PROGRAM_FOLDER)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/selvageConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/selvageConfig.cmake ${PROJECT_BINARY_DIR}/selvageConfigVersion.cmake
  cmake/SelvageBake.cmake DESTINATION ${package_folder})

file(RELATIVE_PATH PREFIX_FROM_PKGCONFIG /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/selvage.pc.in ${PROJECT_BINARY_DIR}/selvage.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/selvage.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

foreach(program voxelize colorize bake-collider inspect play bench)
  if(TARGET selvage-${program})
    install(TARGETS selvage-${program})
  endif()
endforeach()
if(SELVAGE_TOOLS)
  install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
endif()
install(DIRECTORY ${PROJECT_BINARY_DIR}/data/scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/selvage/scenes
  OPTIONAL FILES_MATCHING PATTERN "*.json" PATTERN "*.slv")
