#include <algorithm>

#include "core/error.h"
#include "importing/checkpoint_files.h"
#include "importing/formats.h"
#include "importing/huggingface_files.h"
#include "importing/known_positions.h"

namespace dhyan {

namespace {

constexpr std::string_view kOpenNmtWords = "encoder.embeddings.make_embedding.emb_luts.0.weight";

// opt.enc_layers, or what both sides share under another name.
Index opennmt_size(const JsonReader& read, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (read.has(name) && read.number(name, 0) > 0) return huggingface_size(read, name);
  }
  throw ModelFileError(cat(read.where, ": has no setting ", *names.begin()));
}

void expect_text(const JsonReader& read, const char* name, const std::string& expected) {
  if (const std::string value = read.text(name, expected); value != expected) {
    throw ModelFileError(
        cat(read.where, ": ", name, " is ", value, ", which dhyan does not import; expected ", expected));
  }
}

void read_opennmt_settings(const JsonReader& read, Config& config) {
  expect_text(read, "encoder_type", "transformer");
  expect_text(read, "decoder_type", "transformer");
  expect_text(read, "self_attn_type", "scaled-dot");
  if (read.flag("copy_attn", false))
    throw ModelFileError(cat(read.where, ": the model copies words, which dhyan does not"));
  if (read.number("max_relative_positions", 0) != 0) {
    throw ModelFileError(cat(read.where, ": the model has relative positions, which dhyan does not"));
  }
  if (!read.flag("position_encoding", true)) {
    throw ModelFileError(cat(read.where, ": the model has no positions, which dhyan does not import"));
  }
  ModelConfig& model = config.common;
  model.encoder_layers = opennmt_size(read, {"enc_layers", "layers"});
  model.decoder_layers = opennmt_size(read, {"dec_layers", "layers"});
  model.attention.heads = opennmt_size(read, {"heads"});
  model.attention.window = "no-end";  // sources have no </s>
  config.transformer.feed_forward = opennmt_size(read, {"transformer_ff"});
  config.transformer.norm = NormPlace::kBefore;
  config.transformer.activation = huggingface_activation(read.text("pos_ffn_activation_fn", "relu"));
  config.transformer.word_scale = WordScale::kRootOfWidth;
  config.transformer.norm_epsilon = 1e-6;
}

// The words of a side: an array, or objects of torchtext, of which the first field has a vocabulary.
std::vector<std::string> opennmt_words(const std::string& where, const nlohmann::json& vocabularies, const char* side) {
  const auto fail = [&] { throw ModelFileError(cat(where, ": has no vocabulary of ", side, " in a known form")); };
  if (!vocabularies.is_object() || !vocabularies.contains(side)) fail();
  nlohmann::json words = vocabularies[side];
  const auto enter = [&](const auto& key) { words = nlohmann::json(words.at(key)); };
  try {
    if (words.is_object()) {
      for (const char* key : {"fields"}) enter(key);
      enter(0);
      enter(1);
      for (const char* key : {"vocab", "itos"}) enter(key);
    }
  } catch (const nlohmann::json::exception&) {
    fail();
  }
  std::vector<std::string> texts;
  if (!words.is_array()) fail();
  for (const nlohmann::json& word : words) {
    if (!word.is_string()) fail();
    texts.push_back(word.get<std::string>());
  }
  return texts;
}

VocabularyOrder opennmt_order(const std::vector<std::string>& words, Index rows) {
  return our_order(words, rows,
                   {.pad = place_of(words, "<blank>"),
                    .unknown = place_of(words, "<unk>"),
                    .end = place_of(words, "</s>"),
                    .start = place_of(words, "<s>")});
}

// Reads the tensors of a Transformer of OpenNMT-py.
class OpenNmtReader {
 public:
  OpenNmtReader(ForeignTensors& tensors, ImportedModel& model)
      : tensors_(tensors), model_(model), H_(model.config.common.hidden), F_(model.config.transformer.feed_forward) {}

  void read_encoder() {
    for (Index layer = 0; layer < model_.config.common.encoder_layers; ++layer) {
      const std::string from = cat("model.encoder.transformer.", layer), to = layer_name("encoder", layer);
      attention(to + ".self", from + ".self_attn", from + ".layer_norm");
      feed_forward(to, from);
    }
    norm("encoder.norm", "model.encoder.layer_norm");
  }

  void read_decoder() {
    for (Index layer = 0; layer < model_.config.common.decoder_layers; ++layer) {
      const std::string from = cat("model.decoder.transformer_layers.", layer), to = layer_name("decoder", layer);
      attention(to + ".self", from + ".self_attn", from + ".layer_norm_1");
      attention(to + ".cross", from + ".context_attn", from + ".layer_norm_2");
      feed_forward(to, from);
    }
    norm("decoder.norm", "model.decoder.layer_norm");
  }

