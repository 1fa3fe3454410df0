// The way from a primary to one replica, which carries its stream only as far as it is told to.
//
// The replica connects to a port of ours instead of the primary's. While it is being synchronised everything
// passes; then what the primary sends is kept here until it is released, byte by byte as offsets count them.
// Nothing moves except inside a call of pump().
#pragma once

#include <cstdint>
#include <string>

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

  // From now on what comes from the primary is kept. The replica has all up to `offset`.
  void hold_from(std::int64_t offset);
  // Let it have the stream up to `offset`.
  void release(std::int64_t offset) { released_ = offset; }
  // Moves what may be moved, waiting up to `milliseconds` for something to move.
  void pump(int milliseconds);
  bool is_connected() const { return to_replica_ >= 0; }

 private:
  void accept_replica();
  bool read_into(int& from, std::string& buffer);
  void write_from(std::string& buffer, int to, std::size_t most);

  int listening_ = -1;
  int primary_port_ = 0;
  int to_replica_ = -1;
  int to_primary_ = -1;
  bool holds_ = false;
  std::int64_t forwarded_ = 0;  // offset up to which the replica has got it
  std::int64_t released_ = 0;
  std::string for_replica_;
  std::string for_primary_;
};

}  // namespace holdfast::live
