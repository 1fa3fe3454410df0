// What a script may use up: steps, memory, and the time of library functions that Lua's machine does not
// count.
//
// To Lua's machine joining or comparing two texts is one instruction however long they are, and a text that
// it has already costs no memory. So where a script has to do with a long one, each instruction counts as
// many as one that works through it.
//
// A real server has no such bounds and would answer BUSY to everybody; a model must come to an end. A script
// that goes beyond is stopped with an error, and no pcall or xpcall of its own can go on.
//
// These functions raise Lua errors, which are longjmps: none keeps an object with a destructor alive while it
// may raise.
#pragma once

#include <cstddef>
#include <cstdint>

struct lua_State;

namespace holdfast::redis {

class LuaLimits {
 public:
  // One script may run this many instructions of Lua's machine: some ten milliseconds, or a few tenths of a
  // second if it works through the longest texts all the time.
  static constexpr std::uint64_t instructions_max = 1'000'000;
  // Of a text, worked through in about the time of one instruction: by the machine's own instructions (which
  // join it, compare it, or look for a number in it), and by functions that look at each byte.
  static constexpr std::uint64_t bytes_joined_per_instruction = 1'024;
  static constexpr std::uint64_t bytes_per_instruction = 16;
  // Shorter ones are worked through for nothing.
  static constexpr std::size_t long_text_bytes = 16'384;
  // So often it is looked how many instructions there were.
  static constexpr int instructions_per_look = 100;
  // May ask for this many bytes in all, and for so many at once; what it gave back counts too.
  static constexpr std::size_t bytes_max = 64U << 20U;
  static constexpr std::size_t bytes_at_once_max = 4U << 20U;

  // Wraps the functions of the open libraries that could take long or survive the script. It must outlive
  // `lua`.
  void guard_libraries(lua_State* lua);
  // Before the first script of a machine runs.
  void begin_machine() { calls_ = 0; }
  // Before a script runs.
  void begin();
  // Memory counts from here on, or not: the model's own must never fail.
  void count_memory(bool counts) { counts_memory_ = counts; }
  // So much was done. True: that was too much.
  bool charge(std::uint64_t instructions);
  // The same, of instructions that may each work through the longest text.
  bool charge_with_texts(std::uint64_t instructions);
  // The script has to do with a text of this length.
  void meet_text(std::size_t size_bytes) { longest_ = size_bytes > longest_ ? size_bytes : longest_; }
  std::size_t longest_text() const { return longest_; }
  // It handed this many values on at once: to an instruction they are as long as a text.
  void meet_values(std::uint64_t count) { meet_text(count * bytes_per_value); }
  bool is_exhausted() const { return instructions_ >= instructions_max; }
  bool has_met_long_texts() const { return longest_ >= long_text_bytes; }
  // Its machine is better not kept for the next.
  bool was_greedy() const { return has_met_long_texts() || calls_ >= deep_calls; }

  // For lua_newstate, with a LuaLimits.
  static void* allocate(void* limits, void* block, std::size_t old_size, std::size_t size);
  // Raises the error of a script that is exhausted.
  static int stop(lua_State* lua);

 private:
  static constexpr std::size_t bytes_per_value = 16;
  static constexpr std::size_t bytes_per_field = 40;  // of a table, with its key
  static constexpr std::size_t table_bytes_like_one_of_text = 4;

  static constexpr std::size_t bytes_per_call = 40;  // that has not returned
  static constexpr std::size_t values_per_call = 16;
  static constexpr std::size_t deep_calls = 1'024;

  // A block of memory that is asked for, and one that is to become longer.
  void meet_block(std::size_t size_bytes);
  void meet_growth(std::size_t size_bytes);

  std::uint64_t instructions_ = 0;
  std::size_t bytes_ = 0;
  std::size_t longest_ = 0;  // text, or block of memory that may be one
  std::size_t calls_ = 0;    // for which the machine has room
  bool counts_memory_ = false;
};

}  // namespace holdfast::redis
