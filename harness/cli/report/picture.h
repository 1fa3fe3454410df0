// run --picture: one run as a space–time diagram.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::cli {

// Throws BadInput unless the path ends in .svg or .png and can be written: better before the run than after.
void check_can_draw(const std::string& path);

// `history` is a file of JSON Lines (run --history), `verdicts` what run --json prints.
// Throws BadInput or LiveError with one sentence if it cannot be drawn.
void draw_picture(const std::string& history, std::string_view verdicts, const std::string& path);

}  // namespace holdfast::cli
