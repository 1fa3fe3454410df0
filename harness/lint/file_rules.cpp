// The rule that files which people name are read and written through one door: harness/files.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "harness/lint/rules.h"

namespace holdfast::lint {
namespace {

// Streams and functions that open or replace a file, and the flags of open() that make it one to be written.
bool opens_a_file(std::string_view word) {
  constexpr std::array words{"ofstream", "ifstream", "fstream", "filebuf", "basic_ofstream", "basic_ifstream",
                             "fopen",    "freopen",  "fopen64", "mkstemp", "mkostemp",       "mkstemps",
                             "mkdtemp",  "tmpfile",  "tmpnam",  "tempnam", "O_CREAT",        "O_TMPFILE",
                             "O_TRUNC",  "O_WRONLY", "creat"};
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

Findings find_file_opening(const SourceFile& file, const SourceFile&) {
  const Tokens tokens(file);
  Findings findings;
  for (std::size_t index = 0; index < tokens.size(); ++index) {
    const bool of_filesystem = tokens.qualifier(index) == "filesystem" || tokens.qualifier(index) == "fs";
    const bool renames = tokens.is(index, "rename") && (tokens.is_free_call(index) || of_filesystem);
    if (tokens.is_word(index) && (opens_a_file(tokens[index].text) || renames)) {
      findings.push_back({tokens[index].line, std::string(tokens[index].text)});
    }
  }
  return findings;
}

}  // namespace holdfast::lint
