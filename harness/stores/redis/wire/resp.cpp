#include "harness/stores/redis/wire/resp.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "harness/kernel/require.h"
#include "harness/machine/process/live_error.h"

namespace holdfast::live {
namespace {

constexpr std::size_t line_end_size = 2;
constexpr std::int64_t most_message_elements = 1'000'000;  // of what locks ask for, or are answered
constexpr std::int64_t longest_bulk = 512 << 20;           // as in Redis
constexpr std::size_t longest_line = 1 << 20;              // a status, an error, a number
constexpr std::size_t deepest = 32;  // no server nests further; a stream of garbage must not use up the stack
constexpr std::string_view kinds_of_line = "+-:$*_#,(!=%~>|";  // those behind the star are RESP3's
constexpr std::size_t verbatim_kind_size = 4;                  // "txt:"

bool is_string_with_length(char kind) {
  return kind == '$' || kind == '!' || kind == '=';
}

// How many elements follow a line that says `number` (less than none is nil); 0: none, or it is no such line.
std::int64_t elements_after(char kind, std::int64_t number) {
  if (number < 0) {
    return 0;
  }
  switch (kind) {
    case '*':
    case '~':
    case '>':
      return number;
    case '%':
      return number * 2;
    case '|':
      return number * 2 + 1;  // attributes, and what they belong to
    default:
      return 0;
  }
}

[[noreturn]] void refuse() {
  throw LiveError("what came over the connection is not the Redis protocol.");
}

std::int64_t number_in(std::string_view digits) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    refuse();
  }
  return value;
}

// Reads one whole message.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  redis::Reply read() {
    const std::string_view line = take_line();
    require(!line.empty(), "a message is read after its end was found");
    const std::string_view rest = line.substr(1);
    switch (line.front()) {
      case '+':
        return redis::Reply::status(rest);
      case '-':
        return redis::Reply::error(std::string(rest));
      case ':':
        return redis::Reply::integer(number_in(rest));
      case '$':
        return read_bulk(number_in(rest));
      case '!':
        return redis::Reply::error(read_bulk(number_in(rest)).text);
      case '=':
        return read_verbatim(number_in(rest));
      case '_':
        return redis::Reply::nil();
      case '#':
        return redis::Reply::integer(rest == "t" ? 1 : 0);
      case ',':
      case '(':
        return redis::Reply::bulk(std::string(rest));  // as RESP2 tells them
      case '|':
        return read_behind_attributes(number_in(rest));
      case '*':
      case '~':
      case '>':
      case '%':
        return number_in(rest) < 0 ? redis::Reply::nil()
                                   : read_array(elements_after(line.front(), number_in(rest)));
      default:
        refuse();
    }
  }

 private:
  std::string_view take_line() {
    const std::size_t end = bytes_.find("\r\n", position_);
    require(end != std::string_view::npos, "a message is read when all of it has come");
    const std::string_view line = bytes_.substr(position_, end - position_);
    position_ = end + line_end_size;
    return line;
  }

  redis::Reply read_bulk(std::int64_t size) {
    if (size < 0) {
      return redis::Reply::nil();
    }
    const auto length = static_cast<std::size_t>(size);
    require(bytes_.size() - position_ >= length + line_end_size,
            "a bulk string is read when all of it has come");
    redis::Reply reply = redis::Reply::bulk(std::string(bytes_.substr(position_, length)));
    position_ += length + line_end_size;
    return reply;
  }

  redis::Reply read_verbatim(std::int64_t size) {
    redis::Reply reply = read_bulk(size);
    reply.text.erase(0, std::min(reply.text.size(), verbatim_kind_size));
    return reply;
  }

  redis::Reply read_behind_attributes(std::int64_t size) {
    read_array(size * 2);
    return read();
  }

  redis::Reply read_array(std::int64_t size) {
    std::vector<redis::Reply> elements;
    for (std::int64_t index = 0; index < size; ++index) {
      elements.push_back(read());
    }
    return redis::Reply::array(std::move(elements));
  }

  std::string_view bytes_;
  std::size_t position_ = 0;
};

