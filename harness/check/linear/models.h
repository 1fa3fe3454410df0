// The models by name: "owner-mutex", "semaphore:3". To add one, write it and add it to AnyModel and models().
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "harness/check/linear/data_models.h"
#include "harness/check/linear/lock_models.h"
#include "harness/check/linear/sharing_models.h"

namespace holdfast::linear {

// std::visit it: every alternative is a SequentialModel.
using AnyModel =
    std::variant<Mutex, OwnerMutex, ReentrantMutex, FencedMutex, ReentrantFencedMutex, FifoMutex,
                 ReadWriteLock, Semaphore, Latch, Register, CasRegister, Counter, FencedRegister>;

enum class Parameter : std::uint8_t { none, optional, required };

struct ModelInfo {
  std::string_view id;
  std::string_view description;
  Parameter parameter = Parameter::none;  // a number from 1, behind a colon
};

// In the order of AnyModel.
std::span<const ModelInfo> models();

// The model, or one sentence that says what is wrong with the text.
std::variant<AnyModel, std::string> parse_model(std::string_view text);

// The same register, with a value to start from instead of nil. False if the model has no value.
bool set_initial_value(AnyModel& model, std::int64_t value);

// "semaphore:3": what parse_model reads.
std::string to_text(const AnyModel& model);

// Calls f with the model as its own type.
template <class Function>
decltype(auto) with_model(const AnyModel& model, Function&& function) {
  return std::visit(std::forward<Function>(function), model);
}

bool knows(const AnyModel& model, Action action);

}  // namespace holdfast::linear
