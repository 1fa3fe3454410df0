// What a kernel or a container may forbid, forbidden here by a filter in a process of its own.
#include "harness/machine/rest/why_no_rest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

namespace holdfast::rest {
namespace why_no_rest_test {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// That call gives that error from now on; for the rest of this process's life.
bool forbid(long call, int error) {
  std::array<sock_filter, 4> filter = {
      {{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
       {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<unsigned>(call)},
       {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)},
       {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}}};
  const sock_fprog program{filter.size(), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

bool listen_already() {
  sock_filter allow{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
  const sock_fprog program{1, &allow};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program) >= 0;
}

// The sentence as a process finds it that has met with this.
template <typename Trouble>
std::string sentence_after(Trouble trouble) {
  int ends[2] = {-1, -1};
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::string sentence = trouble() ? find_out_why_no_rest() : "the trouble could not be made";
    _exit(write(ends[1], sentence.data(), sentence.size()) < 0 ? 1 : 0);
  }
  close(ends[1]);
  std::string sentence(1000, '\0');
  const ssize_t got = read(ends[0], sentence.data(), sentence.size());
  close(ends[0]);
  waitpid(child, nullptr, 0);
  sentence.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return sentence;
}

class WhyNoRest : public testing::Test {
 protected:
  void SetUp() override {
    if (!why_no_rest().empty()) {
      GTEST_SKIP() << why_no_rest();
    }
  }
};

TEST_F(WhyNoRest, IsSilentWhereAllIsThere) {
  EXPECT_EQ(sentence_after([] { return true; }), "");
}

TEST_F(WhyNoRest, SaysWhatIsForbidden) {
  EXPECT_THAT(
      sentence_after([] { return forbid(SYS_seccomp, EPERM); }),
      AllOf(StartsWith("Knowing when a program is at rest needs a seccomp filter with user notification"),
            EndsWith("allow seccomp in the container's profile.")));
  EXPECT_THAT(
      sentence_after([] { return forbid(SYS_pidfd_getfd, EPERM); }),
      HasSubstr("needs copies of its descriptors (pidfd_getfd), which is not to be had here (Operation not"));
  EXPECT_THAT(sentence_after([] { return forbid(SYS_pidfd_open, ENOSYS); }), HasSubstr("needs pidfd_open"));
  EXPECT_THAT(sentence_after([] { return forbid(SYS_process_vm_readv, EPERM); }),
              AllOf(HasSubstr("needs its memory (process_vm_readv)"), HasSubstr("ptrace_scope")));
}

TEST_F(WhyNoRest, SaysWhatTheKernelLacks) {
  EXPECT_THAT(sentence_after([] { return forbid(SYS_seccomp, EINVAL); }),
              HasSubstr("it takes Linux 5.19 or newer"));
}

TEST_F(WhyNoRest, SaysThatSomebodyElseListens) {
  EXPECT_THAT(sentence_after(listen_already), HasSubstr("there can be only one; leave that sandbox"));
}

}  // namespace why_no_rest_test
}  // namespace holdfast::rest
