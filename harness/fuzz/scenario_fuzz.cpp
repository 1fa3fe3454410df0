#include "harness/fuzz/targets.h"
#include "harness/scenario/file/load.h"

namespace holdfast::fuzz {

void try_scenario(std::string_view bytes) {
  // A few locks are enough: reading a scenario only asks whether it knows the name.
  static const ScenarioNames names{.locks = {"redis-px-cad", "redisson", "redisson-fenced", "redlock"}};
  try {
    parse_scenario(bytes, "scenario", "scenario", names);
  } catch (const ScenarioError& error) {
    require_one_sentence(error.what(), "scenario");
  }
}

}  // namespace holdfast::fuzz

#ifdef HOLDFAST_LIBFUZZER
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  holdfast::fuzz::try_scenario({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
#endif
