#include <algorithm>

#include "config/settings.h"
#include "core/error.h"
#include "core/number_text.h"
#include "importing/formats.h"
#include "importing/known_positions.h"
#include "interop/marian_bin.h"
#include "interop/marian_vocabulary.h"
#include "interop/npz.h"
#include "text/word_tokenizer.h"

namespace dhyan {

namespace {

constexpr std::string_view kMarianConfig = "special:model.yml";

// The settings in the file itself.
class MarianSettings {
 public:
  MarianSettings(const std::string& where, const TensorEntry& entry) : where_(where) {
    std::string_view text(reinterpret_cast<const char*>(entry.bytes.data()), entry.bytes.size());
    text = text.substr(0, text.find('\0'));
    try {
      for (Setting& setting : parse_yaml(where, text)) values_[setting.name] = std::move(setting.values);
    } catch (const ConfigError& error) {
      throw ModelFileError(error.what());
    }
  }

  std::string text(const std::string& name, const std::string& otherwise) const {
    const auto found = values_.find(name);
    if (found == values_.end() || found->second.empty()) return otherwise;
    return found->second.front();
  }

  bool flag(const std::string& name) const { return text(name, "false") == "true"; }

  Index number(const std::string& name, Index otherwise) const {
    const auto value = parse_number<Index>(text(name, cat(otherwise)));
    if (!value || *value < 0 || *value > 1 << 20) {
      throw ModelFileError(cat(where_, ": ", name, " is '", text(name, ""), "', expected a whole number"));
    }
    return *value;
  }

  void expect(const std::string& name, const std::string& otherwise, const std::string& expected) const {
    if (text(name, otherwise) == expected) return;
    throw ModelFileError(cat(where_, ": ", name, " is '", text(name, otherwise),
                             "', which dhyan does not import; expected '", expected, "'"));
  }

 private:
  std::string where_;
  std::map<std::string, std::vector<std::string>> values_;
};

// The tensors of an .npz or a .bin and what they point into.
struct MarianFile {
  std::optional<NpzFile> npz;
  ForeignTensors tensors;
};

std::string model_file_of(const SourceFiles& files) {
  const auto is_model = [&](const std::string& name) {
    return name.ends_with(".npz") || (name.ends_with(".bin") && is_marian_bin(files.bytes(name)));
  };
  if (!files.main().empty()) return is_model(files.main()) ? files.main() : "";
  std::vector<std::string> names = files.names();
  std::erase_if(names, [&](const std::string& name) { return name.find('/') != name.npos || !is_model(name); });
  return names.size() == 1 ? names.front() : "";
}

MarianFile open_marian(const std::string& where, std::span<const std::byte> bytes) {
  if (is_zip(bytes)) {
    NpzFile npz(where, bytes);
    std::vector<TensorEntry> arrays = npz.arrays();
    return {std::move(npz), ForeignTensors(where, std::move(arrays))};
  }
  MarianBinFile file = parse_marian_bin(where, bytes);
  if (!file.factors.empty()) {
    throw ModelFileError(cat(where,
                             ": the model has matrices of intgemm8, which dhyan does not import yet; convert it to "
                             "float32 first"));
  }
  return {std::nullopt, ForeignTensors(where, std::move(file.tensors))};
}

void read_marian_settings(const MarianSettings& settings, Config& config) {
  settings.expect("type", "transformer", "transformer");
  settings.expect("transformer-decoder-autoreg", "self-attention", "self-attention");
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
  transformer.norm_epsilon = 1e-9;
  transformer.positions = "sinusoidal-closed";
  transformer.word_scale = WordScale::kRootOfWidth;
}

// Reads the weights of a Transformer into our parameters; weights are [in,out], as ours.
class MarianReader {
 public:
  MarianReader(ForeignTensors& tensors, ImportedModel& model)
      : tensors_(tensors),
        model_(model),
        H_(model.config.common.hidden),
        F_(model.config.transformer.feed_forward),
        suffix_(model.config.transformer.norm == NormPlace::kBefore ? "_pre" : "") {}

  void read_stack(const std::string& stack, Index layers) {
    for (Index layer = 0; layer < layers; ++layer) {
      const std::string from = cat(stack, "_l", layer + 1), to = layer_name(stack, layer);
      attention(to + ".self", from + "_self");
      if (stack == "decoder") attention(to + ".cross", from + "_context");
      linear(to + ".feed.in", from + "_ffn_W1", from + "_ffn_b1", F_);
      linear(to + ".feed.out", from + "_ffn_W2", from + "_ffn_b2", H_);
      norm(to + ".feed.norm", from + "_ffn_ffn_ln_", suffix_);
    }
    if (!suffix_.empty()) norm(stack + ".norm", stack + "_top_ln_", "");
  }