void append_bulk(std::string& bytes, std::string_view word) {
  bytes += '$';
  bytes += std::to_string(word.size());
  bytes += "\r\n";
  bytes += word;
  bytes += "\r\n";
}

}  // namespace

// Nothing: its end has not come.
std::optional<std::string_view> RespScanner::take_line(std::string_view bytes) {
  if (position_ < bytes.size() && kinds_of_line.find(bytes[position_]) == std::string_view::npos) {
    refuse();
  }
  // The first half of the end may have been the last byte that there was.
  const std::size_t end = bytes.find("\r\n", std::max(position_, searched_ == 0 ? 0 : searched_ - 1));
  if (end == std::string_view::npos) {
    searched_ = bytes.size();
    if (bytes.size() - position_ > longest_line) {
      refuse();
    }
    return std::nullopt;
  }
  const std::string_view line = bytes.substr(position_, end - position_);
  position_ = end + line_end_size;
  return line;
}

// Whether there was a whole one; an array is one as soon as it is known how many elements are to follow.
bool RespScanner::take_element(std::string_view bytes) {
  if (bulk_ == 0) {
    const std::optional<std::string_view> line = take_line(bytes);
    if (!line) {
      return false;
    }
    const char kind = line->front();
    const bool counts = is_string_with_length(kind) || kind == ':' || elements_after(kind, 1) > 0;
    const std::int64_t number = counts ? number_in(line->substr(1)) : 0;
    if (elements_after(kind, 1) > 0 && (number > most_message_elements || (kind == '|' && number < 0))) {
      refuse();  // it would be waited for without an end
    }
    if (const std::int64_t elements = elements_after(kind, number); elements > 0) {
      if (missing_.size() >= deepest) {
        refuse();
      }
      missing_.push_back(elements);
      return true;
    }
    if (is_string_with_length(kind) && number >= 0) {
      if (number > longest_bulk) {
        refuse();
      }
      bulk_ = static_cast<std::size_t>(number) + line_end_size;
    }
  }
  if (bytes.size() - position_ < bulk_) {
    return false;
  }
  position_ += std::exchange(bulk_, 0);
  // It may have been the last one of the array around it, and that of the one around that.
  while (!missing_.empty() && --missing_.back() == 0) {
    missing_.pop_back();
  }
  return true;
}

std::optional<std::size_t> RespScanner::feed(std::string_view bytes) {
  require(position_ <= bytes.size(), "what was looked at comes again, with more behind it");
  do {
    if (!take_element(bytes)) {
      return std::nullopt;
    }
  } while (!missing_.empty());
  require(position_ > 0 && position_ <= bytes.size(), "a message ends within what has come");
  require(bulk_ == 0, "no message ends in the middle of a string");
  searched_ = 0;
  return std::exchange(position_, 0);
}

std::optional<std::size_t> resp_length(std::string_view bytes) {
  return RespScanner().feed(bytes);
}

redis::Reply resp_reply(std::string_view message) {
  return Reader(message).read();
}

std::optional<redis::Command> resp_command(std::string_view message) {
  redis::Reply words = resp_reply(message);
  redis::Command command;
  for (redis::Reply& word : words.elements) {
    if (word.kind != redis::Reply::Kind::bulk) {
      return std::nullopt;
    }
    command.push_back(std::move(word.text));
  }
  return message.front() == '*' ? std::optional(std::move(command)) : std::nullopt;
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

std::string redis_greeting(const std::string& password) {
  return password.empty() ? "" : to_resp(redis::make_command("AUTH", password));
}

bool is_push(const redis::Reply& reply) {
  return reply.kind == redis::Reply::Kind::array && reply.elements.size() == 3 &&
         reply.elements.front().is_bulk("message");
}

}  // namespace holdfast::live
