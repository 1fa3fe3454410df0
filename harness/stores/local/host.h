// A host's file system, as far as lock files need it: flock'ed files and exclusively created ones.
//
// In process and instant: a system call is a step but takes no virtual time. When a process dies the
// operating system drops its flocks; files it created stay.
#pragma once

#include <map>
#include <string>

#include "harness/env/env.h"
#include "harness/stores/local/client.h"

namespace holdfast::local {

class Host {
 public:
  void reset() {
    flocks_.clear();
    files_.clear();
  }
  void process_died(ProcessId process);

 private:
  friend class HostClient;
  struct Owner {
    ProcessId process{};
    std::uint32_t thread = 0;
    friend bool operator==(const Owner&, const Owner&) = default;
  };
  std::map<std::string, Owner> flocks_;
  std::map<std::string, std::string> files_;
};

class HostClient final : public Client {
 public:
  HostClient(Env& env, Host& host) : env_(env), host_(host) {}

  Task<bool> try_flock(std::string path) override;
  Task<bool> unflock(std::string path) override;
  Task<bool> create_exclusive(std::string path, std::string content) override;
  Task<bool> unlink(std::string path) override;

 private:
  Env& env_;
  Host& host_;
};

}  // namespace holdfast::local
