#pragma once

#include "explain/step.h"

namespace dhyan {

// The softmax of one row, done again. Where the model's window did more than leave positions out, exponentials / sum
// are not α.
struct Softmax {
  double shift = 0;                  // taken from every e before exp, where exp alone would be too large or too small
  std::vector<double> exponentials;  // [S] 0 outside of the window
  std::vector<bool> outside;         // [S]
  double sum = 0;
  bool has_window = false;  // some positions were not looked at
  bool is_alpha = true;     // exponentials / sum are the weights
};
Softmax softmax_of(std::span<const Real> energy, std::span<const Real> weights);

// "e_2j", or "e_2j - 101.6094": what is put into exp.
std::string exponent_of(std::string_view e, const Softmax& softmax);

// A recorded translation, and what its tokens are called.
struct RecordedSteps {
  const Translated& translated;
  const TokenizerPair& tokenizers;

  std::string piece(TokenId id) const;           // of the target
  std::string text_before(std::size_t i) const;  // what was written before step i

  // How many columns there were to look at in step i: the decoder is given one more at each.
  static std::size_t seen(const AttentionRecord& record, std::size_t i);

  // The token of a column. A decoder-only model was given the source first.
  std::string key(const AttentionRecord& record, std::size_t j) const;
};

// Throws UsageError for a step or a layer there is none of, and for a translation whose steps were not recorded.
void expect_step(const Translated& translated, const StepOptions& options);

}  // namespace dhyan
