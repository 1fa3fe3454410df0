// Storage over TCP: a request is one line of JSON, and so is its answer.
//
//   {"operation":"write","value":5,"based_on":2,"token":34,"session":1,"write_id":1}
//   {"accepted":true,"value":5,"version":3}
//
// `token` may be missing. `session` and `write_id` are numbers of the client's own.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "harness/machine/proxy/wire.h"
#include "harness/stores/storage/storage.h"

namespace holdfast::live {

// How many bytes the first line takes, its end included; nothing: it is not all there yet.
std::optional<std::size_t> line_length(std::string_view bytes);

// Lines with their end. The readers throw LiveError if a line says something else.
std::string to_line(const StorageRequest& request);
std::string to_line(const StorageResponse& response);
StorageRequest storage_request(std::string_view line);
StorageResponse storage_response(std::string_view line);

// A connection to storage, as a proxy sees it: each request is answered before the next is read.
class StorageWire final : public Wire {
 public:
  std::optional<WireMessage> feed(Direction direction, std::string_view bytes) override;

 private:
  struct Asked {
    std::string name;
    std::string text;
  };

  std::deque<Asked> waiting_;  // for their answers
};

}  // namespace holdfast::live
