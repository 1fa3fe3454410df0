// Every kind of form is read and written back in its one canonical text.
#include "harness/history/read/edn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "harness/history/read/history_error.h"
#include "harness/history/read/test_history.h"

namespace holdfast {
namespace edn_test {

// All forms of a text, in canonical form, or the sentence that refuses it.
std::string forms(std::string_view text) {
  Source source = Source::from_text(text, "f.edn");
  try {
    EdnScanner scanner(source);
    std::string result;
    EdnValue value;
    while (scanner.next() != EdnScanner::end) {
      scanner.read(value);
      result += (result.empty() ? "" : " | ") + to_text(value);
    }
    return result;
  } catch (const HistoryError& error) {
    return error.what();
  }
}

// Whether skipping takes and refuses the same as reading.
std::string skipped(std::string_view text) {
  Source source = Source::from_text(text, "f.edn");
  try {
    EdnScanner scanner(source);
    while (scanner.next() != EdnScanner::end) {
      scanner.skip();
    }
    return "";
  } catch (const HistoryError& error) {
    return error.what();
  }
}

TEST(Edn, ReadsEveryKindOfForm) {
  EXPECT_EQ(forms("nil true false"), "nil | true | false");
  EXPECT_EQ(forms("0 -12 +7 12N -5N"), "0 | -12 | 7 | 12 | -5");
  EXPECT_EQ(forms("1.5 -1e10 2.5M 3M 1/3 1. 99999999999999999999 ##Inf ##NaN"),
            "1.5 | -1e10 | 2.5 | 3 | 1/3 | 1. | 99999999999999999999 | ##Inf | ##NaN");
  EXPECT_EQ(forms("9223372036854775807 -9223372036854775808 9223372036854775808N"),
            "9223372036854775807 | -9223372036854775808 | 9223372036854775808");
  EXPECT_EQ(forms(R"("a\tb\"c\\ \u00e9 \ud83d\ude00 \101" "")"), "\"a\tb\"c\\ é 😀 A\" | \"\"");
  EXPECT_EQ(forms("\\a \\newline \\( \\; \\é \\u00e9 \\space"),
            "\\a | \\newline | \\( | \\; | \\é | \\u00e9 | \\space");
  EXPECT_EQ(forms(":a :a/b :a-b? foo foo/bar - + -a .x é"),
            ":a | :a/b | :a-b? | foo | foo/bar | - | + | -a | .x | é");
  EXPECT_EQ(forms("[1 [2] ()] (a b) {:b 1, :a 2} #{3 1 2} {}"),
            "[1 [2] ()] | (a b) | {:a 2 :b 1} | #{1 2 3} | {}");
}

TEST(Edn, TagsCommentsAndDiscardsAreUnderstood) {
  EXPECT_EQ(forms("#inst \"2020\" #a.b/c{:x 1} #x #y [1]"), "#inst \"2020\" | #a.b/c {:x 1} | #y [1]");
  EXPECT_EQ(forms("1 ; to the end ] \n 2 ;;"), "1 | 2");
  EXPECT_EQ(forms("[1 #_2 #_ [a {b c}] 3 #_x] #_ #_ a b 4 #_c"), "[1 3] | 4");
  EXPECT_EQ(forms("1,,,2\t3\r\n4\f5"), "1 | 2 | 3 | 4 | 5");
  EXPECT_EQ(forms("[1[2]3]"), "[1 [2] 3]");
}

TEST(Edn, FindsTheValueOfAKeyword) {
  Source source = Source::from_text("{:a 1 \"b\" 2 :b 3}", "f.edn");
  EdnScanner scanner(source);
  EdnValue value;
  scanner.read(value);
  ASSERT_NE(value.find("b"), nullptr);
  EXPECT_EQ(value.find("b")->integer, 3);
  EXPECT_EQ(value.find("c"), nullptr);
  EXPECT_EQ(value.items[0].find("a"), nullptr);
}

TEST(Edn, SaysInOneSentenceWhatIsWrongAndWhere) {
  const std::string cut = ", but the file ends here; it was cut, so make or copy it again";
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"[1 2", "f.edn:1:5: expected a form or ]" + cut},
      {"\n\n [1 }", "f.edn:3:5: expected a form or ]"},
      {"]", "f.edn:1:1: expected a form, not \"]\""},
      {"@a", "f.edn:1:1: expected a form, not \"@\""},
      {"{:a }", "f.edn:1:5: expected a value for the last key of the map"},
      {"\"abc", "f.edn:1:5: expected the quote that ends a text" + cut},
      {"\"a\nb\\q\"", "f.edn:2:3: expected one of t r n \\ \" b f u or an octal number behind a backslash"},
      {"\"\\u12\"", "f.edn:1:6: expected four hexadecimal digits"},
      {"12x ", "f.edn:1:4: expected a number before this, not \"12x\""},
      {"1.2.3 ", "f.edn:1:6: expected a number before this, not \"1.2.3\""},
      {"1/ ", "f.edn:1:3: expected a number before this, not \"1/\""},
      {"1.5N ", "f.edn:1:5: expected a number before this, not \"1.5N\""},
      {": a", "f.edn:1:2: expected a name behind the colon before this"},
      {"::a b", "f.edn:1:4: expected a name behind the colon before this"},
      {"\\ a", "f.edn:1:2: expected a character behind the backslash"},
      {"\\nope ", "f.edn:1:6: expected a character before this, not \\nope"},
      {"#", "f.edn:1:2: expected a form" + cut},
      {"#_", "f.edn:1:3: expected a form" + cut},
      {"#tag", "f.edn:1:5: expected a form" + cut},
      {"\xff ", "f.edn:1:2: expected UTF-8 in the word that ends here"},
      {"\"\xc3\" ", "f.edn:1:3: expected UTF-8 in the text that ends here"},
  };
  for (const auto& [text, sentence] : mistakes) {
    EXPECT_EQ(forms(text), sentence) << text;
    EXPECT_EQ(skipped(text), sentence) << text;
  }
}

TEST(Edn, NestingIsBounded) {
  const auto nested = [](std::string_view open, std::string_view close, int depth) {
    std::string text;
    for (int level = 0; level < depth; ++level) {
      text += open;
    }
    text += "1";
    for (int level = 0; level < depth; ++level) {
      text += close;
    }
    return text;
  };
  EXPECT_EQ(skipped(nested("[", "]", 128)), "");
  for (const char* open : {"[", "(", "{", "#{", "#_", "#_ ", "#a ", "[#_"}) {
    EXPECT_THAT(forms(nested(open, "", 100000)), testing::HasSubstr("at most 128 levels of nesting")) << open;
    EXPECT_THAT(skipped(nested(open, "", 100000)), testing::HasSubstr("at most 128 levels")) << open;
  }
}

TEST(Edn, FormsMayLieAcrossBlocks) {
  const std::string blank(65536 - 3, ' ');
  for (std::size_t shift = 0; shift < 12; ++shift) {
    EXPECT_EQ(forms(blank.substr(shift) + "#_x #{12 :abc} \"d\\ne\" ; c\n#t f"),
              "#{12 :abc} | \"d\ne\" | #t f")
        << shift;
  }
}

}  // namespace edn_test
}  // namespace holdfast
