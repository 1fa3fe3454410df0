// A port of the loopback address that is ours from the moment it is chosen.
//
// It is bound, without listening, as long as this lives: nobody gets it by chance, neither as a free port nor
// for a connection of his own. Who asks for it by its number, as a server of ours does, can listen on it.
#pragma once

namespace holdfast::live {

class ReservedPort {
 public:
  // Throws LiveError if there is none.
  ReservedPort();
  ReservedPort(const ReservedPort&) = delete;
  ReservedPort& operator=(const ReservedPort&) = delete;
  ~ReservedPort();

  int number() const { return number_; }

 private:
  int descriptor_;
  int number_ = 0;
};

}  // namespace holdfast::live
