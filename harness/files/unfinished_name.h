// The name of a file that is not whole yet: a signal that ends us (INT, TERM, HUP, QUIT) removes what stands
// there.
//
// Only a signal that we were started to die of is caught, and it still ends us, as that signal. May be used
// by several threads.
#pragma once

#include <cstddef>
#include <string>

namespace holdfast {

class UnfinishedName {
 public:
  // To be made before the file is. So the name must be one that nobody else has: see random_name().
  explicit UnfinishedName(std::string path);
  UnfinishedName(const UnfinishedName&) = delete;
  UnfinishedName& operator=(const UnfinishedName&) = delete;
  // Removes the file, unless keep() was called.
  ~UnfinishedName();

  const std::string& path() const { return path_; }
  // The file is whole, and stands under another name.
  void keep() { is_kept_ = true; }

 private:
  std::string path_;
  bool is_kept_ = false;
  std::size_t slot_;
};

}  // namespace holdfast
