#include "harness/stores/redis/wire/resp.h"

#include <charconv>
#include <utility>
#include <vector>

#include "harness/machine/process/live_error.h"

namespace holdfast::live {
namespace {

constexpr std::size_t line_end_size = 2;
constexpr std::int64_t most_message_elements = 1'000'000;  // of what locks ask for, or are answered
constexpr std::int64_t longest_bulk = 512 << 20;           // as in Redis
constexpr int deepest = 32;  // no server nests further; a stream of garbage must not use up the stack

[[noreturn]] void refuse() {
  throw LiveError("what came over the connection is not the Redis protocol.");
}

// Reads one message from the front of the bytes. While something is missing `short_` is set and the rest of
// what is read means nothing.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  redis::Reply read(int depth = 0) {
    const std::string_view line = take_line();
    if (short_) {
      return {};
    }
    if (line.empty() || depth > deepest) {
      refuse();
    }
    const std::string_view rest = line.substr(1);
    switch (line.front()) {
      case '+':
        return redis::Reply::status(rest);
      case '-':
        return redis::Reply::error(std::string(rest));
      case ':':
        return redis::Reply::integer(number(rest));
      case '$':
        return read_bulk(number(rest));
      case '*':
        return read_array(number(rest), depth);
      default:
        refuse();
    }
  }

  bool is_short() const { return short_; }
  std::size_t position() const { return position_; }

 private:
  std::string_view take_line() {
    const std::size_t end = bytes_.find("\r\n", position_);
    if (end == std::string_view::npos) {
      short_ = true;
      return {};
    }
    const std::string_view line = bytes_.substr(position_, end - position_);
    position_ = end + line_end_size;
    return line;
  }

  static std::int64_t number(std::string_view digits) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) {
      refuse();
    }
    return value;
  }

  redis::Reply read_bulk(std::int64_t size) {
    if (size < 0) {
      return redis::Reply::nil();
    }
    if (size > longest_bulk) {
      refuse();
    }
    const auto length = static_cast<std::size_t>(size);
    if (bytes_.size() - position_ < length + line_end_size) {
      short_ = true;
      return {};
    }
    redis::Reply reply = redis::Reply::bulk(std::string(bytes_.substr(position_, length)));
    position_ += length + line_end_size;
    return reply;
  }

  redis::Reply read_array(std::int64_t size, int depth) {
    if (size < 0) {
      return redis::Reply::nil();
    }
    if (size > most_message_elements) {
      refuse();  // it would be waited for without an end
    }
    std::vector<redis::Reply> elements;
    for (std::int64_t index = 0; index < size && !short_; ++index) {
      elements.push_back(read(depth + 1));
    }
    return redis::Reply::array(std::move(elements));
  }

  std::string_view bytes_;
  std::size_t position_ = 0;
  bool short_ = false;
};

void append_bulk(std::string& bytes, std::string_view word) {
  bytes += '$';
  bytes += std::to_string(word.size());
  bytes += "\r\n";
  bytes += word;
  bytes += "\r\n";
}

}  // namespace

std::optional<std::size_t> resp_length(std::string_view bytes) {
  Reader reader(bytes);
  reader.read();
  return reader.is_short() ? std::nullopt : std::optional(reader.position());
}

redis::Reply resp_reply(std::string_view message) {
  return Reader(message).read();
}

redis::Command resp_command(std::string_view message) {
  redis::Command command;
  for (redis::Reply& word : resp_reply(message).elements) {
    command.push_back(std::move(word.text));
  }
  return command;
}

std::string to_resp(const redis::Command& command) {
  constexpr std::size_t most_around_a_word = 16;
  std::size_t size = most_around_a_word;
  for (const std::string& word : command) {
    size += word.size() + most_around_a_word;
  }
  std::string bytes;
  bytes.reserve(size);
  bytes += "*" + std::to_string(command.size()) + "\r\n";
  for (const std::string& word : command) {
    append_bulk(bytes, word);
  }
  return bytes;
}

bool is_push(const redis::Reply& reply) {
  return reply.kind == redis::Reply::Kind::array && reply.elements.size() == 3 &&
         reply.elements.front().is_bulk("message");
}

}  // namespace holdfast::live
