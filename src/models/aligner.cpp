#include "models/aligner.h"

#include "models/aligner_decoding.h"
#include "models/batch_loss.h"
#include "models/config_checks.h"

namespace dhyan {

namespace {

class Aligner final : public TranslationModel {
 public:
  Aligner(const AlignerConfig& config, const Rng& rng) : network_(parameters_, config, rng) {}

  BatchLoss loss(Scope& scope, const Batch& batch, const LossOptions&) const override {
    if (batch.target.empty()) return no_loss(scope);
    const LatentAlignment aligned = run(scope, source_of(batch), batch.target, batch.target_segments);
    return {aligned.loss, static_cast<double>(aligned.loss.value().item())};
  }

  std::unique_ptr<Decoding> decode(const SourceBatch& source) const override {
    return std::make_unique<AlignerDecoding>(network_, source);
  }

  std::vector<Tensor> align(const SourceBatch& source, std::span<const std::vector<TokenId>> targets) const override {
    DecodingWorkspace workspace(source);
    std::vector<TokenId> tokens;
    std::vector<Index> lengths;
    for (const std::vector<TokenId>& target : targets) {
      tokens.insert(tokens.end(), target.begin(), target.end());
      lengths.push_back(std::ssize(target));
    }
    const Segments segments = Segments::from_lengths(lengths);
    std::vector<Tensor> weights;
    Index offset = 0;
    const LatentAlignment aligned = run(workspace.scope, source, tokens, segments);
    for (Index b = 0; b < segments.count(); ++b) {
      const Index T = segments.length(b), S = source.segments.length(b);
      weights.push_back(Tensor::view({T, S}, aligned.posteriors.data() + offset).clone());  // [T,S]
      offset += T * S;
    }
    return weights;
  }

  bool knows_targets() const override { return true; }
  bool attends() const override { return true; }

 private:
  LatentAlignment run(Scope& scope, const SourceBatch& source, std::span<const TokenId> targets,
                      const Segments& target_segments) const {
    const bool training = scope.recording();
    Rng rng = training ? scope.tape()->next_noise() : Rng(0);
    const BatchWords words = batch_words(scope.arena(), network_.sides(source.tokens, targets), network_.negatives(),
                                         training ? &rng : nullptr);
    const Var table = training ? network_.sampled_table(scope, words) : network_.table(scope, words);  // [K,Q]
    const kernels::AttentionLayout layout{target_segments, source.segments};
    const Var energy = pair_energies(table, words.places, layout);  // [Σ T_b S_b]  e_ij
    return latent_alignment(energy, network_.jumps(scope), network_.chain().null, layout);
  }

  AlignerNetwork network_;
};

}  // namespace

void check(const AlignerConfig& config) {
  check(static_cast<const ModelConfig&>(config));
  expect_at_least_one("jump range", config.jump_range);
  expect_at_least_one("number of negatives", config.negatives);
  if (!(config.null_probability > 0 && config.null_probability < 1)) {
    throw ConfigError(cat("null-probability is ", config.null_probability, ", expected 0 < p < 1"));
  }
  if (config.tying != Tying::kNone) {
    throw ConfigError("tie-embeddings is not none, and an aligner compares words of two languages; expected none");
  }
}

std::unique_ptr<TranslationModel> make_aligner(const AlignerConfig& config, const Rng& rng) {
  check(config);
  return std::make_unique<Aligner>(config, rng);
}

}  // namespace dhyan
