#include "importing/ctranslate2_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "interop/safetensors_header.h"

namespace dhyan {

namespace {

// Features that we do not support, recognised by a part of the names of their variables.
struct UnreadFeature {
  std::string_view part, feature;
};
constexpr std::array kUnreadFeatures{UnreadFeature{"relative_position", "relative positions"},
                                     UnreadFeature{"relative_attention", "relative attention biases"},
                                     UnreadFeature{"rotary", "rotary positions"},
                                     UnreadFeature{"alibi", "attention with linear biases (ALiBi)"},
                                     UnreadFeature{"layernorm_embedding", "layer normalisation of embeddings"},
                                     UnreadFeature{"noact", "gated linear units"},
                                     UnreadFeature{"project_", "projections of embeddings"},
                                     UnreadFeature{"weight_zero", "4-bit weights"},
                                     UnreadFeature{"embeddings_1", "several source factors"},
                                     UnreadFeature{"queries_scale", "scaled queries"},
                                     UnreadFeature{"norm", "additional layer normalisation"}};

// Scalars without meaning for translations.
bool says_nothing(std::string_view name) {
  return name.find("alignment_") != name.npos || name.ends_with("embeddings_merge") ||
         name.ends_with("alibi_use_positive_positions");
}

double scalar_of(const TensorEntry& entry) {
  const std::string_view dtype = entry.dtype->name;
  const auto as = [&]<class T>(T value) {
    std::memcpy(&value, entry.bytes.data(), sizeof value);
    return static_cast<double>(value);
  };
  if (dtype == "I8") return as(std::int8_t{});
  if (dtype == "I16") return as(std::int16_t{});
  if (dtype == "I32") return as(std::int32_t{});
  Real real = 0;
  entry.dtype->to_real(entry.bytes.data(), &real, 1);
  return static_cast<double>(real);
}

template <class T>
T integer_at(const TensorEntry& entry, std::size_t i) {
  T value;
  std::memcpy(&value, entry.bytes.data() + i * sizeof value, sizeof value);
  return value;
}

}  // namespace

Ctranslate2Weights::Ctranslate2Weights(std::string where, Ctranslate2File file)
    : file_(std::move(file)), tensors_(std::move(where), file_.variables, file_.aliases) {}

std::optional<double> Ctranslate2Weights::number(std::string_view name) {
  if (!has(name)) return std::nullopt;
  const TensorEntry& entry = tensors_.take(name);
  if (entry.shape.size() != 1) tensors_.fail(name, cat("shape is ", entry.shape, ", expected one number"));
  return scalar_of(entry);
}

ForeignMatrix Ctranslate2Weights::matrix(const std::string& name) {
  if (!has(name) || tensors_.take(name).dtype->to_real != nullptr) return tensors_.matrix(name);
  const TensorEntry& entry = tensors_.take(name);
  const bool int8 = entry.dtype->name == "I8";
  if (!int8 && entry.dtype->name != "I16")
    tensors_.fail(name, cat("dtype is ", entry.dtype->name, ", expected a weight"));
  const Index rows = entry.shape.rows(), cols = entry.shape.cols();
  const std::string name_of_scales = entry.name + "_scale";  // an alias has none of its own
  ForeignMatrix scales = tensors_.matrix(name_of_scales);
  const auto count = std::ssize(scales.values);
  if (count != 1 && count != rows) tensors_.fail(name_of_scales, cat("has ", count, " values, expected 1 or ", rows));
  ForeignMatrix weight = zeros(rows, cols);
  for (float& scale : scales.values) {
    if (!(std::isfinite(scale) && scale > 0)) tensors_.fail(name_of_scales, cat("holds ", scale, ", expected above 0"));
  }
  for (std::size_t i = 0; i < weight.values.size(); ++i) {
    const float scale = scales.values[count == 1 ? 0 : i / static_cast<std::size_t>(cols)];
    const int value = int8 ? integer_at<std::int8_t>(entry, i) : integer_at<std::int16_t>(entry, i);
    weight.values[i] = static_cast<float>(value) / scale;
    if (int8) weight.int8.push_back(static_cast<std::int8_t>(value));
  }
  if (!int8) return weight;
  int8_ = true;
  weight.scaled = ForeignMatrix::Scales::kOfRows;
  for (Index row = 0; row < rows; ++row) {
    weight.scales.push_back(1 / scales.values[count == 1 ? 0 : static_cast<std::size_t>(row)]);
  }
  return weight;
}

ForeignMatrix Ctranslate2Weights::bias(const std::string& name, Index length) {
  return has(name) ? vector(name, length) : zeros(1, length);
}

void Ctranslate2Weights::expect_all_read() const {
  for (const TensorEntry* entry : tensors_.unread()) {
    if (says_nothing(entry->name)) continue;
    if (entry->shape.size() == 1 && scalar_of(*entry) == 0) continue;  // a feature that is off
    for (const UnreadFeature& unread : kUnreadFeatures) {
      if (entry->name.find(unread.part) == std::string::npos) continue;
      throw ModelFileError(cat(tensors_.where(), ": the model has ", unread.feature, ", which dhyan does not (",
                               quoted_name(entry->name), ")"));
    }
    tensors_.fail(entry->name, "dhyan does not know what it is for");
  }
}

}  // namespace dhyan
