#include "translator/model_kinds.h"

#include <algorithm>

#include "core/error.h"
#include "core/table.h"
#include "models/recurrent_model.h"

namespace dhyan {

namespace {

void check_recurrent(const Config& config) {
  if (config.recurrent.tying == Tying::kAll && !config.tokenizer.shared && config.tokenizer.from.empty()) {
    throw ConfigError("tie-embeddings is all, which needs one vocabulary: expected shared-vocabulary true");
  }
  RecurrentConfig model = config.recurrent;
  model.source_vocabulary = model.target_vocabulary = 1;
  check(model);
}

// The tables and the recurrent weights of one gate.
double least_recurrent(const Config& config, const TokenizerPair& tokenizers) {
  const RecurrentConfig& model = config.recurrent;
  const auto V = static_cast<double>(tokenizers.target->size()), H = static_cast<double>(model.hidden);
  const auto E = static_cast<double>(model.embedding), O = static_cast<double>(model.output_hidden);
  return V * std::max(E, O) + H * H * static_cast<double>(model.encoder_layers + model.decoder_layers);
}

std::unique_ptr<TranslationModel> make_recurrent(const Config& config, const TokenizerPair& tokenizers,
                                                 const Rng& rng) {
  RecurrentConfig model = config.recurrent;
  model.source_vocabulary = tokenizers.source->size();
  model.target_vocabulary = tokenizers.target->size();
  return make_recurrent_model(model, rng);
}

constexpr ModelKind kKinds[] = {
    {"recurrent", "recurrent encoder and decoder, with or without attention", check_recurrent, least_recurrent,
     make_recurrent},
};

}  // namespace

std::span<const ModelKind> model_kinds() { return kKinds; }

const ModelKind& model_kind(const Config& config) { return entry_named("model", model_kinds(), config.model); }

std::unique_ptr<TranslationModel> make_model(const Config& config, const TokenizerPair& tokenizers, const Rng& rng) {
  return model_kind(config).make(config, tokenizers, rng);
}

}  // namespace dhyan
