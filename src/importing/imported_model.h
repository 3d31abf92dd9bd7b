#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "importing/foreign_tensors.h"
#include "importing/vocabulary_order.h"
#include "interop/marian_shortlist.h"

namespace dhyan {

// A model of another toolkit, in our terms.
struct ImportedModel {
  Config config;
  TokenizerPair tokenizers = {};
  std::map<std::string, ForeignMatrix> weights = {};  // by the names of our parameters
  std::optional<MarianShortlist> shortlist = {};      // in the order of our vocabularies
  std::string origin = {};                            // "CTranslate2, binary version 6, int8"
  std::string readme = {}, licence = {};              // texts that came with it; or none
  std::vector<std::string> notes = {};                // for the user
};

// Names of the parameters of a Transformer.
std::string layer_name(std::string_view stack, Index layer);  // "encoder.0"

// Sets name.weight [I,O] and name.bias from a weight that is stored as [O,I].
void set_linear(ImportedModel& model, const std::string& name, const ForeignMatrix& weight, ForeignMatrix bias);

// The same from a weight that is stored as ours, [I,O].
void set_linear_as_stored(ImportedModel& model, const std::string& name, ForeignMatrix weight, ForeignMatrix bias);

// Sets the tables of words and the output layer as the config's tying demands.
struct WordTables {
  ForeignMatrix source, target, output;  // [V,H]; with tied tables, `target` stands for them
  ForeignMatrix output_bias;             // [1,V]
};
void set_words(ImportedModel& model, WordTables words);

// A config for fine-tuning: short, with a low learning rate.
Config config_of_imported_transformer();

}  // namespace dhyan
