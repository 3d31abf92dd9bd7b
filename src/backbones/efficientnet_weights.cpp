#include <algorithm>

#include "backbones/efficientnet_lite0.h"
#include "core/error.h"
#include "interop/safetensors.h"

namespace dhyan {

namespace {

struct TensorOf {
  Parameter* parameter;
  const TensorEntry* entry;
};

// "stem.weight" -> "_conv_stem.weight", "blocks.3.expand.bias" -> "_blocks.3._expand_conv.bias"
std::string name_in_file(const std::string& name) {
  if (name.starts_with("stem")) return "_conv_" + name;
  const std::size_t layer = name.find('.', name.find('.') + 1) + 1, part = name.find('.', layer);
  return cat("_", name.substr(0, layer), "_", name.substr(layer, part - layer), "_conv", name.substr(part));
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

TensorOf find_tensor(const SafetensorsFile& file, Parameter& parameter, const std::string& name) {
  const std::string tensor = name_in_file(name);
  const TensorEntry* entry = file.find(tensor);
  if (entry == nullptr) throw ModelFileError(cat(file.name(), ": has no tensor '", tensor, "' of EfficientNet-Lite0"));
  const Shape expected = shape_in_file(name, parameter.value.shape());
  if (entry->shape != expected) {
    throw ModelFileError(cat(file.name(), ": tensor '", tensor, "' is ", entry->shape, ", expected ", expected));
  }
  file.expect_readable(*entry);
  return {&parameter, entry};
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
  for (const TensorOf& one : found) values.push_back(file.read(*one.entry));
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
