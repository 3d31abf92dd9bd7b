#include "importing/marian_int8.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "interop/safetensors_header.h"

namespace dhyan {

namespace {

constexpr std::string_view kMultiplier = "_QuantMultA", kTable = "Wemb", kOutputLayer = "none";

using Multipliers = std::map<std::string, float, std::less<>>;  // of activations, by the name of the matrix

// Marian has quantized the multiplier of a table too: 1 value and its factor.
float multiplier_in(const std::string& where, const TensorEntry& entry, const float* values_per_one) {
  float multiplier = 0;
  if (entry.shape.size() == 1 && values_per_one != nullptr) {
    multiplier = static_cast<float>(static_cast<std::int8_t>(entry.bytes[0])) / *values_per_one;
  } else if (entry.shape.size() == 1 && entry.dtype == find_file_dtype("F32")) {
    std::memcpy(&multiplier, entry.bytes.data(), sizeof(multiplier));
  }
  if (std::isfinite(multiplier) && multiplier > 0) return multiplier;
  throw ModelFileError(
      cat(where, ": tensor ", quoted_name(entry.name), ": is ", multiplier, ", expected a number above 0"));
}

}  // namespace

ForeignTensors tensors_of_marian_bin(const std::string& where, MarianBinFile file) {
  std::map<std::string, float, std::less<>> factors;
  for (const MarianBinFile::Factor& factor : file.factors) factors.emplace(factor.name, factor.values_per_one);
  Multipliers multipliers;
  for (const TensorEntry& entry : file.tensors) {
    if (!entry.name.ends_with(kMultiplier) || entry.shape.size() == 0) continue;  // an empty one stands for none
    const auto factor = factors.find(entry.name);
    multipliers.emplace(entry.name.substr(0, entry.name.size() - kMultiplier.size()),
                        multiplier_in(where, entry, factor == factors.end() ? nullptr : &factor->second));
  }
  std::erase_if(file.tensors, [](const TensorEntry& entry) { return entry.name.ends_with(kMultiplier); });
  ForeignTensors::QuantizedMatrices quantized;
  for (const TensorEntry& entry : file.tensors) {
    const auto factor = factors.find(entry.name);
    if (factor == factors.end()) continue;
    const bool table = entry.name.find(kTable) != std::string::npos;
    auto multiplier = table ? multipliers.find(kOutputLayer) : multipliers.end();
    if (multiplier == multipliers.end()) multiplier = multipliers.find(entry.name);
    quantized[entry.name] = {.values_per_one = factor->second,
                             .transposed = !table,
                             .activation = multiplier == multipliers.end() ? 0 : multiplier->second};
  }
  return ForeignTensors(where, std::move(file.tensors), {}, std::move(quantized));
}

}  // namespace dhyan
