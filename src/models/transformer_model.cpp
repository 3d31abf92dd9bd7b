#include "models/transformer_model.h"

#include "core/error.h"
#include "models/batch_loss.h"
#include "models/guided_alignment.h"
#include "models/scheduled_sampling.h"
#include "models/transformer_decoding.h"

namespace dhyan {

namespace {

const BlockOutput& guided_layer(const StackOutput& output, const LossOptions& options) {
  const Index layers = std::ssize(output.layers);
  if (options.guided_layer < 0 || options.guided_layer > layers) {
    throw ConfigError(cat("guided layer is ", options.guided_layer, " of ", layers));
  }
  const Index layer = options.guided_layer == 0 ? layers : options.guided_layer;
  return output.layers[static_cast<std::size_t>(layer - 1)];
}

class TransformerModel final : public TranslationModel {
 public:
  TransformerModel(const TransformerConfig& config, const Rng& rng) : network_(parameters_, config, rng) {}

  BatchLoss loss(Scope& scope, const Batch& batch, const LossOptions& options) const override {
    if (batch.target.empty()) return no_loss(scope);
    const std::vector<TokenId> inputs = training_inputs(*this, scope, batch, options);  // [ΣT]
    const SourceBatch source = source_of(batch);
    const Segments sources = annotation_segments(*network_.encoder, batch.source_segments);
    const bool guided = is_guided(scope, batch, options);
    const auto states = [&]() -> Pass {
      const StackOutput output = network_.teacher_forced(scope, source, inputs, batch.target_segments);
      if (!guided) return {output.y};  // [ΣT,H]
      return {output.y,
              guidance(guided_layer(output, options).cross.weights, batch, sources, network_.decoder.heads())};
    };
    return batch_loss(states, network_.output(scope), batch.target, options);
  }

  std::unique_ptr<Decoding> decode(const SourceBatch& source) const override {
    return std::make_unique<TransformerDecoding>(network_, source);
  }

  bool attends() const override { return true; }
  PictureInput pictures() const override { return network_.encoder->pictures(); }

  Index longest() const override { return network_.target_input.longest(); }

 private:
  TransformerNetwork network_;
};

}  // namespace

std::unique_ptr<TranslationModel> make_transformer_model(const TransformerConfig& config, const Rng& rng) {
  check(config);
  return std::make_unique<TransformerModel>(config, rng);
}

}  // namespace dhyan
