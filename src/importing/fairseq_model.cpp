#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "importing/checkpoint_files.h"
#include "importing/fairseq_layers.h"
#include "importing/formats.h"
#include "importing/huggingface_files.h"
#include "interop/fairseq_dictionary.h"

namespace dhyan {

namespace {

constexpr std::string_view kFairseqWords = "encoder.embed_tokens.weight";

// The settings of a model are in "args" or, in newer checkpoints, in "cfg".
const nlohmann::json& fairseq_settings(const std::string& where, const nlohmann::json& all) {
  if (all.is_object() && all.contains("args") && all["args"].is_object()) return all["args"];
  if (all.is_object() && all.contains("cfg") && all["cfg"].is_object() && all["cfg"].contains("model")) {
    return all["cfg"]["model"];
  }
  throw ModelFileError(cat(where, ": has no settings of a model of fairseq, neither args nor cfg"));
}

Index equal_sizes(const JsonReader& read, const char* encoder, const char* decoder, Index otherwise) {
  const Index one = huggingface_size(read, encoder, otherwise), other = huggingface_size(read, decoder, otherwise);
  if (one == other) return one;
  throw ModelFileError(
      cat(read.where, ": ", encoder, " is ", one, " and ", decoder, " ", other, "; expected the same"));
}

bool equal_flags(const JsonReader& read, const char* encoder, const char* decoder) {
  const bool one = read.flag(encoder, false);
  if (one == read.flag(decoder, false)) return one;
  throw ModelFileError(cat(read.where, ": ", encoder, " and ", decoder, " differ; expected the same"));
}

std::string fairseq_activation(const std::string& name) {
  return huggingface_activation(name == "gelu_accurate" || name == "gelu_fast" ? "gelu_new" : name);
}

void read_fairseq_settings(const JsonReader& read, Config& config) {
  if (const std::string task = read.text("task", "translation"); task != "translation") {
    throw ModelFileError(cat(read.where, ": the task is ", task, "; expected translation"));
  }
  for (const char* name :
       {"no_cross_attention", "cross_self_attention", "adaptive_input", "no_token_positional_embeddings"})
    expect_off(read, name, cat("the setting ", name));
  for (const char* name : {"adaptive_softmax_cutoff", "encoder_layers_to_keep", "decoder_layers_to_keep"}) {
    if (read.has(name)) throw ModelFileError(cat(read.where, ": the model has ", name, ", which dhyan does not"));
  }
  config.common.hidden = equal_sizes(read, "encoder_embed_dim", "decoder_embed_dim", 512);
  config.common.encoder_layers = huggingface_size(read, "encoder_layers", 6);
  config.common.decoder_layers = huggingface_size(read, "decoder_layers", 6);
  config.common.attention.heads = equal_sizes(read, "encoder_attention_heads", "decoder_attention_heads", 8);
  TransformerSettings& transformer = config.transformer;
  transformer.feed_forward = equal_sizes(read, "encoder_ffn_embed_dim", "decoder_ffn_embed_dim", 2048);
  const bool before = equal_flags(read, "encoder_normalize_before", "decoder_normalize_before");
  transformer.norm = before ? NormPlace::kBefore : NormPlace::kAfter;
  transformer.activation = fairseq_activation(read.text("activation_fn", "relu"));
  transformer.word_scale = read.flag("no_scale_embedding", false) ? WordScale::kNone : WordScale::kRootOfWidth;
  transformer.norm_epsilon = 1e-5;
  if (read.flag("layernorm_embedding", false)) transformer.embedding_norm = EmbeddingNorm::kLayer;
}

// Positions are counted from the one after <pad>, 1.
constexpr Index kFirstPosition = 2;

void read_fairseq_positions(const JsonReader& read, ForeignTensors& tensors, ImportedModel& model) {
  TransformerSettings& transformer = model.config.transformer;
  if (!equal_flags(read, "encoder_learned_pos", "decoder_learned_pos")) {
    transformer.positions = "sinusoidal-closed";
    transformer.first_position = kFirstPosition;
    return;
  }
  const ForeignMatrix source = tensors.matrix("model.encoder.embed_positions.weight"),
                      target = tensors.matrix("model.decoder.embed_positions.weight");
  transformer.positions = "learned";
  transformer.longest = std::min(source.rows, target.rows) - kFirstPosition;
  if (transformer.longest < 2) tensors.fail("model.encoder.embed_positions.weight", "has no positions");
  model.config.data.max_length = std::min(model.config.data.max_length, transformer.longest - 1);
  model.weights["source.positions.table"] = source.row_range(kFirstPosition, kFirstPosition + transformer.longest);
  model.weights["target.positions.table"] = target.row_range(kFirstPosition, kFirstPosition + transformer.longest);
}

void read_fairseq_embedding_norms(ForeignTensors& tensors, ImportedModel& model) {
  if (model.config.transformer.embedding_norm == EmbeddingNorm::kNone) return;
  const Index H = model.config.common.hidden;
  for (const auto& [to, from] : {std::pair{"source.norm", "model.encoder.layernorm_embedding"},
                                 std::pair{"target.norm", "model.decoder.layernorm_embedding"}}) {
    model.weights[cat(to, ".gain")] = tensors.vector(cat(from, ".weight"), H);
    model.weights[cat(to, ".bias")] = tensors.vector(cat(from, ".bias"), H);
  }
}

std::vector<FairseqDictionary> dictionaries_of(const SourceFiles& files) {
  std::vector<FairseqDictionary> found;
  for (const std::string& name : files.names()) {
    const std::string file = std::filesystem::path(name).filename().string();
    if (file.starts_with("dict.") && file.ends_with(".txt"))
      found.push_back(parse_fairseq_dictionary(files.where(name), files.text(name)));
  }
  return found;
}

// The dictionary of a side: the one that is given, that of the language in the settings, or the only one with as many
// tokens as the table has rows.
FairseqDictionary dictionary_for(const std::vector<FairseqDictionary>& all, const std::string& given,
                                 const std::string& language, Index rows) {
  if (!given.empty()) {
    const MappedFile file(given);
    return parse_fairseq_dictionary(given, {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()});
  }
  std::vector<const FairseqDictionary*> fitting;
  for (const FairseqDictionary& one : all) {
    const bool fits = language.empty() ? std::ssize(one.tokens) == rows : one.language == language;
    if (fits) fitting.push_back(&one);
  }
  if (fitting.size() == 1 || (fitting.size() == 2 && fitting[0]->tokens == fitting[1]->tokens)) return *fitting.front();
  throw ModelFileError(cat("fairseq: ", fitting.size(), " dictionaries (dict.LANGUAGE.txt) ",
                           language.empty() ? cat("have ", rows, " tokens") : cat("are of ", language),
                           ", expected 1; name them by --source-vocabulary and --target-vocabulary"));
}

VocabularyOrder fairseq_order(const FairseqDictionary& dictionary, Index rows) {
  return our_order(dictionary.tokens, rows, {.pad = 1, .unknown = 3, .end = 2, .start = 2});
}

// The tables. Returns the orders of both vocabularies.
std::pair<VocabularyOrder, VocabularyOrder> read_fairseq_words(const JsonReader& read, ForeignTensors& tensors,
                                                               ImportedModel& model, const SourceFiles& files,
                                                               const GivenFiles& given) {
  const ForeignMatrix encoder = tensors.matrix("model.encoder.embed_tokens.weight"),
                      decoder = tensors.matrix("model.decoder.embed_tokens.weight");
  const bool all = read.flag("share_all_embeddings", false);
  const bool tied = all || read.flag("share_decoder_input_output_embed", false);
  const char* name = "model.decoder.output_projection.weight";
  const ForeignMatrix output = tensors.has(name) ? tensors.matrix(name)
                               : tied            ? decoder
                                                 : tensors.matrix("model.decoder.embed_out");
  model.config.common.tying = all ? Tying::kAll : tied ? Tying::kDecoder : Tying::kNone;
  const std::vector<FairseqDictionary> found = dictionaries_of(files);
  const FairseqDictionary first =
      dictionary_for(found, given.source_vocabulary, read.text("source_lang", ""), encoder.rows);
  const FairseqDictionary second =
      dictionary_for(found, given.target_vocabulary, read.text("target_lang", ""), decoder.rows);
  VocabularyOrder source = fairseq_order(first, encoder.rows), target = fairseq_order(second, decoder.rows);
  set_words(model, {.source = source.table(encoder),
                    .target = target.table(decoder),
                    .output = target.table(output),
                    .output_bias = target.output_bias(zeros(1, decoder.rows))});
  return {std::move(source), std::move(target)};
}

// Versions of modules, which are stored like weights.
void leave_out_versions(ForeignTensors& tensors) {
  for (const char* stack : {"encoder", "decoder"}) {
    for (const char* name : {"version", "embed_positions._float_tensor"}) {
      const std::string full = cat("model.", stack, ".", name);
      if (tensors.has(full)) tensors.take(full);
    }
  }
}

}  // namespace

bool is_fairseq_checkpoint(const SourceFiles& files) { return !checkpoint_that_mentions(files, kFairseqWords).empty(); }

ImportedModel read_fairseq_checkpoint(const SourceFiles& files, const GivenFiles& given) {
  const std::string name = checkpoint_that_mentions(files, kFairseqWords);
  if (name.empty()) throw ModelFileError(cat(files.path().string(), ": has no checkpoint (.pt) of fairseq"));
  const ForeignCheckpoint checkpoint(files, name);
  ForeignTensors tensors = checkpoint.tensors({"model."});
  const std::string where = files.where(name);
  const JsonReader read{where, fairseq_settings(where, checkpoint.settings())};
  ImportedModel model{.config = config_of_imported_transformer()};
  read_fairseq_settings(read, model.config);
  read_fairseq_positions(read, tensors, model);
  read_fairseq_embedding_norms(tensors, model);
  read_fairseq_stack(tensors, model, "encoder");
  read_fairseq_stack(tensors, model, "decoder");
  const auto [source, target] = read_fairseq_words(read, tensors, model, files, given);
  leave_out_versions(tensors);
  expect_all_read(tensors);
  set_piece_or_word_tokenizers(model, source, target, files, given);
  model.origin = "fairseq";
  return model;
}

}  // namespace dhyan
