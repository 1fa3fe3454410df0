#include "harness/machine/clock/clock_page.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "harness/kernel/require.h"
#include "harness/machine/clock/clock_page_layout.h"

namespace holdfast {
namespace {

constexpr std::int64_t usual_back_off_ns = 1'000'000;

[[noreturn]] void fail_to_make(const std::filesystem::path& file, int error) {
  throw std::runtime_error("cannot make the clock page " + file.string() + ": " + std::strerror(error));
}

holdfast_clock_page* map_new_file(const std::filesystem::path& file) {
  // A new file, never an old one cut short: whoever still maps that would be killed by the cut.
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    fail_to_make(file, errno);
  }
  void* memory = MAP_FAILED;
  // The space is claimed now: a full disk must not show as a bus error later.
  int error = ::posix_fallocate(descriptor, 0, HOLDFAST_CLOCK_PAGE_BYTES);
  if (error == 0) {
    memory = ::mmap(nullptr, HOLDFAST_CLOCK_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    error = errno;
  }
  ::close(descriptor);
  if (memory == MAP_FAILED) {
    std::filesystem::remove(file, ignored);
    fail_to_make(file, error);
  }
  return static_cast<holdfast_clock_page*>(memory);
}

template <typename Field, typename Value>
void put(Field& field, Value value) {
  __atomic_store_n(&field, static_cast<Field>(value), __ATOMIC_SEQ_CST);
}

template <typename Field>
Field get(const Field& field) {
  return __atomic_load_n(&field, __ATOMIC_SEQ_CST);
}

}  // namespace

ClockPage::ClockPage(const std::filesystem::path& file)
    : file_(std::filesystem::absolute(file)), page_(map_new_file(file_)) {
  put(page_->back_off_ns, usual_back_off_ns);
  put(page_->magic, HOLDFAST_CLOCK_MAGIC);  // last: now readers may believe the rest
}

ClockPage::~ClockPage() {
  ::munmap(page_, HOLDFAST_CLOCK_PAGE_BYTES);
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
}

void ClockPage::set(std::int64_t wall_ns, std::int64_t mono_ns) {
  require(wall_ns >= 0 && mono_ns >= 0, "no clock shows a time before its beginning");
  require(!is_virtual() || mono_ns >= get(page_->mono_ns), "a monotonic clock does not go back");
  put(page_->wall_ns, wall_ns);
  put(page_->mono_ns, mono_ns);
  put(page_->mode, HOLDFAST_CLOCK_VIRTUAL);
  tell_all();
}

void ClockPage::set_offsets(std::int64_t wall_offset_ns, std::int64_t mono_offset_ns) {
  put(page_->wall_offset_ns, wall_offset_ns);
  put(page_->mono_offset_ns, mono_offset_ns);
  put(page_->mode, HOLDFAST_CLOCK_OFFSET);
  tell_all();
}

void ClockPage::set_back_off(std::int64_t longest_ns) {
  require(longest_ns >= 0, "a back-off lasts some time");
  put(page_->back_off_ns, longest_ns);
}

bool ClockPage::is_virtual() const {
  return get(page_->mode) == HOLDFAST_CLOCK_VIRTUAL;
}

std::int64_t ClockPage::wall_ns() const {
  if (is_virtual()) {
    return get(page_->wall_ns);
  }
  const auto real = std::chrono::system_clock::now().time_since_epoch();
  return std::max<std::int64_t>(
      0, std::chrono::duration_cast<std::chrono::nanoseconds>(real).count() + wall_offset_ns());
}

std::int64_t ClockPage::wall_offset_ns() const {
  return get(page_->wall_offset_ns);
}

std::int64_t ClockPage::mono_offset_ns() const {
  return get(page_->mono_offset_ns);
}

void ClockPage::tell_all() {
  __atomic_fetch_add(&page_->generation, 1U, __ATOMIC_SEQ_CST);
  ::syscall(SYS_futex, &page_->generation, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace holdfast
