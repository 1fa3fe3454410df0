// The protected resource: what a lock is there to protect.
//
// A register with a value (the stock left, a file's content) and a version that counts its writes. With
// token checking on, storage keeps the greatest token it has seen and rejects a request that carries a
// lower one, or none (001:L355). Reads carry the token too: were it only the writes, an old holder could
// still write between a new holder's read and its write. A client that gets no answer sends its write again;
// storage knows the copies by their id and answers them as it answered the first, so that a retried or
// straggling copy does no harm of its own. It records every write it accepted or rejected; whether the
// accepted ones make sense is for the resource check to say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/env/calls.h"

namespace holdfast {

struct StorageRequest {
  enum class Kind : std::uint8_t { read, write };
  Kind kind = Kind::read;
  std::int64_t value = 0;             // to write
  std::int64_t based_on = 0;          // version the writer had read: kept for the record, not checked
  std::optional<std::int64_t> token;  // the writer's fencing token
  std::uint32_t session = 0;          // the writer's hold, for the record
  std::uint32_t write_id = 0;         // the same for every copy of one write
};

struct StorageResponse {
  bool accepted = true;
  std::int64_t value = 0;
  std::int64_t version = 0;
};

std::string_view call_name(const StorageRequest& request);
std::string to_text(const StorageRequest& request);
std::string to_text(const StorageResponse& response);
std::uint64_t digest(const StorageRequest& request);
std::uint64_t digest(const StorageResponse& response);

using StorageCalls = Calls<StorageRequest, StorageResponse>;

// Told of every request that storage decided.
class StorageObserver {
 public:
  StorageObserver() = default;
  StorageObserver(const StorageObserver&) = delete;
  StorageObserver& operator=(const StorageObserver&) = delete;
  virtual ~StorageObserver() = default;
  // `before` is the register's state when the request arrived.
  virtual void on_storage(const StorageCalls::Call& call, const StorageResponse& before,
                          const StorageResponse& after) = 0;
};

struct StorageOptions {
  bool checks_tokens = false;
  std::int64_t initial_value = 0;
};

// The register itself, whoever carries the requests to it.
class StorageRegister {
 public:
  // What became of a request. A copy of a write that was decided before is not decided again.
  struct Decision {
    StorageResponse before;
    StorageResponse after;
    bool is_repeated = false;
  };

  void reset(const StorageOptions& options);
  Decision decide(const StorageRequest& request);
  std::int64_t value() const { return value_; }
  std::int64_t version() const { return version_; }

 private:
  struct Decided {
    std::uint32_t write_id;
    StorageResponse response;
  };

  StorageResponse apply(const StorageRequest& request);

  StorageOptions options_;
  std::int64_t value_ = 0;
  std::int64_t version_ = 0;
  std::optional<std::int64_t> greatest_token_;
  std::vector<Decided> decided_;  // writes, in order
};

class Storage final : public StorageCalls::Service {
 public:
  explicit Storage(StorageCalls& calls) : calls_(calls) {}
  void reset(const StorageOptions& options, StorageObserver* observer);
  void serve(StorageCalls::Call& call) override;

  std::int64_t value() const { return register_.value(); }
  std::int64_t version() const { return register_.version(); }

 private:
  StorageCalls& calls_;
  StorageObserver* observer_ = nullptr;
  StorageRegister register_;
};

}  // namespace holdfast
