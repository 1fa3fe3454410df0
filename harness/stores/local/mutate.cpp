#include "harness/stores/local/mutate.h"

#include <fmt/format.h>

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "harness/stores/local/client.h"

namespace holdfast::local {
namespace {

enum class FileCall : std::uint8_t { try_flock, unflock, create_exclusive, unlink };
constexpr std::array file_call_names{std::string_view("try-flock"), std::string_view("unflock"),
                                     std::string_view("create-exclusive"), std::string_view("unlink")};

enum class FileWrong : std::uint8_t { not_done, done_twice, refusal_granted };

// Every call goes through one door, so that who listens and who changes need only that.
class OneDoorClient : public Client {
 public:
  explicit OneDoorClient(Client& honest) : honest_(honest) {}

  Task<bool> try_flock(std::string path) final { return pass(FileCall::try_flock, std::move(path), {}); }
  Task<bool> unflock(std::string path) final { return pass(FileCall::unflock, std::move(path), {}); }
  Task<bool> create_exclusive(std::string path, std::string content) final {
    return pass(FileCall::create_exclusive, std::move(path), std::move(content));
  }
  Task<bool> unlink(std::string path) final { return pass(FileCall::unlink, std::move(path), {}); }

 protected:
  virtual Task<bool> pass(FileCall call, std::string path, std::string content) = 0;

  Task<bool> honestly(FileCall call, std::string path, std::string content) {
    switch (call) {
      case FileCall::try_flock:
        return honest_.try_flock(std::move(path));
      case FileCall::unflock:
        return honest_.unflock(std::move(path));
      case FileCall::create_exclusive:
        return honest_.create_exclusive(std::move(path), std::move(content));
      case FileCall::unlink:
        break;
    }
    return honest_.unlink(std::move(path));
  }

 private:
  Client& honest_;
};

class ChangedFiles final : public OneDoorClient {
 public:
  ChangedFiles(FileCall call, FileWrong wrong, Client& honest)
      : OneDoorClient(honest), call_(call), wrong_(wrong) {}

 protected:
  Task<bool> pass(FileCall call, std::string path, std::string content) override {
    const bool is_here = call == call_;
    if (is_here && wrong_ == FileWrong::not_done) {
      co_return true;
    }
    const bool done = co_await honestly(call, path, content);
    if (is_here && wrong_ == FileWrong::done_twice) {
      co_await honestly(call, std::move(path), std::move(content));
    }
    co_return done || (is_here && wrong_ == FileWrong::refusal_granted);
  }

 private:
  FileCall call_;
  FileWrong wrong_;
};

class FileChange final : public StoreChange {
 public:
  FileChange(FileCall call, FileWrong wrong) : call_(call), wrong_(wrong) {}
  std::unique_ptr<StoreClient> applied_to(StoreClient& client, std::size_t, std::size_t,
                                          MutationSeat&) const override {
    return std::make_unique<ChangedFiles>(call_, wrong_, static_cast<Client&>(client));
  }

 private:
  FileCall call_;
  FileWrong wrong_;
};

class WatchedFiles final : public OneDoorClient {
 public:
  WatchedFiles(std::set<FileCall>& heard, Client& honest) : OneDoorClient(honest), heard_(heard) {}

 protected:
  Task<bool> pass(FileCall call, std::string path, std::string content) override {
    heard_.insert(call);
    return honestly(call, std::move(path), std::move(content));
  }

 private:
  std::set<FileCall>& heard_;
};

class FileWatch final : public CallWatch {
 public:
  std::unique_ptr<StoreClient> watched(StoreClient& client, std::size_t, MutationSeat&) override {
    return std::make_unique<WatchedFiles>(heard_, static_cast<Client&>(client));
  }

  std::vector<StoreMutation> mutations() const override {
    std::vector<StoreMutation> all;
    for (const FileCall call : heard_) {
      const std::string_view name = file_call_names.at(static_cast<std::size_t>(call));
      const auto add = [&](std::string_view operation, FileWrong wrong, std::string_view sentence,
                           std::string_view equivalent_if, std::string_view unexercised) {
        all.push_back({{fmt::format("{}@{}", operation, name), fmt::format("{} {}", name, sentence),
                        std::string(equivalent_if), fmt::format("{} {}", unexercised, name)},
                       std::make_shared<FileChange>(call, wrong)});
      };
      add("not-done", FileWrong::not_done, "is never called, and taken for done",
          "what it does is done by something else, too", "anything that depends on");
      add("done-twice", FileWrong::done_twice, "is called twice, and the first answer counts",
          "the second time it finds its work done", "a moment when others come between two calls of");
      add("refusal-is-ok", FileWrong::refusal_granted, "is taken for done even if it was refused",
          "it is never refused, or nobody reads the answer", "a refused");
    }
    return all;
  }

 private:
  std::set<FileCall> heard_;
};

}  // namespace

std::unique_ptr<CallWatch> watch_files() {
  return std::make_unique<FileWatch>();
}

}  // namespace holdfast::local
