// A temporary file without a name, which is gone with us however we end: nobody can find it, or leave it
// behind.
#pragma once

#include <string>
#include <string_view>

namespace holdfast {

class NamelessFile {
 public:
  // In temporary_place(). Throws FileError with one sentence.
  NamelessFile();
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;
  ~NamelessFile();

  // Behind what was written before. Throws FileError with one sentence.
  void write(std::string_view text);
  // Under which we can open it to read it from its beginning, and nobody else.
  std::string path() const;

 private:
  int file_ = -1;
};

}  // namespace holdfast
