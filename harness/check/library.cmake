# holdfast::check, the library that checks histories: it can be used without the rest of holdfast, by
# add_subdirectory() or, after an installation, by find_package(holdfast). Its one header is holdfast/check.h;
# the headers behind it keep their paths. It takes fmt and zlib, and nothing of the simulation.
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)

file(GLOB check_sources CONFIGURE_DEPENDS harness/check/linear/*.cpp harness/history/read/*.cpp
     harness/files/input_file.cpp harness/kernel/require.cpp harness/text/duration_text.cpp
     harness/text/suggest.cpp)
# These make histories, for tests and benchmarks.
list(FILTER check_sources EXCLUDE REGEX "_test\\.cpp$|/(corrupt|generate|long_history|measure)\\.cpp$")

add_library(holdfast_check STATIC ${check_sources})
add_library(holdfast::check ALIAS holdfast_check)
set_target_properties(holdfast_check PROPERTIES EXPORT_NAME check)
target_compile_features(holdfast_check PUBLIC cxx_std_20)
target_include_directories(
  holdfast_check PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>
                        $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/harness/check/include>)
target_link_libraries(holdfast_check PRIVATE fmt::fmt ZLIB::ZLIB)

if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/holdfast)
install(TARGETS holdfast_check EXPORT holdfast
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${CMAKE_INSTALL_INCLUDEDIR}/holdfast)
install(DIRECTORY harness/check/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
file(GLOB check_headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} harness/check/linear/*.h
     harness/history/read/*.h harness/history/call.h harness/history/mode.h harness/kernel/fingerprint.h
     harness/kernel/require.h)
list(FILTER check_headers EXCLUDE REGEX "/(corrupt|generate|long_history|measure|oracle|test_[a-z]+|written_history)\\.h$")
foreach(header ${check_headers})
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/holdfast/${folder})
endforeach()

install(EXPORT holdfast NAMESPACE holdfast:: FILE holdfast-targets.cmake DESTINATION ${package_directory})
file(
  CONFIGURE
  OUTPUT holdfast-config.cmake
  CONTENT
    [[include(CMakeFindDependencyMacro)
find_dependency(fmt)
find_dependency(ZLIB)
include("${CMAKE_CURRENT_LIST_DIR}/holdfast-targets.cmake")
]]
  @ONLY)
write_basic_package_version_file(holdfast-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/holdfast-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/holdfast-config-version.cmake DESTINATION ${package_directory})
