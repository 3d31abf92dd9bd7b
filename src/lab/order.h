#pragma once

#include <string>
#include <vector>

#include "explain/attention_map.h"
#include "lab/findings.h"
#include "lab/lab_run.h"
#include "metrics/alignment.h"

namespace dhyan::lab {

struct OrderSize {
  std::vector<std::string> presets = {"rnnsearch", "luong", "transformer-tiny"};
  std::vector<std::string> corpora = {"hi-en", "fr-en"};
  std::vector<std::string> settings = {};  // YAML that changes the presets
};

// [bahdanau2015], section 5.2: the alignment that attention finds, against gold links and against the diagonal, and
// pictures of sentences whose languages order words differently.
Findings run_order(LabRun& run, const OrderSize& size);

// The share of weight that is more than a word away from the diagonal, on which a source and a target of any length
// advance together. Rows and columns of </s> do not count.
double off_diagonal(const std::vector<std::vector<double>>& weights);

// The gold links of a sentence as weights: those of a target word share its weight 1; a word without link has none.
std::vector<std::vector<double>> weights_of(const GoldLinks& gold, std::size_t source_words, std::size_t target_words);

// Links each target word with the source word beside it on the diagonal.
Links diagonal_links(std::size_t source_words, std::size_t target_words);

}  // namespace dhyan::lab
