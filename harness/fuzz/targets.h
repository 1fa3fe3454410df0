// What is fuzzed: each target takes any bytes at all and throws Broken if a promise is not kept.
//
// The targets run in two ways. The tests feed them mutations of the repository's own files, a fixed number
// from a fixed seed (fuzz_test.cpp). With -DHOLDFAST_FUZZ=ON, CMake builds a libFuzzer program of each, which
// finds its own way (.ci/tests/fuzz.sh).
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace holdfast::fuzz {

class Broken final : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

void try_jsonl(std::string_view bytes);
void try_edn(std::string_view bytes);
void try_scenario(std::string_view bytes);

// Whatever the bytes, a refusal is one line of printable UTF-8 that begins with the file's name.
void require_one_sentence(std::string_view sentence, std::string_view file);

}  // namespace holdfast::fuzz
