// The search for a linearization, as a template over the model.
//
// After Wing & Gong, "Testing and verifying concurrent objects" (JPDC 1993): linearize a call that no other
// call's return precedes, go on, take it back if that fails. After Lowe, "Testing for linearizability" (CCPE
// 2017): remember each configuration that was tried. Histories come split by key, which Horn & Kroening,
// "Faster linearizability checking via P-compositionality" (FORTE 2015), generalised. Where we deviate, each
// time without changing any verdict:
//
// - A configuration is not a bit for each call, but the number of returns passed and a bit for each call open
//   there (outline.h): it is small, and is as quick to hash in a long history as in a short one.
// - A call that only observes (a read, a refusal) is linearized as soon as its answer fits: it changes
//   nothing, so no later place can be better, and no other choice need be tried.
// - Info calls are never linearized for their own sake. From each configuration we look, with growing number
//   of info calls, for states that info calls lead to, and go on from those with a required call. Equal info
//   calls are taken in the order of their invocation only. What fewer info calls reached covers what more
//   did (memo.h), here among the states of one configuration and there among all.
// - An info call may have a return: then it happened before that, or never. Giving it up changes nothing, so
//   it is given up only when its return is the next to pass.
//
// The stack is explicit: histories may be long.
#pragma once

#include <functional>
#include <span>
#include <utility>

#include "harness/check/linear/memo.h"
#include "harness/check/linear/outline.h"
#include "harness/kernel/require.h"

namespace holdfast::linear {

struct Limits {
  std::function<bool()> stop;  // asked now and then; true ends the search. Empty: never
  std::size_t memory_bytes = std::size_t{1} << 30;
};

enum class SearchEnd : std::uint8_t { found, exhausted, stopped, out_of_memory };

struct SearchResult {
  SearchEnd end = SearchEnd::exhausted;
  // Of the calls, in the order of linearization: all required ones if found, else as far as it ever came.
  std::vector<std::uint32_t> order;
  std::uint32_t blocked = 0;  // if not found: the call whose return could not be passed
  std::size_t passed = 0;     // how many returns were passed, of
  std::size_t required = 0;
  std::size_t configurations = 0;
  std::size_t memory_bytes = 0;
};

// What tests switch off to see whether they would notice.
struct ExactRules {
  static constexpr bool memo_compares_states = true;
  static constexpr bool memo_prefers_fewer_infos = true;
  static constexpr bool infos_wait_for_their_invocation = true;
  static constexpr bool infos_may_be_chained = true;
  static constexpr bool only_observers_are_taken_at_once = true;
};

template <SequentialModel Model, class Rules = ExactRules>
class Search {
 public:
  using State = typename Model::State;

  // All three must outlive the search.
  Search(const Model& model, std::span<const Call> calls, const Limits& limits)
      : model_(model),
        calls_(calls),
        limits_(limits),
        budget_(limits.memory_bytes),
        fits_(budget_.take(Outline::bytes(calls.size()))),
        outline_(fits_ ? outline(calls, {Model::looks_at, &Model::knows, &Model::observes}) : Outline{}),
        window_words_((outline_.slots + 63) / 64),
        classes_(outline_.classes.size()),
        memo_(window_words_, classes_, budget_),
        open_(outline_.slots, none) {}

