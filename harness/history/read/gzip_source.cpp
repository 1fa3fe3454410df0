#include "harness/history/read/gzip_source.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "harness/history/read/history_error.h"

namespace holdfast {
namespace {

constexpr std::size_t packed_block_bytes = std::size_t{1} << 17U;
// A few kilobytes can unpack to more than anybody reads in a day; no history is packed so well.
constexpr std::uint64_t most_unpacked_without_question = 100'000'000;
constexpr std::uint64_t most_times_its_size = 500;
constexpr int largest_window_with_gzip_header = 15 + 16;  // as zlib's manual asks for it

class GzipSource final : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> packed, std::string name)
      : packed_(std::move(packed)), name_(std::move(name)), block_(packed_block_bytes) {
    if (inflateInit2(&stream_, largest_window_with_gzip_header) != Z_OK) {
      throw HistoryError(fmt::format("{}: there is no memory to unpack it; free some and try again", name_));
    }
  }
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(std::span<char> room) override {
    if (room.empty()) {
      return 0;
    }
    const std::size_t wanted = std::min<std::size_t>(room.size(), std::numeric_limits<uInt>::max());
    stream_.next_out = reinterpret_cast<Bytef*>(room.data());
    stream_.avail_out = static_cast<uInt>(wanted);
    while (stream_.avail_out == wanted && open_next_member()) {
      inflate_some();
    }
    const std::size_t unpacked = wanted - stream_.avail_out;
    refuse_bomb(unpacked);
    return unpacked;
  }

 private:
  void refuse_bomb(std::size_t unpacked) {
    unpacked_bytes_ += unpacked;
    if (unpacked_bytes_ > most_unpacked_without_question &&
        unpacked_bytes_ / most_times_its_size > packed_bytes_) {
      throw HistoryError(
          fmt::format("{}: it unpacks to more than {} times its size; unpack it yourself if that is meant",
                      name_, most_times_its_size));
    }
  }

  // False: the file is over. Zeros between and behind members are padding, as on tapes.
  bool open_next_member() {
    if (in_member_) {
      return true;
    }
    while (refill() && *stream_.next_in == 0 && seen_member_) {
      ++stream_.next_in;
      --stream_.avail_in;
    }
    if (stream_.avail_in == 0) {
      return false;
    }
    inflateReset(&stream_);
    in_member_ = true;
    return true;
  }

  void inflate_some() {
    if (!refill()) {
      throw HistoryError(fmt::format(
          "{}: the gzip data ends in the middle; the file was cut, so make or copy it again", name_));
    }
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      in_member_ = false;
      seen_member_ = true;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      throw HistoryError(
          fmt::format("{}: the gzip data is damaged{}; make or copy the file again", name_,
                      stream_.msg != nullptr ? fmt::format(" ({})", stream_.msg) : std::string()));
    }
  }

  bool refill() {
    if (stream_.avail_in == 0) {
      stream_.next_in = reinterpret_cast<Bytef*>(block_.data());
      stream_.avail_in = static_cast<uInt>(packed_->read(block_));
      packed_bytes_ += stream_.avail_in;
    }
    return stream_.avail_in > 0;
  }

  std::unique_ptr<ByteSource> packed_;
  std::string name_;
  std::vector<char> block_;
  z_stream stream_{};
  std::uint64_t packed_bytes_ = 0;  // that were read
  std::uint64_t unpacked_bytes_ = 0;
  bool in_member_ = true;
  bool seen_member_ = false;
};

}  // namespace

bool looks_like_gzip(std::string_view beginning) {
  return beginning.starts_with("\x1f\x8b");
}

std::unique_ptr<ByteSource> unpack_gzip(std::unique_ptr<ByteSource> packed, std::string name) {
  return std::make_unique<GzipSource>(std::move(packed), std::move(name));
}

}  // namespace holdfast
