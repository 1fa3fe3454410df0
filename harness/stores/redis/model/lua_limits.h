// What a script may use up: steps, memory, and the time of library functions that Lua's machine does not
// count.
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
  // One script may run this many instructions of Lua's machine: some ten milliseconds.
  static constexpr std::uint64_t instructions_max = 1'000'000;
  // May ask for this many bytes in all, and for so many at once; what it gave back counts too.
  static constexpr std::size_t bytes_max = 64U << 20U;
  static constexpr std::size_t bytes_at_once_max = 4U << 20U;

  // Wraps the functions of the open libraries that could take long or survive the script. It must outlive
  // `lua`.
  void guard_libraries(lua_State* lua);
  // Before a script runs.
  void begin();
  // Memory counts from here on, or not: the model's own must never fail.
  void count_memory(bool counts) { counts_memory_ = counts; }
  // So much was done. True: that was too much.
  bool charge(std::uint64_t instructions);
  bool is_exhausted() const { return instructions_ >= instructions_max; }

  // For lua_newstate, with a LuaLimits.
  static void* allocate(void* limits, void* block, std::size_t old_size, std::size_t size);
  // Raises the error of a script that is exhausted.
  static int stop(lua_State* lua);

 private:
  std::uint64_t instructions_ = 0;
  std::size_t bytes_ = 0;
  bool counts_memory_ = false;
};

}  // namespace holdfast::redis
