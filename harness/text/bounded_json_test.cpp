// How: texts at the bound and one beyond it; and sizes at which work that grows with the square would be
// noticed.
#include "harness/text/bounded_json.h"

#include <gtest/gtest.h>

#include <string>

namespace holdfast {
namespace bounded_json_test {

using OrderedJson = nlohmann::ordered_json;

std::string object_with(std::size_t keys) {
  std::string text = "{";
  for (std::size_t key = 0; key < keys; ++key) {
    text += (key == 0 ? "\"" : ",\"") + std::to_string(key) + "\":1";
  }
  return text + "}";
}

std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(BoundedJson, IsReadAsItStands) {
  const auto json = parse_bounded_json<OrderedJson>(R"({"b": [1, {"c": null}], "a": "text"})");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->dump(), R"({"b":[1,{"c":null}],"a":"text"})");
}

TEST(BoundedJson, HasABoundOfKeysForEachObjectNotForAll) {
  const std::string full = object_with(most_json_keys);
  EXPECT_TRUE(parse_bounded_json<OrderedJson>(full));
  EXPECT_TRUE(parse_bounded_json<OrderedJson>("[" + full + "," + full + "]"));
  EXPECT_FALSE(parse_bounded_json<OrderedJson>(object_with(most_json_keys + 1)));
  EXPECT_FALSE(parse_bounded_json<OrderedJson>("[{}," + object_with(1'000'000) + "]"));
}

TEST(BoundedJson, AnArrayOfManyObjectsTakesNoLongerThanItIs) {
  std::string text = "[{}";
  for (int more = 0; more < 300'000; ++more) {
    text += ",{}";
  }
  const auto json = parse_bounded_json<OrderedJson>(text + "]");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->size(), 300'001U);
}

TEST(BoundedJson, WhatStandsInStringsDoesNotCount) {
  const std::string inside = std::string(5000, '[') + std::string(5000, ':') + "\\\"\\\\";
  EXPECT_TRUE(parse_bounded_json<OrderedJson>("{\"" + inside + "\": \"" + inside + "\"}"));
  EXPECT_FALSE(parse_bounded_json<OrderedJson>("[\"" + inside + "\"," + std::string(1'000'000, '[')));
}

TEST(BoundedJson, HasABoundOfDepth) {
  EXPECT_TRUE(parse_bounded_json<OrderedJson>(nested(deepest_json)));
  EXPECT_FALSE(parse_bounded_json<OrderedJson>(nested(deepest_json + 1)));
  EXPECT_FALSE(parse_bounded_json<OrderedJson>(std::string(1'000'000, '[')));
}

TEST(BoundedJson, RefusesWhatIsNoJson) {
  for (const char* text : {"", "{", "nonsense", "{\"a\":1,}", "[1e999]"}) {
    EXPECT_FALSE(parse_bounded_json<OrderedJson>(text)) << text;
  }
}

}  // namespace bounded_json_test
}  // namespace holdfast
