// Looks for references in the whole repository, and compares the document with the table.
#include "locks/sources/passages.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "locks/catalog.h"

namespace holdfast::passages_test {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Where each is used first.
std::map<std::string, std::string> used_references() {
  const fs::path top = HOLDFAST_SOURCE_DIR;
  std::map<std::string, std::string> used;
  for (const char* folder : {"harness", "locks", "faults", "scenarios", "reports"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top / folder)) {
      const std::string path = entry.path().lexically_relative(top).generic_string();
      if (!entry.is_regular_file() || path.starts_with("locks/sources/") || path == "locks/SOURCES.md") {
        continue;
      }
      for (const std::string& reference : references_in(text_of(entry.path()))) {
        used.emplace(reference, path);
      }
    }
  }
  return used;
}

TEST(Passages, AreThereForEveryReference) {
  for (const auto& [reference, path] : used_references()) {
    EXPECT_NE(find_passage(reference), nullptr)
        << reference << " of " << path << " has no line in passages.cpp";
  }
}

TEST(Passages, AreAllReferredTo) {
  const std::map<std::string, std::string> used = used_references();
  std::set<std::string_view> seen;
  for (const Passage& passage : passages()) {
    EXPECT_TRUE(used.contains(std::string(passage.reference)))
        << passage.reference << " is used nowhere: delete it";
    EXPECT_TRUE(seen.insert(passage.reference).second) << passage.reference;
    EXPECT_FALSE(passage.says.empty());
  }
}

TEST(Passages, StandInTheDocumentAsInTheTable) {
  EXPECT_EQ(text_of(fs::path(HOLDFAST_SOURCE_DIR) / "locks/SOURCES.md"), passages_markdown());
}

TEST(Passages, ASourceIsAPassageOrSaysThatItIsNone) {
  for (const LockEntry& lock : all_locks()) {
    EXPECT_TRUE(!references_in(lock.source).empty() || lock.source.find("beyond") != std::string_view::npos)
        << lock.id << ": " << lock.source;
  }
}

TEST(References, AreFoundWithTheirLines) {
  EXPECT_EQ(references_in("(001:L335), 000:L177-233, 004:L138–285. 12:L3 abc:L4 000:Lx 000:L5-"),
            (std::vector<std::string>{"001:L335", "000:L177–233", "004:L138–285", "000:L5"}));
}

}  // namespace holdfast::passages_test
