#include <algorithm>

#include "core/error.h"
#include "importing/fairseq_layers.h"
#include "importing/formats.h"
#include "importing/huggingface_files.h"
#include "importing/known_positions.h"
#include "importing/own_folder.h"
#include "text/language_names.h"

namespace dhyan {

namespace {

double equal_settings(const JsonReader& read, const char* encoder, const char* decoder) {
  const double one = read.number(encoder, 0), other = read.number(decoder, 0);
  if (one != other || one < 1 || one > 1 << 20) {
    throw ModelFileError(
        cat(read.where, ": ", encoder, " is ", one, " and ", decoder, " ", other, "; expected the same"));
  }
  return one;
}

void read_config(const JsonReader& read, Config& config) {
  expect_off(read, "normalize_before", "layer normalisation before sublayers");
  expect_off(read, "normalize_embedding", "layer normalisation of embeddings");
  config.common.hidden = static_cast<Index>(equal_settings(read, "d_model", "d_model"));
  config.common.encoder_layers = static_cast<Index>(equal_settings(read, "encoder_layers", "encoder_layers"));
  config.common.decoder_layers = static_cast<Index>(equal_settings(read, "decoder_layers", "decoder_layers"));
  config.common.attention.heads =
      static_cast<Index>(equal_settings(read, "encoder_attention_heads", "decoder_attention_heads"));
  TransformerSettings& transformer = config.transformer;
  transformer.feed_forward = static_cast<Index>(equal_settings(read, "encoder_ffn_dim", "decoder_ffn_dim"));
  transformer.norm = NormPlace::kAfter;
  transformer.activation = huggingface_activation(read.text("activation_function", "gelu"));
  transformer.positions = "sinusoidal-halves";
  transformer.word_scale = read.flag("scale_embedding", false) ? WordScale::kRootOfWidth : WordScale::kNone;
  transformer.norm_epsilon = 1e-5;
}

// A table of words by any of its names; models that share tables store one of them.
ForeignMatrix words_of(ForeignTensors& tensors, std::initializer_list<const char*> names) {
  std::optional<ForeignMatrix> found;
  for (const char* name : names) {
    if (!tensors.has(name)) continue;
    ForeignMatrix table = tensors.matrix(name);
    if (!found) found = std::move(table);
  }
  if (!found) tensors.fail(*names.begin(), "is missing");
  return std::move(*found);
}

SpecialPlaces specials_of(const JsonReader& read, const std::vector<std::string>& pieces) {
  const auto place = [&](const char* name) -> std::optional<Index> {
    const double id = read.number(name, -1);
    if (id < 0 || id >= static_cast<double>(pieces.size())) return std::nullopt;
    return static_cast<Index>(id);
  };
  SpecialPlaces special{.pad = place("pad_token_id"),
                        .unknown = place_of(pieces, kSpecialTokens[kUnknown]),
                        .end = place("eos_token_id"),
                        .start = place("decoder_start_token_id")};
  if (!special.end || !special.start) {
    throw ModelFileError(cat(read.where, ": eos_token_id or decoder_start_token_id is no token"));
  }
  return special;
}

std::string language_of(const SourceFiles& files, const char* side) {
  constexpr std::string_view kFile = "tokenizer_config.json";
  if (!files.has(kFile)) return {};
  const nlohmann::json json = parsed_json(files.where(kFile), files.text(kFile));
  const std::string code = JsonReader{files.where(kFile), json}.text(side, "");
  return is_language_code(code) ? code : "";
}

}  // namespace

bool is_huggingface_marian(const SourceFiles& files) { return is_huggingface_model(files, "marian"); }

ImportedModel read_huggingface_marian(const SourceFiles& files, const GivenFiles& given) {
  const nlohmann::json json = parsed_json(files.where(kHuggingFaceConfig), files.text(kHuggingFaceConfig));
  const JsonReader read{files.where(kHuggingFaceConfig), json};
  HuggingFaceWeights weights = open_huggingface_weights(files);
  ForeignTensors& tensors = weights.tensors;
  ImportedModel model{.config = config_of_imported_transformer()};
  read_config(read, model.config);
  read_fairseq_stack(tensors, model, "encoder");
  read_fairseq_stack(tensors, model, "decoder");
  for (const char* table : {"model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight"}) {
    if (tensors.has(table)) set_positions(model, tensors.matrix(table), tensors.matrix(table));
  }

  const ForeignMatrix encoder = words_of(tensors, {"model.encoder.embed_tokens.weight", "model.shared.weight"});
  const ForeignMatrix decoder = words_of(tensors, {"model.decoder.embed_tokens.weight", "model.shared.weight"});
  const bool tied = !tensors.has("lm_head.weight") || read.flag("tie_word_embeddings", true);
  const ForeignMatrix output = tied ? decoder : tensors.matrix("lm_head.weight");
  if (tensors.has("lm_head.weight")) tensors.take("lm_head.weight");
  const bool shared = read.flag("share_encoder_decoder_embeddings", true);
  model.config.common.tying = !tied ? Tying::kNone : shared ? Tying::kAll : Tying::kDecoder;

  const auto pieces_of = [&](std::string_view name, Index rows) {
    return pieces_by_id(files.where(name), parsed_json(files.where(name), files.text(name)), rows);
  };
  const std::vector<std::string> source_pieces = pieces_of("vocab.json", encoder.rows);
  const bool separate = files.has("target_vocab.json");
  const std::vector<std::string> target_pieces =
      separate ? pieces_of("target_vocab.json", decoder.rows) : source_pieces;
  const VocabularyOrder source = our_order(source_pieces, encoder.rows, specials_of(read, source_pieces));
  const VocabularyOrder target = our_order(target_pieces, decoder.rows, specials_of(read, target_pieces));
  const ForeignMatrix bias =
      tensors.has("final_logits_bias") ? tensors.vector("final_logits_bias", decoder.rows) : zeros(1, decoder.rows);
  set_words(model, {.source = source.table(encoder),
                    .target = target.table(decoder),
                    .output = target.table(output),
                    .output_bias = target.output_bias(bias)});
  expect_all_read(tensors);
  const FoundPieceModels pieces = find_piece_models(files, given);
  model.tokenizers = make_tokenizers(source, target, pieces.models);
  model.config.tokenizer.shared = source.tokens == target.tokens;
  model.config.data.source_language = language_of(files, "source_lang");
  model.config.data.target_language = language_of(files, "target_lang");
  take_own_settings(files, model);
  model.origin = "Hugging Face MarianMT";
  if (files.has("README.md")) model.readme = files.text("README.md");
  return model;
}

}  // namespace dhyan
