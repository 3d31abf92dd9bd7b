#include "translator/model_folder.h"

#include <algorithm>

#include "config/model_kinds.h"
#include "config/options.h"
#include "core/error.h"
#include "core/file.h"
#include "core/number_text.h"
#include "interop/parameter_file.h"
#include "training/trainer.h"
#include "translator/folder_contents.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFallbackTokenizer = "unigram";  // in a folder, "auto" is always resolved

// Called before memory is allocated for the weights of a config.
void expect_weights_for(const Config& config, const TokenizerPair& tokenizers, const fs::path& weights) {
  constexpr double kSmallestWeight = 1;  // bytes
  std::error_code failed;
  const std::uintmax_t bytes = fs::file_size(weights, failed);
  if (failed) throw ModelFileError(cat(weights.string(), ": cannot be read: ", failed.message()));
  const double least = model_kind(config).least_weights(config, tokenizers);
  if (least * kSmallestWeight > static_cast<double>(bytes)) {
    throw ModelFileError(cat(weights.string(), ": has ", bytes, " bytes, too few for the model of ", kConfigFile,
                             ", which has at least ", least, " weights"));
  }
}

void expect_folder(const fs::path& folder) {
  std::error_code failed;
  if (fs::is_directory(folder, failed)) return;
  if (failed && failed != std::errc::no_such_file_or_directory && failed != std::errc::not_a_directory) {
    throw ModelFileError(cat(folder.string(), ": cannot be read: ", failed.message()));
  }
  if (!fs::exists(folder, failed)) throw ModelFileError(cat(folder.string(), ": there is no such folder"));
  const fs::path parent = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
  const bool of_model = fs::exists(parent / kConfigFile, failed);
  throw ModelFileError(cat(folder.string(), ": is a file; expected the folder of a model",
                           of_model ? cat(", which is '", parent.string(), "'") : ""));
}

// A training writes config.json before its first save.
void expect_saved(const fs::path& folder) {
  if (fs::exists(folder / kWeightsFile)) return;
  if (Trainer::can_resume(folder)) {
    throw ModelFileError(cat(folder.string(),
                             ": holds no model yet: the training there ended during its first save;"
                             " 'dhyan train --resume -o ",
                             folder.string(), "' continues it"));
  }
  if (contents_of(folder) == FolderContents::kUnfinished && fs::exists(folder / kStateFolder)) {
    throw ModelFileError(cat(folder.string(),
                             ": holds no model: the training there ended before its first save;"
                             " 'dhyan train -o ",
                             folder.string(), "' starts over there"));
  }
}

LoadedModel load_with_weights(const fs::path& folder, const fs::path& weights, const AttentionTables& tables) {
  LoadedModel loaded;
  loaded.config = load_config(folder, tables);
  expect_saved(folder);
  loaded.tokenizers = load_tokenizers(loaded.config.tokenizer.kind, folder);
  expect_weights_for(loaded.config, loaded.tokenizers, weights);
  loaded.model = make_model(loaded.config, loaded.tokenizers, Rng::unused());
  auto file = load_prepacked_parameters(weights, loaded.model->parameters());
  if (file != nullptr) loaded.weights.push_back(std::move(file));
  if (loaded.config.tokenizer.shortlist) loaded.shortlist = load_shortlist(folder, loaded.tokenizers);
  return loaded;
}

}  // namespace

void refuse_kind(std::string_view what, const Config& config) {
  const ModelKind& kind = model_kind(config);
  throw ModelFileError(cat("the model is of the kind ", kind.name, ", ", kind.description, "; it cannot ", what,
                           ". It is for ", commands_for(task_of(config))));
}

void create_folder(const fs::path& folder) {
  std::error_code failed;
  const fs::file_status status = fs::status(folder, failed);
  if (fs::exists(status) && !fs::is_directory(status)) {
    throw IoError(cat(folder.string(), ": is a file; expected a folder"));
  }
  if (failed == std::errc::too_many_symbolic_link_levels) {
    throw IoError(cat(folder.string(), ": cannot be used: its symbolic links form a loop"));
  }
  fs::create_directories(folder, failed);
  if (failed) throw WriteError(cat(folder.string(), ": cannot create the folder: ", failed.message()));
}

Config load_config(const fs::path& folder, const AttentionTables& tables) {
  expect_folder(folder);
  if (!fs::exists(folder / kConfigFile)) {
    expect_saved(folder);
    throw ModelFileError(cat(folder.string(), ": holds no ", kConfigFile, "; expected the folder of a model"));
  }
  const std::vector<Setting> settings = read_json(folder / kConfigFile);
  if (std::ranges::find(settings, "model", &Setting::name) == settings.end()) {
    throw ModelFileError(cat((folder / kConfigFile).string(), ": missing required key 'model'"));
  }
  Config config;
  config.common.attention.tables = tables;
  config.tokenizer.kind = kFallbackTokenizer;
  assign(config, settings);
  return config;
}

void save_config(const fs::path& folder, const Config& config) { write_file(folder / kConfigFile, to_json(config)); }

LoadedModel load_model(const fs::path& folder, const AttentionTables& tables) {
  return load_with_weights(folder, folder / kWeightsFile, tables);
}

LoadedModel load_checkpoint(const fs::path& folder, Index step) {
  const fs::path weights = folder / kStateFolder / cat("step-", step, ".safetensors");
  if (!fs::exists(weights)) throw ModelFileError(cat(weights.string(), ": there is no such checkpoint"));
  return load_with_weights(folder, weights, {});
}

std::vector<Index> kept_checkpoints(const fs::path& folder) {
  constexpr std::string_view kBegin = "step-";
  std::vector<Index> steps;
  std::error_code unreadable;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / kStateFolder, unreadable)) {
    const std::string name = entry.path().stem();
    if (!name.starts_with(kBegin) || entry.path().extension() != ".safetensors") continue;
    if (const auto step = parse_number<Index>(std::string_view(name).substr(kBegin.size()))) steps.push_back(*step);
  }
  std::ranges::sort(steps);
  return steps;
}

void LoadedModel::expect_weights_unchanged() const {
  for (const auto& file : weights) file->expect_unchanged();
}

void save_model(const fs::path& folder, const Config& config, const TokenizerPair& tokenizers, const Model& model) {
  create_folder(folder);
  save_tokenizers(tokenizers, folder);
  save_parameters(folder / kWeightsFile, model.parameters());
  save_config(folder, config);
}

}  // namespace dhyan
