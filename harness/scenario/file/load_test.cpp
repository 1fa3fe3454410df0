// Scenarios that are right come out as they were written; each way to be wrong is a row of a table: the base
// scenario with one piece replaced, and what the sentence must say.
#include "harness/scenario/file/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "faults/test_options.h"
#include "harness/scenario/file/load_duration.h"
#include "harness/stores/redis/test_topology.h"
#include "locks/catalog.h"

namespace holdfast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const ScenarioNames& names() {
  static const ScenarioNames all{.locks = {"local-mutex", "redis-px-cad", "redis-px-del", "redisson-fenced"}};
  return all;
}

const std::string whole = R"({
  "title": "A pause outlives the lease",
  "about": "C1 locks and pauses.",
  "source": "001:L335",
  "lock": "redis-px-cad",
  "any_lock": true,
  "topology": {"replicas": 2, "append_only": "every_second", "replication_lag": "0.5 ttl",
    "token_checking": "off", "latency": {"least": "1ms", "jitter_step": "0ns", "jitter_steps": 3}},
  "settings": {"ttl": "10s", "retry_interval": "100ms", "retry_jitter": "0ms", "wait_replicas": 1,
    "command_timeout": "2s"},
  "clients": [
    {"name": "c1", "threads": 2},
    {"name": "c2", "start": "ttl + 1ms", "role": "stranger", "rounds": 7, "work": "5ms"}
  ],
  "workload": {"kind": "oversell", "rounds": 4, "work": "1.5 ttl", "pause": "0s", "stock": 9},
  "faults": [
    {"fault": "gc-pause", "on": "c1", "at": {"client": "c1", "point": "work"}, "for": "1.5 ttl"},
    {"fault": "gc-pause", "on": "c1", "at": {"client": "c2", "command": "DEL", "phase": "applied", "nth": 2},
      "until": {"server": "redis-b", "phase": "arrived"}},
    {"fault": "crash", "on": "c1", "thread": 2, "at": {"client": "c1", "step": 12}},
    {"fault": "partition", "on": "c2", "peers": "servers", "messages": "held", "direction": "to",
      "at": {"time": "5s"}, "for": "1s"},
    {"fault": "clock-jump", "on": "redis", "by": "-2 ttl", "clock": "both", "at": {"time": "0s"}},
    {"fault": "clock-drift", "on": "c1", "parts_per_million": -50000, "clock": "monotonic", "for": "3 ttl",
      "at": {"client": "c1", "command": "read", "phase": "replied", "thread": 2}},
    {"fault": "clock-steps", "on": "c1", "by": "ttl", "steps": 20, "every": "100ms", "at": {"time": "1s"}}
  ],
  "properties": ["progress"],
  "time_limit": "2min",
  "event_limit": 1000,
  "expect": {"letter": "V", "reasoned": "S", "note": "measured"},
  "expect_for": {"redisson-fenced": {"letter": "F"}}
})";

const std::string family = R"({
  "title": "t", "about": "a", "lock": "redis-px-cad", "any_lock": true, "clients": 3, "column": 4, "seeds": 20,
  "sweep": [{"fault": "gc-pause", "on": "clients", "for": "1.5 ttl"}, {"fault": "failover", "on": "servers"}]
})";

