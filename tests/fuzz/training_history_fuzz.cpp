// libFuzzer: a training log and its samples throw DataError, or give curves with ascending steps and samples whose
// weights fit their tokens.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "runs/training_history.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    for (const HistoryCurve& curve : parse_history(text, "fuzz").training) {
      for (std::size_t i = 1; i < curve.values.size(); ++i) {
        if (curve.values[i].step <= curve.values[i - 1].step) std::abort();
      }
    }
  } catch (const DataError&) {
  }
  try {
    for (const AttentionSample& sample : parse_samples(text, "fuzz")) {
      if (!sample.weights.empty() && sample.weights.size() != sample.translation.size()) std::abort();
      sharpness_of(sample);
    }
  } catch (const DataError&) {
  }
  return 0;
}
