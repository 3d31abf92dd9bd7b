#pragma once

#include "text/vocabulary.h"

namespace dhyan {

// Cuts text into pieces of a vocabulary whose probabilities are not known. Vocabularies are ordered by frequency, so
// the piece of rank r is taken to have a probability proportional to 1/r (Zipf's law), and the likeliest segmentation
// is found as in a unigram model [kudo2018]. Pieces mark the spaces before words as SentencePiece does.
class ZipfSegmenter {
 public:
  explicit ZipfSegmenter(const Vocabulary& vocabulary);  // must outlive it

  // Neighbouring characters that no piece covers are one <unk>.
  Encoded cut(std::string_view line) const;

 private:
  const Vocabulary& vocabulary_;
  std::size_t longest_ = 0;  // characters of a piece
};

}  // namespace dhyan
