#pragma once

#include "text/sentencepiece_trainer.h"
#include "text/testing/small_corpus.h"

namespace dhyan {

// For tests: the bytes of a subword model that knows the small corpus.
inline std::string small_subwords(SubwordAlgorithm algorithm, bool byte_fallback = false) {
  TrainingReport report;
  TokenizerOptions options = small_vocabulary();
  options.vocabulary_size = 110;
  options.byte_fallback = byte_fallback;
  return train_sentencepiece(algorithm, lines_of(small_corpus()), options, report);
}

}  // namespace dhyan