  SearchResult run() {
    SearchEnd end = fits_ ? enter(model_.initial(), none, none) : SearchEnd::out_of_memory;
    while (end == SearchEnd::exhausted && !frames_.empty()) {
      end = advance();
    }
    return result(end);
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  // A state that info calls alone lead to from a frame's configuration; the first one is the configuration's.
  struct Reached {
    State state;
    std::uint32_t before = none;  // the Reached from which `info` led here
    std::uint32_t info = none;    // in Outline::infos
  };

  // A configuration, and which ways on from it were tried.
  struct Frame {
    std::uint32_t passed_before = 0;
    std::size_t order_before = 0;
    std::uint32_t first_reached = 0;
    std::uint32_t reached = 0;  // the one from which required calls are tried now
    std::uint32_t slot = 0;     // the next to try
  };

  const Call& required(std::uint32_t rank) const { return calls_[outline_.required[rank]]; }
  std::uint64_t* window() { return windows_.data() + (windows_.size() - window_words_); }
  bool is_settled(std::uint32_t slot) { return (window()[slot / 64] >> (slot % 64) & 1) != 0; }
  InfoCount* infos_of(std::uint32_t reached) {
    return reached_infos_.data() + std::size_t{reached} * classes_;
  }

  // Tries one way on. Answers `exhausted` as long as nothing ends the search.
  SearchEnd advance() {
    if (should_stop(1)) {
      return SearchEnd::stopped;
    }
    Frame& top = frames_.back();
    while (top.slot < outline_.slots) {
      const std::uint32_t rank = open_[top.slot];
      if (rank == none || is_settled(top.slot)) {
        ++top.slot;
        continue;
      }
      ++top.slot;
      if (std::optional<State> next = model_.step(reached_[top.reached].state, required(rank))) {
        return enter(std::move(*next), top.reached, rank);
      }
    }
    if (top.slot++ == outline_.slots && top.reached == top.first_reached &&
        outline_.duty[passed_] == Duty::expire) {
      return enter(reached_[top.reached].state, top.reached, passed_, true);
    }
    if (const SearchEnd end = use_infos(top); end != SearchEnd::exhausted) {
      return end;
    }
    top.slot = 0;
    if (++top.reached == reached_.size()) {
      leave();
    }
    return SearchEnd::exhausted;
  }

  // Linearizes the info calls that led to `from`, then the call of this rank (or gives it up), then all that
  // only observe; stands there if nobody was there before.
  SearchEnd enter(State state, std::uint32_t from, std::uint32_t rank, bool give_up = false) {
    const std::size_t order_before = order_.size();
    const std::uint32_t passed_before = passed_;
    if (!budget_.make_room(windows_, window_words_) || !budget_.make_room(frames_, 1) ||
        !budget_.make_room(reached_, 1) || !budget_.make_room(reached_infos_, classes_) ||
        !budget_.make_room(order_, calls_.size() - order_.size())) {
      return SearchEnd::out_of_memory;
    }
    if (rank == none) {
      windows_.resize(window_words_, 0);
      enter_open(0, outline_.entered[0]);
    } else {
      windows_.resize(windows_.size() + window_words_);
      std::copy_n(window() - window_words_, window_words_, window());
      append_infos(from);
      if (!give_up) {
        order_.push_back(outline_.required[rank]);
      }
      settle(rank);
    }
    observe(state);
    if (passed_ == outline_.required.size()) {
      return SearchEnd::found;
    }
    const auto reached = static_cast<std::uint32_t>(reached_.size());
    reached_infos_.resize(reached_infos_.size() + classes_, 0);
    if (from != none) {
      std::copy_n(infos_of(from), classes_, infos_of(reached));
    }
    const Visit visit = memo_.visit(passed_, window(), state, infos_of(reached));
    if (visit == Visit::fresh) {
      reached_.push_back({std::move(state), none, none});
      frames_.push_back({passed_before, order_before, reached, reached, 0});
      return SearchEnd::exhausted;
    }
    reached_infos_.resize(reached_infos_.size() - classes_);
    take_back(passed_before, order_before);
    return visit == Visit::known ? SearchEnd::exhausted : SearchEnd::out_of_memory;
  }

  void leave() {
    require(!frames_.empty(), "a search leaves only where it stands");
    const Frame top = frames_.back();
    remember_if_deepest();
    frames_.pop_back();
    reached_.resize(top.first_reached);
    reached_infos_.resize(std::size_t{top.first_reached} * classes_);
    take_back(top.passed_before, top.order_before);
  }

  void take_back(std::uint32_t passed, std::size_t order) {
    require(passed <= passed_ && order <= order_.size(), "a search goes back to where it came from");
    require(windows_.size() >= window_words_, "a search takes back what it entered");
    windows_.resize(windows_.size() - window_words_);
    order_.resize(order);
    shared_ = std::min(shared_, order);
    while (passed_ > passed) {
      --passed_;
      for (std::uint32_t each = outline_.entered[passed_]; each < outline_.entered[passed_ + 1]; ++each) {
        open_[outline_.slot[outline_.entering[each]]] = none;
      }
      open_[outline_.slot[passed_]] = passed_;
    }
  }

  // Nothing more is to be done about this call.
  void settle(std::uint32_t rank) {
    const std::uint32_t slot = outline_.slot[rank];
    require(open_[slot] == rank && !is_settled(slot), "a call is settled once, while it is open");
    window()[slot / 64] |= std::uint64_t{1} << (slot % 64);
    while (passed_ < outline_.required.size() && is_settled(outline_.slot[passed_])) {
      const std::uint32_t freed = outline_.slot[passed_];
      window()[freed / 64] &= ~(std::uint64_t{1} << (freed % 64));
      open_[freed] = none;
      enter_open(outline_.entered[passed_], outline_.entered[passed_ + 1]);
      ++passed_;
    }
  }

  void enter_open(std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t each = from; each < to; ++each) {
      const std::uint32_t rank = outline_.entering[each];
      require(open_[outline_.slot[rank]] == none, "a place of the window has one call at a time");
      open_[outline_.slot[rank]] = rank;
    }
  }

  void observe(const State& state) {
    for (std::uint32_t slot = 0; slot < outline_.slots;) {
      const std::uint32_t rank = open_[slot];
      const std::uint32_t passed = passed_;
      if (rank != none && !is_settled(slot) && is_taken_at_once(state, rank)) {
        order_.push_back(outline_.required[rank]);
        settle(rank);
      }
      slot = passed == passed_ ? slot + 1 : 0;  // calls that came in may have a smaller slot
    }
  }

