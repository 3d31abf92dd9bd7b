#pragma once

#include <vector>

#include "text/tokenizer.h"

namespace dhyan {

// A ragged cube of attention numbers of one finished sentence: for one layer and head, T rows over S source positions.
struct AttentionRecord {
  Index layer = 0;
  Index head = 0;
  std::vector<std::vector<Real>> weights;  // [T][S]  α_ij; a row for each token of the hypothesis, </s> included
  std::vector<std::vector<Real>> energy;   // [T][S]  e_ij; only where steps were recorded
  std::vector<std::vector<Real>> context;  // [T][K]  c_i; only where steps were recorded
};

struct Candidate {
  TokenId token = 0;
  double log_probability = 0;
};

struct Hypothesis {
  std::vector<TokenId> tokens;             // without <s>; ends with </s> unless it was cut at the greatest length
  std::vector<double> token_scores;        // log p of each
  double log_probability = 0;              // their sum
  double score = 0;                        // after length normalisation: what hypotheses are ranked by
  std::vector<AttentionRecord> attention;  // as asked for; none of a model that does not attend
  std::vector<std::vector<Candidate>> candidates;  // [T][k] the best words of each step, where steps were recorded
};

// What hypotheses of different lengths are compared by: log p / length^penalty. [wu2016] section 7 with a plain power.
double normalised(double log_probability, Index length, double penalty);

}  // namespace dhyan