 private:
  void attention(const std::string& to, const std::string& from, const std::string& norm_from) {
    linear(to + ".query", from + ".linear_query", H_);
    linear(to + ".key", from + ".linear_keys", H_);
    linear(to + ".value", from + ".linear_values", H_);
    linear(to + ".output", from + ".final_linear", H_);
    norm(to + ".norm", norm_from);
  }

  void feed_forward(const std::string& to, const std::string& from) {
    linear(to + ".feed.in", from + ".feed_forward.w_1", F_);
    linear(to + ".feed.out", from + ".feed_forward.w_2", H_);
    norm(to + ".feed.norm", from + ".feed_forward.layer_norm");
  }

  void linear(const std::string& to, const std::string& from, Index out) {
    set_linear(model_, to, tensors_.matrix(from + ".weight"), tensors_.vector(from + ".bias", out));
  }

  void norm(const std::string& to, const std::string& from) {
    model_.weights[to + ".gain"] = tensors_.vector(from + ".weight", H_);
    model_.weights[to + ".bias"] = tensors_.vector(from + ".bias", H_);
  }

  ForeignTensors& tensors_;
  ImportedModel& model_;
  Index H_, F_;
};

// The stored sinusoids, [positions,1,H], decide their form.
void read_opennmt_positions(ForeignTensors& tensors, ImportedModel& model) {
  const auto table = [&](const char* stack) {
    return tensors.matrix(cat("model.", stack, ".embeddings.make_embedding.pe.pe"));
  };
  set_positions(model, table("encoder"), table("decoder"));
}

std::pair<VocabularyOrder, VocabularyOrder> read_opennmt_words(const JsonReader& read, ForeignTensors& tensors,
                                                               ImportedModel& model, const nlohmann::json& vocabularies,
                                                               const ForeignMatrix& encoder) {
  const ForeignMatrix decoder = tensors.matrix("model.decoder.embeddings.make_embedding.emb_luts.0.weight"),
                      output = tensors.matrix("generator.0.weight");
  const bool tied = read.flag("share_decoder_embeddings", false);
  VocabularyOrder source = opennmt_order(opennmt_words(read.where, vocabularies, "src"), encoder.rows),
                  target = opennmt_order(opennmt_words(read.where, vocabularies, "tgt"), decoder.rows);
  const bool one = read.flag("share_embeddings", false) && source.tokens == target.tokens;
  model.config.common.tying = !tied ? Tying::kNone : one ? Tying::kAll : Tying::kDecoder;
  set_words(model, {.source = source.table(encoder),
                    .target = target.table(decoder),
                    .output = target.table(output),
                    .output_bias = target.output_bias(tensors.vector("generator.0.bias", decoder.rows))});
  return {std::move(source), std::move(target)};
}

}  // namespace

bool is_opennmt_checkpoint(const SourceFiles& files) { return !checkpoint_that_mentions(files, kOpenNmtWords).empty(); }

ImportedModel read_opennmt_checkpoint(const SourceFiles& files, const GivenFiles& given) {
  const std::string name = checkpoint_that_mentions(files, kOpenNmtWords);
  if (name.empty()) throw ModelFileError(cat(files.path().string(), ": has no checkpoint (.pt) of OpenNMT-py"));
  const ForeignCheckpoint checkpoint(files, name);
  ForeignTensors tensors = checkpoint.tensors({"model.", "generator."});
  const std::string where = files.where(name);
  const nlohmann::json& settings = checkpoint.settings();
  if (!settings.is_object() || !settings.contains("opt") || !settings.contains("vocab")) {
    throw ModelFileError(cat(where, ": has no opt or no vocab, the settings of OpenNMT-py"));
  }
  const JsonReader read{where, settings["opt"]};
  ImportedModel model{.config = config_of_imported_transformer()};
  read_opennmt_settings(read, model.config);
  const ForeignMatrix words = tensors.matrix(cat("model.", kOpenNmtWords));
  model.config.common.hidden = words.cols;
  OpenNmtReader reader(tensors, model);
  reader.read_encoder();
  reader.read_decoder();
  read_opennmt_positions(tensors, model);
  const auto [source, target] = read_opennmt_words(read, tensors, model, settings["vocab"], words);
  expect_all_read(tensors);
  set_piece_or_word_tokenizers(model, source, target, files, given);
  model.origin = "OpenNMT-py";
  return model;
}

}  // namespace dhyan
