// The scanner must take exactly what is JSON: random damage to valid values is judged by nlohmann's parser
// too.
#include "harness/history/read/json_scanner.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "harness/fuzz/numbers.h"
#include "harness/history/read/line_reader.h"
#include "harness/history/read/test_history.h"

namespace holdfast {
namespace json_scanner_test {

// As a LineReader would give it.
std::string with_bound(const std::string& line) {
  return line + "\n" + std::string(bytes_behind_line, '"');
}

bool accepts(const std::string& line) {
  const std::string text = with_bound(line);
  JsonScanner scanner(std::string_view(text).substr(0, line.size()));
  try {
    scanner.skip_blanks();
    scanner.skip_value();
    scanner.skip_blanks();
    return scanner.at_end();
  } catch (const JsonMistake&) {
    return false;
  }
}

std::string text_of(const std::string& line) {
  const std::string bounded = with_bound(line);
  std::string scratch;
  JsonScanner scanner(std::string_view(bounded).substr(0, line.size()));
  return std::string(scanner.text().plain(scratch));
}

std::int64_t integer_of(const std::string& line) {
  const std::string bounded = with_bound(line);
  return JsonScanner(std::string_view(bounded).substr(0, line.size())).integer();
}

TEST(JsonScanner, AgreesWithAnotherParserAboutDamagedValues) {
  const std::vector<std::string> seeds = {
      R"({"a":[1,-2,0.5,-0,10,1.25],"b":{"c":null},"d":[],"e":{}})",
      R"(["plain","esc \" \\ \/ \b \f \n \r \t","\u00e9\ud83d\ude00","é→😀","longer than eight bytes"])",
      R"( [ true , false , null , { "x" : "y" } , 123456789012345678 ] )",
  };
  constexpr std::string_view spices =
      "\"\\{}[],:0123456789-+.tfnu \tab\x01\x7f\x80\xc3\xa9\xe2\xed\xa0\xf0\xff";
  fuzz::Numbers numbers(1);
  for (int round = 0; round < 30000; ++round) {
    std::string line = seeds[numbers.below(seeds.size())];
    for (std::size_t damage = numbers.below(3) + 1; damage > 0; --damage) {
      const std::size_t at = numbers.below(line.size());
      const char spice = spices[numbers.below(spices.size())];
      switch (numbers.below(3)) {
        case 0:
          line[at] = spice;
          break;
        case 1:
          line.insert(at, 1, spice);
          break;
        default:
          line.erase(at, numbers.below(3));
      }
      line += line.empty() ? "1" : "";
    }
    ASSERT_EQ(accepts(line), nlohmann::json::accept(line)) << line;
  }
}

TEST(JsonScanner, TakesExponentsAndDeepNestingWithinBounds) {
  EXPECT_TRUE(accepts("[1e5,1E-5,1.5e+10]"));
  EXPECT_FALSE(accepts("[1e]"));
  EXPECT_TRUE(accepts(std::string(128, '[') + std::string(128, ']')));
  EXPECT_FALSE(accepts(std::string(129, '[') + std::string(129, ']')));
  EXPECT_FALSE(accepts(std::string(1'000'000, '[')));
}

TEST(JsonScanner, UnescapesTexts) {
  EXPECT_EQ(text_of(R"("plain")"), "plain");
  EXPECT_EQ(text_of(R"("")"), "");
  EXPECT_EQ(text_of(R"("a\"b\\c\/d\n\u0041\u00e9\u2192\ud83d\ude00")"), "a\"b\\c/d\nAé→😀");
  EXPECT_EQ(text_of(R"("\u0000")"), std::string(1, '\0'));
}

TEST(JsonScanner, ReadsWholeNumbersOf64Bits) {
  EXPECT_EQ(integer_of("0"), 0);
  EXPECT_EQ(integer_of("-0"), 0);
  EXPECT_EQ(integer_of("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(integer_of("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  for (const char* bad : {"", "-", "x", "01", "1.0", "1e3", "9223372036854775808", "-9223372036854775809",
                          "99999999999999999999", "18446744073709551617"}) {
    EXPECT_THROW(integer_of(bad), JsonMistake) << bad;
  }
}

}  // namespace json_scanner_test
}  // namespace holdfast
