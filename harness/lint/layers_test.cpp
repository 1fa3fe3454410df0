// The table itself, and that it has no exception which nothing needs any more.
#include "harness/lint/layers.h"

#include <gtest/gtest.h>

#include <set>

#include "harness/lint/tree.h"

namespace holdfast::lint::layers_test {

const std::vector<SourceFile>& repository() {
  static const std::vector<SourceFile> files = read_tree(HOLDFAST_SOURCE_DIR);
  return files;
}

bool is_needed(const Exception& exception) {
  for (const SourceFile& file : repository()) {
    const Layer* const from = layer_of(file.path);
    if (from == nullptr || from->place != exception.from || file.path.ends_with("_test.cpp")) {
      continue;
    }
    for (const std::string& line : file.lines) {
      const std::string start = "#include \"";
      const Layer* const to = line.starts_with(start)
                                  ? layer_of(line.substr(start.size(), line.rfind('"') - start.size()))
                                  : nullptr;
      if (to != nullptr && to->place == exception.to) {
        return true;
      }
    }
  }
  return false;
}

TEST(Layers, HaveEachPlaceOnce) {
  std::set<std::string_view> seen;
  for (const Layer& layer : layers()) {
    EXPECT_TRUE(seen.insert(layer.place).second) << layer.place;
    EXPECT_FALSE(layer.about.empty()) << layer.place;
  }
}

TEST(Layers, AreFoundByTheLongestPlaceThatFits) {
  EXPECT_EQ(layer_of("harness/stores/redis/model/server.cpp")->place, "harness/stores/redis/model");
  EXPECT_EQ(layer_of("harness/stores/redis/store.cpp")->place, "harness/stores/redis/store.cpp");
  EXPECT_EQ(layer_of("harness/stores/redis/node.h")->place, "harness/stores/redis");
  EXPECT_EQ(layer_of("harness/kernel_of_another/x.h"), nullptr);
}

TEST(Layers, HaveNoExceptionThatNothingNeeds) {
  for (const Exception& exception : layer_exceptions()) {
    EXPECT_TRUE(is_needed(exception))
        << "delete the exception of " << exception.from << " for " << exception.to;
    EXPECT_FALSE(exception.until.empty());
  }
}

}  // namespace holdfast::lint::layers_test
