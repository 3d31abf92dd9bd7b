#include <algorithm>
#include <optional>

#include "core/error.h"
#include "importing/formats.h"
#include "importing/huggingface_files.h"
#include "importing/own_folder.h"
#include "text/wordpiece_tokenizer.h"

namespace dhyan {

namespace {

constexpr std::string_view kWordPieceVocabulary = "vocab.txt", kTokenizerJson = "tokenizer.json",
                           kTokenizerConfig = "tokenizer_config.json", kModules = "modules.json";

// An optional file of JSON; null if there is none.
nlohmann::json json_if_there(const SourceFiles& files, std::string_view name) {
  return files.has(name) ? parsed_json(files.where(name), files.text(name)) : nlohmann::json();
}

// The object `name` of an object; null if there is none.
nlohmann::json child_of(const nlohmann::json& object, const char* name) {
  return object.is_object() && object.contains(name) ? object[name] : nlohmann::json();
}

// tokenizer.json decides, as in transformers; vocab.txt is for folders without it.
std::vector<std::string> wordpieces(const SourceFiles& files, Index rows) {
  if (const nlohmann::json json = json_if_there(files, kTokenizerJson); json.is_object()) {
    const nlohmann::json model = child_of(json, "model");
    const std::string where = files.where(kTokenizerJson);
    if (const std::string type = JsonReader{where, model}.text("type", "WordPiece"); type != "WordPiece") {
      throw ModelFileError(cat(where, ": the tokenizer is ", type, "; expected WordPiece"));
    }
    std::vector<std::string> pieces = pieces_by_id(where, child_of(model, "vocab"), rows);
    while (!pieces.empty() && pieces.back().empty()) pieces.pop_back();
    return pieces;
  }
  std::vector<std::string> pieces;
  std::string_view rest = files.text(kWordPieceVocabulary);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    pieces.emplace_back(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return pieces;
}

BertLetters letters_of(const SourceFiles& files) {
  const nlohmann::json normalizer = child_of(json_if_there(files, kTokenizerJson), "normalizer");
  const bool fast = normalizer.is_object();
  const nlohmann::json settings = fast ? normalizer : json_if_there(files, kTokenizerConfig);
  const JsonReader read{files.where(fast ? kTokenizerJson : kTokenizerConfig), settings};
  const bool lower = read.flag(fast ? "lowercase" : "do_lower_case", true);
  const bool strips = read.flag("strip_accents", lower);
  if (!read.flag(fast ? "handle_chinese_chars" : "tokenize_chinese_chars", true)) {
    throw ModelFileError(cat(read.where, ": the tokenizer keeps Chinese words together, which dhyan does not"));
  }
  if (strips && !lower)
    throw ModelFileError(cat(read.where, ": accents are left out and case is kept, which dhyan does not"));
  return strips ? BertLetters::kLowerWithoutAccents : lower ? BertLetters::kLower : BertLetters::kKept;
}

template <BertLetters kLetters>
void set_wordpiece_tokenizer(ImportedModel& model, const VocabularyOrder& order) {
  model.config.tokenizer.kind = WordPieceTokenizer<kLetters>::kKind;
  const auto tokenizer = std::make_shared<const WordPieceTokenizer<kLetters>>(order.vocabulary());
  model.tokenizers = {tokenizer, tokenizer};
}

void set_bert_tokenizer(ImportedModel& model, const VocabularyOrder& order, BertLetters letters) {
  model.config.tokenizer.shared = true;
  switch (letters) {
    case BertLetters::kLowerWithoutAccents:
      return set_wordpiece_tokenizer<BertLetters::kLowerWithoutAccents>(model, order);
    case BertLetters::kLower:
      return set_wordpiece_tokenizer<BertLetters::kLower>(model, order);
    case BertLetters::kKept:
      return set_wordpiece_tokenizer<BertLetters::kKept>(model, order);
  }
}

// [MASK] takes the place of our token for gaps, <pad>; sentences begin with [CLS] and end with [SEP].
SpecialPlaces bert_specials(const SourceFiles& files, const std::vector<std::string>& pieces) {
  const nlohmann::json settings = json_if_there(files, kTokenizerConfig);
  const auto place = [&](const char* name, const std::string& usual) {
    const nlohmann::json given = child_of(settings, name);
    const nlohmann::json text = given.is_object() ? child_of(given, "content") : given;
    const std::string token = text.is_string() ? text.get<std::string>() : usual;
    const std::optional<Index> found = place_of(pieces, token);
    if (!found) throw ModelFileError(cat(files.path().string(), ": the vocabulary has no token ", token));
    return found;
  };
  return {.pad = place("mask_token", "[MASK]"),
          .unknown = place("unk_token", "[UNK]"),
          .end = place("sep_token", "[SEP]"),
          .start = place("cls_token", "[CLS]")};
}

// Folders of sentence-transformers list what follows the encoder: how states become one vector.
void read_sentence_vectors(const SourceFiles& files, MaskedSettings& masked) {
  masked.pooling = Pooling::kAll;
  const nlohmann::json modules = json_if_there(files, kModules);
  if (!modules.is_array()) return;
  for (const nlohmann::json& one : modules) {
    const JsonReader module{files.where(kModules), one};
    const std::string type = module.text("type", "");
    if (type.ends_with(".Transformer")) continue;
    if (type.ends_with(".Normalize")) {
      masked.vector_length = VectorLength::kOne;
      continue;
    }
    if (!type.ends_with(".Pooling")) {
      throw ModelFileError(cat(module.where, ": the model has a module ", type, ", which dhyan does not"));
    }
    const std::string name = module.text("path", "") + "/config.json";
    const nlohmann::json json = parsed_json(files.where(name), files.text(name));
    const JsonReader pooling{files.where(name), json};
    if (pooling.flag("pooling_mode_cls_token", false)) masked.pooling = Pooling::kStart;
    expect_off(pooling, "pooling_mode_max_tokens", "sentence vectors of maxima");
    expect_off(pooling, "pooling_mode_mean_sqrt_len_tokens", "means over the root of the length");
  }
}

void read_bert_config(const JsonReader& read, Config& config) {
  expect_off(read, "is_decoder", "causal attention in BERT");
  expect_off(read, "add_cross_attention", "cross-attention in BERT");
  if (const std::string kind = read.text("position_embedding_type", "absolute"); kind != "absolute") {
    throw ModelFileError(cat(read.where, ": the positions are ", kind, ", which dhyan does not have"));
  }
  config.model = "masked-language-model";
  config.training.loss.label_smoothing = 0;
  config.common.hidden = huggingface_size(read, "hidden_size", 768);
  config.common.encoder_layers = huggingface_size(read, "num_hidden_layers", 12);
  config.common.attention.heads = huggingface_size(read, "num_attention_heads", 12);
  TransformerSettings& transformer = config.transformer;
  transformer.feed_forward = huggingface_size(read, "intermediate_size", 3072);
  transformer.norm = NormPlace::kAfter;
  transformer.activation = huggingface_activation(read.text("hidden_act", "gelu"));
  transformer.positions = "learned";
  transformer.longest = huggingface_size(read, "max_position_embeddings", 512);
  transformer.word_scale = WordScale::kNone;
  transformer.norm_epsilon = read.number("layer_norm_eps", 1e-12);
  transformer.embedding_norm = EmbeddingNorm::kLayer;
  transformer.masked.start = SentenceStart::kMarked;
  transformer.masked.sentence_types = huggingface_size(read, "type_vocab_size", 2);
  config.data.max_length = std::min(config.data.max_length, transformer.longest - 2);
}

// Reads the tensors of a BERT, whose names begin with "bert." if it has a head.
class BertReader {
 public:
  BertReader(ForeignTensors& tensors, ImportedModel& model)
      : tensors_(tensors),
        model_(model),
        prefix_(tensors.has("bert.embeddings.word_embeddings.weight") ? "bert." : ""),
        H_(model.config.common.hidden) {}

  void read_layers() {
    for (Index layer = 0; layer < model_.config.common.encoder_layers; ++layer) {
      const std::string from = cat(prefix_, "encoder.layer.", layer), to = layer_name("encoder", layer);
      for (const char* part : {"query", "key", "value"})
        linear(cat(to, ".self.", part), cat(from, ".attention.self.", part), H_);
      linear(to + ".self.output", from + ".attention.output.dense", H_);
      norm(to + ".self.norm", from + ".attention.output.LayerNorm");
      linear(to + ".feed.in", from + ".intermediate.dense", model_.config.transformer.feed_forward);
      linear(to + ".feed.out", from + ".output.dense", H_);
      norm(to + ".feed.norm", from + ".output.LayerNorm");
    }
  }

  ForeignMatrix words() { return table("word_embeddings"); }

  void read_embeddings(const VocabularyOrder& order, const ForeignMatrix& words) {
    model_.weights["words.table"] = order.table(words);
    model_.weights["words.positions.table"] = table("position_embeddings");
    model_.weights["words.types.table"] = table("token_type_embeddings");
    norm("words.norm", prefix_ + "embeddings.LayerNorm");
  }

  // False if the model has none.
  bool read_head(const VocabularyOrder& order, const ForeignMatrix& words) {
    const std::string head = "cls.predictions.";
    if (!tensors_.has(head + "transform.dense.weight")) return false;
    linear("head", head + "transform.dense", H_);
    norm("head.norm", head + "transform.LayerNorm");
    const bool own = tensors_.has(head + "decoder.weight") &&
                     !tensors_.are_one(head + "decoder.weight", prefix_ + "embeddings.word_embeddings.weight");
    model_.config.common.tying = own ? Tying::kNone : Tying::kDecoder;
    if (own) model_.weights["output.weight"] = order.table(tensors_.matrix(head + "decoder.weight"));
    if (!own && tensors_.has(head + "decoder.weight")) tensors_.take(head + "decoder.weight");
    model_.weights["output.bias"] = order.output_bias(tensors_.vector(head + "bias", words.rows));
    if (tensors_.has(head + "decoder.bias")) tensors_.take(head + "decoder.bias");  // the same by another name
    return true;
  }

  // What the model was also trained for; and numbers that are no weights.
  void leave_out_the_rest() {
    for (const char* name : {"pooler.dense.weight", "pooler.dense.bias", "embeddings.position_ids"}) {
      if (tensors_.has(prefix_ + name)) tensors_.take(prefix_ + name);
    }
    for (const char* name : {"cls.seq_relationship.weight", "cls.seq_relationship.bias"}) {
      if (tensors_.has(name)) tensors_.take(name);
    }
  }

 private:
  ForeignMatrix table(const char* name) { return tensors_.matrix(cat(prefix_, "embeddings.", name, ".weight")); }

  void linear(const std::string& to, const std::string& from, Index out) {
    set_linear(model_, to, tensors_.matrix(from + ".weight"), tensors_.vector(from + ".bias", out));
  }

  // Checkpoints that were converted from TensorFlow call the gain gamma.
  void norm(const std::string& to, const std::string& from) {
    const bool old = tensors_.has(from + ".gamma");
    model_.weights[to + ".gain"] = tensors_.vector(from + (old ? ".gamma" : ".weight"), H_);
    model_.weights[to + ".bias"] = tensors_.vector(from + (old ? ".beta" : ".bias"), H_);
  }

  ForeignTensors& tensors_;
  ImportedModel& model_;
  std::string prefix_;
  Index H_;
};

}  // namespace

bool is_huggingface_bert(const SourceFiles& files) { return is_huggingface_model(files, "bert"); }

ImportedModel read_huggingface_bert(const SourceFiles& files, const GivenFiles&) {
  const nlohmann::json json = parsed_json(files.where(kHuggingFaceConfig), files.text(kHuggingFaceConfig));
  ImportedModel model{.config = config_of_imported_transformer()};
  read_bert_config({files.where(kHuggingFaceConfig), json}, model.config);
  MaskedSettings& masked = model.config.transformer.masked;
  read_sentence_vectors(files, masked);
  HuggingFaceWeights weights = open_huggingface_weights(files);
  BertReader reader(weights.tensors, model);
  const ForeignMatrix words = reader.words();
  const std::vector<std::string> pieces = wordpieces(files, words.rows);
  const VocabularyOrder order = our_order(pieces, words.rows, bert_specials(files, pieces));
  reader.read_embeddings(order, words);
  reader.read_layers();
  if (!reader.read_head(order, words)) {
    masked.head = MaskedHead::kNone;
    model.notes.emplace_back("the model has no head that predicts tokens: dhyan embed and explain use it, fill cannot");
  }
  reader.leave_out_the_rest();
  expect_all_read(weights.tensors);
  set_bert_tokenizer(model, order, letters_of(files));
  take_own_settings(files, model);
  model.origin = "Hugging Face BERT";
  if (files.has("README.md")) model.readme = files.text("README.md");
  return model;
}

}  // namespace dhyan
