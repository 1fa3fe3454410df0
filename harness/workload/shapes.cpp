#include "harness/workload/shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/text/bad_input.h"

namespace holdfast {
namespace {

constexpr std::string_view plain_id = "plain";

bool is_cycle(const Scenario& family) {
  return family.workload.kind == "cycle";
}

// What it says of its clients and their rounds stands.
bool leaves_clients_open(const Scenario& family) {
  const auto is_plain = [](const ClientSpec& client) {
    return client.threads == 1 && client.start == ScenarioDuration{} && client.role.empty() &&
           !client.rounds && !client.work;
  };
  return family.workload.rounds == 1 && !family.workload.patience && !family.workload.own_objects &&
         std::ranges::all_of(family.clients, is_plain);
}

// The length of the work is not what the family is about.
bool leaves_work_open(const Scenario& family) {
  return is_cycle(family) && family.workload.work == WorkloadSpec{}.work;
}

// Where a message may be late, work to the last moment of a lease breaks any lock, and tells nothing of one.
bool leaves_messages_alone(const Scenario& family) {
  return leaves_work_open(family) && std::ranges::all_of(family.sweep, [](const FaultSpec& fault) {
           return fault.fault.starts_with("clock-");
         });
}

bool has_several_actors(const Scenario& family) {
  return is_cycle(family) || family.workload.kind == "twice" || family.workload.kind == "foreign";
}

bool is_no_latch(const LockEntry& lock) {
  return lock.kind != LockKind::latch;
}

bool has_lease(const LockEntry& lock) {
  return is_no_latch(lock) && lock.ttl > Duration::zero();
}

bool renews(const LockEntry& lock) {
  return is_no_latch(lock) && lock.features.renews;
}

bool is_reentrant(const LockEntry& lock) {
  return lock.features.reentrant && (lock.kind == LockKind::mutex || lock.kind == LockKind::read_write);
}

bool is_timed(const LockEntry& lock) {
  return is_no_latch(lock) && lock.features.timed;
}

bool is_read_write(const LockEntry& lock) {
  return lock.kind == LockKind::read_write;
}

// In one process the object is the lock.
bool means_more_than_its_object(const LockEntry& lock) {
  return is_no_latch(lock) && !lock.needs.one_process;
}

// Who asks ten times a second while others work for most of a lease makes a long run that shows little more.
void ask_less_often(Scenario& scenario) {
  if (!scenario.settings.retry_interval) {
    scenario.settings.retry_interval = ScenarioDuration{Duration::zero(), 100};
  }
}

void work_for(Scenario& scenario, std::int64_t ttl_per_mille, std::uint32_t rounds) {
  scenario.workload.work = ScenarioDuration{Duration::zero(), ttl_per_mille};
  scenario.workload.rounds = rounds;
  ask_less_often(scenario);
  // All of them one after another, and as long again for what goes wrong.
  const auto holds = static_cast<std::int64_t>(scenario.clients.size() * rounds);
  scenario.time_limit.ttl_per_mille += 2 * holds * ttl_per_mille;
}

void two_clients_with_two_threads(Scenario& scenario) {
  while (scenario.clients.size() > 2) {
    scenario.clients.pop_back();
  }
  for (ClientSpec& client : scenario.clients) {
    client.threads = 2;
  }
}

void leave(Scenario&) {}

void long_work(Scenario& scenario) {
  work_for(scenario, 800, 2);
}

void brim(Scenario& scenario) {
  work_for(scenario, 970, 1);
}

void several_leases(Scenario& scenario) {
  work_for(scenario, 2400, 1);
}

// The first is through before the second, and is back before the third had its turn.
void unequal_rounds(Scenario& scenario) {
  scenario.workload.rounds = 3;
  Duration work = 320ms;
  for (ClientSpec& client : scenario.clients) {
    client.work = ScenarioDuration{work, 0};
    work /= 4;
  }
}

void staggered(Scenario& scenario) {
  scenario.workload.rounds = 2;
  Duration start{0};
  for (ClientSpec& client : scenario.clients) {
    client.start = ScenarioDuration{start, 0};
    start += 70ms;
  }
}

void threads(Scenario& scenario) {
  two_clients_with_two_threads(scenario);
  if (is_cycle(scenario)) {
    scenario.workload.rounds = 2;
  }
  if (scenario.workload.kind == "foreign") {
    scenario.sweep
        .clear();  // it makes the stranger late, and would make those late who live in the same process
  }
}

void own_objects(Scenario& scenario) {
  threads(scenario);
  scenario.workload.own_objects = true;
}

void reentry(Scenario& scenario) {
  scenario.workload.kind = "reentrant";
  scenario.workload.rounds = 2;
}

// Less than the work of one other: who waits behind somebody gives up while it is queued, and comes again.
void impatient(Scenario& scenario) {
  scenario.workload.rounds = 2;
  scenario.workload.patience = ScenarioDuration{200ms, 0};
}

void roles(Scenario& scenario) {
  scenario.workload.kind = "roles";
}

constexpr std::array shapes{
    Shape{.id = plain_id,
          .sentence = "as the family's file says: one thread a client, one round, all at once",
          .apply = leave},
    Shape{.id = "long-work",
          .sentence = "two rounds of work that take 0.8 of the lease each",
          .suits = is_no_latch,
          .fits = leaves_work_open,
          .apply = long_work},
    Shape{.id = "brim",
          .sentence = "work that ends just within the lease, at 0.97 of it",
          .suits = has_lease,
          .fits = leaves_messages_alone,
          .apply = brim},
    Shape{.id = "several-leases",
          .sentence = "work that takes 2.4 leases, so that several renewals are needed",
          .suits = renews,
          .fits = leaves_work_open,
          .apply = several_leases},
    Shape{.id = "rounds",
          .sentence =
              "three rounds each, and work of 320, 80 and 20 ms: who is quick is back before the others",
          .suits = is_no_latch,
          .fits = leaves_work_open,
          .apply = unequal_rounds},
    Shape{.id = "staggered",
          .sentence = "clients that arrive one after the other, 70 ms apart, for two rounds",
          .fits = is_cycle,
          .apply = staggered},
    Shape{.id = "threads",
          .sentence = "two clients with two threads each, which share their client's lock object",
          .suits = is_no_latch,
          .fits = has_several_actors,
          .apply = threads},
    Shape{.id = "objects",
          .sentence = "the same, where each thread has a lock object of its own for the same key",
          .suits = means_more_than_its_object,
          .fits = has_several_actors,
          .apply = own_objects},
    Shape{.id = "reentry",
          .sentence = "two rounds of locking twice, working, unlocking once, working on, and unlocking",
          .suits = is_reentrant,
          .fits = is_cycle,
          .apply = reentry},
    Shape{.id = "impatient",
          .sentence = "who waits gives up after 200 ms, while others work for longer, and asks again later",
          .suits = is_timed,
          .fits = is_cycle,
          .apply = impatient},
    Shape{.id = "roles",
          .sentence =
              "readers that become writers, and writers that go on as readers without letting go in between",
          .suits = is_read_write,
          .fits = is_cycle,
          .apply = roles},
};

}  // namespace

std::span<const Shape> all_shapes() {
  return shapes;
}

const Shape* find_shape(std::string_view id) {
  const auto* const found = std::ranges::find(shapes, id, &Shape::id);
  return found == shapes.end() ? nullptr : found;
}

std::vector<const Shape*> shapes_for(const Scenario& family, const LockEntry& lock) {
  std::vector<const Shape*> result{&shapes.front()};
  if (!leaves_clients_open(family)) {
    return result;
  }
  for (const Shape& shape : std::span(shapes).subspan(1)) {
    if ((shape.suits == nullptr || shape.suits(lock)) && (shape.fits == nullptr || shape.fits(family))) {
      result.push_back(&shape);
    }
  }
  return result;
}

const Shape& shape_called(const std::string& id, const Scenario& scenario, const LockEntry& lock) {
  if (!scenario.is_family()) {
    throw BadInput(
        fmt::format("--shape is for a family of faults, and {} says itself what its clients do; leave it out",
                    scenario.name));
  }
  const Shape* const shape = find_shape(id);
  if (shape == nullptr) {
    std::vector<std::string> ids;
    for (const Shape& each : shapes) {
      ids.emplace_back(each.id);
    }
    throw unknown_word("shape", id, ids, "holdfast list shapes");
  }
  if (std::ranges::count(shapes_for(scenario, lock), shape) == 0) {
    throw BadInput(fmt::format(
        "{} under {} is not tried in the shape {}: {} claims nothing that it would try, or the family says "
        "itself what its clients do",
        lock.id, scenario.name, id, lock.id));
  }
  return *shape;
}

Scenario shaped(const Scenario& scenario, const Shape& shape) {
  Scenario result = scenario;
  shape.apply(result);
  result.shape = shape.id == plain_id ? std::string() : std::string(shape.id);
  return result;
}

}  // namespace holdfast
