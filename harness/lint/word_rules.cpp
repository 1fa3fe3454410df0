// Rules that a word or two give away: clocks, random numbers, threads, sleeping, printing.
#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "harness/lint/rules.h"

namespace holdfast::lint {
namespace {

using Words = std::initializer_list<std::string_view>;

bool among(std::string_view word, Words words) {
  return std::ranges::find(words, word) != words.end();
}

std::string with_qualifier(const Tokens& tokens, std::size_t index) {
  const std::string_view space = tokens.qualifier(index);
  return (space.empty() ? "" : std::string(space) + "::") + tokens[index].text;
}

// Reports every word for which `is_bad(tokens, index)` holds.
template <typename Predicate>
Findings find_words(const SourceFile& file, Predicate is_bad) {
  const Tokens tokens(file);
  Findings findings;
  for (std::size_t index = 0; index < tokens.size(); ++index) {
    if (tokens.is_word(index) && is_bad(tokens, index)) {
      findings.push_back({tokens[index].line, with_qualifier(tokens, index)});
    }
  }
  return findings;
}

// time(nullptr), but not a function of ours that is called time.
bool asks_libc_for_time(const Tokens& tokens, std::size_t index) {
  const bool libc_argument = tokens.is_any(index + 2, {"nullptr", "NULL", "0", "&"});
  return tokens.is(index, "time") && tokens.is_free_call(index) &&
         (libc_argument || tokens.qualifier(index) == "std");
}

}  // namespace

Findings find_system_clocks(const SourceFile& file, const SourceFile&) {
  return find_words(file, [](const Tokens& tokens, std::size_t index) {
    const std::string_view word = tokens[index].text;
    return among(word, {"system_clock", "steady_clock", "high_resolution_clock", "utc_clock", "tai_clock",
                        "gps_clock", "file_clock", "clock_gettime", "gettimeofday", "timespec_get", "ftime",
                        "__rdtsc"}) ||
           (word == "clock" && tokens.qualifier(index) == "std") || asks_libc_for_time(tokens, index);
  });
}

Findings find_randomness(const SourceFile& file, const SourceFile&) {
  return find_words(file, [](const Tokens& tokens, std::size_t index) {
    const std::string_view word = tokens[index].text;
    const std::string_view space = tokens.qualifier(index);
    const bool libraries = space == "std" || space == "boost" || space == "random";
    return among(word, {"random_device", "mt19937", "mt19937_64", "minstd_rand", "minstd_rand0", "ranlux24",
                        "ranlux48", "knuth_b", "default_random_engine", "random_shuffle", "getrandom",
                        "getentropy", "arc4random", "arc4random_uniform", "arc4random_buf"}) ||
           (libraries && (word.starts_with("uniform_") || word.ends_with("_distribution"))) ||
           (space == "std" && among(word, {"shuffle", "sample"})) ||
           (tokens.is_free_call(index) &&
            among(word, {"rand", "srand", "rand_r", "drand48", "lrand48", "mrand48", "srandom"}));
  });
}

Findings find_threads(const SourceFile& file, const SourceFile&) {
  return find_words(file, [](const Tokens& tokens, std::size_t index) {
    const std::string_view word = tokens[index].text;
    const std::string_view space = tokens.qualifier(index);
    const bool sleeps = tokens.is_any(index + 2, {"sleep_for", "sleep_until"});  // a rule of its own
    return word.starts_with("pthread_") || (word == "this_thread" && !sleeps) ||
           ((space == "std" || space == "boost") &&
            (word.starts_with("atomic") ||
             among(word, {"thread", "jthread", "async", "mutex", "timed_mutex", "recursive_mutex",
                          "recursive_timed_mutex", "shared_mutex", "shared_timed_mutex", "condition_variable",
                          "condition_variable_any", "counting_semaphore", "binary_semaphore", "latch",
                          "barrier", "promise", "future", "packaged_task", "call_once"})));
  });
}

Findings find_thread_locals(const SourceFile& file, const SourceFile&) {
  return find_words(file,
                    [](const Tokens& tokens, std::size_t index) { return tokens.is(index, "thread_local"); });
}

Findings find_sleeping(const SourceFile& file, const SourceFile&) {
  return find_words(file, [](const Tokens& tokens, std::size_t index) {
    const std::string_view word = tokens[index].text;
    const bool global = index > 0 && tokens.is(index - 1, "::") && tokens.qualifier(index).empty();
    return (tokens.qualifier(index) == "this_thread" && among(word, {"sleep_for", "sleep_until"})) ||
           (tokens.is_free_call(index) && among(word, {"usleep", "nanosleep", "clock_nanosleep"})) ||
           (global && word == "sleep");
  });
}

Findings find_printing(const SourceFile& file, const SourceFile&) {
  return find_words(file, [](const Tokens& tokens, std::size_t index) {
    const std::string_view word = tokens[index].text;
    const std::string_view space = tokens.qualifier(index);
    // fputs() and the like may well write a file: it is naming the stream that gives them away.
    return among(word, {"stdout", "stderr", "STDOUT_FILENO", "STDERR_FILENO"}) ||
           (space == "std" && among(word, {"cout", "cerr", "clog", "wcout", "wcerr"})) ||
           ((space == "fmt" || space == "std") && among(word, {"print", "println", "vprint"})) ||
           (tokens.is_free_call(index) && among(word, {"printf", "vprintf", "puts", "putchar", "perror"}));
  });
}

}  // namespace holdfast::lint
