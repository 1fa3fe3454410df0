#include "harness/stores/storage/storage.h"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast {

std::string_view call_name(const StorageRequest& request) {
  return request.kind == StorageRequest::Kind::read ? "read" : "write";
}

std::string to_text(const StorageRequest& request) {
  if (request.kind == StorageRequest::Kind::read) {
    return request.token ? fmt::format("read with token {}", *request.token) : "read";
  }
  return request.token ? fmt::format("write {} with token {}", request.value, *request.token)
                       : fmt::format("write {}", request.value);
}

std::string to_text(const StorageResponse& response) {
  return response.accepted ? fmt::format("{} (version {})", response.value, response.version) : "rejected";
}

std::uint64_t digest(const StorageRequest& request) {
  return mix(static_cast<std::uint64_t>(request.kind) ^ (static_cast<std::uint64_t>(request.value) << 8) ^
             (static_cast<std::uint64_t>(request.based_on) << 32) ^
             static_cast<std::uint64_t>(request.token.value_or(-1)));
}

std::uint64_t digest(const StorageResponse& response) {
  return mix((response.accepted ? 1U : 0U) ^ (static_cast<std::uint64_t>(response.value) << 8) ^
             (static_cast<std::uint64_t>(response.version) << 32));
}

void StorageRegister::reset(const StorageOptions& options) {
  options_ = options;
  value_ = options.initial_value;
  version_ = 0;
  greatest_token_.reset();
  decided_.clear();
}

StorageResponse StorageRegister::apply(const StorageRequest& request) {
  if (options_.checks_tokens) {
    const bool stale = !request.token || (greatest_token_ && *request.token < *greatest_token_);
    if (stale) {
      return {false, value_, version_};
    }
    greatest_token_ = std::max(greatest_token_.value_or(*request.token), *request.token);
  }
  if (request.kind == StorageRequest::Kind::read) {
    return {true, value_, version_};
  }
  require(request.write_id != 0, "every write has an id by which its copies are known");
  value_ = request.value;
  ++version_;
  return {true, value_, version_};
}

StorageRegister::Decision StorageRegister::decide(const StorageRequest& request) {
  const bool write = request.kind == StorageRequest::Kind::write;
  const StorageResponse before{true, value_, version_};
  const auto first = std::find_if(decided_.begin(), decided_.end(), [&](const Decided& each) {
    return write && each.write_id == request.write_id;
  });
  if (first != decided_.end()) {
    return {before, first->response, true};
  }
  const StorageResponse after = apply(request);
  require(after.version == before.version + (write && after.accepted ? 1 : 0),
          "storage changes by accepted writes and by nothing else");
  if (write) {
    decided_.push_back({request.write_id, after});
  }
  return {before, after, false};
}

void Storage::reset(const StorageOptions& options, StorageObserver* observer) {
  observer_ = observer;
  register_.reset(options);
}

void Storage::serve(StorageCalls::Call& call) {
  const StorageRegister::Decision decision = register_.decide(call.request);
  if (!decision.is_repeated && observer_ != nullptr) {
    observer_->on_storage(call, decision.before, decision.after);
  }
  calls_.respond(call, StorageResponse(decision.after));
}

}  // namespace holdfast
