#include "harness/stores/redis/model/model_node.h"

#include <algorithm>

#include "harness/kernel/require.h"

namespace holdfast::redis {

ModelNode::ModelNode(ModelOptions options)
    : is_replicated_(options.keep_replication_log),
      log_(options.keep_replication_log || options.append_only != AppendOnly::never),
      file_(options.append_only),
      server_(log_) {
  start_new_lineage();
}

std::optional<Reply> ModelNode::submit(const Request& request, const NodeClocks& clocks, Outputs& outputs) {
  set_clock(clocks);
  say_what_was_due(outputs);
  // Who waits long enough already is set free when the other connects, so before it says anything.
  if (is_replicated_ && server_.waits().greet(request.connection, log_.offset())) end_waits(outputs);
  const std::int64_t offset = log_.offset();
  const auto place = static_cast<std::ptrdiff_t>(outputs.size());
  std::optional<Reply> reply;
  if (server_.waits().is_blocked(request.connection)) {
    queued_.push_back(request);
  } else {
    reply = run(request);
    if (!pushes_.empty()) say_pushes(outputs);
  }
  if (server_.waits().is_anybody_blocked()) answer_ended_waits(outputs);
  // Before all that it says: what is written in one turn leaves as one.
  if (is_replicated_ && log_.offset() != offset) send_stream(outputs, place);
  return reply;
}

std::optional<Reply> ModelNode::run(const Request& request) {
  bool blocks = false;
  const std::int64_t offset = log_.offset();
  std::optional<Reply> reply = server_.execute(request.connection, request.command, pushes_, blocks);
  if (is_replicated_ && server_.take_published() && has_stream_ && !is_replica() && log_.offset() == offset) {
    log_.append(make_command("PUBLISH"));  // to whom and what makes no difference to a replica
  }
  if (log_.kept()) {
    log_.end_unit();
    file_.written(log_.unit_count());
  }
  if (is_replicated_) {
    server_.waits().spoke(request.connection, log_.offset());
    if (blocks && has_stream_) log_.ask();
  }
  if (blocks) reply.reset();
  return reply;
}

void ModelNode::say_pushes(Outputs& outputs) {
  for (Push& push : pushes_) {
    outputs.emplace_back(Pushed{push.connection, {std::move(push.channel), std::move(push.payload)}});
  }
  pushes_.clear();
}

// What waited behind one that has ended is carried out next, and may block in its turn.
void ModelNode::answer_ended_waits(Outputs& outputs) {
  while (const auto wait = server_.waits().take_ended(now_ms())) {
    const ConnectionId connection = wait->connection;
    outputs.emplace_back(
        Answered{connection, Reply::integer(server_.waits().acknowledged_count(wait->offset))});
    while (!server_.waits().is_blocked(connection)) {
      const auto next = std::ranges::find(queued_, connection, &Request::connection);
      if (next == queued_.end()) break;
      const Request request = std::move(*next);
      queued_.erase(next);
      std::optional<Reply> reply = run(request);
      say_pushes(outputs);
      if (reply) outputs.emplace_back(Answered{connection, std::move(*reply)});
    }
  }
}

void ModelNode::end_waits(Outputs& outputs) {
  if (!server_.waits().is_anybody_blocked()) return;
  const std::int64_t offset = log_.offset();
  answer_ended_waits(outputs);
  if (is_replicated_ && log_.offset() != offset) send_stream(outputs);
}

void ModelNode::close(ConnectionId connection, const NodeClocks&, Outputs&) {
  server_.disconnect(connection);
  forget_unsaid(connection);
  std::erase_if(queued_, [=](const Request& request) { return request.connection == connection; });
}

void ModelNode::hear(std::size_t member, const StreamPart& part, const NodeClocks& clocks, Outputs& outputs) {
  set_clock(clocks);
  say_what_was_due(outputs);
  if (part.is_of_replica) {
    server_.waits().acknowledge(member, part.up_to);
    end_waits(outputs);
    return;
  }
  if (model(member).server_.waits().is_attached(place())) {
    replicate_from(model(member), part.up_to, clocks);
    acknowledged_ = std::max(acknowledged_, model(member).log_.asked_before(part.up_to).value_or(0));
  } else {
    follow(member, clocks);
  }
  outputs.emplace_back(Sent{member, {acknowledged_, true}});
}

void ModelNode::follow(std::size_t primary, const NodeClocks& clocks) {
  ModelNode& source = model(primary);
  replicate_from(source, source.log_.offset(), clocks);
  acknowledged_ = source.log_.offset();
  source.server_.waits().attach(place(), acknowledged_);
  source.has_stream_ = true;
  source.end_waits(source.unsaid());
}

void ModelNode::lose(std::size_t member, const NodeClocks&, Outputs&) {
  server_.waits().detach(member);
}

std::optional<NodeTimer> ModelNode::next_due() const {
  const std::optional<std::int64_t> deadline_ms = server_.waits().first_deadline_ms();
  if (!deadline_ms) return std::nullopt;
  return NodeTimer{ClockKind::wall, std::chrono::milliseconds(*deadline_ms + 1)};
}

std::optional<NodeTimer> ModelNode::last_due(const NodeClocks&) {
  std::optional<NodeTimer> last = next_due();
  server_.database().for_each([&](const std::string&, const Entry& entry) {
    // What is further away than a duration tells never comes.
    if (entry.expires() && entry.expire_at_ms < to_milliseconds(never)) {
      const NodeTimer gone{ClockKind::wall, std::chrono::milliseconds(entry.expire_at_ms + 1)};
      last = !last || last->reading < gone.reading ? gone : *last;
    }
  });
  return last;
}

void ModelNode::advance(const NodeClocks& clocks, Outputs& outputs) {
  set_clock(clocks);
  say_what_was_due(outputs);
  end_waits(outputs);
}

void ModelNode::crash(const NodeClocks& clocks) {
  set_clock(clocks);
  server_.waits().clear();
  forget_unsaid();
  queued_.clear();
}

void ModelNode::restart(const NodeClocks& clocks) {
  server_.database().set_clock(to_microseconds(clocks.wall));
  const std::size_t kept = file_.synced_units();
  require(kept <= log_.unit_count(), "no more is on disk than was written");
  if (server_.is_replica()) {
    log_.begin_anew_with(kept);
  } else {
    log_.truncate(kept);
  }
  has_stream_ = false;
  server_.forget_everything();
  for (std::size_t unit = 0; unit < kept; ++unit) {
    for (const Command& effect : log_.unit(unit)) server_.apply(effect);
  }
  start_new_lineage();
}

void ModelNode::replicate_from(const ModelNode& primary, std::int64_t offset, const NodeClocks& clocks) {
  require(&primary != this && primary.log_.kept(), "a model replicates from another one that keeps a log");
  set_clock(clocks);
  server_.set_replica(true);
  has_stream_ = true;
  if (!can_continue(primary)) {
    server_.database().clear();
    log_.restart_at(0);
    file_.restart(0);
    applied_units_ = 0;
  }
  lineage_ = primary.lineage_;
  const ReplicationLog& stream = primary.log_;
  while (applied_units_ < stream.unit_count() && stream.unit_end_offset(applied_units_) <= offset) {
    for (const Command& effect : stream.unit(applied_units_)) {
      server_.apply(effect);
      log_.append(effect);
    }
    log_.skip_to(stream.unit_end_offset(applied_units_));
    log_.end_unit();
    ++applied_units_;
  }
  log_.skip_to(stream.end_of_questions(log_.offset(), offset));
  if (applied_units_ == stream.unit_count() && offset >= stream.offset()) log_.skip_to(stream.offset());
  require(applied_units_ <= stream.unit_count(), "a replica has no more than its primary sent");
  file_.written(log_.unit_count());
}

void ModelNode::promote(const NodeClocks&) {
  if (!server_.is_replica()) return;
  previous_lineage_ = lineage_;
  previous_lineage_end_ = log_.offset();
  lineage_ = {this, ++generation_};
  server_.set_replica(false);
}

void ModelNode::reset() {
  server_.forget_everything();
  server_.database().forget_leases();
  server_.set_replica(false);
  forget_unsaid();
  queued_.clear();
  has_stream_ = false;
  log_.restart_at(0);
  file_.reset();
  start_new_lineage();
}

void ModelNode::set_clock(const NodeClocks& clocks) {
  const std::int64_t wall_us = to_microseconds(clocks.wall);
  server_.database().set_clock(wall_us);
  file_.advance(wall_us, log_.unit_count());
}

bool ModelNode::can_continue(const ModelNode& primary) const {
  if (lineage_ == primary.lineage_) return true;
  return lineage_ == primary.previous_lineage_ && log_.offset() <= primary.previous_lineage_end_;
}

void ModelNode::start_new_lineage() {
  lineage_ = {this, ++generation_};
  previous_lineage_ = {};
  applied_units_ = 0;
}

}  // namespace holdfast::redis
