#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "config/config.h"
#include "core/rng.h"
#include "models/model.h"

namespace dhyan {

// The task of a model determines its interface in models/model.h and the commands for it.
enum class Task {
  kTranslate,     // TranslationModel, of text
  kCaption,       // TranslationModel, of pictures
  kContinueText,  // LanguageModel
  kFillGaps,      // MaskedModel
};
std::string_view commands_for(Task task);  // "dhyan generate, explain and evaluate"

// The data that a model is trained on.
enum class DataKind {
  kPairs,     // a source and its target
  kCaptions,  // a picture and a caption
  kText,      // plain text, in chunks that cross line ends
  kLines,     // plain text, one sentence per line
};

// The layers of a model. Each kind of layer has its own settings in addition to ModelConfig.
struct LayerKind {
  std::string_view options;  // names of these settings, for messages: "cell, embedding and directions"
};
extern const LayerKind kRecurrentLayers, kSelfAttentionLayers, kWordTables;

enum class CrossAttention { kNone, kOneLayer, kEveryLayer };  // of the decoder to the source

// The places of a model's attention.
struct AttentionUse {
  CrossAttention cross = CrossAttention::kNone;
  bool encoder = false;  // the source to itself
  bool decoder = false;  // the decoder to itself

  bool any() const { return cross != CrossAttention::kNone || encoder || decoder; }
};

// One kind of model and its capabilities. The rest of the program asks for a capability, never for a name, so that a
// new kind is an entry of the table.
struct ModelKind {
  std::string_view name;
  std::string_view description;
  Task task;
  DataKind data_kind;
  const LayerKind* layers;
  bool has_encoder;             // encoder-layers applies
  bool has_decoder;             // decoder-layers applies
  bool aligns = false;          // the words of given pairs; score, window and heads are not to be chosen
  bool takes_pictures = false;  // its encoder may read pictures (ModelConfig::encoder)
  AttentionUse (*attention)(const Config& config);
  void (*check)(const Config& config);  // ConfigError for an impossible config; vocabularies may be unknown
  // A lower bound on the number of weights: load_model() compares it with the size of a file before it allocates.
  double (*least_weights)(const Config& config, const TokenizerPair& tokenizers);
  std::unique_ptr<Model> (*make)(const Config& config, const TokenizerPair& tokenizers, const Rng& rng);
  // Why a config of this kind has no attention, for messages; null: the kind never has any, or always has some.
  std::string (*without_attention)(const Config& config) = nullptr;
  std::string_view phrasebook_pace = {};  // YAML: learning rate and length of a training on the built-in phrasebook
};
std::span<const ModelKind> model_kinds();  // the built-in ones

// The config's kind, in the config's table; ConfigError for an unknown name.
const ModelKind& model_kind(const Config& config);

// With an encoder of pictures: kCaption and kCaptions instead of kTranslate and kPairs.
Task task_of(const Config& config);
DataKind data_kind_of(const Config& config);

bool translates(const Config& config);  // text or pictures: it is a TranslationModel
bool reads_pictures(const Config& config);
bool has_encoder_layers(const Config& config);
bool has_recurrent_encoder(const Config& config);
bool attends(const Config& config);
bool attends_to_source(const Config& config);                    // by cross-attention
bool has_layers(const Config& config, const LayerKind& layers);  // and uses their settings

// The settings of models with these layers; the vocabularies are not known yet.
RecurrentConfig recurrent_config(const Config& config);
TransformerConfig transformer_config(const Config& config);
AlignerConfig aligner_config(const Config& config);

// Builds the model of a config, with weights initialised from rng. ConfigError for an impossible config.
std::unique_ptr<Model> make_model(const Config& config, const TokenizerPair& tokenizers, const Rng& rng);

}  // namespace dhyan
