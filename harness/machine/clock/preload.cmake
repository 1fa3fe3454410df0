# The library that replaces the clocks of other programs, and its bytes inside holdfast (shim_bytes.cpp).
# It is C and goes into programs that know nothing of our sanitizers: so it has options of its own, in the place of
# those of the tree, and is optimised always. (-Wpedantic would forbid what dlsym() is for: a function in a void*.)
file(GLOB preload_sources CONFIGURE_DEPENDS harness/machine/clock/preload/*.c)
add_library(holdfast_clock MODULE ${preload_sources})
set_target_properties(
  holdfast_clock
  PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR} C_VISIBILITY_PRESET hidden UNITY_BUILD OFF
             EXPORT_COMPILE_COMMANDS ON
             COMPILE_OPTIONS "-O2;-Wall;-Wextra;-Wshadow;-Wconversion;-Werror" LINK_OPTIONS "")
target_link_libraries(holdfast_clock PRIVATE ${CMAKE_DL_LIBS})

# Each file by itself: the headers of the kernel that they include are full of macros their neighbours need not see.
file(GLOB clock_sources CONFIGURE_DEPENDS harness/machine/clock/*.cpp)
list(FILTER clock_sources EXCLUDE REGEX "_test\\.cpp$")
set_source_files_properties(${clock_sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

set(clock_shim ${CMAKE_BINARY_DIR}/holdfast_clock.so)
set_source_files_properties(
  ${CMAKE_CURRENT_SOURCE_DIR}/harness/machine/clock/shim_bytes.cpp
  PROPERTIES OBJECT_DEPENDS ${clock_shim} COMPILE_DEFINITIONS "HOLDFAST_CLOCK_SHIM=\"${clock_shim}\"")
add_dependencies(room_machine holdfast_clock)