std::string sentence_about(const std::string& text) {
  try {
    parse_scenario(text, "dir/bad.json", "bad", names());
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "(no error)";
}

std::string replaced(std::string text, const std::string& piece, const std::string& by) {
  const std::size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece << " is not in the base scenario";
  return at == std::string::npos ? text : text.replace(at, piece.size(), by);
}

TEST(Load, ReadsEveryFieldOfAStory) {
  const Scenario scenario = parse_scenario(whole, "whole.json", "whole", names());
  EXPECT_EQ(scenario.name, "whole");
  EXPECT_EQ(scenario.title, "A pause outlives the lease");
  EXPECT_EQ(scenario.about, "C1 locks and pauses.");
  EXPECT_EQ(scenario.source, "001:L335");
  EXPECT_EQ(scenario.lock, "redis-px-cad");
  EXPECT_TRUE(scenario.any_lock);
  EXPECT_FALSE(scenario.is_family());

  const redis::Topology topology = redis::topology_of({.options = scenario.topology.of("redis"), .ttl = 10s});
  EXPECT_EQ(scenario.topology.of("redis").count(redis::replicas_option), 2);
  EXPECT_EQ(topology.append_only, redis::AppendOnly::every_second);
  EXPECT_EQ(topology.replication_lag, 5s);
  EXPECT_EQ(scenario.topology.token_checking, "off");
  EXPECT_EQ(scenario.topology.latency.least, 1ms);
  EXPECT_EQ(scenario.topology.latency.jitter_step, 0ns);
  EXPECT_EQ(scenario.topology.latency.jitter_steps, 3U);

  EXPECT_EQ(scenario.settings.ttl->fixed, 10s);
  EXPECT_EQ(scenario.settings.retry_interval->fixed, 100ms);
  EXPECT_EQ(scenario.settings.retry_jitter->fixed, 0ms);
  EXPECT_EQ(scenario.settings.wait_replicas, 1);
  EXPECT_EQ(scenario.settings.command_timeout.fixed, 2s);

  ASSERT_EQ(scenario.clients.size(), 2U);
  EXPECT_EQ(scenario.clients[0].name, "c1");
  EXPECT_EQ(scenario.clients[0].threads, 2U);
  EXPECT_FALSE(scenario.clients[0].rounds);
  EXPECT_EQ(to_text(scenario.clients[1].start), "ttl + 1ms");
  EXPECT_EQ(scenario.clients[1].role, "stranger");
  EXPECT_EQ(scenario.clients[1].rounds, 7U);
  EXPECT_EQ(scenario.clients[1].work->fixed, 5ms);

  EXPECT_EQ(scenario.workload.kind, "oversell");
  EXPECT_EQ(scenario.workload.rounds, 4U);
  EXPECT_EQ(scenario.workload.work.ttl_per_mille, 1500);
  EXPECT_EQ(scenario.workload.pause.fixed, 0ms);
  EXPECT_EQ(scenario.workload.stock, 9);

  EXPECT_THAT(scenario.properties, ElementsAre("progress"));
  EXPECT_EQ(scenario.time_limit.fixed, 2min);
  EXPECT_EQ(scenario.time_limit.ttl_per_mille, 0);
  EXPECT_EQ(scenario.event_limit, 1000U);
  EXPECT_EQ(scenario.expect.letter, "V");
  EXPECT_EQ(scenario.expect.reasoned, "S");
  EXPECT_EQ(scenario.expect.note, "measured");
  EXPECT_EQ(scenario.expect_for.at("redisson-fenced").letter, "F");
}

TEST(Load, ReadsEveryKindOfFaultAndStep) {
  const std::vector<FaultSpec> faults = parse_scenario(whole, "whole.json", "whole", names()).faults;
  ASSERT_EQ(faults.size(), 7U);

  EXPECT_EQ(faults[0].fault, "gc-pause");
  EXPECT_EQ(faults[0].on, "c1");
  EXPECT_EQ(faults[0].at.process, "c1");
  EXPECT_EQ(faults[0].at.phase, Phase::point);
  EXPECT_EQ(faults[0].at.name, "work");
  EXPECT_EQ(faults[0].at.nth, 1U);
  EXPECT_EQ(faults[0].lasts->ttl_per_mille, 1500);
  EXPECT_FALSE(faults[0].until);

  EXPECT_EQ(faults[1].at.process, "c2");
  EXPECT_EQ(faults[1].at.phase, Phase::applied);
  EXPECT_EQ(faults[1].at.name, "DEL");
  EXPECT_EQ(faults[1].at.nth, 2U);
  EXPECT_EQ(faults[1].until->process, "redis-b");
  EXPECT_EQ(faults[1].until->phase, Phase::arrived);
  EXPECT_EQ(faults[1].until->name, "");
  EXPECT_FALSE(faults[1].lasts);

  EXPECT_EQ(said(faults[2], "thread"), OptionValue(2));
  EXPECT_EQ(faults[2].at.ordinal, 12U);

  EXPECT_EQ(said(faults[3], "peers"), OptionValue("servers"));
  EXPECT_EQ(said(faults[3], "messages"), OptionValue("held"));
  EXPECT_EQ(said(faults[3], "direction"), OptionValue("to"));
  EXPECT_EQ(faults[3].at.time->fixed, 5s);

  EXPECT_EQ(faults[4].on, "redis");
  EXPECT_EQ(said(faults[4], "by"), OptionValue(ScenarioDuration{0s, -2000}));
  EXPECT_EQ(said(faults[4], "clock"), OptionValue("both"));

  EXPECT_EQ(said(faults[5], "parts_per_million"), OptionValue(-50000));
  EXPECT_EQ(faults[5].at.name, "read");
  EXPECT_EQ(faults[5].at.phase, Phase::replied);
  EXPECT_EQ(faults[5].at.thread, 2U);

  EXPECT_EQ(said(faults[6], "steps"), OptionValue(20));
  EXPECT_EQ(said(faults[6], "every"), OptionValue(ScenarioDuration{100ms, 0}));
}

TEST(Load, ReadsAFamilyAndLeavesTheRestAtItsDefaults) {
  const Scenario scenario = parse_scenario(family, "family.json", "family", names());
  EXPECT_TRUE(scenario.is_family());
  EXPECT_EQ(scenario.column, 4U);
  EXPECT_EQ(scenario.seeds, 20U);
  ASSERT_EQ(scenario.sweep.size(), 2U);
  EXPECT_EQ(scenario.sweep[0].on, "clients");
  EXPECT_EQ(scenario.sweep[1].fault, "failover");
  EXPECT_EQ(scenario.clients.size(), 3U);
  EXPECT_EQ(scenario.clients[2].name, "c3");

  const Scenario defaults;
  EXPECT_EQ(scenario.workload.kind, "cycle");
  EXPECT_EQ(scenario.time_limit.fixed, defaults.time_limit.fixed);
  EXPECT_EQ(scenario.event_limit, defaults.event_limit);
  EXPECT_TRUE(scenario.sweep[0].options.empty());
  EXPECT_FALSE(scenario.settings.ttl);
}

struct Bad {
  std::string piece;
  std::string by;
  std::string place;     // "line: path" that the sentence must name
  std::string expected;  // and what else it must say
};

void expect_sentences(const std::string& base, std::initializer_list<Bad> table) {
  for (const Bad& row : table) {
    const std::string sentence = sentence_about(replaced(base, row.piece, row.by));
    EXPECT_EQ(sentence.find("dir/bad.json:" + row.place), 0U) << sentence << "\n  expected at " << row.place;
    EXPECT_THAT(sentence, HasSubstr(row.expected));
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    EXPECT_LT(sentence.size(), 400U) << sentence;
  }
}

TEST(Load, RefusesFieldsThatAreUnknownMissingOrOfTheWrongType) {
  expect_sentences(
      whole,
      {
          {"\"title\"", "\"titel\"", "2: ", "there is no field \"titel\" here"},
          {"\"title\"", "\"titel\"", "2: ", "did you mean \"title\"?"},
          {"\"title\": \"A pause outlives the lease\",", "", "1: ", "the field \"title\" is missing"},
          {"\"lock\": \"redis-px-cad\",", "", "1: ", "the field \"lock\" is missing"},
          {"\"about\": \"C1 locks and pauses.\"", "\"about\": 5", "3: about: ", "expected a text, found 5"},
          {"\"A pause outlives the lease\"", "\"\"", "2: title: ", "expected a text, found \"\""},
          {"\"any_lock\": true", "\"any_lock\": \"yes\"",
           "6: any_lock: ", "expected true or false, found \"yes\""},
          {"\"topology\": {\"replicas\": 2", "\"topology\": {\"replica\": 2",
           "7: topology: ", "mean \"replicas\"?"},
          {"\"replicas\": 2", "\"replicas\": -1", "7: topology.replicas: ", "from 0 to 5, found -1"},
          {"\"replicas\": 2", "\"replicas\": 1.5", "7: topology.replicas: ", "found 1.5"},
          {"\"replicas\": 2", "\"replicas\": 99999999999999999999", "7: topology.replicas: ", "from 0 to 5"},
          {"every_second", "every-second", "7: topology.append_only: ", "did you mean \"every_second\"?"},
          {"\"off\"", "\"offf\"",
           "8: topology.token_checking: ", "expected auto, on or off; did you mean \"off\"?"},
          {"\"least\": \"1ms\"", "\"least\": \"ttl\"", "8: topology.latency.least: ", "without \"ttl\""},
          {"\"jitter_steps\": 3", "\"jitter_steps\": 0", "8: topology.latency.jitter_steps: ", "from 1 to"},
          {"\"ttl\": \"10s\"", "\"ttl\": \"1us\"", "9: settings.ttl: ", "at least \"1ms\""},
          {"\"ttl\": \"10s\"", "\"ttl\": 10", "9: settings.ttl: ", "a duration in quotes"},
          {"\"ttl\": \"10s\"", "\"ttl\": \"10 seconds\"",
           "9: settings.ttl: ", "there is no unit \"seconds\""},
          {"\"command_timeout\": \"2s\"", "\"command_timeout\": \"-2s\"",
           "10: settings.command_timeout: ", "not negative, found \"-2s\""},
          {"\"kind\": \"oversell\"", "\"kind\": \"over-sell\"",
           "15: workload.kind: ", "did you mean \"oversell\"?"},
          {"\"kind\": \"oversell\"", "\"kind\": \"cycle\"",
           "15: workload.stock: ", "only the workload oversell"},
          {"\"rounds\": 4", "\"rounds\": 0", "15: workload.rounds: ", "a whole number from 1 to"},
          {"\"work\": \"1.5 ttl\"", "\"work\": \"ttl - 11s\"", "15: workload.work: ", "not negative"},
          {"\"properties\": [\"progress\"]", "\"properties\": [\"progres\"]",
           "28: properties[0]: ", "\"progress\"?"},
          {"\"properties\": [\"progress\"]", "\"properties\": \"progress\"",
           "28: properties: ", "expected a list"},
          {"\"letter\": \"V\"", "\"letter\": \"X\"",
           "31: expect.letter: ", "expected S, V, F, L, U, D, E or -"},
          {"\"letter\": \"V\"", "\"letter\": \"v\"", "31: expect.letter: ", "did you mean \"V\"?"},
          {"\"event_limit\": 1000", "\"event_limit\": 1", "30: event_limit: ", "from 1000"},
          {"\"time_limit\": \"2min\"", "\"time_limit\": \"0s\"", "29: time_limit: ", "longer than nothing"},
      });
}

TEST(Load, RefusesIdsThatNothingHas) {
  expect_sentences(whole, {
                              {"\"lock\": \"redis-px-cad\"", "\"lock\": \"redis-px-cda\"",
                               "5: lock: ", "there is no lock \"redis-px-cda\""},
                              {"\"lock\": \"redis-px-cad\"", "\"lock\": \"redis-px-cda\"",
                               "5: lock: ", "did you mean \"redis-px-cad\"?"},
                              {"{\"redisson-fenced\"", "{\"redisson-fence\"",
                               "32: expect_for.redisson-fence: ", "did you mean \"redisson-fenced\"?"},
                              {"\"any_lock\": true", "\"any_lock\": false",
                               "32: expect_for.redisson-fenced: ", "runs with redis-px-cad only"},
                              {"\"fault\": \"gc-pause\"", "\"fault\": \"gcpause\"",
                               "17: faults[0].fault: ", "did you mean \"gc-pause\"?"},
                          });
}

TEST(Load, RefusesImpossibleClients) {
  expect_sentences(
      whole,
      {
          {"\"name\": \"c2\"", "\"name\": \"c1\"", "13: clients[1]: ", "there already is a client \"c1\""},
          {"\"name\": \"c2\"", "\"name\": \"redis\"",
           "13: clients[1].name: ", "\"redis\" cannot name a client"},
          {"\"name\": \"c2\"", "\"name\": \"C 2\"", "13: clients[1].name: ", "is no name for a client"},
          {"\"name\": \"c2\", ", "", "13: clients[1]: ", "the field \"name\" is missing"},
          {"\"threads\": 2", "\"threads\": 0", "12: clients[0].threads: ", "from 1 to 16, found 0"},
          {"\"start\": \"ttl + 1ms\"", "\"start\": \"-1ms\"", "13: clients[1].start: ", "not negative"},
          {"\"stranger\"", "\"stanger\"", "13: clients[1].role: ", "did you mean \"stranger\"?"},
      });
  expect_sentences(
      family, {
                  {"\"clients\": 3", "\"clients\": 0", "2: clients: ", "from 1 to 64"},
                  {"\"clients\": 3", "\"clients\": []", "2: clients: ", "1 to 64 clients"},
                  {"\"clients\": 3", "\"clients\": \"3\"", "2: clients: ", "expected a number of clients"},
                  {"\"clients\": 3, ", "", "1: ", "the field \"clients\" is missing"},
              });
}

TEST(Load, RefusesImpossibleFaults) {
  expect_sentences(
      whole,
      {
          {"\"on\": \"c1\"", "\"on\": \"c9\"", "17: faults[0].on: ", "there is no process \"c9\""},
          {"\"on\": \"c1\", ", "", "17: faults[0]: ", "the field \"on\" is missing"},
          {"\"on\": \"redis\"", "\"on\": \"redis-d\"",
           "23: faults[4].on: ", "there is no process \"redis-d\""},
          {"\"at\": {\"client\": \"c1\", \"point\": \"work\"}, ", "",
           "17: faults[0]: ", "the field \"at\" is missing"},
          {", \"for\": \"1.5 ttl\"", "",
           "17: faults[0]: ", "gc-pause needs \"for\" or \"until\", which is missing"},
          {"\"for\": \"1.5 ttl\"", "\"for\": \"0s\"", "17: faults[0].for: ", "longer than nothing"},
          {"\"for\": \"1.5 ttl\"", "\"for\": \"-1 ttl\"", "17: faults[0].for: ", "not negative"},
          {"\"for\": \"1.5 ttl\"", "\"for\": \"1s\", \"until\": {\"time\": \"5s\"}",
           "17: faults[0].until: ", "\"for\" and \"until\" exclude each other"},
          {"\"for\": \"1.5 ttl\"", "\"for\": \"1s\", \"clock\": \"wall\"",
           "17: faults[0]: ", "gc-pause does not read \"clock\", expected fault, on, at, for or until"},
          {"\"until\": {\"server\"", "\"untl\": {\"server\"", "19: faults[1]: ", "did you mean \"until\"?"},
          {"\"fault\": \"crash\", \"on\": \"c1\", \"thread\": 2, \"at\": {\"client\": \"c1\", \"step\": 12}",
           "\"fault\": \"thread-crash\", \"on\": \"c1\", \"at\": {\"client\": \"c2\", \"step\": 12}",
           "20: faults[2].at: ", "strikes the thread that takes the step; expected a step of c1"},
          {"\"fault\": \"crash\", \"on\": \"c1\", \"thread\": 2, \"at\": {\"client\": \"c1\", \"step\": 12}",
           "\"fault\": \"lost-request\", \"on\": \"c1\", \"at\": {\"client\": \"c1\", \"phase\": "
           "\"applied\"}",
           "20: faults[2].at: ", "strikes a request; expected a step with \"phase\": \"sending\" or"},
          {"\"thread\": 2, \"at\"", "\"thread\": 3, \"at\"",
           "20: faults[2].thread: ", "from 1 to 2, found 3"},
          {"\"on\": \"c1\", \"thread\": 2", "\"on\": \"redis\", \"thread\": 2",
           "20: faults[2].thread: ", "no client"},
          {"\"peers\": \"servers\"", "\"peers\": \"server\"",
           "21: faults[3].peers: ", "did you mean \"servers\"?"},
          {"\"peers\": \"servers\"", "\"peers\": \"c2\"", "21: faults[3].peers: ", "itself the process"},
          {"\"held\"", "\"hold\"",
           "21: faults[3].messages: ", "expected lost or held; did you mean \"held\"?"},
          {"\"direction\": \"to\"", "\"direction\": \"out\"",
           "21: faults[3].direction: ", "both, to or from"},
          {"\"by\": \"-2 ttl\", ", "", "23: faults[4]: ", "clock-jump needs \"by\""},
          {"\"by\": \"-2 ttl\"", "\"by\": \"0s\"", "23: faults[4].by: ", "not zero"},
          {"\"clock\": \"both\"", "\"clock\": \"mono\"",
           "23: faults[4].clock: ", "did you mean \"monotonic\"?"},
          {"-50000", "-1000000", "24: faults[5].parts_per_million: ", "from -999999"},
          {"-50000", "0", "24: faults[5].parts_per_million: ", "a drift of 0 is none"},
          {"\"steps\": 20", "\"steps\": 0", "26: faults[6].steps: ", "from 1 to"},
          {"\"every\": \"100ms\", ", "", "26: faults[6]: ", "clock-steps needs \"every\""},
          {"\"fault\": \"gc-pause\", \"on\": \"c1\", \"at\": {\"client\": \"c1\", \"point\": \"work\"}, "
           "\"for\": "
           "\"1.5 ttl\"",
           "\"fault\": \"reset\", \"on\": \"c1\", \"at\": {\"client\": \"c1\", \"point\": \"work\"}, "
           "\"connections\": \"call\"",
           "17: faults[0].connections: ", "expected a step with a \"phase\", or no \"connections\""},
          {"\"fault\": \"clock-jump\", \"on\": \"redis\", \"by\": \"-2 ttl\", \"clock\": \"both\"",
           "\"fault\": \"failover\", \"on\": \"c1\"",
           "23: faults[4].on: ", "failover strikes only servers of the lock"},
          {"\"fault\": \"clock-jump\", \"on\": \"redis\", \"by\": \"-2 ttl\", \"clock\": \"both\"",
           "\"fault\": \"delay\", \"on\": \"c1\", \"by\": \"-1s\", \"for\": \"1s\"",
           "23: faults[4].by: ", "not negative"},
          {"\"fault\": \"clock-jump\", \"on\": \"redis\", \"by\": \"-2 ttl\", \"clock\": \"both\"",
           "\"fault\": \"delay\", \"on\": \"c1\", \"by\": \"1s\"", "23: faults[4].at: ", "needs a message"},
          {"\"fault\": \"clock-jump\", \"on\": \"redis\", \"by\": \"-2 ttl\", \"clock\": \"both\"",
           "\"fault\": \"lost-reply\", \"on\": \"c1\"", "23: faults[4].at: ", "strikes an answer"},
          {"\"fault\": \"clock-jump\", \"on\": \"redis\", \"by\": \"-2 ttl\", \"clock\": \"both\"",
           "\"fault\": \"lost-reply\", \"on\": \"redis\"",
           "23: faults[4].on: ", "only clients, expected c1 or c2"},
          {"\"faults\": [\n", "\"faults\": [5,\n", "16: faults[0]: ", "expected an object, found 5"},
      });
}

TEST(Load, RefusesImpossibleSteps) {
  const std::string at = "\"at\": {\"client\": \"c1\", \"point\": \"work\"}";
  const auto step = [&](const std::string& by, const std::string& place, const std::string& expected) {
    return Bad{at, "\"at\": " + by, "17: faults[0].at" + place, expected};
  };
  expect_sentences(
      whole,
      {
          step(R"({"client": "c4", "point": "work"})", ".client: ", "there is no client \"c4\""),
          step(R"({"client": "redis", "point": "work"})", ".client: ", "there is no client \"redis\""),
          step(R"({"server": "c1", "step": 1})", ".server: ", "no server of this scenario"),
          step(R"({"server": "storge", "step": 1})", ".server: ", "did you mean \"storage\"?"),
          step(R"({"server": 5, "step": 1})", ".server: ", "expected redis"),
          step(R"({"point": "work"})", ": ", "expected either \"client\" or \"server\""),
          step(R"({"client": "c1", "server": "redis", "step": 1})", ": ", "expected either"),
          step(R"({"client": "c1"})", ": ", "which step it is must be said"),
          step(R"({"client": "c1", "point": "working"})", ".point: ", "there is no point \"working\""),
          step(R"({"client": "c1", "point": "aquired"})", ".point: ", "did you mean \"acquired\"?"),
          step(R"({"client": "c1", "point": "work", "phase": "sending"})", ": ", "does not read \"phase\""),
          step(R"({"server": "redis", "point": "work"})", ": ", "a step at a point does not read \"server\""),
          step(R"({"client": "c1", "command": "DEL"})", ": ", "the field \"phase\" is missing"),
          step(R"({"client": "c1", "command": "DEL", "phase": "send"})",
               ".phase: ", "did you mean \"sending\"?"),
          step(R"({"server": "redis", "command": "DEL", "phase": "sending"})",
               ".phase: ", "no phase of a server \"sending\", expected arrived or applied"),
          step(R"({"client": "c1", "command": "del", "phase": "sending"})", ".command: ", "in capitals"),
          step(R"({"client": "c1", "command": "DEL", "phase": "sending", "nth": 0})", ".nth: ", "from 1 to"),
          step(R"({"client": "c1", "command": "DEL", "phase": "sending", "nth": -3})", ".nth: ", "found -3"),
          step(R"({"client": "c1", "command": "DEL", "phase": "sending", "thread": 3})",
               ".thread: ", "from 1 to 2"),
          step(R"({"server": "redis", "phase": "arrived", "thread": 1})",
               ".thread: ", "a server has no threads"),
          step(R"({"client": "c1", "step": 0})", ".step: ", "from 1 to"),
          step(R"({"client": "c1", "step": 3, "nth": 2})", ": ", "does not read \"nth\""),
          step(R"({"time": "5s", "client": "c1"})", ": ", "a time and a step exclude each other"),
          step(R"({"time": "5s", "step": 3})", ": ", "a time and a step exclude each other"),
          step(R"({"time": "-5s"})", ".time: ", "not negative"),
          step(R"({"tiem": "5s"})", ": ", "did you mean \"time\"?"),
          step(R"("work")", ": ", "expected an object, found \"work\""),
      });
}

TEST(Load, RefusesFamiliesThatAreNone) {
  expect_sentences(
      family,
      {
          {"\"on\": \"clients\"", "\"on\": \"clients\", \"at\": {\"time\": \"5s\"}",
           "3: sweep[0].at: ", "tried at every step; expected only a \"phase\" here"},
          {"\"on\": \"clients\"", "\"on\": \"clients\", \"at\": {\"client\": \"c1\", \"phase\": \"sending\"}",
           "3: sweep[0].at: ", "expected only a \"phase\" here"},
          {"\"on\": \"clients\"", "\"on\": \"clients\", \"at\": {\"phase\": \"arrived\"}",
           "3: sweep[0].at.phase: ", "no phase of a swept gc-pause \"arrived\", expected sending or applied"},
          {"\"on\": \"clients\"", "\"on\": \"client\"", "3: sweep[0].on: ", "did you mean \"clients\"?"},
          {"\"on\": \"servers\"", "\"on\": \"clients\"",
           "3: sweep[1].on: ", "only servers of the lock, expected servers"},
          {"\"for\": \"1.5 ttl\"", "\"until\": {\"time\": \"1s\"}",
           "3: sweep[0].until: ", "expected \"for\""},
          {"\"column\": 4, ", "", "2: seeds: ", "expected a \"column\" beside it"},
          {"\"column\": 4, \"seeds\": 20", "\"source\": \"x\"", "3: sweep: ", "expected a \"column\""},
          {"\"any_lock\": true, ", "", "2: column: ", "expected \"any_lock\": true"},
          {"\"column\": 4", "\"column\": 0", "2: column: ", "from 1 to"},
          {"\"seeds\": 20", "\"seeds\": -20", "2: seeds: ", "from 1 to"},
      });
}

TEST(Load, AFaultOfASweepMayChooseAPhase) {
  std::string text = family;
  const std::string on = "\"on\": \"clients\"";
  text.insert(text.find(on) + on.size(), ", \"at\": {\"phase\": \"sending\"}");
  const Scenario scenario = parse_scenario(text, "f.json", "f", names());
  EXPECT_EQ(scenario.sweep[0].at.phase, Phase::sending);
  EXPECT_EQ(scenario.sweep[1].at.phase, std::nullopt);
}

TEST(Load, RefusesAnOptionInBothPlacesOfAFileWithoutAVersion) {
  expect_sentences(whole, {{"\"replicas\": 2", "\"redis\": {\"replicas\": 1}, \"replicas\": 2",
                            "7: topology.replicas: ", "it stands in \"redis\", too; keep one of them"}});
}

TEST(Load, RefusesWhatIsNoObject) {
  EXPECT_THAT(sentence_about("[]"), HasSubstr("dir/bad.json:1: expected an object, found a list"));
  EXPECT_THAT(sentence_about("5"), HasSubstr("dir/bad.json:1: expected an object, found 5"));
  EXPECT_THAT(sentence_about(whole.substr(0, whole.size() / 2)), HasSubstr("this is not whole JSON"));
}

TEST(Load, EveryScenarioOfTheRepositoryIsRight) {
  ScenarioNames existing;
  for (const LockEntry& lock : all_locks()) {
    existing.locks.emplace_back(lock.id);
  }
  const std::string directory = HOLDFAST_SOURCE_DIR "/scenarios";
  const std::vector<std::string> found = scenario_names_in(directory);
  EXPECT_GE(found.size(), 40U);
  for (const std::string& name : found) {
    EXPECT_NO_THROW({
      const Scenario scenario = load_scenario(find_scenario({directory}, name), existing);
      EXPECT_EQ(scenario.is_family(), name.starts_with("family-")) << name;
      EXPECT_EQ(scenario.expect.letter.empty(), scenario.is_family()) << name;
    }) << name;
  }
}

TEST(Load, EveryPrefixOfAScenarioIsRefusedInOneSentence) {
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string sentence = sentence_about(whole.substr(0, length));
    EXPECT_EQ(sentence.find("dir/bad.json:"), 0U) << length << ": " << sentence;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
  }
}

