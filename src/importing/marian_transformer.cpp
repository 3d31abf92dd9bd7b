#include <algorithm>

#include "core/error.h"
#include "importing/known_positions.h"
#include "importing/marian_networks.h"

namespace dhyan {

namespace {

void read_marian_settings(const MarianSettings& settings, Config& config) {
  settings.expect("transformer-ffn-depth", "2", "2");
  settings.expect("transformer-decoder-ffn-depth", "0", "0");
  settings.expect("transformer-no-projection", "false", "false");
  settings.expect("transformer-tied-layers", "", "");
  settings.expect("ulr", "false", "false");
  const std::string before = settings.text("transformer-preprocess", ""),
                    after = settings.text("transformer-postprocess", "dan"),
                    top = settings.text("transformer-postprocess-top", "");
  const bool pre_norm = before == "n" && after == "da" && top == "n",
             post_norm = before.empty() && after == "dan" && top.empty();
  if (!pre_norm && !post_norm) {
    throw ModelFileError(cat("marian: layers are normalised by '", before, "', '", after, "' and '", top,
                             "'; dhyan has '', 'dan', '' and 'n', 'da', 'n'"));
  }
  if (settings.text("transformer-postprocess-emb", "d").find('n') != std::string::npos) {
    throw ModelFileError("marian: the model has layer normalisation of embeddings, which dhyan does not");
  }
  config.common.encoder_layers = settings.number("enc-depth", 6);
  config.common.decoder_layers = settings.number("dec-depth", 6);
  config.common.attention.heads = settings.number("transformer-heads", 8);
  config.common.hidden = settings.number("dim-emb", 512);
  TransformerSettings& transformer = config.transformer;
  transformer.feed_forward = settings.number("transformer-dim-ffn", 2048);
  transformer.norm = pre_norm ? NormPlace::kBefore : NormPlace::kAfter;
  const std::string activation = settings.text("transformer-ffn-activation", "swish");
  transformer.activation = activation == "gelu" ? "gelu-sigmoid" : activation;
  if (activation != "relu" && activation != "swish" && activation != "gelu") {
    throw ModelFileError(cat("marian: the activation is ", activation, ", which dhyan does not have"));
  }
  // What marian-decoder searches with; training has normed keys.
  const bool attends = settings.text("transformer-decoder-autoreg", "self-attention") == "self-attention";
  if (pre_norm && attends) transformer.decoder_keys = DecoderKeys::kPlain;
  transformer.norm_epsilon = 1e-9;
  transformer.positions = "sinusoidal-closed";
  transformer.word_scale = WordScale::kRootOfWidth;
}

class MarianReader;

// How a layer of Marian's reads its own sequence.
struct MarianLayer {
  std::string_view autoreg;  // transformer-decoder-autoreg
  std::string_view ours;     // in the table of decoder layers
  std::string_view name;     // in names of tensors: "self" in decoder_l1_self_Wq
  void (*set)(const MarianSettings& settings, TransformerSettings& transformer);  // throws for what dhyan has not
  void (MarianReader::*read)(const std::string& to, const std::string& from);
};

// Reads the weights of a Transformer into our parameters; weights are [in,out], as ours.
class MarianReader {
 public:
  MarianReader(ForeignTensors& tensors, ImportedModel& model)
      : tensors_(tensors),
        model_(model),
        H_(model.config.common.hidden),
        F_(model.config.transformer.feed_forward),
        suffix_(model.config.transformer.norm == NormPlace::kBefore ? "_pre" : "") {}

  // `mixer` is how the stack reads its own words.
  void read_stack(const std::string& stack, Index layers, const MarianLayer& mixer) {
    for (Index layer = 0; layer < layers; ++layer) {
      const std::string from = cat(stack, "_l", layer + 1), to = layer_name(stack, layer);
      (this->*mixer.read)(cat(to, ".", mixer.ours), cat(from, "_", mixer.name));
      if (stack == "decoder") attention(to + ".cross", from + "_context");
      feed_forward(to + ".feed", from + "_ffn", F_);
      norm(to + ".feed.norm", from + "_ffn_ffn_ln_", suffix_);
    }
    if (!suffix_.empty()) norm(stack + ".norm", stack + "_top_ln_", "");
  }

