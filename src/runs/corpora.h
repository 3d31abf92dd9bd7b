#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/model_kinds.h"
#include "data/pairs.h"
#include "runs/picture_book_corpus.h"

namespace dhyan {

// A corpus for training or validation, from files or built in. It can be read any number of times.
struct CorpusInput {
  std::string name;  // for messages: "train.hi and train.en"
  double weight = 1;
  std::uint64_t fingerprint = 0;  // of its content
  std::function<std::unique_ptr<PairSource>()> open;
  bool aligned = false;                        // pairs have word links
  std::optional<PictureBookSpec> scenes = {};  // generated during training instead of read
};

// The corpora of a config. DataError for a file without translations if the model needs pairs; otherwise all files are
// plain text, whose lines are the source and, for kLines, also the target. Without --train the corpus is the
// phrasebook, its English side or the picture book, and its held-out part is for validation. Files of captions may
// define a split, whose dev part is for validation. `poll` is called while reading and may throw to stop.
std::vector<CorpusInput> training_corpora(const DataConfig& config, DataKind data_kind,
                                          const std::function<void()>& poll = {});
std::vector<CorpusInput> validation_corpora(const DataConfig& config, DataKind data_kind,
                                            const std::function<void()>& poll = {});

}  // namespace dhyan
