#include "models/scheduled_sampling.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace dhyan {

namespace {

TokenId most_likely(std::span<const Real> logits) {
  return static_cast<TokenId>(std::ranges::max_element(logits) - logits.begin());
}

// One hypothesis for each sentence, until all its words are chosen.
class GreedyPass {
 public:
  explicit GreedyPass(const Segments& targets) : targets_(targets), row_of_(static_cast<std::size_t>(targets.count())) {
    std::iota(row_of_.begin(), row_of_.end(), RowId{0});
  }

  // The logits of word t + 1 of the sentences that have one, and the places of these words in the decoder's input.
  struct Choice {
    Var logits;                 // [A,V]
    std::vector<Index> places;  // [A]
  };
  Choice step(Decoding& decoding, Index t, std::span<const TokenId> inputs) {
    Choice choice;
    std::vector<RowId> rows;
    std::vector<TokenId> tokens;
    std::vector<Index> counts(row_of_.size(), 0);
    for (std::size_t b = 0; b < row_of_.size(); ++b) {
      const auto sentence = static_cast<Index>(b);
      if (t + 1 >= targets_.length(sentence)) continue;
      const Index place = targets_.begin(sentence) + t;
      counts[b] = 1;
      rows.push_back(std::exchange(row_of_[b], static_cast<RowId>(rows.size())));
      tokens.push_back(inputs[static_cast<std::size_t>(place)]);
      choice.places.push_back(place + 1);
    }
    choice.logits = decoding.step({rows, tokens, Segments::from_lengths(counts)}).logits;
    return choice;
  }

 private:
  const Segments& targets_;
  std::vector<RowId> row_of_;  // each sentence's hypothesis in the step before
};

}  // namespace

std::vector<TokenId> sampled_inputs(Decoding& decoding, const Batch& batch, double probability, Rng noise) {
  if (!(probability >= 0 && probability <= 1)) {
    throw ConfigError(cat("scheduled sampling: probability is ", probability, ", expected 0 <= p <= 1"));
  }
  std::vector<TokenId> inputs = decoder_inputs(batch);
  GreedyPass pass(batch.target_segments);
  for (Index t = 0; t + 1 < batch.target_segments.longest(); ++t) {
    const GreedyPass::Choice choice = pass.step(decoding, t, inputs);
    for (std::size_t i = 0; i < choice.places.size(); ++i) {
      if (noise.uniform() >= probability) continue;
      inputs[static_cast<std::size_t>(choice.places[i])] =
          most_likely(choice.logits.value().row(static_cast<Index>(i)));
    }
  }
  return inputs;
}

std::vector<TokenId> training_inputs(const TranslationModel& model, const Scope& scope, const Batch& batch,
                                     const LossOptions& options) {
  if (options.sampled == 0 || !scope.recording()) return decoder_inputs(batch);  // [ΣT]
  const Rng noise = scope.tape()->next_noise();
  return sampled_inputs(*model.decode(source_of(batch)), batch, options.sampled, noise);  // [ΣT]
}

}  // namespace dhyan
