// Runs the fuzz targets over a fixed number of mutations of the repository's own files, from a fixed seed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "harness/fuzz/mutator.h"
#include "harness/fuzz/targets.h"

namespace holdfast::fuzz {
namespace fuzz_test {

#ifdef HOLDFAST_SANITIZED
constexpr int rounds = 2'000;
#else
constexpr int rounds = 20'000;
#endif
constexpr std::size_t most_bytes = 4096;

// The files below `directory` whose names end so, in alphabetical order.
std::vector<std::string> files(const std::string& directory, std::string_view ending) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(HOLDFAST_SOURCE_DIR "/" + directory)) {
    if (entry.path().string().ends_with(ending)) {
      paths.push_back(entry.path());
    }
  }
  std::ranges::sort(paths);
  std::vector<std::string> contents;
  for (const std::filesystem::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    contents.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return contents;
}

void run(void (*target)(std::string_view), const std::vector<std::string>& corpus) {
  ASSERT_FALSE(corpus.empty());
  for (const std::string& file : corpus) {
    ASSERT_NO_THROW(target(file)) << file;
  }
  Mutator mutator(corpus, most_bytes, 1);
  for (int round = 0; round < rounds; ++round) {
    const std::string bytes = mutator.next();
    try {
      target(bytes);
    } catch (const std::exception& error) {
      FAIL() << fmt::format("round {}: {}\n", round, error.what()) << testing::PrintToString(bytes);
    }
  }
}

TEST(Fuzz, JsonLinesOfAnyKind) {
  std::vector<std::string> corpus = files("harness/fuzz/corpus", ".jsonl");
  corpus.push_back(files("harness/history", "example.jsonl").at(0));
  run(try_jsonl, corpus);
}

TEST(Fuzz, EdnOfAnyKind) {
  run(try_edn, files("harness/fuzz/corpus", ".edn"));
}

TEST(Fuzz, ScenariosOfAnyKind) {
  run(try_scenario, files("scenarios", ".json"));
}

TEST(Fuzz, ARefusalMustBeOneSentence) {
  EXPECT_NO_THROW(require_one_sentence("file:1: expected é", "file"));
  EXPECT_THROW(require_one_sentence("file:1: two\nlines", "file"), Broken);
  EXPECT_THROW(require_one_sentence("other:1: expected x", "file"), Broken);
  EXPECT_THROW(require_one_sentence("file: \xff", "file"), Broken);
}

}  // namespace fuzz_test
}  // namespace holdfast::fuzz
