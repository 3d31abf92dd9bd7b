#include <algorithm>
#include <cmath>
#include <optional>

#include "backbones/efficientnet_lite0.h"
#include "core/error.h"
#include "interop/safetensors.h"

namespace dhyan {

namespace {

constexpr Real kBatchNormEpsilon = static_cast<Real>(1e-3);

// The tensors of a batch norm, all [O].
struct BatchNorm {
  const TensorEntry *gamma, *beta, *mean, *variance;
};

struct TensorOf {
  Parameter* parameter;
  const TensorEntry* entry;  // null for a bias that is only in the norm
  std::optional<BatchNorm> norm;
};

struct LayerInFile {
  std::string convolution, norm;
};

// "stem.weight" -> "_conv_stem", "_bn0"; "blocks.3.expand.bias" -> "_blocks.3._expand_conv", "_blocks.3._bn0"
LayerInFile layer_in_file(const std::string& name) {
  if (name.starts_with("stem")) return {"_conv_stem", "_bn0"};
  const std::size_t layer = name.find('.', name.find('.') + 1) + 1;
  const std::string block = cat("_", name.substr(0, layer)), part = name.substr(layer, name.find('.', layer) - layer);
  const char* norm = part == "expand" ? "_bn0" : part == "depthwise" ? "_bn1" : "_bn2";
  return {cat(block, "_", part, "_conv"), block + norm};
}

// PyTorch's shape of a parameter: [O], or [O,I,kernel,kernel] for ours of [kernel*kernel*I,O]. A depthwise convolution
// has I = 1, the others of the blocks a kernel of 1.
Shape shape_in_file(const std::string& name, const Shape& shape) {
  if (shape.rank() == 1) return shape;
  Index kernel = 1;
  if (name.starts_with("stem")) kernel = 3;
  if (name.find(".depthwise.") != std::string::npos) {
    while (kernel * kernel < shape[0]) ++kernel;
  }
  return {shape[1], shape[0] / (kernel * kernel), kernel, kernel};
}

const TensorEntry* find_entry(const SafetensorsFile& file, const std::string& tensor, const Shape& expected) {
  const TensorEntry* entry = file.find(tensor);
  if (entry == nullptr) throw ModelFileError(cat(file.name(), ": has no tensor '", tensor, "' of EfficientNet-Lite0"));
  if (entry->shape != expected) {
    throw ModelFileError(cat(file.name(), ": tensor '", tensor, "' is ", entry->shape, ", expected ", expected));
  }
  file.expect_readable(*entry);
  return entry;
}

std::optional<BatchNorm> find_norm(const SafetensorsFile& file, const std::string& norm, Index channels) {
  if (file.find(norm + ".running_mean") == nullptr) return std::nullopt;
  const auto find = [&](const char* tensor) { return find_entry(file, norm + tensor, {channels}); };
  return BatchNorm{find(".weight"), find(".bias"), find(".running_mean"), find(".running_var")};
}

TensorOf find_tensor(const SafetensorsFile& file, Parameter& parameter, const std::string& name) {
  const Shape shape = shape_in_file(name, parameter.value.shape());
  const LayerInFile layer = layer_in_file(name);
  const std::optional<BatchNorm> norm = find_norm(file, layer.norm, shape[0]);
  const std::string tensor = layer.convolution + name.substr(name.rfind('.'));
  const bool only_in_norm = norm && shape.rank() == 1 && file.find(tensor) == nullptr;
  return {&parameter, only_in_norm ? nullptr : find_entry(file, tensor, shape), norm};
}

// gamma / sqrt(variance + epsilon)  [O]
Tensor scale_of(const SafetensorsFile& file, const BatchNorm& norm) {
  const Tensor scale = file.read(*norm.gamma), variance = file.read(*norm.variance);
  for (Index o = 0; o < scale.size(); ++o) {
    const Real value = variance.data()[o];
    if (!(value >= 0)) {
      throw ModelFileError(cat(file.name(), ": tensor '", norm.variance->name, "' has ", value, " at ", o,
                               ", expected a variance of 0 or more"));
    }
    scale.data()[o] /= std::sqrt(value + kBatchNormEpsilon);
  }
  return scale;
}

// The value of a parameter in the file's layout, batch norm [ioffe2015] folded into the convolution before it: with
// s = gamma / sqrt(variance + epsilon), gamma (w x + b - mean) / sqrt(..) + beta = (s w) x + s (b - mean) + beta.
Tensor read_folded(const SafetensorsFile& file, const TensorOf& from) {
  if (!from.norm) return file.read(*from.entry);
  const Tensor scale = scale_of(file, *from.norm);  // [O]
  const Index O = scale.size();
  const Tensor value = from.entry ? file.read(*from.entry) : Tensor::zeros({O});  // [O,I,kernel,kernel], or [O]
  const Index filter = value.size() / O;
  for (Index i = 0; i < value.size(); ++i) value.data()[i] *= scale.data()[i / filter];
  if (value.shape().rank() > 1) return value;
  const Tensor mean = file.read(*from.norm->mean), beta = file.read(*from.norm->beta);  // [O]
  for (Index o = 0; o < O; ++o) value.data()[o] += beta.data()[o] - scale.data()[o] * mean.data()[o];
  return value;
}

// [O,I,kernel,kernel] -> [kernel*kernel*I,O]
void copy_filters(const Tensor& from, const Tensor& to) {
  const Index O = from.shape()[0], I = from.shape()[1], taps = from.shape()[2] * from.shape()[3];
  for (Index o = 0; o < O; ++o) {
    for (Index i = 0; i < I; ++i) {
      for (Index t = 0; t < taps; ++t) to.data()[(t * I + i) * O + o] = from.data()[(o * I + i) * taps + t];
    }
  }
}

}  // namespace

void load_efficientnet_lite0(const std::filesystem::path& path, ParameterSet& parameters, const std::string& name) {
  const SafetensorsFile file(path);
  const std::string prefix = name + ".";
  std::vector<TensorOf> found;
  for (Parameter& parameter : parameters) {
    if (parameter.name.starts_with(prefix))
      found.push_back(find_tensor(file, parameter, parameter.name.substr(prefix.size())));
  }
  if (found.empty()) throw UsageError(cat("efficientnet-lite0: no parameters of a network named '", name, "'"));
  std::vector<Tensor> values;
  for (const TensorOf& one : found) values.push_back(read_folded(file, one));
  file.expect_unchanged();
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Tensor& to = found[i].parameter->value;
    if (to.shape().rank() == 1) {
      std::ranges::copy(values[i].span(), to.data());
    } else {
      copy_filters(values[i], to);
    }
    found[i].parameter->prepacked = nullptr;
  }
}

}  // namespace dhyan
