#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "config/config.h"
#include "core/file.h"
#include "models/model.h"

namespace dhyan {

// A model folder has
//   config.json         every option, as it was resolved
//   model.safetensors   the weights, of 8 bits if they are for use alone, and their checksum
//   source.* target.*   the tokenizers, or shared.* for both
//   train.log           what training reported, to be read by people; train.jsonl, by programs
//   README.md           what it was trained on, how well it does, what to type
//   training/           what --resume goes on from
//   .dhyan.lock         while a process writes to the folder: which one
inline constexpr std::string_view kConfigFile = "config.json", kWeightsFile = "model.safetensors";

[[noreturn]] void refuse_kind(std::string_view what, const Config& config);

struct LoadedModel {
  Config config;
  TokenizerPair tokenizers;
  std::unique_ptr<Model> model;
  std::vector<std::shared_ptr<const MappedFile>> weights = {};  // files that weights are part of, and still read from

  // IoError, naming the file, if one of these has changed under us: what was computed last is not to be used.
  void expect_weights_unchanged() const;
};

// The model as one that can do what is wanted; ModelFileError if it is of another kind.
template <class Wanted>
const Wanted& model_for(std::string_view what, const LoadedModel& loaded) {
  if (const auto* model = dynamic_cast<const Wanted*>(loaded.model.get())) return *model;
  refuse_kind(what, loaded.config);
}

// ModelFileError, naming the file, for whatever is missing, damaged or does not fit together; ConfigError for a model
// that cannot be built. Nothing of a file is believed.
LoadedModel load_model(const std::filesystem::path& folder);

// Several folders as one model that translates (models/ensemble.h), weights as there; its options and tokenizers are
// those of the first. ModelFileError, naming both, unless their vocabularies are the same. One folder is that model.
LoadedModel load_ensemble(std::span<const std::filesystem::path> folders, std::vector<double> weights = {});

// Writes tokenizers, weights and config.json; makes the folder if need be. Each file appears whole or not at all, the
// config last: a folder without it is no model.
void save_model(const std::filesystem::path& folder, const Config& config, const TokenizerPair& tokenizers,
                const Model& model);

// Parts of this, for training.
void create_folder(const std::filesystem::path& folder);  // WriteError
Config load_config(const std::filesystem::path& folder);
void save_config(const std::filesystem::path& folder, const Config& config);

}  // namespace dhyan
