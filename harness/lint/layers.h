// Which folder may include which: the order of the house, one line a folder.
//
// A file may include files of its own folder and of the folders above it in the table, so includes point one
// way. A row may also name a single file, which then stands in its own place: the file that puts a store
// together knows the parts below it, and the parts do not know the file. Tests (x_test.cpp, test_x.h) may
// look anywhere.
#pragma once

#include <span>
#include <string_view>

namespace holdfast::lint {

struct Layer {
  std::string_view place;  // a folder or a file below the top of the repository
  std::string_view about;
};
// From the bottom to the top.
std::span<const Layer> layers();

// A store's folders, which only the store itself, its locks and the registry know. Everybody else sees
// store.h.
struct Closed {
  std::string_view place;
  std::string_view user;  // besides itself
};
std::span<const Closed> closed_places();

// An include that the table forbids and that is there today, to be removed.
struct Exception {
  std::string_view from;  // a place of the table
  std::string_view to;
  std::string_view until;  // what must happen first
};
std::span<const Exception> layer_exceptions();

// The row that a file or folder belongs to: the longest that fits. nullptr if there is none.
const Layer* layer_of(std::string_view path);

}  // namespace holdfast::lint
