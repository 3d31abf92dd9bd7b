#include "importing/export_model.h"

#include <array>

#include "config/model_kinds.h"
#include "core/error.h"
#include "core/table.h"
#include "interop/parameter_file.h"
#include "runs/merge_adapters.h"
#include "text/piece_tokenizer.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

constexpr std::array kExportFormats{
    ExportFormat{"ctranslate2", "folder for CTranslate2, binary version 6, float32", write_ctranslate2_folder},
    ExportFormat{"huggingface", "folder for Hugging Face's MarianMT: post-norm, sinusoidal-halves",
                 write_huggingface_marian},
    ExportFormat{"safetensors", "folder of weights by our names, with their table, config and vocabularies as JSON",
                 write_safetensors_folder},
};

void write_piece_model(const Tokenizer& tokenizer, const fs::path& folder, const char* side) {
  const auto* pieces = dynamic_cast<const PieceTokenizer*>(&tokenizer);
  const auto* segmenter =
      pieces != nullptr ? pieces->segmenter() : dynamic_cast<const SentencePieceTokenizer*>(&tokenizer);
  if (segmenter == nullptr) return;
  segmenter->save_model(folder, side);
  fs::rename(folder / cat(side, ".model"), folder / cat(side, ".spm"));
}

// A new or empty folder, which has no files if the export fails or is stopped.
class NewFolder {
 public:
  explicit NewFolder(const fs::path& path) : path_(path), was_there_(fs::exists(path)) {
    if (was_there_ && !fs::is_empty(path))
      throw UsageError(cat(path.string(), ": is not empty; expected a new folder"));
    create_folder(path_);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  ~NewFolder() {
    if (complete_) return;
    std::error_code ignored;  // a destructor cannot report it
    for (const fs::directory_entry& entry : fs::directory_iterator(path_, ignored)) fs::remove_all(entry, ignored);
    if (!was_there_) fs::remove(path_, ignored);
  }
  void complete() { complete_ = true; }

 private:
  fs::path path_;
  bool was_there_, complete_ = false;
};

}  // namespace

std::span<const ExportFormat> export_formats() { return kExportFormats; }

void expect_plain_transformer(const LoadedModel& model, std::string_view format) {
  const Config& config = model.config;
  const auto refuse = [&](const std::string& what) {
    throw ModelFileError(cat("export: ", what, ", which ", format, " does not have"));
  };
  if (config.model != "transformer") refuse(cat("the model is ", config.model));
  if (reads_pictures(config)) refuse("the model reads pictures");
  if (config.transformer.decoder_layer != kSelfAttentionLayer) {
    refuse(cat("decoder-layer is ", config.transformer.decoder_layer));
  }
  if (config.transformer.embedding_norm != EmbeddingNorm::kNone) refuse("embedding-norm is layer");
  if (config.common.attention.score != "scaled_dot") refuse(cat("score is ", config.common.attention.score));
  const bool no_end = config.common.attention.window == "no-end" && format == kCtranslate2Name;
  if (config.common.attention.window != "global" && !no_end) refuse(cat("window is ", config.common.attention.window));
}

std::vector<std::string> tokens_of(const Tokenizer& tokenizer) {
  const auto* own = dynamic_cast<const VocabularyTokenizer*>(&tokenizer);  // whose pieces may be shown in another way
  std::vector<std::string> tokens;
  for (TokenId id = 0; id < tokenizer.size(); ++id) {
    tokens.emplace_back(own != nullptr ? own->vocabulary().token(id) : tokenizer.piece(id));
  }
  return tokens;
}

void write_piece_models(const LoadedModel& model, const fs::path& folder) {
  write_piece_model(*model.tokenizers.source, folder, "source");
  write_piece_model(*model.tokenizers.target, folder, "target");
}

void export_model(const fs::path& folder, const fs::path& output, const std::string& to,
                  const std::function<void()>& poll) {
  const ExportFormat& format = entry_named("to", export_formats(), to);
  expect_another_folder(folder, output);
  NewFolder made(output);
  LoadedModel adapted = load_model(folder);
  expect_full_precision(folder / kWeightsFile);
  const LoadedModel model = without_adapters(std::move(adapted));
  if (poll) poll();
  format.write(model, output);
  model.expect_weights_unchanged();
  if (poll) poll();
  create_folder(output / kOwnFolder);
  save_tokenizers(model.tokenizers, output / kOwnFolder);
  save_config(output / kOwnFolder, model.config);
  made.complete();
}

}  // namespace dhyan
