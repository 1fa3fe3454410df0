// The bytes of a history file, in blocks: a file, a gzip file, standard input or a text in memory.
//
// gzip is known by its first two bytes, not by its name, and unpacked on the way. A source is read once, from
// front to back, and keeps one block in memory however long the file is. All failures are HistoryErrors.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace holdfast {

// Where bytes come from. Returns how many were stored at the front of `room`; none: the end.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;
  virtual std::size_t read(std::span<char> room) = 0;
};

class Source {
 public:
  // "-" is standard input.
  static Source open(const std::string& path);
  // `text` must outlive the source; `name` is what sentences call it.
  static Source from_text(std::string_view text, std::string name);
  static Source from_bytes(std::unique_ptr<ByteSource> bytes, std::string name);

  // Returns how many bytes were stored at the front of `room`; none: the end.
  std::size_t read(std::span<char> room);
  // The first few kilobytes, unpacked, for guessing the format. Only before the first read().
  std::string_view beginning() const { return beginning_; }
  const std::string& name() const { return name_; }

 private:
  Source(std::unique_ptr<ByteSource> bytes, std::string name);

  std::unique_ptr<ByteSource> bytes_;
  std::string name_;
  std::string beginning_;  // read ahead, not yet handed out
  std::size_t handed_out_ = 0;
};

}  // namespace holdfast
