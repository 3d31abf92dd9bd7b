#pragma once

#include <memory>

#include "data/lines.h"
#include "data/pairs.h"

namespace dhyan {

// Adds word links to the pairs of a corpus: line n of a Pharaoh file belongs to line n of the corpus, also if the
// reader skips lines. DataError, with file and line, for malformed links, links to missing words, and a file with fewer
// or more lines.
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
