# reports/ as one archive, and its bytes inside holdfast (report_archive.cpp), so that an installed program has them.
file(GLOB report_files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/reports CONFIGURE_DEPENDS
     reports/__main__.py reports/holdfast_report/*.py reports/holdfast_report/templates/*)
list(TRANSFORM report_files PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/reports/ OUTPUT_VARIABLE report_paths)
set(report_archive ${CMAKE_BINARY_DIR}/holdfast_reports.zip)
add_custom_command(
  OUTPUT ${report_archive}
  COMMAND ${CMAKE_COMMAND} -E tar cf ${report_archive} --format=zip "--mtime=2000-01-01 UTC" -- ${report_files}
  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/reports
  DEPENDS ${report_paths}
  COMMENT "Packing the reports"
  VERBATIM)
add_custom_target(holdfast_reports DEPENDS ${report_archive})
set_source_files_properties(
  ${CMAKE_CURRENT_SOURCE_DIR}/harness/cli/report/report_archive.cpp
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON OBJECT_DEPENDS ${report_archive}
             COMPILE_DEFINITIONS "HOLDFAST_REPORT_ARCHIVE=\"${report_archive}\"")
add_dependencies(room_cli holdfast_reports)
