#include "harness/cli/terminal/table.h"

#include <algorithm>
#include <sstream>

#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t gap = 2;                // columns between two columns
constexpr std::size_t least_last_width = 30;  // narrower, it is hard to read
constexpr std::size_t indent_below = 4;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

// The last cell stays as it is: what follows it need not be aligned.
std::string joined(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t column = 0; column < cells.size(); ++column) {
    const bool last = column + 1 == cells.size();
    line += last ? cells[column] : padded_right(cells[column], widths[column] + gap);
  }
  return without_trailing_spaces(std::move(line));
}

// The row on as many lines as it takes to keep within `width`.
std::string fitted(std::vector<std::string> cells, const std::vector<std::size_t>& widths,
                   std::size_t width) {
  std::size_t before_last = 0;
  for (std::size_t column = 0; column + 1 < widths.size(); ++column) {
    before_last += widths[column] + gap;
  }
  const std::string last = cells.back();
  if (before_last + display_width(last) <= width) {
    return joined(cells, widths) + "\n";
  }
  const bool below = before_last + least_last_width > width;
  const std::size_t indent = below ? indent_below : before_last;
  std::string result;
  cells.back().clear();
  for (const std::string& part : wrapped(last, std::max(width, indent + least_last_width) - indent, 10)) {
    if (result.empty() && !below) {
      cells.back() = part;
      result = joined(cells, widths) + "\n";
      continue;
    }
    result += (result.empty() ? joined(cells, widths) + "\n" : "") + std::string(indent, ' ') + part + "\n";
  }
  return result;
}

}  // namespace

std::vector<std::size_t> Table::column_widths() const {
  std::vector<std::size_t> widths(titles_.size(), 0);
  for (std::size_t column = 0; column < titles_.size(); ++column) {
    for (const std::string& line : lines_of(titles_[column])) {
      widths[column] = std::max(widths[column], display_width(line));
    }
  }
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size() && !is_heading(row); ++column) {
      widths[column] = std::max(widths[column], display_width(row[column]));
    }
  }
  return widths;
}

std::string Table::text(const Terminal& terminal) const {
  const std::vector<std::size_t> widths = column_widths();
  std::size_t title_lines = 1;
  for (const std::string& title : titles_) {
    title_lines = std::max(title_lines, lines_of(title).size());
  }
  std::string result;
  for (std::size_t line = 0; line < title_lines; ++line) {
    std::vector<std::string> cells;
    for (const std::string& title : titles_) {
      const std::vector<std::string> lines = lines_of(title);
      const std::size_t skipped = title_lines - lines.size();  // titles stand on the bottom line
      cells.push_back(line >= skipped ? lines[line - skipped] : "");
    }
    result += painted(joined(cells, widths), Color::bold, terminal.color) + "\n";
  }
  for (const auto& row : rows_) {
    if (is_heading(row)) {
      result += painted(row.front(), Color::faint, terminal.color) + "\n";
    } else {
      result += terminal.interactive ? fitted(row, widths, terminal.width) : joined(row, widths) + "\n";
    }
  }
  return result;
}

}  // namespace holdfast::cli
