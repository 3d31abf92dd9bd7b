#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explain/attention_choice.h"
#include "server/served_model.h"

namespace dhyan::server {

inline constexpr Index kPrunedShown = 5;  // hypotheses of each step that the beam gave up

// The parts of an explanation that cost more than a few bytes.
struct ExplainInclude {
  bool attention = false;       // α of cross-attention
  bool self_attention = false;  // α of the encoder's and the decoder's own
  bool energies = false;        // e
  bool context = false;         // c, or the one fixed vector
  bool candidates = false;      // the best words of each step
  bool beam = false;            // the search as a tree
};

struct ExplainJsonOptions {
  Units units = Units::kWords;                 // energies, contexts and candidates are of subwords always
  std::vector<Index> layers = {}, heads = {};  // from 1; empty: all
  ExplainInclude include = {};
  std::optional<std::vector<double>> influence = {};  // of each source unit, if it was asked for
  bool base64 = false;                                // arrays as {"shape": [...], "float32": "…"}, little-endian
};

// A translation whose steps were recorded: its tokens with their places in characters, log p and entropy of each step,
// coverage of each source token, the hard alignment in Pharaoh's format, and what was asked for.
std::string explanation_json(const ServedModel& model, const Translation& translation,
                             const ExplainJsonOptions& options);

}  // namespace dhyan::server