  bool is_taken_at_once(const State& state, std::uint32_t rank) {
    if (Rules::only_observers_are_taken_at_once) {
      return outline_.duty[rank] == Duty::observe && model_.step(state, required(rank)).has_value();
    }
    return model_.step(state, required(rank)) == state;
  }

  // The states that one more info call leads to, from the one whose required calls were all tried.
  SearchEnd use_infos(const Frame& top) {
    if (!Rules::infos_may_be_chained && top.reached != top.first_reached) {
      return SearchEnd::exhausted;
    }
    const Position now = required(passed_).returned;
    for (std::uint32_t each = 0; each < classes_; ++each) {
      const InfoClass& equals = outline_.classes[each];
      const std::uint32_t info = equals.first + infos_of(top.reached)[each];
      if (info == equals.last ||
          (Rules::infos_wait_for_their_invocation && calls_[outline_.infos[info]].invoked >= now)) {
        continue;
      }
      std::optional<State> next = model_.step(reached_[top.reached].state, calls_[outline_.infos[info]]);
      if (!next) {
        continue;
      }
      if (should_stop(reached_.size() - top.first_reached)) {
        return SearchEnd::stopped;
      }
      if (!reach(std::move(*next), top, each, info)) {
        return SearchEnd::out_of_memory;
      }
    }
    return SearchEnd::exhausted;
  }

  // Notes a state, unless fewer info calls led there. False if there is no memory.
  bool reach(State state, const Frame& top, std::uint32_t used_class, std::uint32_t info) {
    if (!budget_.make_room(reached_, 1) || !budget_.make_room(reached_infos_, classes_)) {
      return false;
    }
    const auto index = static_cast<std::uint32_t>(reached_.size());
    reached_infos_.resize(reached_infos_.size() + classes_);
    std::copy_n(infos_of(top.reached), classes_, infos_of(index));
    ++infos_of(index)[used_class];
    for (std::uint32_t each = top.first_reached; each < index; ++each) {
      if (reached_[each].state == state && uses_no_more(infos_of(each), infos_of(index), classes_)) {
        reached_infos_.resize(reached_infos_.size() - classes_);
        return true;
      }
    }
    reached_.push_back({std::move(state), top.reached, info});
    return true;
  }

  void append_infos(std::uint32_t reached) {
    const std::size_t first = order_.size();
    for (; reached_[reached].info != none; reached = reached_[reached].before) {
      order_.push_back(outline_.infos[reached_[reached].info]);
    }
    std::reverse(order_.begin() + static_cast<std::ptrdiff_t>(first), order_.end());
  }

  // Copies only what changed since the last time, so that going deeper step by step costs no more than
  // the steps themselves.
  void remember_if_deepest() {
    if (std::pair(passed_, order_.size()) <= deepest_at_ && !deepest_.empty()) {
      return;
    }
    deepest_at_ = {passed_, order_.size()};
    deepest_.resize(shared_);
    deepest_.insert(deepest_.end(), order_.begin() + static_cast<std::ptrdiff_t>(shared_), order_.end());
    shared_ = order_.size();
  }

  bool should_stop(std::size_t work) {
    work_ += work;
    if (work_ < next_question_) {
      return false;
    }
    next_question_ = work_ + 1024;
    return limits_.stop && limits_.stop();
  }

  SearchResult result(SearchEnd end) {
    SearchResult result;
    result.end = end;
    result.required = outline_.required.size();
    result.configurations = memo_.size();
    result.memory_bytes = budget_.used();
    if (end == SearchEnd::found) {
      require(order_.size() <= calls_.size(), "an explanation has no call twice");
      result.passed = result.required;
      result.order = std::move(order_);
      return result;
    }
    if (!fits_) {
      return result;
    }
    if (!frames_.empty()) {
      remember_if_deepest();
    }
    result.passed = deepest_at_.first;
    result.order = std::move(deepest_);
    result.blocked = result.passed < result.required ? outline_.required[result.passed] : 0;
    return result;
  }

  const Model& model_;
  std::span<const Call> calls_;
  const Limits& limits_;
  MemoryBudget budget_;
  bool fits_;
  Outline outline_;
  std::size_t window_words_;
  std::size_t classes_;
  Memo<State, Rules> memo_;

  std::vector<std::uint32_t> open_;  // slot → rank of the call open there, linearized or not
  std::uint32_t passed_ = 0;
  std::vector<std::uint32_t> order_;
  std::vector<Frame> frames_;
  std::vector<std::uint64_t> windows_;    // of each frame; the last is the present one
  std::vector<Reached> reached_;          // of each frame, one after the other
  std::vector<InfoCount> reached_infos_;  // of each Reached
  std::pair<std::uint32_t, std::size_t> deepest_at_{0, 0};
  std::vector<std::uint32_t> deepest_;
  std::size_t shared_ = 0;  // how much of deepest_ is still the beginning of order_
  std::size_t work_ = 0;
  std::size_t next_question_ = 0;
};

}  // namespace holdfast::linear
