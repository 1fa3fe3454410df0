// file-lock: flock on a file that all processes of one host open.
//
// Origin: 002:L31 names file locks among the implementations and says no more.
// Idea: flock(fd, LOCK_EX | LOCK_NB), again and again until it is granted; flock(fd, LOCK_UN) to
// release. The operating system releases the lock of a process that dies.
// Known to get wrong: it ends at the host; two hosts have two files.
#include "locks/local/designs.h"
#include "locks/local/files.h"

namespace holdfast {
namespace {

class FileLock final : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;

  Task<Released> release(Caller& me, LockMode) override {
    const bool unlocked = co_await local::files(me).unflock(path());
    co_return unlocked ? Released::done() : Released::refused("this thread does not hold the file lock");
  }

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    const bool locked = co_await local::files(me).try_flock(path());
    co_return locked ? Acquired::granted() : Acquired::busy();
  }

 private:
  std::string path() const { return settings().key + ".lock"; }
};

}  // namespace

std::unique_ptr<Lock> make_file_lock(LockSettings settings) {
  return std::make_unique<FileLock>(std::move(settings));
}

}  // namespace holdfast
