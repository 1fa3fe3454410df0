// Shapes: what the clients of a family of faults do, besides what its file says.
//
// A family says what goes wrong; a lock that withstands it with one round of short work may not withstand it
// with work that takes most of the lease, with two threads in a process, or with somebody who gives up
// waiting. So a cell of the matrix tries its faults under each shape that the lock's features and the family
// allow, and strategies draw shapes as they draw faults. A shape only changes what a scenario file could say
// as well: a scenario with a shape put on is a scenario like any other.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/scenario/scenario.h"
#include "locks/catalog.h"

namespace holdfast {

struct Shape {
  std::string_view id;        // "long-work"
  std::string_view sentence;  // "two rounds of work that take 0.8 of the lease each"
  // Whether a lock that claims what this one does can be worked with like that; none: any.
  bool (*suits)(const LockEntry& lock) = nullptr;
  // Whether a family whose clients do this leaves room for it.
  bool (*fits)(const Scenario& family) = nullptr;
  void (*apply)(Scenario& scenario) = nullptr;
};

// The first is "plain", which leaves everything as it is.
std::span<const Shape> all_shapes();
// nullptr if there is none of that name.
const Shape* find_shape(std::string_view id);

// With "plain" first: those that the lock and the family allow.
std::vector<const Shape*> shapes_for(const Scenario& family, const LockEntry& lock);
// The scenario as its clients work in that shape.
Scenario shaped(const Scenario& scenario, const Shape& shape);
// The shape of that name, for a lock under a family. Throws BadInput if there is none, or it does not go with
// them.
const Shape& shape_called(const std::string& id, const Scenario& scenario, const LockEntry& lock);

}  // namespace holdfast
