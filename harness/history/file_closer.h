// For a std::unique_ptr that closes its file.
#pragma once

#include <cstdio>

namespace holdfast {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace holdfast
