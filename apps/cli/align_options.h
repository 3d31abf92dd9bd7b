#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/choice.h"
#include "core/real.h"
#include "metrics/symmetrize.h"
#include "translator/translator.h"

namespace dhyan::cli {

enum class AlignStep { kChosen, kPredicts, kReads };
inline constexpr std::array kAlignSteps{Choice{"auto", AlignStep::kChosen}, Choice{"predicts", AlignStep::kPredicts},
                                        Choice{"reads", AlignStep::kReads}};

inline constexpr SymmetrizationKind kDefaultSymmetrization = kSymmetrizations.back();
inline constexpr std::string_view kAverage = "average";

// The options of dhyan align.
struct AlignOptions {
  std::string model, reverse, gold;
  std::vector<std::string> files;
  std::string symmetrize;  // a name of kSymmetrizations, or kAverage; empty: kDefaultSymmetrization
  std::optional<Index> layer, head;
  AlignStep step = AlignStep::kChosen;
  std::optional<double> threshold;
  bool probabilities = false, json = false;
  TranslatorLimits limits;
  int threads = 1;
};

}  // namespace dhyan::cli
