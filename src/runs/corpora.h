#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/model_kinds.h"
#include "data/pairs.h"

namespace dhyan {

// A corpus to train or to validate on, wherever it comes from. It can be read any number of times.
struct CorpusInput {
  std::string name;  // for people: "train.hi and train.en"
  double weight = 1;
  std::uint64_t fingerprint = 0;  // of its content
  std::function<std::unique_ptr<PairSource>()> open;
  bool aligned = false;  // pairs have the links of their words
};

// What a config names. Files are opened, and for a model of pairs those without translations refused (DataError); for
// others all files are plain text, whose lines are sources and, of kLines, targets too. Without --train it is the
// phrasebook, or its English, whose held-out sentences validate if no others are named. `poll` is called while reading,
// and may throw.
std::vector<CorpusInput> training_corpora(const DataConfig& config, DataKind data_kind,
                                          const std::function<void()>& poll = {});
std::vector<CorpusInput> validation_corpora(const DataConfig& config, DataKind data_kind,
                                            const std::function<void()>& poll = {});

}  // namespace dhyan
