#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "importing/ctranslate2_weights.h"
#include "importing/formats.h"
#include "importing/json_text.h"
#include "importing/known_positions.h"
#include "importing/own_folder.h"

namespace dhyan {

namespace {

constexpr std::string_view kModelFile = "model.bin";

// The settings of config.json, or, before binary version 6, of variables.
struct Ctranslate2Settings {
  std::string begin = "<s>", end = "</s>", unknown = "<unk>", start = "<s>";
  bool source_begin = false, source_end = false;
  double epsilon = 1e-5;
};

Ctranslate2Settings settings_of(const SourceFiles& files, Ctranslate2Weights& weights) {
  Ctranslate2Settings settings;
  settings.source_begin = weights.number("with_source_bos").value_or(0) != 0;
  settings.source_end = weights.number("with_source_eos").value_or(0) != 0;
  if (weights.number("with_target_bos").value_or(1) == 0) settings.start = settings.end;
  if (!files.has("config.json")) return settings;
  const nlohmann::json json = parsed_json(files.where("config.json"), files.text("config.json"));
  const JsonReader read{files.where("config.json"), json};
  settings.begin = read.text("bos_token", settings.begin);
  settings.end = read.text("eos_token", settings.end);
  settings.unknown = read.text("unk_token", settings.unknown);
  settings.start = read.text("decoder_start_token", settings.start);
  settings.source_begin = read.flag("add_source_bos", settings.source_begin);
  settings.source_end = read.flag("add_source_eos", settings.source_end);
  settings.epsilon = read.number("layer_norm_epsilon", settings.epsilon);
  return settings;
}

std::vector<std::string> lines_of_text(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// side_vocabulary.json, an array of texts, or, in older models, side_vocabulary.txt; null if there is neither.
std::optional<std::vector<std::string>> vocabulary_file(const SourceFiles& files, std::string_view side) {
  const std::string json = cat(side, "_vocabulary.json"), text = cat(side, "_vocabulary.txt");
  if (files.has(json)) return json_texts(files.where(json), files.text(json));
  if (files.has(text)) return lines_of_text(files.text(text));
  return std::nullopt;
}

struct Vocabularies {
  std::vector<std::string> source, target;
};

Vocabularies vocabularies_of(const SourceFiles& files) {
  if (auto shared = vocabulary_file(files, "shared")) return {*shared, *shared};
  if (files.has("source_1_vocabulary.json") || files.has("source_1_vocabulary.txt")) {
    throw ModelFileError(cat(files.path().string(), ": the model has several source factors, which dhyan does not"));
  }
  auto source = vocabulary_file(files, "source"), target = vocabulary_file(files, "target");
  if (source && target) return {std::move(*source), std::move(*target)};
  throw ModelFileError(cat(
      files.path().string(),
      ": has no vocabulary; expected shared_vocabulary.json, or source_vocabulary.json and target_vocabulary.json"));
}

// Reads the variables of one stack into our parameters.
class StackReader {
 public:
  StackReader(Ctranslate2Weights& weights, ImportedModel& model, std::string stack)
      : weights_(weights), model_(model), stack_(std::move(stack)), H_(model.config.common.hidden) {}

  Index read_layers() {
    Index layers = 0;
    while (weights_.has(cat(stack_, "/layer_", layers, "/self_attention/linear_0/weight"))) read_layer(layers++);
    if (layers == 0) throw ModelFileError(cat(model_.origin, ": the ", stack_, " has no layers"));
    if (weights_.has(stack_ + "/layer_norm/gamma")) norm(stack_ + ".norm", stack_ + "/layer_norm");
    return layers;
  }

 private:
  void read_layer(Index layer) {
    const std::string from = cat(stack_, "/layer_", layer), to = layer_name(stack_, layer);
    attention(to + ".self", from + "/self_attention");
    if (stack_ == "decoder") cross(to + ".cross", from + "/attention");
    norm(to + ".feed.norm", from + "/ffn/layer_norm");
    const Index F = linear(to + ".feed.in", from + "/ffn/linear_0", weights_.matrix(from + "/ffn/linear_0/weight"));
    linear(to + ".feed.out", from + "/ffn/linear_1", weights_.matrix(from + "/ffn/linear_1/weight"));
    model_.config.transformer.feed_forward = F;
  }

  // linear_0 has queries, keys and values below each other.
  void attention(const std::string& to, const std::string& from) {
    norm(to + ".norm", from + "/layer_norm");
    parts(to, from + "/linear_0", {"query", "key", "value"});
    linear(to + ".output", from + "/linear_1", weights_.matrix(from + "/linear_1/weight"));
  }

  void cross(const std::string& to, const std::string& from) {
    norm(to + ".norm", from + "/layer_norm");
    parts(to, from + "/linear_0", {"query"});
    parts(to, from + "/linear_1", {"key", "value"});
    linear(to + ".output", from + "/linear_2", weights_.matrix(from + "/linear_2/weight"));
  }

  void parts(const std::string& to, const std::string& from, std::vector<const char*> names) {
    const ForeignMatrix weight = weights_.matrix(from + "/weight");
    const Index count = std::ssize(names);
    if (weight.rows != count * H_) {
      throw ModelFileError(cat(from, ": has ", weight.rows, " rows, expected ", count, " times ", H_,
                               "; dhyan needs as many heads for keys and values as for queries"));
    }
    const ForeignMatrix bias = weights_.bias(from + "/bias", weight.rows).transposed();
    for (Index i = 0; i < count; ++i) {
      set_linear(model_, cat(to, ".", names[static_cast<std::size_t>(i)]), weight.row_range(i * H_, (i + 1) * H_),
                 bias.row_range(i * H_, (i + 1) * H_).transposed());
    }
  }

  Index linear(const std::string& to, const std::string& from, const ForeignMatrix& weight) {
    set_linear(model_, to, weight, weights_.bias(from + "/bias", weight.rows));
    return weight.rows;
  }

  void norm(const std::string& to, const std::string& from) {
    model_.weights[to + ".gain"] = weights_.vector(from + "/gamma", H_);
    model_.weights[to + ".bias"] = weights_.vector(from + "/beta", H_);
  }

  Ctranslate2Weights& weights_;
  ImportedModel& model_;
  std::string stack_;
  Index H_;
};

// A scalar of one stack; older models have one for both.
std::optional<double> number_of(Ctranslate2Weights& weights, std::string_view stack, std::string_view name) {
  const std::optional<double> own = weights.number(cat(stack, "/", name));
  const std::optional<double> common = weights.number(name);
  return own ? own : common;
}

// The same scalar of both stacks.
double common_number(Ctranslate2Weights& weights, std::string_view name, double otherwise) {
  const double encoder = number_of(weights, "encoder", name).value_or(otherwise);
  const double decoder = number_of(weights, "decoder", name).value_or(otherwise);
  if (encoder != decoder) {
    throw ModelFileError(
        cat(name, " is ", encoder, " in the encoder and ", decoder, " in the decoder; expected the same"));
  }
  return encoder;
}

std::string activation_named(int number) {
  switch (number) {
    case 0:
      return "relu";
    case 1:
      return "gelu";
    case 2:
      return "swish";
    case 3:
      return "gelu-erf";
    case 4:
      return "gelu-sigmoid";
    default:
      throw ModelFileError(cat("the activation is number ", number, ", which dhyan does not have"));
  }
}

std::string source_words_name(const Ctranslate2Weights& weights) {
  return weights.has("encoder/embeddings_0/weight") ? "encoder/embeddings_0/weight" : "encoder/embeddings/weight";
}

void read_settings(Ctranslate2Weights& weights, const Ctranslate2Settings& settings, Config& config) {
  config.common.attention.heads = static_cast<Index>(common_number(weights, "num_heads", 8));
  TransformerSettings& transformer = config.transformer;
  transformer.norm = common_number(weights, "pre_norm", 1) != 0 ? NormPlace::kBefore : NormPlace::kAfter;
  transformer.activation = activation_named(static_cast<int>(common_number(weights, "activation", 0)));
  transformer.norm_epsilon = settings.epsilon;
  const double scaled = common_number(weights, "scale_embeddings", 1);
  transformer.word_scale = scaled != 0 ? WordScale::kRootOfWidth : WordScale::kNone;
}

// Stored tables, unless they are sinusoids; without tables, CTranslate2 computes those of OpenNMT-tf, from position 1.
void read_positions(Ctranslate2Weights& weights, ImportedModel& model) {
  constexpr std::string_view kEncoder = "encoder/position_encodings/encodings",
                             kDecoder = "decoder/position_encodings/encodings";
  TransformerSettings& settings = model.config.transformer;
  if (!weights.has(kEncoder) && !weights.has(kDecoder)) {
    settings.positions = "sinusoidal-closed";
    settings.first_position = 1;
    return;
  }
  set_positions(model, weights.matrix(std::string(kEncoder)), weights.matrix(std::string(kDecoder)));
}

void read_words(Ctranslate2Weights& weights, ImportedModel& model, const VocabularyOrder& source,
                const VocabularyOrder& target) {
  const std::string encoder = source_words_name(weights), decoder = "decoder/embeddings/weight",
                    output = "decoder/projection/weight";
  const bool tied = weights.are_one(decoder, output);
  model.config.common.tying = !tied                                                                 ? Tying::kNone
                              : weights.are_one(encoder, decoder) && source.places == target.places ? Tying::kAll
                                                                                                    : Tying::kDecoder;
  const ForeignMatrix target_words = weights.matrix(decoder);
  const Index V = std::ssize(target.places);
  WordTables words{.source = source.table(weights.matrix(encoder)),
                   .target = target.table(target_words),
                   .output = target.table(weights.matrix(output)),
                   .output_bias = zeros(1, V)};
  words.output_bias = target.output_bias(weights.bias("decoder/projection/bias", target_words.rows));
  set_words(model, std::move(words));
}

VocabularyOrder order_of(const SourceFiles& files, const std::vector<std::string>& tokens, Index rows,
                         const Ctranslate2Settings& settings, bool zero_start) {
  SpecialPlaces special{.pad = place_of(tokens, kSpecialTokens[kPad]),
                        .unknown = place_of(tokens, settings.unknown),
                        .end = place_of(tokens, settings.end),
                        .start = zero_start ? std::nullopt : place_of(tokens, settings.start)};
  if (!special.end) {
    throw ModelFileError(
        cat(files.path().string(), ": the vocabulary has no '", settings.end, "', which ends sentences"));
  }
  if (special.start && settings.start == kSpecialTokens[kPad]) special.pad = special.start;
  return our_order(tokens, rows, special);
}

}  // namespace

bool is_ctranslate2_folder(const SourceFiles& files) {
  return files.has(kModelFile) && is_ctranslate2(files.bytes(kModelFile));
}

ImportedModel read_ctranslate2_folder(const SourceFiles& files, const GivenFiles& given) {
  const std::string where = files.where(kModelFile);
  Ctranslate2Weights weights(where, parse_ctranslate2(where, files.bytes(kModelFile)));
  if (weights.file().specification != "TransformerSpec") {
    throw ModelFileError(
        cat(where, ": is a ", weights.file().specification, "; expected an encoder-decoder, TransformerSpec"));
  }
  ImportedModel model{.config = config_of_imported_transformer()};
  const Ctranslate2Settings settings = settings_of(files, weights);
  if (settings.source_begin)
    throw ModelFileError(cat(where, ": sources begin with ", settings.begin, ", which dhyan does not write"));
  if (!settings.source_end) model.config.common.attention.window = "no-end";
  const Vocabularies tokens = vocabularies_of(files);
  const bool zero_start = weights.number("decoder/start_from_zero_embedding").value_or(0) != 0;
  const ForeignMatrix source_words = weights.matrix(source_words_name(weights));
  const Index target_rows = weights.matrix("decoder/embeddings/weight").rows;
  model.config.common.hidden = source_words.cols;
  const VocabularyOrder source = order_of(files, tokens.source, source_words.rows, settings, zero_start);
  const VocabularyOrder target = order_of(files, tokens.target, target_rows, settings, zero_start);
  read_settings(weights, settings, model.config);
  model.config.common.encoder_layers = StackReader(weights, model, "encoder").read_layers();
  model.config.common.decoder_layers = StackReader(weights, model, "decoder").read_layers();
  read_words(weights, model, source, target);
  read_positions(weights, model);
  weights.expect_all_read();
  const FoundPieceModels pieces = find_piece_models(files, given);
  model.tokenizers = make_tokenizers(source, target, pieces.models);
  model.config.tokenizer.shared = source.tokens == target.tokens;
  take_own_settings(files, model);
  model.origin = cat("CTranslate2, binary version ", weights.file().version, weights.is_int8() ? ", int8" : "");
  return model;
}

}  // namespace dhyan
