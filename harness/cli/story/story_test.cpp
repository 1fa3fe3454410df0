// Tells hand-made histories and compares the picture letter by letter.
#include "harness/cli/story/story.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/kernel/random_strategy.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

// A world without coroutines: what is told happens at the time it is told for.
class Teller {
 public:
  Teller() {
    kernel_.reset(strategy_);
    history_.reset(kernel_, true);
  }

  ProcessId process(std::string_view name) {
    processes_.push_back(kernel_.add_process(name));
    return processes_.back();
  }
  void tell(Duration true_time, Event event, std::string text = {}) {
    told_.push_back({true_time, event, std::move(text)});
  }
  std::string picture(const std::vector<Verdict>& verdicts = {}, std::size_t width = 120,
                      bool color = false) {
    for (std::size_t index = 0; index < told_.size(); ++index) {
      kernel_.call_at(world_process, told_[index].true_time, record, this, index);
    }
    kernel_.hold_open();
    kernel_.run({});
    return story_picture(history_, processes_, verdicts, Terminal{color, width, false});
  }

 private:
  struct Told {
    Duration true_time;
    Event event;
    std::string text;
  };
  static void record(void* context, std::uint64_t index) {
    auto& teller = *static_cast<Teller*>(context);
    const Told& told = teller.told_[index];
    teller.history_.record(told.event, told.text);
  }

  RandomStrategy strategy_;
  Kernel kernel_;
  History history_;
  std::vector<ProcessId> processes_;
  std::vector<Told> told_;
};

Event event(EventType type, Operation operation, ProcessId process, std::uint32_t session = 0) {
  Event result;
  result.type = type;
  result.operation = operation;
  result.process = process;
  result.thread = 1;
  result.session = session;
  return result;
}

Event on_server(EventType type, ProcessId client, ProcessId server) {
  Event result = event(type, Operation::none, client);
  result.server = server;
  return result;
}

Event fault(EventType type, ProcessId process) {
  Event result;
  result.type = type;
  result.process = process;
  return result;
}

std::size_t count_lines_with(const std::string& picture, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = picture.find(part); at != std::string::npos; at = picture.find(part, at + 1)) {
    ++count;
  }
  return count;
}

void tell_pause_story(Teller& teller) {
  const ProcessId c1 = teller.process("c1");
  const ProcessId c2 = teller.process("c2");
  const ProcessId redis = teller.process("redis");
  const ProcessId storage = teller.process("storage");
  teller.tell(0ms, event(EventType::invoke, Operation::acquire, c1, 1));
  teller.tell(1ms, on_server(EventType::applied, c1, redis), "SET lock a NX PX 10000 → OK");
  teller.tell(2ms, event(EventType::ok, Operation::acquire, c1, 1));
  teller.tell(2ms, fault(EventType::fault_begin, c1), "pauses for 15 s");
  teller.tell(10001ms, event(EventType::invoke, Operation::acquire, c2, 2));
  teller.tell(10002ms, event(EventType::ok, Operation::acquire, c2, 2));
  Event write = event(EventType::stored, Operation::write, c2, 2);
  write.server = storage;
  write.value = 1;
  teller.tell(10003ms, write);
  teller.tell(15002ms, fault(EventType::fault_end, c1), "gc-pause");
  write.process = c1;
  write.session = 1;
  write.found_version = 1;
  teller.tell(15003ms, write);
  teller.tell(15004ms, event(EventType::invoke, Operation::release, c1, 1));
}

const std::vector<Verdict> pause_verdicts{
    {"mutual exclusion", Judgement::violated, "c1 and c2 both held the lock", {2, 5}}};

TEST(Story, TellsAPauseWithHoldsFaultAndViolation) {
  Teller teller;
  tell_pause_story(teller);
  std::string picture = teller.picture(pause_verdicts);
  const std::size_t rule = picture.find('\n') + 1;
  picture.erase(rule, picture.find('\n', rule) + 1 - rule);
  EXPECT_EQ("\n" + picture, R"(
              c1                     c2                redis                             storage
      0.000   acquire
      0.001                                            c1 SET lock a NX PX 10000 → OK
✗     0.002 ┃ granted #1
      0.002 ┃░▒▒ pauses for 15 s
     10.001 ┃░                       acquire
✗    10.002 ┃░                     ┃ granted #2
            ✗ mutual exclusion: c1 and c2 both held the lock
     10.003 ┃░                     ┃                                                     c2 wrote 1 (version 1)
     15.002 ┃ ▒▒ gc-pause is over  ┃
     15.003 ┃                      ┃                                                     c1 wrote 1 over version 1,
            ┃                      ┃                                                       having read version 0
     15.004   release #1           ┃
)");
}

