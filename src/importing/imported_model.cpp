#include "importing/imported_model.h"

#include "core/error.h"

namespace dhyan {

std::string layer_name(std::string_view stack, Index layer) { return cat(stack, ".", layer); }

void set_linear(ImportedModel& model, const std::string& name, const ForeignMatrix& weight, ForeignMatrix bias) {
  model.weights[name + ".weight"] = weight.transposed();
  model.weights[name + ".bias"] = std::move(bias);
}

void set_linear_as_stored(ImportedModel& model, const std::string& name, ForeignMatrix weight, ForeignMatrix bias) {
  model.weights[name + ".weight"] = std::move(weight);
  model.weights[name + ".bias"] = std::move(bias);
}

void set_words(ImportedModel& model, WordTables words) {
  const Tying tying = model.config.common.tying;
  if (tying != Tying::kAll) model.weights["source.table"] = std::move(words.source);
  model.weights[tying == Tying::kAll ? "words.table" : "target.table"] = std::move(words.target);
  if (tying == Tying::kNone) model.weights["output.weight"] = std::move(words.output);
  model.weights["output.bias"] = std::move(words.output_bias);
}

Config config_of_imported_transformer() {
  Config config;
  config.model = "transformer";
  config.common.attention.score = "scaled_dot";
  config.common.dropout = 0.1;
  config.tokenizer.kind = PieceTokenizer::kKind;
  TrainingOptions& training = config.training;
  training.schedule = "constant";
  training.schedule_settings.learning_rate = 2e-5;
  training.loss.label_smoothing = 0.1;
  training.batch.max_tokens = 2000;
  training.max_epochs = 3;
  return config;
}

}  // namespace dhyan
