#pragma once

#include "binary.h"
#include "runs/testing/tiny_run.h"

namespace dhyan {

// The command line that trains a tiny model on the tiny corpus. Further flags may follow; the last value of a flag
// wins.
inline std::vector<std::string> tiny_training(const TinyCorpus& corpus, const std::string& model,
                                              const std::vector<std::string>& more) {
  std::vector<std::string> words{kBinary, "train", "-o", corpus.path(model)};
  words.insert(words.end(), {"--train", corpus.path("train.hi"), corpus.path("train.en")});
  words.insert(words.end(), {"--valid", corpus.path("dev.hi"), corpus.path("dev.en")});
  words.insert(words.end(), {"--embedding", "8", "--hidden", "8", "--readout-hidden", "8"});
  words.insert(words.end(), {"--tokenizer", "word", "--batch-tokens", "30"});
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace dhyan