TEST(Story, NeverExceedsTheWidth) {
  for (const std::size_t width : {40U, 60U, 80U, 100U, 200U}) {
    Teller teller;
    tell_pause_story(teller);
    const std::string picture = teller.picture(pause_verdicts, width);
    for (std::size_t start = 0; start < picture.size();) {
      const std::size_t end = picture.find('\n', start);
      EXPECT_LE(display_width(picture.substr(start, end - start)), width) << picture;
      start = end + 1;
    }
  }
}

TEST(Story, IsTheSameInColorButForTheCodes) {
  Teller plain;
  tell_pause_story(plain);
  Teller colored;
  tell_pause_story(colored);
  std::string stripped;
  const std::string picture = colored.picture(pause_verdicts, 120, true);
  for (std::size_t at = 0; at < picture.size(); ++at) {
    if (picture[at] == '\x1b') {
      at = picture.find('m', at);
    } else {
      stripped += picture[at];
    }
  }
  EXPECT_NE(picture.find("\x1b[31m"), std::string::npos);
  EXPECT_EQ(stripped, plain.picture(pause_verdicts));
}

TEST(Story, CountsAttemptsInsteadOfShowingThemAll) {
  Teller teller;
  const ProcessId c1 = teller.process("c1");
  const ProcessId redis = teller.process("redis");
  teller.tell(0ms, event(EventType::invoke, Operation::acquire, c1, 1));
  for (int attempt = 0; attempt < 95; ++attempt) {
    teller.tell(std::chrono::milliseconds(100 * attempt + 1), on_server(EventType::applied, c1, redis),
                "SET lock value-" + std::to_string(attempt) + " NX → (nil)");
  }
  teller.tell(9600ms, on_server(EventType::applied, c1, redis), "SET lock value-95 NX → OK");
  teller.tell(9601ms, event(EventType::ok, Operation::acquire, c1, 1));
  const std::string picture = teller.picture();
  EXPECT_EQ(count_lines_with(picture, "(nil)"), 1U) << picture;
  EXPECT_NE(picture.find("9.401   … 94 more attempts\n"), std::string::npos) << picture;
  EXPECT_NE(picture.find("→ OK"), std::string::npos) << picture;
}

TEST(Story, ShowsAnAttemptAgainAfterAFault) {
  Teller teller;
  const ProcessId c1 = teller.process("c1");
  const ProcessId redis = teller.process("redis");
  teller.tell(0ms, event(EventType::invoke, Operation::acquire, c1, 1));
  teller.tell(1ms, on_server(EventType::applied, c1, redis), "SETNX lock → 0");
  teller.tell(2ms, fault(EventType::fault_begin, redis), "clock jumps 10 s");
  teller.tell(3ms, on_server(EventType::applied, c1, redis), "SETNX lock → 0");
  EXPECT_EQ(count_lines_with(teller.picture(), "SETNX"), 2U);
}

TEST(Story, AlwaysShowsAWitness) {
  Teller teller;
  const ProcessId c1 = teller.process("c1");
  const ProcessId redis = teller.process("redis");
  for (int attempt = 0; attempt < 3; ++attempt) {
    teller.tell(std::chrono::milliseconds(attempt), on_server(EventType::applied, c1, redis), "DEL lock → 1");
  }
  const std::string picture =
      teller.picture({{"ownership", Judgement::violated, "deleted by a stranger", {2}}});
  EXPECT_NE(picture.find("✗     0.002"), std::string::npos) << picture;
}

TEST(Story, CastsNoShadeForAFaultThatIsOverAtOnce) {
  Teller teller;
  const ProcessId redis = teller.process("redis");
  teller.tell(1ms, fault(EventType::fault_begin, redis), "wall clock jumps 10 s");
  EXPECT_EQ(teller.picture().find("░"), std::string::npos);
}

TEST(Story, EndsAHoldWithTheDeathOfItsHolder) {
  Teller teller;
  const ProcessId c1 = teller.process("c1");
  teller.tell(0ms, event(EventType::ok, Operation::acquire, c1, 1));
  teller.tell(1ms, fault(EventType::died, c1));
  EXPECT_EQ(count_lines_with(teller.picture(), "┃"), 1U);
}

