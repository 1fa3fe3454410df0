#include "harness/history/read/read_history.h"

#include <fmt/format.h>

#include <string_view>

#include "harness/history/read/edn_reader.h"
#include "harness/history/read/history_error.h"
#include "harness/history/read/jsonl_reader.h"

namespace holdfast {
namespace {

// The text from its first byte on that is neither blank nor a byte order mark.
std::string_view without_blanks(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) {
    text.remove_prefix(3);
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? "" : text.substr(first);
}

// [{"…: the whole history as one JSON value, which is neither JSON Lines nor EDN.
bool is_json_array(std::string_view beginning) {
  const std::string_view array = without_blanks(beginning);
  if (!array.starts_with('[')) {
    return false;
  }
  const std::string_view object = without_blanks(array.substr(1));
  return object.starts_with('{') && without_blanks(object.substr(1)).starts_with('"');
}

HistorySummary read_in_format(Source& source, HistoryFormat format, const ReadOptions& options,
                              HistoryConsumer& consumer) {
  if (format == HistoryFormat::automatic) {
    format = guess_format(source.beginning(), source.name());
  }
  if (is_json_array(source.beginning())) {
    throw HistoryError(fmt::format(
        "{}:1: expected one JSON object per line, not one array; \"jq -c '.[]'\" turns it into that",
        source.name()));
  }
  return format == HistoryFormat::edn ? read_edn(source, options.key_mode, consumer)
                                      : read_jsonl(source, consumer);
}

}  // namespace

HistoryFormat guess_format(std::string_view beginning, std::string_view name) {
  const std::string_view text = without_blanks(beginning);
  if (text.empty()) {
    const bool edn = name.ends_with(".edn") || name.ends_with(".edn.gz");
    return edn ? HistoryFormat::edn : HistoryFormat::jsonl;
  }
  if (text.front() != '{') {
    return std::string_view("[(#;,").find(text.front()) != std::string_view::npos ? HistoryFormat::edn
                                                                                  : HistoryFormat::jsonl;
  }
  const std::string_view inside = without_blanks(text.substr(1));
  const bool json = inside.empty() || inside.front() == '"' || inside.front() == '}';
  return json ? HistoryFormat::jsonl : HistoryFormat::edn;
}

HistoryResult read_history(const std::string& path, HistoryFormat format, const ReadOptions& options,
                           HistoryConsumer& consumer) {
  try {
    Source source = Source::open(path);
    return read_in_format(source, format, options, consumer);
  } catch (const HistoryError& error) {
    return error.what();
  }
}

HistoryResult read_history(Source& source, HistoryFormat format, const ReadOptions& options,
                           HistoryConsumer& consumer) {
  try {
    return read_in_format(source, format, options, consumer);
  } catch (const HistoryError& error) {
    return error.what();
  }
}

}  // namespace holdfast
