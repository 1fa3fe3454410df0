#include "harness/history/read/edn_call.h"

#include "harness/history/read/history_summary.h"

namespace holdfast {
namespace {

using Kind = EdnValue::Kind;

bool is_tuple(const EdnValue& value, Action action) {
  if (value.tag.starts_with("jepsen.independent")) {
    return true;
  }
  return action != Action::compare_and_set || value.items[1].is_pair();
}

// How a name is shown: texts and keywords without their marks.
std::string name_of(const EdnValue& value) {
  const bool marked = value.is(Kind::text) || value.is(Kind::keyword);
  return marked ? value.text : to_text(value);
}

std::optional<std::int64_t> token_in(const EdnValue& map) {
  for (const std::string_view name : {"fence", "token"}) {
    const EdnValue* token = map.find(name);
    if (token != nullptr && token->is(Kind::integer)) {
      return token->integer;
    }
  }
  return std::nullopt;
}

bool is_lock_operation(Action action) {
  return action == Action::acquire || action == Action::try_acquire || action == Action::release;
}

}  // namespace

std::string_view EdnCalls::complete(CallEvent& event, const EdnValue& value, const EdnValue& key,
                                    HistoryNames& names) {
  key_.reset();
  no_pair_ = false;
  const EdnValue& own = *without_key(value, event);
  if (no_pair_) {
    return "expected [key value] as the :value";
  }
  if (!key_ && !key.is(Kind::nil)) {
    key_ = name_of(key);
  }
  std::string_view problem;
  if (is_lock_operation(event.action)) {
    problem = name_lock(event, own);
    remember_key(event);
    if (problem.empty()) {
      problem = complete_lock(event, own);
    }
  } else {
    remember_key(event);
    if (event.action != Action::count_down && event.action != Action::await_zero) {
      problem = complete_register(event, own);
    }
  }
  event.key = key_ ? names.key(*key_) : names.usual_key_of(event.action);
  return problem;
}

std::string_view EdnCalls::name_lock(const CallEvent& event, const EdnValue& value) {
  const bool is_name =
      value.is(Kind::text) || value.is(Kind::keyword) || value.is(Kind::symbol) || value.is(Kind::integer);
  if (key_ || !is_name || event.type != CallEventType::invoke || key_mode_ == KeyMode::none) {
    return {};
  }
  if (key_mode_ == KeyMode::names) {
    key_ = name_of(value);
    return {};
  }
  if (!lock_value_) {
    lock_value_ = name_of(value);
  }
  return *lock_value_ == name_of(value) ? ""
                                        : "expected one :value for all invocations of a lock (--pairs name: "
                                          "it names the lock; --pairs no: "
                                          "it does not)";
}

// A return is for the key that was named before.
void EdnCalls::remember_key(const CallEvent& event) {
  if (event.client >= open_keys_.size()) {
    open_keys_.resize(event.client + 1);
  }
  std::optional<std::string>& open = open_keys_[event.client];
  if (event.type == CallEventType::invoke) {
    open = key_;
  } else if (!key_) {
    key_ = open;
  }
}

const EdnValue* EdnCalls::without_key(const EdnValue& value, const CallEvent& event) {
  if (key_mode_ == KeyMode::none) {
    return &value;
  }
  const bool tuple = value.is_pair() && (key_mode_ == KeyMode::pairs || is_tuple(value, event.action));
  if (tuple) {
    key_ = name_of(value.items[0]);
    return &value.items[1];
  }
  no_pair_ = key_mode_ == KeyMode::pairs;
  if (const EdnValue* key = value.find("key"); key != nullptr) {
    key_ = name_of(*key);
  }
  return &value;
}

std::string_view EdnCalls::complete_lock(CallEvent& event, const EdnValue& value) {
  if (event.type == CallEventType::fail && event.action == Action::try_acquire) {
    event.type = CallEventType::ok;  // the service's answer, and an observation
    event.refused = true;
    return {};
  }
  if (event.type != CallEventType::ok || event.action == Action::release) {
    return {};
  }
  if (value.is(Kind::boolean) && !value.boolean) {
    // An acquire would have waited: that it came back with nothing says nothing about the lock.
    event.refused = event.action == Action::try_acquire;
    event.type = event.refused ? CallEventType::ok : CallEventType::fail;
    return {};
  }
  const bool is_lock =
      key_mode_ == KeyMode::names && key_ && value.is(Kind::integer) && *key_ == name_of(value);
  event.token = value.is(Kind::integer) && !is_lock ? std::optional(value.integer) : token_in(value);
  return {};
}

std::string_view EdnCalls::complete_register(CallEvent& event, const EdnValue& value) {
  const bool described =
      value.find("value") != nullptr || value.find("fence") != nullptr || value.find("token") != nullptr;
  event.token = token_in(value);
  const EdnValue nil;
  const EdnValue* content = &value;
  if (described) {
    content = value.find("value") != nullptr ? value.find("value") : &nil;
  }
  if (event.action == Action::compare_and_set) {
    if (content->is_pair()) {
      event.expected = number_of(content->items[0]);
      event.value = number_of(content->items[1]);
      return {};
    }
    return event.type == CallEventType::invoke ? "expected [old new] as the :value of a cas" : "";
  }
  if (event.action == Action::add) {
    if (!content->is(Kind::integer) && !content->is(Kind::nil)) {
      return "expected a whole number as the :value of an add";
    }
    event.value = content->is(Kind::nil) ? 1 : content->integer;
    return {};
  }
  const bool not_yet_read = event.action == Action::read && event.type != CallEventType::ok;
  event.value = not_yet_read ? std::nullopt : number_of(*content);
  return {};
}

std::optional<std::int64_t> EdnCalls::number_of(const EdnValue& value) {
  if (value.is(Kind::nil)) {
    return std::nullopt;
  }
  if (value.is(Kind::integer)) {
    return value.integer;
  }
  return first_named_value + value_names_.number_of(to_text(value));
}

}  // namespace holdfast
