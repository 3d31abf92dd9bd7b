#pragma once

#include <array>
#include <dhyan/aligner.h>
#include <string>
#include <vector>

#include "core/choice.h"
#include "core/precision.h"

namespace dhyan::cli {

inline constexpr std::array kAlignSteps{Choice{"auto", v1::AlignStep::kChosen},
                                        Choice{"predicts", v1::AlignStep::kPredicts},
                                        Choice{"reads", v1::AlignStep::kReads}};

// The options of dhyan align.
struct AlignOptions {
  std::string model, reverse, gold;
  std::vector<std::string> files;
  v1::AlignOptions align;
  bool probabilities = false, json = false;
  Precision precision = Precision::kFull;
  int threads = 1;
};

}  // namespace dhyan::cli
