#include "attention/windows.h"
#include "config/model_kinds.h"
#include "config/option_conditions.h"
#include "config/option_table.h"
#include "models/sequence_mixer.h"
#include "nn/feed_forward.h"
#include "nn/positions.h"

namespace dhyan::option_table {

namespace {

constexpr std::array kDirections{Choice{"forward", Directions::kForward}, Choice{"both", Directions::kBoth}};
constexpr std::array kContexts{Choice{"none", ContextKind::kNone}, Choice{"fixed", ContextKind::kFixed},
                               Choice{"attention", ContextKind::kAttention}};
constexpr std::array kTimings{Choice{"before", Timing::kBefore}, Choice{"after", Timing::kAfter},
                              Choice{"between", Timing::kBetween}};
constexpr std::array kStacks{Choice{"joint", Stacks::kJoint}, Choice{"separate", Stacks::kSeparate}};
constexpr std::array kFirstStates{Choice{"final", FirstState::kFinal}, Choice{"mean", FirstState::kMean}};
constexpr std::array kDecoderKeyKinds{Choice{"normed", DecoderKeys::kNormed}, Choice{"plain", DecoderKeys::kPlain}};
constexpr Index kMostTransitions = 64;
constexpr std::array kOutputs{Choice{"maxout", OutputKind::kMaxout}, Choice{"deep-tanh", OutputKind::kDeepTanh},
                              Choice{"tanh", OutputKind::kTanh}};
constexpr std::array kGridSizes{Choice{"7", Index{7}}, Choice{"14", Index{14}}};

std::vector<std::string> encoder_names() {
  std::vector<std::string> names = names_of(backbones());
  names.emplace(names.begin(), kTextEncoder);
  return names;
}

constexpr std::array kNormPlaces{Choice{"before", NormPlace::kBefore}, Choice{"after", NormPlace::kAfter}};
constexpr std::array kWordScales{Choice{"auto", WordScale::kByPositions}, Choice{"root", WordScale::kRootOfWidth},
                                 Choice{"none", WordScale::kNone}};
constexpr std::array kEmbeddingNorms{Choice{"none", EmbeddingNorm::kNone}, Choice{"layer", EmbeddingNorm::kLayer}};
constexpr std::array kStarts{Choice{"none", SentenceStart::kNone}, Choice{"begin", SentenceStart::kMarked}};
constexpr std::array kHeads{Choice{"none", MaskedHead::kNone}, Choice{"present", MaskedHead::kPresent}};
constexpr std::array kPoolings{Choice{"words", Pooling::kWords}, Choice{"all", Pooling::kAll},
                               Choice{"start", Pooling::kStart}};
constexpr std::array kVectorLengths{Choice{"free", VectorLength::kFree}, Choice{"one", VectorLength::kOne}};
constexpr std::array kTyings{Choice{"none", Tying::kNone}, Choice{"decoder", Tying::kDecoder},
                             Choice{"all", Tying::kAll}};

}  // namespace

std::vector<Option> model_options(ModelKindTable kinds) {
  return {
      word("model", "Kind of model", names_of(kinds()), path(&Config::model)),
      with_value("DIR", word("init-from", "Start from the model in this folder: its settings, tokenizers and weights",
                             {}, path(&Config::init_from))),
      only(kRecurrentModel, word("cell", "Recurrent cell of encoder and decoder", names_of(cells()),
                                 recurrent(&RecurrentSettings::cell))),
      only(kRecurrentModel,
           number("embedding", "Width of the word embeddings", {1, kWidest}, recurrent(&RecurrentSettings::embedding))),
      number("hidden", "Units of each layer; a recurrent encoder has as many in each direction", {1, kWidest},
             common(&ModelConfig::hidden)),
      only(kRecurrentModel, number("decoder-hidden", "Units of each decoder layer; 0: the same as --hidden",
                                   {0, kWidest}, recurrent(&RecurrentSettings::decoder_hidden))),
      only(kEncoder, number("encoder-layers", "Layers of the encoder", {1, 64}, common(&ModelConfig::encoder_layers))),
      only(kDecoder, number("decoder-layers", "Layers of the decoder", {1, 64}, common(&ModelConfig::decoder_layers))),
      only(kRecurrentEncoder, choice("directions", "Directions in which the encoder reads the source", kDirections,
                                     recurrent(&RecurrentSettings::directions))),
      only(kRecurrentEncoder, choice("stacks",
                                     "Input of higher layers of both directions: joint, both directions; separate, "
                                     "their own",
                                     kStacks, recurrent(&RecurrentSettings::stacks))),
      only(kRecurrentEncoder,
           number("encoder-transitions", "Deep transitions: further cells in each step of the encoder's layers",
                  {0, kMostTransitions}, recurrent(&RecurrentSettings::encoder_transitions))),
      only(kRecurrentModel, number("decoder-transitions", "Further cells in each step of the decoder's first layer",
                                   {0, kMostTransitions}, recurrent(&RecurrentSettings::decoder_transitions))),
      only(kRecurrentModel, number("higher-transitions", "Further cells in each step of its other layers",
                                   {0, kMostTransitions}, recurrent(&RecurrentSettings::higher_transitions))),
      only(kRecurrentModel, choice("first-state",
                                   "First state of the decoder: from the final states of the encoder, or the same in "
                                   "all layers from the mean annotation",
                                   kFirstStates, recurrent(&RecurrentSettings::first_state))),
      only(kRecurrentModel,
           choice("readout",
                  "Layer below the output weights: deep output with maxout or tanh, or tanh of state and context",
                  kOutputs, recurrent(&RecurrentSettings::output))),
      only(kRecurrentModel,
           number("readout-hidden", "Width of that layer", {1, kWidest}, recurrent(&RecurrentSettings::output_hidden))),
      choice("tie-embeddings",
             "Share embedding tables: decoder shares the decoder's input and output, all also the encoder's", kTyings,
             common(&ModelConfig::tying)),
      number("dropout", "Dropout: probability of dropping a unit in training", {0, 0.99},
             common(&ModelConfig::dropout)),
      number("word-dropout", "Probability of dropping a whole source or target word in training", {0, 0.99},
             common(&ModelConfig::word_dropout)),
      only(kRecurrentModel,
           toggle("layer-norm", "Layer normalisation in recurrent layers", recurrent(&RecurrentSettings::layer_norm))),
      only(kRecurrentModel,
           toggle("inner-norm",
                  "Layer normalisation of products inside recurrent cells, score additive, readout and first state",
                  recurrent(&RecurrentSettings::inner_norm))),
      only(kRecurrentModel,
           toggle("residual", "Residual connections: add a layer's input to its output, where both are as wide",
                  recurrent(&RecurrentSettings::residual))),
  };
}

std::vector<Option> picture_options() {
  return {
      only(kEncoderKind, word("encoder", "Encoder: text for sentences, or the backbone for pictures", encoder_names(),
                              common(&ModelConfig::encoder))),
      only(kTrainedNetwork, number("image-size", "Height and width of a picture, in pixels", {8, 1024},
                                   backbone(&BackboneSettings::image_size))),
      only(kTrainedNetwork,
           number("grid-width", "Features of each cell of the grid", {1, kWidest}, backbone(&BackboneSettings::width))),
      only(kPatches, number("patch-size", "Height and width of a patch, in pixels", {1, 1024},
                            backbone(&BackboneSettings::patch_size))),
      only(kPretrained,
           choice("grid-size", "Height and width of the grid", kGridSizes, backbone(&BackboneSettings::grid_size))),
      only(kPretrained, with_value("FILE", word("encoder-weights", "Weights of the backbone, a safetensors file", {},
                                                path(&Config::encoder_weights)))),
      only(kPretrained, number("tuned-blocks", "Last blocks of the backbone that are trained; 0: it is frozen", {0, 64},
                               backbone(&BackboneSettings::tuned_blocks))),
  };
}

std::vector<Option> transformer_options() {
  return {
      only(kSelfAttention, number("feed-forward", "Width of the feed-forward layers", {1, kWidest},
                                  transformer(&TransformerSettings::feed_forward))),
      only(kSelfAttention, word("activation", "Activation of the feed-forward layers", names_of(activations()),
                                transformer(&TransformerSettings::activation))),
      only(kSelfAttention, choice("norm", "Layer normalisation before or after each sublayer", kNormPlaces,
                                  transformer(&TransformerSettings::norm))),
      only(kDecoderLayer, word("decoder-layer",
                               "How the decoder reads the words before: self, self-attention; ssru, a simple recurrent "
                               "unit; aan, average attention. Steps of ssru and aan cost the same at every place",
                               names_of(decoder_layers()), transformer(&TransformerSettings::decoder_layer))),
      only(kDecoderKeys, choice("decoder-keys",
                                "Rows that the decoder's self-attention makes keys and values of: normed, or plain "
                                "after the first word as marian-decoder 1.12 does",
                                kDecoderKeyKinds, transformer(&TransformerSettings::decoder_keys))),
      only(kAverageLayer,
           number("average-hidden", "Width of the feed-forward layer inside aan; 0: the same as --feed-forward",
                  {0, kWidest}, transformer(&TransformerSettings::average_hidden))),
      only(kSelfAttention, word("positions", "Position encoding", names_of(position_encodings()),
                                transformer(&TransformerSettings::positions))),
      only(kFormulaPositions, number("first-position", "Number of the first position", {0, 1 << 20},
                                     transformer(&TransformerSettings::first_position))),
      only(kSelfAttention,
           choice("embedding-scale",
                  "Factor of word embeddings: root, the root of the width; none; auto, root with sinusoidal positions",
                  kWordScales, transformer(&TransformerSettings::word_scale))),
      only(kSelfAttention, number("norm-epsilon", "Added to the variance in layer normalisation", {1e-12, 0.99},
                                  transformer(&TransformerSettings::norm_epsilon))),
      only(kContextLength, number("context-length", "Tokens a language model sees at once; number of learned positions",
                                  {1, 1 << 20}, transformer(&TransformerSettings::longest))),
      only(kSelfAttention,
           number("feed-forward-dropout", "Probability of dropping a unit inside the feed-forward layers", {0, 0.99},
                  transformer(&TransformerSettings::feed_forward_dropout))),
      only(kSelfAttention, choice("embedding-norm", "Layer normalisation of embeddings: none or layer", kEmbeddingNorms,
                                  transformer(&TransformerSettings::embedding_norm))),
      only(kMaskedModel, choice("sentence-start", "Sentences begin with: none, their first word; begin, <s>", kStarts,
                                masked(&MaskedSettings::start))),
      only(kMaskedModel, number("sentence-types", "Embeddings that tell sentences of a text apart; 0: none", {0, 64},
                                masked(&MaskedSettings::sentence_types))),
      only(kMaskedModel, choice("prediction-head", "Layers that predict tokens: present, or none to encode only",
                                kHeads, masked(&MaskedSettings::head))),
      only(kMaskedModel, choice("pooling", "Sentence vectors: mean of words, of all tokens, or the state of the start",
                                kPoolings, masked(&MaskedSettings::pooling))),
      only(kMaskedModel, choice("vector-length", "Length of sentence vectors: free or one", kVectorLengths,
                                masked(&MaskedSettings::vector_length))),
      only(kSelfAttention, number("adapter-rank",
                                  "LoRA: train a pair of narrow matrices of this rank for each weight of a layer, and "
                                  "nothing else; needs --init-from; 0: off",
                                  {0, 1024}, adapter(&AdapterOptions::rank))),
      only(kAdapters, number("adapter-alpha", "LoRA: alpha; an adapter is scaled by alpha / rank; 0: twice the rank",
                             {0, 1e6}, adapter(&AdapterOptions::alpha))),
  };
}

std::vector<Option> attention_options(const AttentionTables& tables) {
  return {
      only(kRecurrentModel, choice("context",
                                   "How the decoder sees the source: none, only through its first state; fixed, as one "
                                   "vector at every step; attention",
                                   kContexts, recurrent(&RecurrentSettings::context))),
      only(kTiming,
           choice("timing",
                  "Attend before the decoder's state is updated [bahdanau2015], after [luong2015], or between two "
                  "updates [sennrich2017]",
                  kTimings, recurrent(&RecurrentSettings::timing))),
      only(kAttention, word("score", "Score function that compares a query with a key", names_of(tables.scores),
                            attention(&AttentionConfig::score))),
      only(kAttention, word("window", "Source positions that a query may attend to", names_of(tables.windows),
                            attention(&AttentionConfig::window))),
      only(kAttention, number("heads", "Attention heads", {1, 256}, attention(&AttentionConfig::heads))),
      only(kScoreLayer,
           number("attention-hidden", "Hidden units of the scores additive and concat; 0: the width of the query",
                  {0, kWidest}, attention(&AttentionConfig::hidden))),
      only(kLocalWindow, number("attention-radius", "Positions that a local window covers on each side", {1, 1 << 20},
                                attention(&AttentionConfig::radius))),
      only(kLocationScore, number("attention-longest", "Source positions that the location score covers", {1, 1 << 16},
                                  attention(&AttentionConfig::longest))),
      only(kAttention, number("attention-dropout", "Probability of dropping an attention weight in training", {0, 0.99},
                              attention(&AttentionConfig::dropout))),
      only(kInputFeeding, toggle("input-feeding", "Feed the attentional state into the next step; for timing after",
                                 recurrent(&RecurrentSettings::input_feeding))),
      only(kWordTable, number("jump-range",
                              "Aligner: longest jump from one aligned source word to the next that has a "
                              "weight of its own",
                              {1, 1000}, aligner(&AlignerSettings::jump_range))),
      only(kWordTable, number("null-probability", "Aligner: probability that a target word has no counterpart",
                              {1e-6, 0.999}, aligner(&AlignerSettings::null_probability))),
  };
}

}  // namespace dhyan::option_table
