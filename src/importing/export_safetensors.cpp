#include <nlohmann/json.hpp>

#include "config/model_kinds.h"
#include "core/error.h"
#include "core/file.h"
#include "importing/export_model.h"
#include "importing/formats.h"
#include "importing/json_text.h"
#include "interop/parameter_file.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNames = "names.json";

// What the numbers of a parameter are, by the end of its name.
struct NamedLayout {
  std::string_view ending, layout, meaning;
};
constexpr NamedLayout kLayouts[] = {
    {"output.weight", "[vocabulary,width]", "y = x W^T + b: logits"},
    {".table", "[rows,width]", "a row for each token, position or sentence type"},
    {".weight", "[in,out]", "y = x W + b"},
    {".gain", "[width]", "factor of a layer norm"},
    {".bias", "[width]", "what is added after a product or a norm"},
};

nlohmann::ordered_json description_of(const Parameter& parameter) {
  nlohmann::ordered_json extents = nlohmann::ordered_json::array();
  const Shape& shape = parameter.value.shape();
  for (int axis = 0; axis < shape.rank(); ++axis) extents.push_back(shape[axis]);
  nlohmann::ordered_json description{{"shape", extents}};
  for (const NamedLayout& known : kLayouts) {
    if (!parameter.name.ends_with(known.ending)) continue;
    description["layout"] = known.layout;
    description["meaning"] = known.meaning;
    break;
  }
  return description;
}

std::string names_of_parameters(const ParameterSet& parameters) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const Parameter& parameter : parameters) all[parameter.name] = description_of(parameter);
  return all.dump(1) + '\n';
}

std::string vocabulary_json(const Tokenizer& tokenizer) { return nlohmann::json(tokens_of(tokenizer)).dump(0) + '\n'; }

fs::path vocabulary_file(std::string_view side) { return cat(side, "_vocabulary.json"); }

void expect_same_tokens(const SourceFiles& files, std::string_view side, const Tokenizer& tokenizer) {
  const std::string name = vocabulary_file(side).string();
  if (json_texts(files.where(name), files.text(name)) == tokens_of(tokenizer)) return;
  throw ModelFileError(
      cat(files.where(name), ": has other tokens than ", kOwnFolder, "/ beside it; expected the same"));
}

}  // namespace

void write_safetensors_folder(const LoadedModel& model, const fs::path& folder) {
  if (reads_pictures(model.config)) {
    throw ModelFileError("export: the model reads pictures, which the format safetensors does not have");
  }
  save_parameters(folder / kWeightsFile, model.model->parameters());
  write_file(folder / kNames, names_of_parameters(model.model->parameters()));
  write_file(folder / vocabulary_file("source"), vocabulary_json(*model.tokenizers.source));
  write_file(folder / vocabulary_file("target"), vocabulary_json(*model.tokenizers.target));
  save_config(folder, model.config);
}

bool is_safetensors_folder(const SourceFiles& files) {
  return files.is_folder() && files.has(kNames) && files.has(kWeightsFile) &&
         files.has(cat(kOwnFolder, '/', kConfigFile));
}

ImportedModel read_safetensors_folder(const SourceFiles& files, const GivenFiles&) {
  const fs::path own = files.path() / kOwnFolder;
  ImportedModel model{.config = load_config(own)};
  model.tokenizers = load_tokenizers(model.config.tokenizer.kind, own);
  expect_same_tokens(files, "source", *model.tokenizers.source);
  expect_same_tokens(files, "target", *model.tokenizers.target);
  const std::string where = files.where(kWeightsFile);
  const SafetensorsDirectory file = parse_safetensors(where, files.bytes(kWeightsFile));
  ForeignTensors tensors(where, file.entries);
  for (const TensorEntry& entry : file.entries) model.weights[entry.name] = tensors.matrix(entry.name);
  model.origin = "dhyan, exported as safetensors";
  return model;
}

}  // namespace dhyan
