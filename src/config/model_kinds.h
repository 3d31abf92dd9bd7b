#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "config/config.h"
#include "core/rng.h"
#include "models/model.h"

namespace dhyan {

// What a kind of model is trained on, and so what it is for.
enum class DataKind {
  kPairs,  // sentences and their translations
  kText,   // plain text, in stretches that run on over the ends of lines
  kLines,  // plain text, a sentence a line
};
std::string_view commands_for(DataKind data_kind);  // "dhyan generate, evaluate and explain"

// The kinds of models there are. A new one is an entry here.
struct ModelKind {
  std::string_view name;
  std::string_view description;
  DataKind data_kind;
  void (*check)(const Config& config);  // ConfigError for what cannot be built; vocabularies need not be known
  // Fewer weights it cannot have: what a config claims can be compared with a file before memory is taken for it.
  double (*least_weights)(const Config& config, const TokenizerPair& tokenizers);
  std::unique_ptr<Model> (*make)(const Config& config, const TokenizerPair& tokenizers, const Rng& rng);
};
std::span<const ModelKind> model_kinds();

// Of the config's kind; ConfigError if there is none such.
const ModelKind& model_kind(const Config& config);

// The settings of one family of models; the vocabularies are not known yet.
RecurrentConfig recurrent_config(const Config& config);
TransformerConfig transformer_config(const Config& config);

// The model that a config describes, with weights drawn from rng. ConfigError for what cannot be built.
std::unique_ptr<Model> make_model(const Config& config, const TokenizerPair& tokenizers, const Rng& rng);

}  // namespace dhyan
