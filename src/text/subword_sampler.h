#pragma once

#include <span>
#include <vector>

#include "text/sentencepiece_model.h"
#include "text/vocabulary.h"

namespace dhyan {

// How much the segmentation of a line varies in training.
struct SubwordSampling {
  double alpha = 0.1;    // unigram: exponent of probabilities; 0: uniform, large: the best segmentation [kudo2018]
  double dropout = 0.1;  // BPE-dropout: probability of skipping a merge [provilkov2020]
};

// The smallest parts a normalised line is put together from: a character, a user-defined symbol, or a stretch of
// characters no piece has.
struct Atom {
  std::string text;
  ByteRange range;     // of the line the model was given
  bool fixed = false;  // always a token on its own
};

// Atoms [begin, end) as one piece. `id` is the model's own; kNoPiece where it has none for them.
struct Cut {
  static constexpr int kNoPiece = -1;
  std::size_t begin = 0;
  std::size_t end = 0;
  int id = kNoPiece;
};

// Samples segmentations as the SentencePiece library does, but with our own random numbers: the library has one
// generator per thread, so its result depends on which thread reads which line. A unigram model is sampled exactly,
// over all segmentations (l = ∞ in [kudo2018]): forward sums, then pieces drawn backwards from the end.
class SubwordSampler {
 public:
  // ConfigError for a setting out of range, and for words and characters, which have only one segmentation.
  SubwordSampler(const SubwordModel& model, const SubwordSampling& sampling);

  std::vector<Cut> cut(std::span<const Atom> atoms, Rng& rng) const;

 private:
  struct Entry {
    int id = Cut::kNoPiece;  // kNoPiece: a prefix of pieces that is not a piece
    float score = 0;
  };
  class Line;

  std::vector<Cut> cut_unigram(const Line& line, Rng& rng) const;
  std::vector<Cut> cut_bpe(const Line& line, Rng& rng) const;

  SubwordAlgorithm algorithm_;
  SubwordSampling sampling_;
  TokenMap<Entry> entries_;  // every piece and every prefix of one
  double unknown_score_ = 0;
};

}  // namespace dhyan
