// The clock of real programs, held by the runner: a page of shared memory that says what time it is.
//
// The page is a file, so that any process can map it: the preloaded library (shim.h) and the code that
// replaces the vDSO's (vdso.h) read it, and nobody but this class writes it. It starts as real time,
// unchanged. Choose between set() and set_offsets() before a program starts: a wait that began in one mode
// ends in that mode.
//
// The file lives as long as the object; programs that mapped it keep their mapping, with the last reading.
// Safe to use from several threads; failures to make the file are std::runtime_errors of one sentence.
#pragma once

#include <cstdint>
#include <filesystem>

struct holdfast_clock_page;

namespace holdfast {

class ClockPage {
 public:
  // Makes the file, in the place of any that was there before.
  explicit ClockPage(const std::filesystem::path& file);
  ClockPage(const ClockPage&) = delete;
  ClockPage& operator=(const ClockPage&) = delete;
  ~ClockPage();

  // Virtual time: the clocks show exactly this, and stand still until the next call. Wakes who waits for it.
  void set(std::int64_t wall_ns, std::int64_t mono_ns);
  // Real time plus these, which may be negative.
  void set_offsets(std::int64_t wall_offset_ns, std::int64_t mono_offset_ns);
  // Up to which length a relative sleep is a back-off, slept in real time all the same; 1 ms at first.
  void set_back_off(std::int64_t longest_ns);

  bool is_virtual() const;
  // What a program on the page reads now.
  std::int64_t wall_ns() const;
  // By how much that is not real time; for a page that is not virtual.
  std::int64_t wall_offset_ns() const;
  std::int64_t mono_offset_ns() const;

  const std::filesystem::path& file() const { return file_; }

 private:
  void tell_all();

  std::filesystem::path file_;
  holdfast_clock_page* page_ = nullptr;
};

}  // namespace holdfast
