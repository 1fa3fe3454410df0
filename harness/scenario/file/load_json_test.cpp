// JSON with lines: what is kept, where it stood, and each way in which a text is not JSON.
#include "harness/scenario/file/load_json.h"

#include <gtest/gtest.h>

#include "harness/scenario/file/load_error.h"

namespace holdfast {
namespace {

std::string json_sentence_about(std::string_view text) {
  try {
    parse_json(text, "f.json");
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "(no error)";
}

TEST(LoadJson, KeepsValuesInOrderWithTheLineOfEach) {
  const JsonNode root =
      parse_json("{\n \"b\": 1,\n \"a\": [true,\n null,\n 2\n],\n \"c\":\n \"x\\ny\" }", "f.json");
  EXPECT_EQ(root.kind, JsonNode::Kind::object);
  EXPECT_EQ(root.keys, (std::vector<std::string>{"b", "a", "c"}));
  EXPECT_EQ(root.key_lines, (std::vector<std::size_t>{2, 3, 7}));
  EXPECT_EQ(root.line, 1U);
  EXPECT_EQ(root.items[0].integer, 1);
  EXPECT_EQ(root.items[0].line, 2U);
  EXPECT_EQ(root.items[1].kind, JsonNode::Kind::array);
  EXPECT_EQ(root.items[1].line, 3U);
  EXPECT_TRUE(root.items[1].items[0].boolean);
  EXPECT_EQ(root.items[1].items[0].line, 3U);
  EXPECT_EQ(root.items[1].items[1].line, 4U);
  EXPECT_EQ(root.items[1].items[2].line, 5U);  // a number at the end of its line
  EXPECT_EQ(root.items[2].text, "x\ny");
  EXPECT_EQ(root.items[2].line, 8U);
}

// With the square of them in comparisons, this would take minutes.
TEST(LoadJson, TakesManyKeysAndStillSeesTheOneThatStandsTwice) {
  std::string text = "{";
  for (int key = 0; key < 100'000; ++key) {
    text += "\"key-of-some-length-" + std::to_string(key) + "\":1,\n";
  }
  EXPECT_EQ(parse_json(text + "\"last\":{\"key-of-some-length-7\":1}}", "f.json").keys.size(), 100'001U);
  EXPECT_EQ(
      json_sentence_about(text + "\"key-of-some-length-7\":1}"),
      "f.json:100001: the key \"key-of-some-length-7\" stands twice, first in line 8; keep one of them");
}

TEST(LoadJson, KeepsNumbersExactOrAsTheyWereWritten) {
  const JsonNode root =
      parse_json("[9223372036854775807, -9223372036854775808, 9223372036854775808, 1.5, 1e3]", "f.json");
  EXPECT_EQ(root.items[0].integer, INT64_MAX);
  EXPECT_EQ(root.items[1].integer, INT64_MIN);
  EXPECT_EQ(root.items[2].kind, JsonNode::Kind::other_number);
  EXPECT_EQ(root.items[3].text, "1.5");
  EXPECT_EQ(root.items[4].kind, JsonNode::Kind::other_number);
}

TEST(LoadJson, SaysInOneSentenceWhyATextIsNotJson) {
  const std::pair<std::string, std::string> table[] = {
      {"", "f.json: the file is empty"},
      {" \n\t ", "f.json: the file is empty"},
      {"{\"a\": 1,\n \"b\": [1, 2",
       "f.json:2:11: this is not whole JSON: the text ends in the middle of a value"},
      {"{\"a\": \"abc", "f.json:1:10: this is not whole JSON"},
      {"{\n\n  \"a\" 1}", "f.json:3:8: this is not JSON: unexpected number literal; expected ':'"},
      {"{\"a\": 1,}", "f.json:1:9: this is not JSON"},
      {"{\"a\": 1} x", "f.json:1:10: this is not JSON"},
      {"{'a': 1}", "f.json:1:2: this is not JSON: invalid literal; expected string literal"},
      {"\x01\x02\xff garbage", "f.json:1:1: this is not JSON: invalid literal"},
      {"// comment\n{}", "f.json:1:1: this is not JSON"},
      {"{\"a\": \"'; expected \x7f\x06\"}",
       "f.json:1:21: this is not JSON: invalid string: control character U+0006 (ACK) must be escaped to "
       "\\u0006"},
      {"{\"a\": 1 \"; expected \"", "f.json:1:21: this is not JSON: unexpected string literal; expected '}'"},
      {"{\"a\" \"UTF-8, number overflow\"}",
       "f.json:1:29: this is not JSON: unexpected string literal; expected ':'"},
      {"{\"a\": 1,\n\"b\": 2,\n\"a\": 3}", "f.json:3: the key \"a\" stands twice, first in line 1"},
      {"{\n\"a\": \"\xff\"}", "f.json:2:7: this is not JSON: a text has bytes that are not UTF-8"},
      {"{\"a\": 1e999}", "f.json:1:12: this number is out of range"},
      {std::string(100'000, '['), "f.json:1: values are nested more than 16 deep"},
      {"{\"a\": \"tab\tinside\"}", "f.json:1:11: this is not JSON: invalid string"},
  };
  for (const auto& [text, expected] : table) {
    const std::string sentence = json_sentence_about(text);
    EXPECT_EQ(sentence.find(expected), 0U) << sentence << "\n  expected: " << expected;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    EXPECT_LT(sentence.size(), 300U) << sentence;
  }
}

TEST(LoadJson, QuotesAnythingSafely) {
  EXPECT_EQ(in_quotes("plain"), "\"plain\"");
  EXPECT_EQ(in_quotes("line\nend\x1b[31m"), "\"line\\nend\\u001b[31m\"");
  EXPECT_EQ(in_quotes("a\x7f"), "\"a\\u007f\"");
  EXPECT_EQ(in_quotes("\xff"), "\"\xEF\xBF\xBD\"");
  EXPECT_LT(in_quotes(std::string(1000, 'x')).size(), 70U);
  EXPECT_EQ(in_quotes(std::string(59, 'x') + "ü").size(), 2 + 59 + 3U);  // cut before the ü, then "…"
}

}  // namespace
}  // namespace holdfast
