// file-lock-excl: the file itself is the lock.
//
// Origin: 002:L31 names file locks among the implementations; this is the older kind, a lock file made
// with O_CREAT | O_EXCL.
// Idea: who creates the file has the lock; unlinking it releases.
// Known to get wrong: the file outlives a creator that dies, so the lock is stuck for ever; unlink asks
// nobody who created the file, so anyone can release it.
#include "locks/local/designs.h"
#include "locks/local/files.h"

namespace holdfast {
namespace {

class FileLockExcl final : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;

  Task<Released> release(Caller& me, LockMode) override {
    // rm -f: that there was no such file is nobody's concern.
    co_await local::files(me).unlink(path());
    co_return Released::done();
  }

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    // The content is for the operator who finds the file, as a process id would be.
    const bool created = co_await local::files(me).create_exclusive(path(), me.env.thread_name());
    co_return created ? Acquired::granted() : Acquired::busy();
  }

 private:
  std::string path() const { return settings().key + ".lock"; }
};

}  // namespace

std::unique_ptr<Lock> make_file_lock_excl(LockSettings settings) {
  return std::make_unique<FileLockExcl>(std::move(settings));
}

}  // namespace holdfast
