// What a lock sees of a file system: the two primitives lock files are made of.
//
// One Client is one thread's view of the host it runs on. All processes of a scenario that use files
// share one host. Calls are system calls: they take no virtual time, but each is a step at which a
// fault can strike.
#pragma once

#include <string>

#include "harness/kernel/task.h"
#include "harness/stores/store_client.h"

namespace holdfast::local {

class Client : public StoreClient {
 public:
  static constexpr std::string_view store_id = "local";

  // flock(fd, LOCK_EX | LOCK_NB) on a file opened by this thread: false if another open description
  // holds it. The operating system releases it when the process dies.
  virtual Task<bool> try_flock(std::string path) = 0;
  // flock(fd, LOCK_UN) and close: false if this thread does not hold it.
  virtual Task<bool> unflock(std::string path) = 0;

  // open(path, O_CREAT | O_EXCL) with `content`: false if the file exists. It stays when its creator dies.
  virtual Task<bool> create_exclusive(std::string path, std::string content) = 0;
  // unlink(path), whoever created it: false if there is no such file.
  virtual Task<bool> unlink(std::string path) = 0;
};

}  // namespace holdfast::local
