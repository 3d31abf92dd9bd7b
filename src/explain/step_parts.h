#pragma once

#include "explain/step.h"

namespace dhyan {

// The softmax of one row, recomputed. If the model's window does more than exclude positions, exponentials / sum differ
// from α.
struct Softmax {
  double shift = 0;                  // subtracted from every e before exp if exp(e) would be too large or too small
  std::vector<double> exponentials;  // [S] 0 outside the window
  std::vector<bool> outside;         // [S]
  double sum = 0;
  bool has_window = false;  // some positions are outside the window
  bool is_alpha = true;     // exponentials / sum equal the weights
};
Softmax softmax_of(std::span<const Real> energy, std::span<const Real> weights);

// The argument of exp: "e_2j", or "e_2j - 101.6094".
std::string exponent_of(std::string_view e, const Softmax& softmax);

// A recorded translation and the labels of its tokens.
struct RecordedSteps {
  const Translated& translated;
  const TokenizerPair& tokenizers;

  std::string piece(TokenId id) const;           // of the target
  std::string text_before(std::size_t i) const;  // the translation before step i

  // The number of columns visible in step i: decoder self-attention sees one more in each step.
  static std::size_t seen(const AttentionRecord& record, std::size_t i);

  // The heading of such a column: "token", or "row,column" of cells.
  std::string_view attended(const AttentionRecord& record) const;

  // The token of a column, or the cell of a picture. A decoder-only model has the source first.
  std::string key(const AttentionRecord& record, std::size_t j) const;
};

// Throws UsageError if there is no such step or layer, or if the steps of the translation were not recorded.
void expect_step(const Translated& translated, const StepOptions& options);

}  // namespace dhyan