  void attention(const std::string& to, const std::string& from) {
    linear(to + ".query", from + "_Wq", from + "_bq", H_);
    linear(to + ".key", from + "_Wk", from + "_bk", H_);
    linear(to + ".value", from + "_Wv", from + "_bv", H_);
    linear(to + ".output", from + "_Wo", from + "_bo", H_);
    norm(to + ".norm", from + "_Wo_ln_", suffix_);
  }

  void ssru(const std::string& to, const std::string& from) {
    model_.weights[to + ".value.weight"] = tensors_.matrix(from + "_W");
    linear(to + ".forget", from + "_Wf", from + "_bf", H_);
    norm(to + ".norm", from + (suffix_.empty() ? "_ffn_ln_" : "_ln_"), suffix_);
  }

  void average(const std::string& to, const std::string& from) {
    feed_forward(to + ".feed", from, model_.config.transformer.average_hidden);
    linear(to + ".input", from + "_Wi", from + "_bi", H_);
    linear(to + ".forget", from + "_Wf", from + "_bf", H_);
    norm(to + ".norm", from + "_ffn_ln_", suffix_);
  }

 private:
  void feed_forward(const std::string& to, const std::string& from, Index hidden) {
    linear(to + ".in", from + "_W1", from + "_b1", hidden);
    linear(to + ".out", from + "_W2", from + "_b2", H_);
  }

  void linear(const std::string& to, const std::string& weight, const std::string& bias, Index out) {
    set_linear_as_stored(model_, to, tensors_.matrix(weight), tensors_.vector(bias, out));
  }

  void norm(const std::string& to, const std::string& from, const std::string& suffix) {
    model_.weights[to + ".gain"] = tensors_.vector(from + "scale" + suffix, H_);
    model_.weights[to + ".bias"] = tensors_.vector(from + "bias" + suffix, H_);
  }

  ForeignTensors& tensors_;
  ImportedModel& model_;
  Index H_, F_;
  std::string suffix_;
};

void set_ssru(const MarianSettings& settings, TransformerSettings&) {
  settings.expect("dec-cell", "gru", "ssru");
  settings.expect("transformer-rnn-projection", "false", "false");
  settings.expect("layer-normalization", "false", "false");
}

// With norms before sublayers, Marian takes the mean of rows without the norm, and this layer that of rows with it.
void set_average(const MarianSettings& settings, TransformerSettings& transformer) {
  settings.expect("transformer-preprocess", "", "");
  settings.expect("transformer-aan-depth", "2", "2");
  settings.expect("transformer-aan-nogate", "false", "false");
  settings.expect("transformer-aan-activation", "swish", settings.text("transformer-ffn-activation", "swish"));
  transformer.average_hidden = settings.number("transformer-dim-aan", 2048);
}

constexpr MarianLayer kMarianLayers[] = {
    {"self-attention", kSelfAttentionLayer, "self", [](const MarianSettings&, TransformerSettings&) {},
     &MarianReader::attention},
    {"rnn", "ssru", "rnn", set_ssru, &MarianReader::ssru},
    {"average-attention", "aan", "aan", set_average, &MarianReader::average},
};

const MarianLayer& decoder_layer_of(const MarianSettings& settings) {
  const std::string autoreg = settings.text("transformer-decoder-autoreg", "self-attention");
  const auto found = std::ranges::find(kMarianLayers, autoreg, &MarianLayer::autoreg);
  if (found != std::end(kMarianLayers)) return *found;
  throw ModelFileError(cat("marian: transformer-decoder-autoreg is '", autoreg, "', which dhyan does not import"));
}

}  // namespace

void read_marian_transformer(const MarianSettings& settings, ForeignTensors& tensors, ImportedModel& model) {
  read_marian_settings(settings, model.config);
  if (settings.flag("transformer-train-position-embeddings")) {
    model.config.transformer.word_scale = WordScale::kNone;
    const bool one = tensors.has("Wpos");
    set_positions(model, tensors.matrix(one ? "Wpos" : "encoder_Wpos"), tensors.matrix(one ? "Wpos" : "decoder_Wpos"));
  }
  const MarianLayer& decoder_layer = decoder_layer_of(settings);
  model.config.transformer.decoder_layer = decoder_layer.ours;
  decoder_layer.set(settings, model.config.transformer);
  MarianReader reader(tensors, model);
  reader.read_stack("encoder", model.config.common.encoder_layers, kMarianLayers[0]);
  reader.read_stack("decoder", model.config.common.decoder_layers, decoder_layer);
}

}  // namespace dhyan
