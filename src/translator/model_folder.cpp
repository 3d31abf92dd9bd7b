#include "translator/model_folder.h"

#include <algorithm>

#include "core/error.h"
#include "core/file.h"
#include "interop/parameter_file.h"
#include "translator/model_kinds.h"
#include "translator/options.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

// Before memory is taken because a config asks for it.
void expect_weights_for(const Config& config, const TokenizerPair& tokenizers, const fs::path& weights) {
  constexpr double kSmallestWeight = 1;  // bytes
  std::error_code failed;
  const std::uintmax_t bytes = fs::file_size(weights, failed);
  if (failed) throw ModelFileError(cat(weights.string(), ": cannot be read: ", failed.message()));
  const double least = model_kind(config).least_weights(config, tokenizers);
  if (least * kSmallestWeight > static_cast<double>(bytes)) {
    throw ModelFileError(cat(weights.string(), ": has ", bytes, " bytes, too few for the at least ", least,
                             " weights that ", kConfigFile, " speaks of"));
  }
}

}  // namespace

void refuse_kind(std::string_view what, const Config& config) {
  const ModelKind& kind = model_kind(config);
  throw ModelFileError(cat("the model is of the kind ", kind.name, ", ", kind.description, "; it cannot ", what,
                           ". It is for ", commands_for(kind.material)));
}

void create_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw WriteError(cat(folder.string(), ": cannot create the folder: ", failed.message()));
}

Config load_config(const fs::path& folder) {
  if (!fs::is_directory(folder)) throw ModelFileError(cat(folder.string(), ": there is no such folder"));
  if (!fs::exists(folder / kConfigFile)) {
    throw ModelFileError(cat(folder.string(), ": holds no ", kConfigFile, ", so it is no model"));
  }
  const std::vector<Setting> settings = read_json(folder / kConfigFile);
  if (std::ranges::find(settings, "model", &Setting::name) == settings.end()) {
    throw ModelFileError(
        cat((folder / kConfigFile).string(), ": does not name its 'model', so it is no config of one"));
  }
  Config config;
  assign(config, settings);
  return config;
}

void save_config(const fs::path& folder, const Config& config) { write_file(folder / kConfigFile, to_json(config)); }

LoadedModel load_model(const fs::path& folder) {
  LoadedModel loaded;
  loaded.config = load_config(folder);
  loaded.tokenizers = load_tokenizers(loaded.config.tokenizer.kind, folder);
  expect_weights_for(loaded.config, loaded.tokenizers, folder / kWeightsFile);
  loaded.model = make_model(loaded.config, loaded.tokenizers, Rng::unused());
  load_settled_parameters(folder / kWeightsFile, loaded.model->parameters());
  return loaded;
}

void save_model(const fs::path& folder, const Config& config, const TokenizerPair& tokenizers, const Model& model) {
  create_folder(folder);
  save_tokenizers(tokenizers, folder);
  save_parameters(folder / kWeightsFile, model.parameters());
  save_config(folder, config);
}

}  // namespace dhyan
