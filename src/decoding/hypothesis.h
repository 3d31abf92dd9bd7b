#pragma once

#include <array>
#include <vector>

#include "core/choice.h"
#include "models/decoder.h"
#include "text/tokenizer.h"

namespace dhyan {

// The attention of one layer and head over one finished sentence: T rows over S columns.
//   cross    rows are the tokens of the hypothesis, </s> included, as they were chosen; columns those of the source
//   decoder  rows likewise; columns are the decoder's input: <s> and all tokens but the last. Positions after the row's
//            own have weight 0 and energy -inf
//   encoder  rows and columns are the tokens of the source
struct AttentionRecord {
  AttentionPlace place = AttentionPlace::kCross;
  Index layer = 0;
  Index head = 0;
  std::vector<std::vector<Real>> weights = {};  // [T][S]  α_ij
  std::vector<std::vector<Real>> energy = {};   // [T][S]  e_ij; only where steps were recorded
  std::vector<std::vector<Real>> context = {};  // [T][K]  c_i; only where steps were recorded
};

struct Candidate {
  TokenId token = 0;
  double log_probability = 0;
};

struct Hypothesis {
  std::vector<TokenId> tokens;             // without <s>; ends with </s> unless it was cut at the maximum length
  std::vector<double> token_scores;        // log p of each
  double log_probability = 0;              // their sum
  double score = 0;                        // after length normalisation; ranks hypotheses
  std::vector<AttentionRecord> attention;  // as requested, by place, layer, head; empty without attention
  std::vector<std::vector<Candidate>> candidates;  // [T][k] the best words of each step, where steps were recorded

  bool finished() const { return !tokens.empty() && tokens.back() == kEnd; }  // else it was cut
};

// The divisor of log p that makes hypotheses of different lengths comparable.
enum class LengthNorm {
  kPlain,  // length^penalty
  kWu,     // ((5 + length) / 6)^penalty, [wu2016] eq. 14
};
inline constexpr std::array kLengthNorms = {Choice{"plain", LengthNorm::kPlain}, Choice{"wu", LengthNorm::kWu}};
double normalised(double log_probability, Index length, double penalty, LengthNorm norm = LengthNorm::kPlain);

}  // namespace dhyan