 private:
  void attention(const std::string& to, const std::string& from) {
    linear(to + ".query", from + "_Wq", from + "_bq", H_);
    linear(to + ".key", from + "_Wk", from + "_bk", H_);
    linear(to + ".value", from + "_Wv", from + "_bv", H_);
    linear(to + ".output", from + "_Wo", from + "_bo", H_);
    norm(to + ".norm", from + "_Wo_ln_", suffix_);
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

std::string first_of(const ForeignTensors& tensors, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (tensors.has(name)) return name;
  }
  return *names.begin();
}

// The contents of the vocabularies: the files that were named, or those of the folder.
struct MarianVocabularies {
  std::vector<std::string> source, target;
};

MarianVocabularies vocabularies_of_marian(const SourceFiles& files, const GivenFiles& given) {
  const auto from_path = [](const std::string& path) {
    const MappedFile file(path);
    return parse_marian_vocabulary(path, {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()});
  };
  const auto from_folder = [&](const std::string& name) {
    return parse_marian_vocabulary(files.where(name), files.text(name));
  };
  if (!given.source_vocabulary.empty()) {
    std::vector<std::string> source = from_path(given.source_vocabulary);
    std::vector<std::string> target = given.target_vocabulary.empty() ? source : from_path(given.target_vocabulary);
    return {std::move(source), std::move(target)};
  }
  std::vector<std::string> found;
  for (const std::string& name : files.names()) {
    const bool is_vocabulary =
        name.ends_with("vocab.yml") || name.ends_with("vocab.yaml") || name.ends_with("vocabs.yml");
    if (is_vocabulary && name.find('/') == name.npos) found.push_back(name);
  }
  if (found.size() == 1) return {from_folder(found.front()), from_folder(found.front())};
  throw ModelFileError(
      cat(files.path().string(), ": has ", found.size(),
          " vocabularies (*vocab.yml), expected 1; name them by --source-vocabulary and --target-vocabulary"));
}

VocabularyOrder order_of_marian(const std::vector<std::string>& tokens, Index rows) {
  SpecialPlaces special{.pad = std::nullopt,
                        .unknown = place_of(tokens, kSpecialTokens[kUnknown]),
                        .end = place_of(tokens, kSpecialTokens[kEnd]),
                        .start = std::nullopt};
  if (!special.end) throw ModelFileError("marian: a vocabulary has no </s>");
  return our_order(tokens, rows, special);
}

// Reads the tables. The decoder starts with a zero embedding.
std::pair<VocabularyOrder, VocabularyOrder> read_marian_words(ForeignTensors& tensors, ImportedModel& model,
                                                              const MarianVocabularies& tokens) {
  const std::string source_name = first_of(tensors, {"encoder_Wemb", "Wemb"}),
                    target_name = first_of(tensors, {"decoder_Wemb", "Wemb"});
  const ForeignMatrix encoder = tensors.matrix(source_name), decoder = tensors.matrix(target_name);
  const bool transposed = tensors.has("decoder_ff_logit_out_W");
  const bool tied = !transposed && !tensors.has("decoder_ff_logit_out_Wt");
  const ForeignMatrix output = tied         ? decoder
                               : transposed ? tensors.matrix("decoder_ff_logit_out_W").transposed()
                                            : tensors.matrix("decoder_ff_logit_out_Wt");
  const VocabularyOrder source = order_of_marian(tokens.source, encoder.rows),
                        target = order_of_marian(tokens.target, decoder.rows);
  const bool one_table = source_name == target_name && source.tokens == target.tokens;
  model.config.common.tying = !tied ? Tying::kNone : one_table ? Tying::kAll : Tying::kDecoder;
  const ForeignMatrix bias = tensors.has("decoder_ff_logit_out_b")
                                 ? tensors.vector("decoder_ff_logit_out_b", decoder.rows)
                                 : zeros(1, decoder.rows);
  set_words(model, {.source = source.table(encoder),
                    .target = target.table(decoder),
                    .output = target.table(output),
                    .output_bias = target.output_bias(bias)});
  return {source, target};
}

// Pieces with space marks, or a SentencePiece model: subwords; otherwise words between spaces.
void set_marian_tokenizers(ImportedModel& model, const VocabularyOrder& source, const VocabularyOrder& target,
                           const PieceModels& pieces) {
  const auto is_piece = [](const std::string& token) { return token.starts_with(kSpaceMark); };
  if (pieces.source.empty() && std::ranges::none_of(source.tokens, is_piece)) {
    model.config.tokenizer.kind = "word";
    model.tokenizers.source = std::make_shared<const WordTokenizer>(source.vocabulary());
    model.tokenizers.target = std::make_shared<const WordTokenizer>(target.vocabulary());
    return;
  }
  model.tokenizers = make_tokenizers(source, target, pieces);
}

}  // namespace

bool is_marian_model(const SourceFiles& files) { return !model_file_of(files).empty(); }

ImportedModel read_marian_model(const SourceFiles& files, const GivenFiles& given) {
  const std::string name = model_file_of(files);
  if (name.empty()) throw ModelFileError(cat(files.path().string(), ": has no single .npz or .bin of Marian"));
  const std::string where = files.where(name);
  MarianFile file = open_marian(where, files.bytes(name));
  ForeignTensors& tensors = file.tensors;
  ImportedModel model{.config = config_of_imported_transformer()};
  const MarianSettings settings(where, tensors.take(kMarianConfig));
  read_marian_settings(settings, model.config);
  if (settings.flag("transformer-train-position-embeddings")) {
    model.config.transformer.word_scale = WordScale::kNone;
    const bool one = tensors.has("Wpos");
    set_positions(model, tensors.matrix(one ? "Wpos" : "encoder_Wpos"), tensors.matrix(one ? "Wpos" : "decoder_Wpos"));
  }
  MarianReader reader(tensors, model);
  reader.read_stack("encoder", model.config.common.encoder_layers);
  reader.read_stack("decoder", model.config.common.decoder_layers);
  const auto [source, target] = read_marian_words(tensors, model, vocabularies_of_marian(files, given));
  if (const auto rest = tensors.unread(); !rest.empty())
    tensors.fail(rest.front()->name, "dhyan does not know what it is for");
  const FoundPieceModels pieces = find_piece_models(files, given);
  set_marian_tokenizers(model, source, target, pieces.models);
  model.config.tokenizer.shared = source.tokens == target.tokens;
  model.origin = cat("Marian ", settings.text("version", "of an unknown version"));
  return model;
}

}  // namespace dhyan