TEST(Load, ReadsTheTopologyOfAStoreWhereTheVersionPutsIt) {
  const std::string rest = R"("title": "t", "about": "a", "lock": "redis-px-cad", "clients": 1,)";
  const auto replicas = [&](const std::string& version, const std::string& topology) {
    const std::string text = "{" + version + rest + R"("topology": )" + topology + "}";
    return parse_scenario(text, "f.json", "f", names()).topology.of("redis").count(redis::replicas_option);
  };
  EXPECT_EQ(replicas("", R"({"replicas": 2})"), 2);
  EXPECT_EQ(replicas("", R"({"redis": {"replicas": 2}})"), 2);
  EXPECT_EQ(replicas(R"("version": 1,)", R"({"replicas": 2})"), 2);
  EXPECT_EQ(replicas(R"("version": 2,)", R"({"redis": {"replicas": 2}})"), 2);
  EXPECT_THROW(replicas(R"("version": 2,)", R"({"replicas": 2})"), ScenarioError);
  EXPECT_THROW(replicas(R"("version": 3,)", R"({})"), ScenarioError);
}

TEST(Load, AsksForPropertiesByTheIdOfTheirCheckOrByItsName) {
  const auto properties_of = [](const std::string& list) {
    return parse_scenario(replaced(whole, "[\"progress\"]", list), "whole.json", "whole", names()).properties;
  };
  EXPECT_THAT(properties_of("[\"mutual exclusion\", \"fencing-tokens\"]"),
              ElementsAre("mutual-exclusion", "fencing-tokens"));
  const std::string sentence = sentence_about(replaced(whole, "[\"progress\"]", "[\"mutual exclusoin\"]"));
  EXPECT_THAT(sentence, HasSubstr("properties"));
  EXPECT_THAT(sentence, HasSubstr("there is no property \"mutual exclusoin\""));
  EXPECT_THAT(sentence, HasSubstr("did you mean \"mutual-exclusion\"?"));
}

}  // namespace
}  // namespace holdfast
