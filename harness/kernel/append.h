// append(row, value): push_back for rows that a run fills again and again, and that hardly ever grow.
//
// They keep their memory from run to run, yet what would grow them is inlined beside each push_back, and a
// function that may have to grow something saves six registers whenever it is called. Here it stands apart.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

namespace holdfast {

template <typename T>
[[gnu::cold, gnu::noinline]] T& append_growing(std::vector<T>& row, T value) {
  return row.emplace_back(std::move(value));
}

template <typename T>
inline T& append(std::vector<T>& row, std::type_identity_t<T> value) {
  if (row.size() == row.capacity()) [[unlikely]] {
    return append_growing(row, std::move(value));
  }
  return row.emplace_back(std::move(value));
}

}  // namespace holdfast
