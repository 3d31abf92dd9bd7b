#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "importing/foreign_tensors.h"
#include "importing/json_text.h"
#include "importing/source_files.h"
#include "interop/torch_file.h"

namespace dhyan {

inline constexpr std::string_view kHuggingFaceConfig = "config.json";

// The tensors of a folder of Hugging Face, and what they point into.
struct HuggingFaceWeights {
  std::optional<TorchFile> pickled;
  ForeignTensors tensors;
};

// Of model.safetensors or, if there is none, of pytorch_model.bin.
HuggingFaceWeights open_huggingface_weights(const SourceFiles& files);

// Whether these files are a model whose config.json has this model_type.
bool is_huggingface_model(const SourceFiles& files, std::string_view model_type);

// Our name of an activation; ModelFileError if dhyan does not have it.
std::string huggingface_activation(const std::string& name);

// Pieces by their ids, from an object {"piece": id}.
std::vector<std::string> pieces_by_id(const std::string& where, const nlohmann::json& json, Index rows);

// A whole number from 1 to 2^20; a missing one is `otherwise`.
Index huggingface_size(const JsonReader& read, const char* name, Index otherwise = 0);

// ModelFileError, naming the feature, if the flag is set.
void expect_off(const JsonReader& read, const char* name, std::string_view feature);

// ModelFileError for a tensor that nothing has read.
void expect_all_read(const ForeignTensors& tensors);

}  // namespace dhyan
