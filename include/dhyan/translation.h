#pragma once

#include <cstdint>
#include <dhyan/matrix.h>
#include <string>
#include <vector>

namespace dhyan::v1 {

// A link between words, both counted from 0.
struct Link {
  std::int64_t source = 0, target = 0;
  double probability = 0;  // its attention weight

  friend bool operator==(const Link&, const Link&) = default;
};

// The translation of a line, or the caption of a picture; or a given translation with its scores.
struct Translation {
  std::string source;  // the line, or the name of the picture
  std::string text;
  double score = 0;                // ranks translations: log p after length normalisation; -inf: could not be scored
  double log_probability = 0;      // log p of all tokens
  std::int64_t source_tokens = 0;  // </s> included; 0: the line has no text
  std::int64_t target_tokens = 0;  // 0: there is no text, or more of it than the model can
  bool finished = true;            // false: it was cut at the maximum length
  bool source_cut = false;         // the line has more tokens than a translator takes
  bool mostly_unknown = false;     // the line has more unknown tokens than known ones
  bool required_dropped = false;   // not all required phrases fit

  // Details::kScores. Both sides end with </s>, unless the translation is not finished.
  std::vector<std::string> source_units = {};  // [S]
  std::vector<std::string> target_units = {};  // [T]
  std::vector<double> unit_scores = {};        // [T]  log p

  // Details::kAttention; empty for a model without cross-attention. The mean of all layers and heads.
  Matrix attention = {};             // [T,S]  rows sum to 1
  std::vector<Link> alignment = {};  // what each target unit attends to most, </s> left out
};

}  // namespace dhyan::v1
