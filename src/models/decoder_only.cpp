#include "models/decoder_only.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "models/batch_loss.h"
#include "models/decoder_only_decoding.h"
#include "models/scheduled_sampling.h"
#include "ops/arena_copy.h"
#include "ops/rows.h"

namespace dhyan {

namespace {

class GenerativeTransformer final : public LanguageModel {
 public:
  GenerativeTransformer(const TransformerConfig& config, const Rng& rng)
      : network_(parameters_, config, rng), context_(config.longest) {}

  BatchLoss loss(Scope& scope, const Batch& batch, const LossOptions& options) const override {
    if (batch.target.empty()) return no_loss(scope);
    const auto states = [&] { return Pass{network_(scope, batch.source, batch.source_segments).y}; };  // [ΣS,H]
    return batch_loss(states, network_.output(scope), batch.target, options);
  }

  std::unique_ptr<Decoding> decode(const SourceBatch& read) const override {
    return std::make_unique<DecoderOnlyDecoding>(network_, read, context_);
  }

 private:
  DecoderOnlyNetwork network_;
  Index context_;
};

// Sources, each followed by its decoder inputs.
struct Prompted {
  std::span<const TokenId> tokens;  // [ΣS+ΣT]
  Segments segments;
  std::span<const RowId> target_rows;  // [ΣT]  those of the decoder inputs
};

Prompted prompted(Arena& arena, const Batch& batch, std::span<const TokenId> inputs) {
  const std::span<TokenId> tokens = arena_span<TokenId>(arena, batch.source.size() + inputs.size());
  const std::span<RowId> rows = arena_span<RowId>(arena, inputs.size());
  std::vector<Index> lengths;
  auto to = tokens.begin();
  for (Index b = 0; b < batch.sentences(); ++b) {
    const Index begin = batch.target_segments.begin(b), count = batch.target_segments.length(b);
    const auto first = static_cast<std::size_t>(begin), size = static_cast<std::size_t>(count);
    const Example example = example_of(batch, b);
    to = std::ranges::copy(example.source, to).out;
    std::iota(rows.begin() + begin, rows.begin() + begin + count, static_cast<RowId>(to - tokens.begin()));
    to = std::ranges::copy(inputs.subspan(first, size), to).out;
    lengths.push_back(std::ssize(example.source) + count);
  }
  return {tokens, Segments::from_lengths(lengths), rows};
}

class PromptedTransformer final : public TranslationModel {
 public:
  PromptedTransformer(const TransformerConfig& config, const Rng& rng) : network_(parameters_, config, rng) {}

  BatchLoss loss(Scope& scope, const Batch& batch, const LossOptions& options) const override {
    if (batch.target.empty()) return no_loss(scope);
    const Prompted all = prompted(scope.arena(), batch, training_inputs(*this, scope, batch, options));
    const auto states = [&] {
      return Pass{gather_rows(network_(scope, all.tokens, all.segments).y, all.target_rows)};  // [ΣT,H]
    };
    return batch_loss(states, network_.output(scope), batch.target, options);
  }

  std::unique_ptr<Decoding> decode(const SourceBatch& source) const override {
    return std::make_unique<DecoderOnlyDecoding>(network_, source);
  }

  bool attends() const override { return true; }

  bool has_cross_attention() const override { return false; }

  Index longest() const override { return network_.input.longest() / 2; }

 private:
  DecoderOnlyNetwork network_;
};

}  // namespace

DecoderOnlyNetwork::DecoderOnlyNetwork(ParameterSet& parameters, const TransformerConfig& config, const Rng& rng)
    : words(TransformerInput::make_words(parameters, "words", config.target_vocabulary, config, rng)),
      input(parameters, "words", config, words, rng),
      decoder(parameters, "decoder", config, BlockKind::kDecoderOnly, rng),
      output(parameters, *words, config.tying, rng) {}

StackOutput DecoderOnlyNetwork::operator()(Scope& scope, std::span<const TokenId> tokens,
                                           const Segments& segments) const {
  return decoder({.x = {input(scope, tokens, segments), segments}});  // [R,H]
}

std::unique_ptr<LanguageModel> make_language_model(const TransformerConfig& config, const Rng& rng) {
  check(config);
  return std::make_unique<GenerativeTransformer>(config, rng);
}

std::unique_ptr<TranslationModel> make_decoder_only_model(const TransformerConfig& config, const Rng& rng) {
  check(config);
  check_tying(Tying::kAll, config.source_vocabulary, config.target_vocabulary);
  return std::make_unique<PromptedTransformer>(config, rng);
}

}  // namespace dhyan
