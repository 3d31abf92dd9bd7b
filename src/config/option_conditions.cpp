#include "config/option_conditions.h"

#include "config/model_kinds.h"
#include "core/error.h"

namespace dhyan {

namespace {

// Whether the input of some recurrent layer is as wide as its output (nn/residual_norm.h). The first layer of a decoder
// has no input to add.
bool has_layer_for_residual(const Config& config) {
  const RecurrentConfig model = recurrent_config(config);
  if (!has_recurrent_encoder(config)) return model.decoder_layers > 1;
  const Index annotation = model.hidden * (model.directions == Directions::kBoth ? 2 : 1);
  return model.encoder_layers > 1 || model.decoder_layers > 1 || model.embedding == annotation;
}

// Refuses a value that changes nothing in this model although the option applies. A config may still record such
// values, because older models were trained with them.
void refuse_value_without_effect(const Config& config, const Setting& setting) {
  if (setting.name == "residual" && config.recurrent.residual && !has_layer_for_residual(config)) {
    setting.fail(cat("residual needs a layer whose input is as wide as its output; ",
                     has_recurrent_encoder(config)
                         ? "encoder-layers and decoder-layers are 1, and the encoder's output "
                           "is not as wide as the embedding"
                         : "decoder-layers is 1"));
  }
  if (setting.name == "tie-embeddings" && config.common.tying == Tying::kAll && !translates(config)) {
    setting.fail(cat("tie-embeddings all needs a model that translates; model is ", config.model,
                     ", whose input and output tie-embeddings decoder ties"));
  }
}

}  // namespace

bool applies(const Option& option, const Config& config) {
  return option.condition == nullptr || option.condition->holds(config);
}

void expect_to_apply(const Config& config, std::span<const Setting> settings) {
  for (const Setting& setting : settings) {
    const auto option = std::ranges::find(options(), setting.name, &Option::name);
    if (option == options().end()) continue;
    if (applies(*option, config)) {
      refuse_value_without_effect(config, setting);
      continue;
    }
    const Condition& condition = *option->condition;
    setting.fail(cat(setting.name, " needs ", condition.needs, "; ", condition.found(config)));
  }
}

}  // namespace dhyan
