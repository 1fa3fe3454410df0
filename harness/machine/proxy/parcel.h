// A message on its way through a proxy: its bytes are counted for as long as it exists, wherever that ends.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "harness/kernel/require.h"

namespace holdfast::live {

// How many bytes are on their way; shared, for a message may outlive its proxy.
using WaitingBytes = std::shared_ptr<std::size_t>;

class Parcel {
 public:
  Parcel(std::string bytes, WaitingBytes waiting) : bytes_(std::move(bytes)), waiting_(std::move(waiting)) {
    *waiting_ += bytes_.size();
  }
  Parcel(Parcel&&) = default;
  Parcel& operator=(Parcel&&) = delete;
  ~Parcel() {
    if (waiting_ != nullptr) {
      require(*waiting_ >= bytes_.size(), "what leaves the proxy was counted when it came");
      *waiting_ -= bytes_.size();
    }
  }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  WaitingBytes waiting_;  // nullptr: it was handed on
};

}  // namespace holdfast::live