TEST(Story, GivesThreadsOfOneProcessColumnsOfTheirOwn) {
  Teller teller;
  const ProcessId c1 = teller.process("c1");
  Event second = event(EventType::invoke, Operation::acquire, c1, 2);
  second.thread = 2;
  teller.tell(0ms, event(EventType::invoke, Operation::acquire, c1, 1));
  teller.tell(1ms, second);
  EXPECT_EQ(teller.picture().substr(0, 37), "              c1                c1:2\n");
}

TEST(Story, LetsServersShareAColumnWhenThereAreTooMany) {
  Teller teller;
  const ProcessId c1 = teller.process("c1");
  teller.tell(0ms, event(EventType::invoke, Operation::acquire, c1, 1));
  for (int index = 1; index <= 7; ++index) {
    const ProcessId redis = teller.process("redis-" + std::to_string(index));
    teller.tell(std::chrono::milliseconds(index), on_server(EventType::applied, c1, redis), "SET lock → OK");
  }
  const std::string picture = teller.picture({}, 80);
  EXPECT_NE(picture.find("servers"), std::string::npos) << picture;
  EXPECT_NE(picture.find("redis-7: c1 SET lock → OK"), std::string::npos) << picture;
}

TEST(Story, KeepsControlCharactersOutOfThePicture) {
  Teller teller;
  const ProcessId c1 = teller.process("c1");
  teller.tell(0ms, event(EventType::fail, Operation::acquire, c1, 1), "odd \x1b[2J reply");
  EXPECT_EQ(teller.picture().find('\x1b'), std::string::npos);
}

TEST(Story, TellsAtTheEndThatAWaitHasNone) {
  Teller teller;
  const ProcessId c1 = teller.process("c1");
  teller.tell(0ms, event(EventType::invoke, Operation::acquire, c1, 1));
  teller.tell(5ms, fault(EventType::fault_begin, c1), "clock jumps");
  const std::string picture = teller.picture({{"progress", Judgement::violated, "c1 never got it", {0}}});
  EXPECT_TRUE(picture.ends_with("✗ progress: c1 never got it\n")) << picture;
}

TEST(Story, KeepsTheReplyOfALongCommandInSight) {
  Teller teller;
  const ProcessId c1 = teller.process("c1");
  const ProcessId redis = teller.process("redis");
  teller.tell(0ms, on_server(EventType::applied, c1, redis),
              "EVAL if redis.call('get', KEYS[1]) == ARGV[1] then return… 1 lock 0123456789abcdef → (nil)");
  EXPECT_TRUE(teller.picture({}, 44).ends_with("→ (nil)\n"));
}

TEST(Story, KeepsTheNameOfACommandInSightOfALongReply) {
  Teller teller;
  const ProcessId c1 = teller.process("c1");
  const ProcessId redis = teller.process("redis");
  teller.tell(0ms, event(EventType::invoke, Operation::acquire, c1, 1));
  teller.tell(
      1ms, on_server(EventType::applied, c1, redis),
      "SUBSCRIBE redisson_lock__channel:{lock} → [\"subscribe\", \"redisson_lock__channel:{lock}\", 1]");
  EXPECT_NE(teller.picture({}, 60).find("c1 SUBSCRIBE"), std::string::npos);
}

TEST(Story, OfTwoThatShareAColumnAndHoldTheLockTheBarIsDouble) {
  Teller teller;
  for (int index = 1; index <= 8; ++index) {
    const ProcessId client = teller.process("c" + std::to_string(index));
    teller.tell(std::chrono::milliseconds(index),
                event(EventType::invoke, Operation::acquire, client, static_cast<std::uint32_t>(index)));
  }
  const auto first = static_cast<ProcessId>(1);
  teller.tell(20ms, event(EventType::ok, Operation::acquire, first, 1));
  teller.tell(21ms, event(EventType::ok, Operation::acquire, first, 9));  // again: still one who holds it
  teller.tell(22ms, event(EventType::ok, Operation::acquire, static_cast<ProcessId>(2), 2));
  const std::string picture = teller.picture({}, 60);
  EXPECT_NE(picture.find("clients"), std::string::npos) << picture;
  EXPECT_EQ(count_lines_with(picture, "┃"), 2U) << picture;
  EXPECT_EQ(count_lines_with(picture, "║"), 1U) << picture;
}

TEST(Story, OfNothingIsAnEmptyPicture) {
  Teller teller;
  teller.process("c1");
  EXPECT_NO_THROW(teller.picture());
}

}  // namespace
}  // namespace holdfast::cli
