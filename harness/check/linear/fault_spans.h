// The faults of a history, and which of them were at work while a violation came about.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/history/read/history_consumer.h"

namespace holdfast::linear {

struct KeyReport;
struct FaultSpan;

class FaultSpans {
 public:
  FaultSpans();
  FaultSpans(const FaultSpans&) = delete;
  FaultSpans& operator=(const FaultSpans&) = delete;
  ~FaultSpans();

  void add(const FaultEvent& event);
  // Those that struck a client involved come first; at most a handful.
  std::vector<FaultSpan> around(const KeyReport& report, const std::vector<std::string>& client_names) const;

 private:
  std::vector<FaultSpan> spans_;  // the first so many; a history can have any number
};

}  // namespace holdfast::linear
