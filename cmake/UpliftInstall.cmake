# Installs the libraries, their headers and the package files for find_package(uplift).
include(CMakePackageConfigHelpers)
get_property(stages GLOBAL PROPERTY UPLIFT_STAGES)
install(TARGETS ${stages} uplift EXPORT upliftTargets)
install(DIRECTORY uplift TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp")
install(EXPORT upliftTargets NAMESPACE uplift:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/uplift)
configure_package_config_file(cmake/upliftConfig.cmake.in
  ${PROJECT_BINARY_DIR}/upliftConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/uplift)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/upliftConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/upliftConfig.cmake ${PROJECT_BINARY_DIR}/upliftConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/uplift)
install(FILES LICENSE THIRD_PARTY.md TYPE DOC)
if(TARGET uplift_cli)
  install(TARGETS uplift_cli)
endif()
