# The libFuzzer programs: one per target, of the sources that the targets reach and no others, so that they
# are built in seconds. The sanitizers are part of it: most mistakes in a parser do not crash by themselves.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "HOLDFAST_FUZZ needs clang: add -DCMAKE_CXX_COMPILER=clang++-19.")
endif()

# (The faults act on the kernel, so it has to be there, though nobody runs it.)
file(GLOB fuzzed_sources CONFIGURE_DEPENDS harness/history/read/*.cpp harness/scenario/file/load*.cpp faults/*.cpp
     harness/kernel/*.cpp)
list(FILTER fuzzed_sources EXCLUDE REGEX "_test\\.cpp$|faults/driver\\.cpp$|faults/injector\\.cpp$")
list(APPEND fuzzed_sources harness/text/suggest.cpp harness/check/letter.cpp harness/check/catalog.cpp harness/env/steps.cpp
     harness/fuzz/one_sentence.cpp harness/fuzz/history_target.cpp harness/files/input_file.cpp
     harness/fuzz/stand_in/stores.cpp harness/scenario/option.cpp harness/stores/registry.cpp
     harness/stores/servers.cpp harness/stores/store.cpp harness/text/duration_text.cpp)

add_compile_options(-w) # warnings are the ordinary build's business, and GCC's
add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
add_link_options(-fsanitize=address,undefined)
add_library(fuzzed STATIC ${fuzzed_sources})
target_include_directories(fuzzed PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_options(fuzzed PUBLIC -fsanitize=fuzzer-no-link)
target_compile_definitions(fuzzed PUBLIC HOLDFAST_LIBFUZZER HOLDFAST_SANITIZED)
target_link_libraries(fuzzed PUBLIC fmt::fmt nlohmann_json::nlohmann_json Boost::headers ZLIB::ZLIB)

foreach(target jsonl edn scenario)
  add_executable(${target}_fuzz harness/fuzz/${target}_fuzz.cpp)
  target_link_libraries(${target}_fuzz PRIVATE fuzzed)
  target_link_options(${target}_fuzz PRIVATE -fsanitize=fuzzer)
endforeach()
