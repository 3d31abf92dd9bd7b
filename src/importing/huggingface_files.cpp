#include "importing/huggingface_files.h"

#include <cmath>

#include "core/error.h"

namespace dhyan {

namespace {

constexpr std::string_view kSafetensors = "model.safetensors", kPickled = "pytorch_model.bin";

}  // namespace

HuggingFaceWeights open_huggingface_weights(const SourceFiles& files) {
  if (files.has(kSafetensors)) {
    const std::string where = files.where(kSafetensors);
    return {std::nullopt, ForeignTensors(where, parse_safetensors(where, files.bytes(kSafetensors)).entries)};
  }
  if (!files.has(kPickled)) {
    throw ModelFileError(cat(files.path().string(), ": has neither ", kSafetensors, " nor ", kPickled));
  }
  const std::string where = files.where(kPickled);
  TorchFile pickled(where, files.bytes(kPickled));
  std::vector<TensorEntry> tensors = pickled.tensors();
  return {std::move(pickled), ForeignTensors(where, std::move(tensors))};
}

bool is_huggingface_model(const SourceFiles& files, std::string_view model_type) {
  if (!files.has(kHuggingFaceConfig) ||
      (!files.main().empty() && files.main() != kSafetensors && files.main() != kPickled))
    return false;
  const nlohmann::json json = nlohmann::json::parse(files.text(kHuggingFaceConfig), nullptr, false);
  return json.is_object() && json.contains("model_type") && json["model_type"] == model_type;
}

std::string huggingface_activation(const std::string& name) {
  if (name == "swish" || name == "silu") return "swish";
  if (name == "relu") return name;
  if (name == "gelu") return "gelu-erf";
  if (name == "gelu_new" || name == "gelu_pytorch_tanh") return "gelu";
  if (name == "quick_gelu") return "gelu-sigmoid";
  throw ModelFileError(cat("the activation is ", name, ", which dhyan does not have"));
}

std::vector<std::string> pieces_by_id(const std::string& where, const nlohmann::json& json, Index rows) {
  if (!json.is_object()) throw ModelFileError(cat(where, ": expected an object of pieces and their ids"));
  std::vector<std::string> pieces(static_cast<std::size_t>(rows));
  for (const auto& [piece, id] : json.items()) {
    if (!id.is_number_integer() || id.get<Index>() < 0 || id.get<Index>() >= rows) {
      throw ModelFileError(cat(where, ": the id of a piece is ", id.dump(), ", expected 0 to ", rows - 1));
    }
    pieces[id.get<std::size_t>()] = piece;
  }
  return pieces;
}

Index huggingface_size(const JsonReader& read, const char* name, Index otherwise) {
  constexpr double kLargest = 1 << 20;
  const double size = read.number(name, static_cast<double>(otherwise));
  if (size >= 1 && size <= kLargest && size == std::floor(size)) return static_cast<Index>(size);
  throw ModelFileError(cat(read.where, ": ", name, " is ", size, "; expected a whole number from 1 to ", kLargest));
}

void expect_off(const JsonReader& read, const char* name, std::string_view feature) {
  if (read.flag(name, false))
    throw ModelFileError(cat(read.where, ": the model has ", feature, ", which dhyan does not"));
}

void expect_all_read(const ForeignTensors& tensors) {
  if (const auto rest = tensors.unread(); !rest.empty())
    tensors.fail(rest.front()->name, "dhyan does not know what it is for");
}

}  // namespace dhyan
