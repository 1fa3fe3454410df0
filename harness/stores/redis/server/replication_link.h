// The way between a primary and one replica, which carries what they say only as far as it is told to.
//
// The replica connects to a port of ours instead of the primary's. While it is being synchronised everything
// passes; then what either side says is kept here until it is released: the primary's stream by offsets,
// which count its bytes, and what the replica says by bytes since then. Nothing moves except inside a call of
// pump().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::live {

class ReplicationLink {
 public:
  // Throws LiveError if no port is free.
  ReplicationLink();
  ReplicationLink(const ReplicationLink&) = delete;
  ReplicationLink& operator=(const ReplicationLink&) = delete;
  ~ReplicationLink();

  // Where the replica has to connect to, for its way to the primary at `primary_port`.
  int open(int primary_port);
  void close();

  // From now on what is said is kept. The replica has all up to `offset`.
  void hold_from(std::int64_t offset);
  // Let the replica have the stream up to `offset`, where a command of it ends.
  void release(std::int64_t offset) { released_ = offset; }
  // Let the primary hear so much of what the replica said.
  void release_said(std::int64_t bytes);
  // Moves what may be moved, waiting up to `milliseconds` for something to move.
  void pump(int milliseconds);
  bool is_connected() const { return to_replica_ >= 0; }

  // Of the last question "how far are you" that the replica has been given: up to which offset it is about.
  std::optional<std::int64_t> asked() const { return asked_; }
  // How far it says it has come, at the last.
  std::optional<std::int64_t> said_offset() const { return offset_said_by(said_); }
  // The same as of when it had said only so much.
  std::optional<std::int64_t> offset_said_by(std::int64_t bytes) const;
  // How much it has said.
  std::int64_t said() const { return said_; }

 private:
  struct Acknowledgement {
    std::int64_t said;  // by its end
    std::int64_t offset;
  };

  void accept_replica();
  bool read_into(int from, std::string& buffer);
  void write_from(std::string& buffer, int to, std::size_t most);
  void note_given(std::string_view bytes);
  void note_said(std::string_view bytes);
  std::size_t replica_may_have() const;
  std::size_t primary_may_have() const;

  int listening_ = -1;
  int primary_port_ = 0;
  int to_replica_ = -1;
  int to_primary_ = -1;
  bool holds_ = false;
  std::int64_t forwarded_ = 0;  // offset up to which the replica has got it
  std::int64_t released_ = 0;
  std::int64_t said_ = 0;
  std::int64_t said_forwarded_ = 0;
  std::int64_t said_released_ = 0;
  std::string for_replica_;
  std::string for_primary_;
  std::string given_unread_;  // the begin of a command, of which the rest has not passed yet
  std::string said_unread_;
  std::optional<std::int64_t> asked_;
  std::vector<Acknowledgement> acknowledgements_;
};

}  // namespace holdfast::live
