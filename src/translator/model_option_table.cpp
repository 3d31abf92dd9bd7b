#include "attention/windows.h"
#include "nn/feed_forward.h"
#include "nn/positions.h"
#include "translator/model_kinds.h"
#include "translator/option_table.h"

namespace dhyan::option_table {

namespace {

constexpr std::array kDirections{Choice{"forward", Directions::kForward}, Choice{"both", Directions::kBoth}};
constexpr std::array kContexts{Choice{"none", ContextKind::kNone}, Choice{"fixed", ContextKind::kFixed},
                               Choice{"attention", ContextKind::kAttention}};
constexpr std::array kTimings{Choice{"before", Timing::kBefore}, Choice{"after", Timing::kAfter}};
constexpr std::array kOutputs{Choice{"maxout", OutputKind::kMaxout}, Choice{"deep-tanh", OutputKind::kDeepTanh},
                              Choice{"tanh", OutputKind::kTanh}};
constexpr std::array kNormPlaces{Choice{"before", NormPlace::kBefore}, Choice{"after", NormPlace::kAfter}};
constexpr std::array kTyings{Choice{"none", Tying::kNone}, Choice{"decoder", Tying::kDecoder},
                             Choice{"all", Tying::kAll}};

}  // namespace

std::vector<Option> model_options() {
  return {
      word("model", "Kind of model", names_of(model_kinds()), path(&Config::model)),
      word("init-from", "Folder of a model to begin with: its settings, tokenizers and weights", {},
           path(&Config::init_from)),
      word("cell", "Recurrent cell of encoder and decoder", names_of(cells()), model(&RecurrentConfig::cell)),
      number("embedding", "Width of the word vectors of a recurrent model", {1, kWidest},
             model(&RecurrentConfig::embedding)),
      number("hidden", "Units of each layer; of a recurrent one in each direction", {1, kWidest},
             model(&RecurrentConfig::hidden)),
      number("decoder-hidden",
             "Units of each layer of a recurrent decoder; 0: as many as the encoder has in a direction", {0, kWidest},
             model(&RecurrentConfig::decoder_hidden)),
      number("encoder-layers", "Layers of the encoder", {1, 64}, model(&RecurrentConfig::encoder_layers)),
      number("decoder-layers", "Layers of the decoder", {1, 64}, model(&RecurrentConfig::decoder_layers)),
      choice("directions", "Directions the encoder reads in", kDirections, model(&RecurrentConfig::directions)),
      choice("readout", "Layer under the output weight: deep output with maxout or tanh, or tanh of state and context",
             kOutputs, model(&RecurrentConfig::output)),
      number("readout-hidden", "Its width", {1, kWidest}, model(&RecurrentConfig::output_hidden)),
      choice("tie-embeddings", "Tables that are one: the decoder's two, or those and the encoder's", kTyings,
             model(&RecurrentConfig::tying)),
      number("dropout", "Share of units dropped in training", {0, 0.99}, model(&RecurrentConfig::dropout)),
      number("word-dropout", "Share of words of source and target dropped in training", {0, 0.99},
             model(&RecurrentConfig::word_dropout)),
      toggle("layer-norm", "Normalise layers", model(&RecurrentConfig::layer_norm)),
      toggle("residual", "Add a layer's input to its output", model(&RecurrentConfig::residual)),
  };
}

std::vector<Option> transformer_options() {
  return {
      number("feed-forward", "Width of the feed-forward layers", {1, kWidest},
             transformer(&TransformerConfig::feed_forward)),
      word("activation", "Of the feed-forward layers", names_of(activations()),
           transformer(&TransformerConfig::activation)),
      choice("norm", "Normalise before each sublayer, or after it", kNormPlaces, transformer(&TransformerConfig::norm)),
      word("positions", "How a word knows where it stands", names_of(position_encodings()),
           transformer(&TransformerConfig::positions)),
      number("context-length", "Of language models: tokens of a stretch of text; of learned positions: how many",
             {1, 1 << 20}, transformer(&TransformerConfig::longest)),
      number("feed-forward-dropout", "Share of units of the feed-forward layers dropped in training", {0, 0.99},
             transformer(&TransformerConfig::feed_forward_dropout)),
  };
}

std::vector<Option> attention_options(const AttentionTables& tables) {
  return {
      choice("context", "What the decoder sees of the source: a start, one fixed vector, or attention", kContexts,
             model(&RecurrentConfig::context)),
      choice("timing", "Attend before the decoder's state is updated, or after", kTimings,
             model(&RecurrentConfig::timing)),
      word("score", "How a query and a key are compared", names_of(tables.scores), attention(&AttentionConfig::score)),
      word("window", "Where a query may look", names_of(tables.windows), attention(&AttentionConfig::window)),
      number("heads", "Attentions side by side", {1, 256}, attention(&AttentionConfig::heads)),
      number("attention-hidden", "Units of scores with a layer of their own; 0: as many as the query has", {0, kWidest},
             attention(&AttentionConfig::hidden)),
      number("attention-radius", "How far local windows reach to each side", {1, 1 << 20},
             attention(&AttentionConfig::radius)),
      number("attention-longest", "Positions the location score knows", {1, 1 << 16},
             attention(&AttentionConfig::longest)),
      number("attention-dropout", "Share of attention weights dropped in training", {0, 0.99},
             attention(&AttentionConfig::dropout)),
      toggle("input-feeding", "Give the attentional state to the next step (timing after)",
             model(&RecurrentConfig::input_feeding)),
  };
}

}  // namespace dhyan::option_table
