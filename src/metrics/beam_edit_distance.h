#pragma once

#include <span>

#include "metrics/words.h"

namespace dhyan {

// The alignment of a hypothesis with a reference by the edits of least cost.
struct WordMatching {
  std::vector<Index>
      partner;  // for each reference word, its hypothesis word; for a missing word, the last word before it, or -1
  std::vector<bool> reference_wrong;  // missing or replaced
  std::vector<bool> hypothesis_wrong;
};

// The edit distance between hypothesis and reference, searched in a beam of 25 words on each side of the diagonal, as
// sacreBLEU does. Hypotheses with a common prefix share the work.
class BeamEditDistance {
 public:
  explicit BeamEditDistance(std::span<const char32_t> reference);

  Index operator()(const Symbols& hypothesis);
  WordMatching matching() const;  // of the last hypothesis

 private:
  enum class Edit : char { kNone, kKeep, kReplace, kMissing, kExcess };
  struct Cell {
    Index cost;
    Edit edit;
  };
  // The cells of a row that lie in the beam.
  struct Row {
    Index begin = 0;
    std::vector<Cell> cells;

    Index end() const { return begin + std::ssize(cells); }
    Cell at(Index j) const;
  };

  Row row_after(const Row& before, Index i) const;
  Cell cell(const Row& before, const Row& row, Index i, Index j) const;

  std::span<const char32_t> reference_;
  Symbols hypothesis_;
  std::vector<Row> rows_;  // row i: the first i words of the hypothesis
};

}  // namespace dhyan
