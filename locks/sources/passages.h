// What the documents say that designs and scenarios are taken from, one line a passage.
//
// A reference such as 001:L335, or 004:L138–285, names a document and its lines. The documents are not in the
// repository, so this is what a reader has instead; locks/SOURCES.md is made of it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

struct SourceDocument {
  std::string_view number;
  std::string_view about;
};
std::span<const SourceDocument> source_documents();

struct Passage {
  std::string_view reference;
  std::string_view says;  // in our words
};
// In the order of the documents.
std::span<const Passage> passages();
// nullptr if there is none.
const Passage* find_passage(std::string_view reference);

// The references that stand in a text, in their order. A hyphen between lines is taken for a dash.
std::vector<std::string> references_in(std::string_view text);

// The content of locks/SOURCES.md.
std::string passages_markdown();

}  // namespace holdfast
