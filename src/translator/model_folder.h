#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "config/config.h"
#include "core/file.h"
#include "models/model.h"
#include "translator/shortlist.h"

namespace dhyan {

// A model folder has
//   config.json         every option, as it was resolved
//   model.safetensors   the weights and their checksum; int8 weights if only for inference
//   source.* target.*   the tokenizers, or shared.* for both
//   shortlist.bin       of an imported model: the words that a translation may have (shortlist.h)
//   trigrams.json       the commonest letter trigrams of both languages, to detect the language
//   train.log           the log of training for people; train.jsonl for programs
//   README.md           training data, scores, example commands
//   training/           the state that --resume continues from
//   .dhyan.lock         while a process writes to the folder: names that process
inline constexpr std::string_view kConfigFile = "config.json", kWeightsFile = "model.safetensors";

[[noreturn]] void refuse_kind(std::string_view what, const Config& config);

struct LoadedModel {
  Config config;
  TokenizerPair tokenizers;
  std::unique_ptr<Model> model;
  std::vector<std::shared_ptr<const MappedFile>> weights = {};  // files whose memory holds weights
  std::shared_ptr<const Shortlist> shortlist = {};              // that translation keeps to by default; or none

  // IoError that names the file if one of these has changed since: discard everything computed from it.
  void expect_weights_unchanged() const;
};

// The model as the wanted type; ModelFileError, naming `what` it cannot do, if it is of another kind.
template <class Wanted>
const Wanted& model_for(std::string_view what, const LoadedModel& loaded) {
  if (const auto* model = dynamic_cast<const Wanted*>(loaded.model.get())) return *model;
  refuse_kind(what, loaded.config);
}

// ModelFileError, naming the file, if a file is missing, damaged or does not fit the others; ConfigError for a model
// that cannot be built. Files are not trusted. `tables` have the scores that config.json may name; they must outlive
// the model.
LoadedModel load_model(const std::filesystem::path& folder, const AttentionTables& tables = {});

// The same with the weights of a checkpoint that training kept, training/step-N.safetensors (--keep-last).
LoadedModel load_checkpoint(const std::filesystem::path& folder, Index step);

// The steps of these checkpoints, the first ones first; none if there are none.
std::vector<Index> kept_checkpoints(const std::filesystem::path& folder);

// Several folders as an ensemble (models/ensemble.h, also for `weights`) with the options and tokenizers of the first.
// ModelFileError, naming both folders, if vocabularies differ. A single folder gives its own model.
LoadedModel load_ensemble(std::span<const std::filesystem::path> folders, std::vector<double> weights = {},
                          const AttentionTables& tables = {});

// Writes tokenizers, weights and config.json; creates a missing folder. Each file appears whole or not at all,
// config.json last: a folder without it is not a model.
void save_model(const std::filesystem::path& folder, const Config& config, const TokenizerPair& tokenizers,
                const Model& model);

// Parts of this, for training.
void create_folder(const std::filesystem::path& folder);  // WriteError
Config load_config(const std::filesystem::path& folder, const AttentionTables& tables = {});
void save_config(const std::filesystem::path& folder, const Config& config);

}  // namespace dhyan
