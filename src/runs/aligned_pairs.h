#pragma once

#include <memory>

#include "data/lines.h"
#include "data/pairs.h"

namespace dhyan {

// The pairs of a corpus with the links of their words: line n of a file in Pharaoh's format is of line n of the corpus,
// whichever of its lines were left out. DataError, with file and line, for links that are none or lead to no word, and
// for a file that has fewer lines or more.
class AlignedPairs final : public PairSource {
 public:
  AlignedPairs(std::unique_ptr<PairSource> pairs, const std::string& alignments, const ReadOptions& options);

  bool next(SentencePair& pair) override;
  ReadReport report() const override { return pairs_->report(); }

 private:
  std::unique_ptr<PairSource> pairs_;
  LineReader alignments_;
};

}  // namespace dhyan
