# SPDX-License-Identifier: MIT
# What other projects get: headers, the static library, a CMake package, a pkg-config file.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/kparse)
install(TARGETS kparse EXPORT kparseTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT kparseTargets NAMESPACE kparse:: DESTINATION ${package_dir})
install(TARGETS kparse_tls EXPORT kparseTlsTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT kparseTlsTargets NAMESPACE kparse:: DESTINATION ${package_dir})
configure_package_config_file(package/kparseConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/kparseConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/kparseConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/kparseConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/kparseConfigVersion.cmake DESTINATION ${package_dir})

install(DIRECTORY include/kparse DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

# A prefix given to `cmake --install` counts, so the file is written then.
install(CODE "
  set(PROJECT_VERSION \"${PROJECT_VERSION}\")
  set(libdir \"${CMAKE_INSTALL_LIBDIR}\")
  set(includedir \"${CMAKE_INSTALL_INCLUDEDIR}\")
  foreach(name libdir includedir)
    string(TOUPPER \${name} NAME)
    if(IS_ABSOLUTE \"\${\${name}}\")
      set(KPARSE_PC_\${NAME} \"\${\${name}}\")
    else()
      set(KPARSE_PC_\${NAME} \"\\\${prefix}/\${\${name}}\")
    endif()
  endforeach()
  foreach(pc kparse kparse-tls)
    configure_file(\"${CMAKE_CURRENT_SOURCE_DIR}/package/\${pc}.pc.in\" \"${CMAKE_CURRENT_BINARY_DIR}/\${pc}.pc\" @ONLY)
    file(INSTALL \"${CMAKE_CURRENT_BINARY_DIR}/\${pc}.pc\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig\")
  endforeach()
")
