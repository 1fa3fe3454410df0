// A value of a scenario file together with its place, and what it may be.
//
// Every reader here either returns a value that is right or throws ScenarioError with file, line and path
// ("gc.json:12: faults[0].at.phase: …").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/scenario/file/load_json.h"
#include "harness/scenario/scenario.h"

namespace holdfast {

class Field {
 public:
  // `node` and `file` must outlive it.
  Field(const JsonNode& node, std::string path, const std::string& file)
      : node_(&node), path_(std::move(path)), file_(&file) {}

  [[noreturn]] void fail(std::string_view problem) const { fail_at(node_->line, problem); }
  [[noreturn]] void fail_at(std::size_t line, std::string_view problem) const;

  const JsonNode& node() const { return *node_; }
  const std::string& path() const { return path_; }
  const std::string& file() const { return *file_; }
  bool is(JsonNode::Kind kind) const { return node_->kind == kind; }

  bool boolean() const;
  std::int64_t integer(std::int64_t least, std::int64_t most) const;
  // Not empty, and short enough for a screen.
  std::string text() const;
  // One of `words`; `what` is what they are ("phase"). Words that are many are not listed.
  std::string word(std::string_view what, std::span<const std::string> words) const;
  std::vector<Field> items() const;

  // `ttl`: the lock's lease, if the scenario sets it; then a sum like "ttl - 20s" can be checked, too.
  ScenarioDuration duration(std::optional<Duration> ttl) const;           // not negative
  ScenarioDuration positive_duration(std::optional<Duration> ttl) const;  // nor zero
  ScenarioDuration signed_duration() const;                               // not zero
  Duration fixed_duration() const;                                        // not negative, without "ttl"

 private:
  ScenarioDuration any_duration() const;
  [[noreturn]] void expected(std::string_view what) const;

  const JsonNode* node_;
  std::string path_;
  const std::string* file_;
};

// The fields of an object.
class Fields {
 public:
  // Fails if it is no object, or has a field that is not among `allowed`.
  Fields(const Field& object, std::span<const std::string> allowed);
  // Without a list: the caller checks them later.
  explicit Fields(const Field& object);

  std::optional<Field> find(std::string_view name) const;
  Field need(std::string_view name, std::string_view what) const;
  bool has(std::string_view name) const { return find(name).has_value(); }
  // Fails if there is a field that is not among `allowed`. `of`: whose fields ("gc-pause"), if not obvious.
  void allow_only(std::span<const std::string> allowed, std::string_view of = {}) const;

  const Field& object() const { return object_; }

 private:
  Field object_;
};

}  // namespace holdfast
