#pragma once

#include <functional>
#include <vector>

#include "explain/units.h"
#include "translator/translator.h"

namespace dhyan {

// The target unit, layers and heads whose influence is measured.
struct InfluenceOptions {
  Index step = 1;                      // of the target units, from 1
  std::vector<Index> layers = {};      // of cross-attention, from 1; none: all
  std::vector<Index> heads = {};       // likewise
  std::vector<WeightEdit> edits = {};  // that the translation was made with
  std::function<void()> poll = {};     // called for every step; may throw to stop
};

// For each source unit, log p of the step's unit if that step cannot attend to it, minus log p as it is. Its weight is
// 0 and those of the others grow in proportion; if it had all of the weight, the others share it equally. The words
// before the step stay as they are. The translation must have its attention recorded. UsageError if there is no such
// step, layer or head.
std::vector<double> influence(const TranslationModel& model, const Translation& translation, const SentenceUnits& units,
                              const InfluenceOptions& options);

}  // namespace dhyan
