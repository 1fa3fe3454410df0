#include "harness/stores/redis/model/model_backend.h"

#include "harness/kernel/require.h"

namespace holdfast::redis {

ModelBackend::ModelBackend(ModelOptions options)
    : log_(options.keep_replication_log || options.append_only != AppendOnly::never),
      file_(options.append_only),
      server_(log_) {
  start_new_lineage();
}

Reply ModelBackend::execute(ConnectionId connection, const Command& command, std::int64_t wall_us,
                            std::vector<Push>& pushes) {
  advance(wall_us);
  Reply reply = server_.execute(connection, command, pushes);
  if (log_.kept()) {
    log_.end_unit();
    file_.written(log_.unit_count());
  }
  return reply;
}

void ModelBackend::crash(std::int64_t wall_us) {
  advance(wall_us);
}

void ModelBackend::restart(std::int64_t wall_us) {
  server_.database().set_clock(wall_us);
  const std::size_t kept = file_.synced_units();
  require(kept <= log_.unit_count(), "no more is on disk than was written");
  log_.truncate(kept);
  server_.forget_everything();
  for (std::size_t unit = 0; unit < kept; ++unit) {
    for (const Command& effect : log_.unit(unit)) server_.apply(effect);
  }
  start_new_lineage();
}

void ModelBackend::replicate_from(Backend& primary, std::int64_t offset, std::int64_t wall_us) {
  auto* const source = dynamic_cast<ModelBackend*>(&primary);
  require(source != nullptr && source != this && source->log_.kept(),
          "a model replicates from another model that keeps a replication log");
  advance(wall_us);
  server_.set_replica(true);
  if (!can_continue(*source)) {
    server_.database().clear();
    log_.restart_at(0);
    file_.restart(0);
    applied_units_ = 0;
  }
  lineage_ = source->lineage_;
  const ReplicationLog& stream = source->log_;
  while (applied_units_ < stream.unit_count() && stream.unit_end_offset(applied_units_) <= offset) {
    for (const Command& effect : stream.unit(applied_units_)) {
      server_.apply(effect);
      log_.append(effect);
    }
    log_.skip_to(stream.unit_end_offset(applied_units_));
    log_.end_unit();
    ++applied_units_;
  }
  if (applied_units_ == stream.unit_count() && offset >= stream.offset()) log_.skip_to(stream.offset());
  require(applied_units_ <= stream.unit_count(), "a replica has no more than its primary sent");
  file_.written(log_.unit_count());
}

void ModelBackend::promote() {
  if (!server_.is_replica()) return;
  previous_lineage_ = lineage_;
  previous_lineage_end_ = log_.offset();
  lineage_ = {this, ++generation_};
  server_.set_replica(false);
}

void ModelBackend::reset() {
  server_.forget_everything();
  server_.set_replica(false);
  log_.restart_at(0);
  file_.reset();
  start_new_lineage();
}

void ModelBackend::advance(std::int64_t wall_us) {
  server_.database().set_clock(wall_us);
  file_.advance(wall_us, log_.unit_count());
}

bool ModelBackend::can_continue(const ModelBackend& primary) const {
  if (lineage_ == primary.lineage_) return true;
  return lineage_ == primary.previous_lineage_ && log_.offset() <= primary.previous_lineage_end_;
}

void ModelBackend::start_new_lineage() {
  lineage_ = {this, ++generation_};
  previous_lineage_ = {};
  applied_units_ = 0;
}

}  // namespace holdfast::redis
