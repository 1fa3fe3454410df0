#include "harness/workload/worker.h"

#include <algorithm>

namespace holdfast {
namespace {

// Between two calls of an application whose call failed.
constexpr Duration retry_after_failure = 100ms;

Mode to_mode(LockMode mode) {
  return mode == LockMode::shared ? Mode::shared : Mode::exclusive;
}

Event of_session(std::uint32_t session) {
  Event event;
  event.session = session;
  return event;
}

// Acquired and Released name their outcomes alike.
template <typename Result>
EventType event_type(const Result& result) {
  if (result.ok()) {
    return EventType::ok;
  }
  return result.outcome == Result::Outcome::failed ? EventType::fail : EventType::info;
}

}  // namespace

void Worker::record(EventType type, Operation operation, const Event& details, std::string_view text) {
  Event event = details;
  event.type = type;
  event.operation = operation;
  event.process = caller_.env.process();
  event.thread = caller_.env.thread();
  shared_.history->record(event, text);
}

Task<Held> Worker::acquire(LockMode mode) {
  Event event = of_session(++shared_.sessions);
  event.mode = to_mode(mode);
  record(EventType::invoke, Operation::acquire, event);
  const Acquired result = co_await lock_->acquire(caller_, {.mode = mode, .patience = patience_});
  event.token = result.token;
  event.value = result.server_error ? 1 : 0;  // for ErrorCheck
  record(event_type(result), Operation::acquire, event, result.why());
  if (result.ok()) {
    newest_token_ = depth_ == 0 || !newest_token_ ? result.token : std::max(result.token, newest_token_);
    ++depth_;
  }
  co_return Held{event.session, result.token, result.ok()};
}

Task<Held> Worker::acquire_until_granted(LockMode mode) {
  while (true) {
    const Held held = co_await acquire(mode);
    if (held.ok) {
      co_return held;
    }
    co_await caller_.env.sleep(retry_after_failure);
  }
}

Task<> Worker::release(Held held, LockMode mode) {
  Event event = of_session(held.session);
  event.mode = to_mode(mode);
  record(EventType::invoke, Operation::release, event);
  depth_ -= depth_ > 0 ? 1 : 0;
  const Released result = co_await lock_->release(caller_, mode);
  event.value = result.server_error ? 1 : 0;
  if (result.outcome == Released::Outcome::failed && !result.server_error) {
    caller_.env.mark(Mark::release_found_nothing);
  }
  record(event_type(result), Operation::release, event, result.why());
}

Task<StorageResponse> Worker::ask_storage(StorageRequest request) {
  while (true) {
    const StorageCalls::Result result = co_await shared_.storage_calls->call(
        caller_.env, shared_.storage_process, *shared_.storage, shared_.storage_timeout, request);
    if (result.error == CallError::none) {
      co_return result.response;
    }
    co_await caller_.env.sleep(retry_after_failure);
  }
}

std::optional<std::int64_t> Worker::token_of(const Held& held) const {
  return held.token && depth_ > 0 ? std::max(held.token, newest_token_) : held.token;
}

Task<ReadResult> Worker::read(Held held) {
  Event event = of_session(held.session);
  record(EventType::invoke, Operation::read, event);
  StorageRequest request;
  request.session = held.session;
  request.token = token_of(held);
  event.token = request.token;
  const StorageResponse response = co_await ask_storage(request);
  event.value = response.value;
  event.version = response.version;
  record(response.accepted ? EventType::ok : EventType::fail, Operation::read, event,
         response.accepted ? "" : "stale token");
  co_return ReadResult{response.accepted, response.value, response.version};
}

Task<bool> Worker::write(Held held, std::int64_t value, std::int64_t based_on) {
  Event event = of_session(held.session);
  if (lock_ != nullptr && lock_->lost(caller_)) {
    record(EventType::lost_hold, Operation::none, event);
    co_return false;  // whoever knows that much leaves the resource alone
  }
  event.token = token_of(held);
  event.value = value;
  event.version = based_on;
  record(EventType::invoke, Operation::write, event);
  StorageRequest request;
  request.kind = StorageRequest::Kind::write;
  request.value = value;
  request.based_on = based_on;
  request.token = event.token;
  request.session = held.session;
  request.write_id = ++shared_.writes;
  const StorageResponse response = co_await ask_storage(request);
  record(response.accepted ? EventType::ok : EventType::fail, Operation::write, event,
         response.accepted ? "" : "stale token");
  co_return response.accepted;
}

Task<> Worker::set_count(std::int64_t count) {
  Released result = co_await latch_->set_count(caller_, count);
  while (result.outcome == Released::Outcome::unknown) {
    co_await caller_.env.sleep(retry_after_failure);
    result = co_await latch_->set_count(caller_, count);
  }
}

Task<> Worker::count_down() {
  const Event event = of_session(++shared_.sessions);
  record(EventType::invoke, Operation::count_down, event);
  const Released result = co_await latch_->count_down(caller_);
  record(event_type(result), Operation::count_down, event, result.why());
}

Task<> Worker::await_zero() {
  while (true) {
    const Event event = of_session(++shared_.sessions);
    record(EventType::invoke, Operation::await_zero, event);
    const Acquired result = co_await latch_->await_zero(caller_, std::nullopt);
    record(event_type(result), Operation::await_zero, event, result.why());
    if (result.ok()) {
      co_return;
    }
    co_await caller_.env.sleep(retry_after_failure);
  }
}

}  // namespace holdfast
