#include "interop/parameter_file.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.h"
#include "interop/checksum.h"
#include "interop/safetensors_header.h"
#include "kernels/int8/int8_matrix.h"
#include "ops/prepack.h"

namespace dhyan {

namespace {

constexpr Index kLeastInt8Extent = 16;

// The largest file whose checksum is compared when it is loaded for inference. Cost in CPU time up to the first
// translation: 11 MB of floats 2 to 3 %, 15 MB of int8 3 to 5 %, 57 MB of either 4 to 8 %, 226 MB of floats 6 to 10 %.
constexpr std::size_t kMostCheckedAtStart = std::size_t{12} << 20;

std::string scales_of(const std::string& parameter) { return parameter + ".scales"; }
std::string activation_of(const std::string& parameter) { return parameter + ".activation"; }

bool is_int8(const TensorEntry& entry) { return entry.dtype == &file_dtype(Dtype::kInt8); }

// One scale for each output: they multiply columns of a weight and rows of a table.
Shape scales_shape(const Parameter& parameter) {
  return parameter.role == Role::kTable ? Shape{parameter.value.rows(), 1} : Shape{1, parameter.value.cols()};
}

// Whether int8 values can replace its floats.
bool may_be_int8(const Parameter& parameter) {
  const Shape& shape = parameter.value.shape();
  if (parameter.role == Role::kOther || shape.rank() != 2) return false;
  return shape[parameter.role == Role::kTable ? 1 : 0] <= kernels::kMaxInt8Inputs;
}

bool is_worth_int8(const Parameter& parameter) {
  const Shape& shape = parameter.value.shape();
  return may_be_int8(parameter) && std::min(shape[0], shape[1]) >= kLeastInt8Extent;
}

using Names = std::set<std::string, std::less<>>;

std::string some_of(const char* what, const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  if (names.empty()) return {};
  std::string text = cat("; ", names.size(), " ", what, ": ");
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) text += (i == 0 ? "" : ", ") + quoted_name(names[i]);
  return text + (names.size() > kShown ? ", ..." : "");
}

[[noreturn]] void refuse(const std::filesystem::path& path, std::string_view tensor, const std::string& what) {
  throw ModelFileError(cat(path.string(), ": tensor ", quoted_name(tensor), ": ", what));
}

void expect_names(const std::filesystem::path& path, const SafetensorsFile& file, const Names& expected) {
  std::vector<std::string> missing, unexpected;
  for (const std::string& name : expected) {
    if (file.find(name) == nullptr) missing.push_back(name);
  }
  for (const TensorEntry& entry : file.entries()) {
    if (!expected.contains(entry.name)) unexpected.push_back(entry.name);
  }
  if (missing.empty() && unexpected.empty()) return;
  throw ModelFileError(cat(path.string(), ": ", file.entries().size(), " tensors for ", expected.size(), " parameters",
                           some_of("missing", missing), some_of("unexpected", unexpected)));
}

void expect_tensor_shape(const std::filesystem::path& path, const TensorEntry& entry, const Shape& shape) {
  if (entry.shape != shape) refuse(path, entry.name, cat("shape is ", entry.shape, ", expected ", shape));
}

void expect_full_precision(const std::filesystem::path& path, const SafetensorsFile& file) {
  const bool int8 = std::ranges::any_of(file.entries(), [&](const TensorEntry& entry) {
    return is_int8(entry) && file.find(scales_of(entry.name)) != nullptr;
  });
  if (!int8) return;
  throw ModelFileError(
      cat(path.string(),
          ": its weights are int8, which cannot be averaged, exported or quantized again; use the model that they"
          " were made from"));
}

void expect_finite(const Parameter& parameter) {
  if (std::ranges::all_of(parameter.value.span(), [](Real x) { return std::isfinite(x); })) return;
  throw ModelFileError(
      cat("'", parameter.name, "' has weights that are NaN or infinite and cannot be quantized to int8"));
}

// An int8 parameter as the file has it, read before any parameter changes.
struct StoredInt8 {
  Parameter& parameter;
  kernels::Int8Weight weight;
  std::vector<float> scales;
};

StoredInt8 read_int8(const std::filesystem::path& path, const SafetensorsFile& file, Parameter& parameter) {
  const TensorEntry& entry = *file.find(parameter.name);
  if (!may_be_int8(parameter)) refuse(path, entry.name, "is int8, expected floating point");
  const TensorEntry& scales = *file.find(scales_of(parameter.name));
  expect_tensor_shape(path, scales, scales_shape(parameter));
  const Tensor read = file.read(scales);
  StoredInt8 stored{parameter,
                    {.values = reinterpret_cast<const std::int8_t*>(entry.bytes.data()),
                     .rows = entry.shape[0],
                     .cols = entry.shape[1],
                     .transposed = parameter.role == Role::kTable},
                    {read.span().begin(), read.span().end()}};
  for (const float scale : stored.scales) {
    if (!std::isfinite(scale) || scale < 0)
      refuse(path, scales.name, cat("holds ", scale, ", expected a finite scale of 0 or more"));
  }
  const TensorEntry* activation = file.find(activation_of(parameter.name));
  if (activation == nullptr) return stored;
  expect_tensor_shape(path, *activation, {1});
  stored.weight.activation = static_cast<float>(file.read(*activation).data()[0]);
  if (!std::isfinite(stored.weight.activation) || stored.weight.activation <= 0) {
    refuse(path, activation->name, cat("holds ", stored.weight.activation, ", expected a finite number above 0"));
  }
  return stored;
}

// The tensors beside an int8 parameter.
void add_beside(const SafetensorsFile& file, const std::string& parameter, Names& names) {
  names.insert(scales_of(parameter));
  if (file.find(activation_of(parameter)) != nullptr) names.insert(activation_of(parameter));
}

void dequantize(const StoredInt8& stored) {
  const kernels::Int8Weight& w = stored.weight;
  const std::span<Real> to = stored.parameter.value.span();
  for (Index i = 0; i < std::ssize(to); ++i) {
    const auto output = static_cast<std::size_t>(w.transposed ? i / w.cols : i % w.cols);
    to[static_cast<std::size_t>(i)] = static_cast<Real>(w.values[i]) * static_cast<Real>(stored.scales[output]);
  }
}

// The order of the parameters is about the order of their use.
void prepack_int8(std::vector<StoredInt8>& all) {
  Index quads = 0;
  for (const StoredInt8& stored : all) quads += kernels::Int8Matrix::panel_quads(stored.weight);
  const std::shared_ptr<std::int32_t[]> memory = kernels::panel_memory(quads);
  std::int32_t* next = memory.get();
  for (StoredInt8& stored : all) {
    stored.weight.scales = stored.scales;
    become_int8(stored.parameter,
                std::make_unique<kernels::Int8Matrix>(stored.weight, std::shared_ptr<std::int32_t[]>(memory, next)));
    next += kernels::Int8Matrix::panel_quads(stored.weight);
  }
}

}  // namespace

void expect_full_precision(const std::filesystem::path& path) { expect_full_precision(path, SafetensorsFile(path)); }

void save_parameters(const std::filesystem::path& path, const ParameterSet& parameters, const Metadata& metadata) {
  std::vector<NamedTensor> tensors;
  for (const Parameter& parameter : parameters) tensors.push_back({parameter.name, parameter.value});
  save_tensors(path, tensors, metadata);
}

void save_stored_int8_parameters(const std::filesystem::path& path, const ParameterSet& parameters,
                                 const std::map<std::string, Int8Values, std::less<>>& stored,
                                 const Metadata& metadata) {
  std::vector<TensorEntry> entries, int8;  // int8 tensors come last, so that wider types stay aligned
  for (const Parameter& parameter : parameters) {
    const auto found = stored.find(parameter.name);
    if (found == stored.end() || !may_be_int8(parameter)) {
      entries.push_back(entry_of(parameter.name, parameter.value));
      continue;
    }
    const Int8Values& now = found->second;
    int8.push_back(
        {parameter.name, &file_dtype(Dtype::kInt8), parameter.value.shape(), std::as_bytes(std::span(now.values))});
    entries.push_back({scales_of(parameter.name), find_file_dtype("F32"), scales_shape(parameter),
                       std::as_bytes(std::span(now.scales))});
    if (now.activation > 0) {
      entries.push_back(
          {activation_of(parameter.name), find_file_dtype("F32"), {1}, std::as_bytes(std::span(&now.activation, 1))});
    }
  }
  entries.insert(entries.end(), int8.begin(), int8.end());
  save_entries(path, entries, metadata);
}

void save_int8_parameters(const std::filesystem::path& path, const ParameterSet& parameters, const Metadata& metadata) {
  std::map<std::string, Int8Values, std::less<>> kept;
  for (const Parameter& parameter : parameters) {
    if (!is_worth_int8(parameter)) continue;
    expect_finite(parameter);
    const Matrix stored = parameter.value.matrix();
    const ConstMatrix w = parameter.role == Role::kTable ? stored.t() : ConstMatrix(stored);
    Int8Values& now = kept[parameter.name];
    now.values.resize(static_cast<std::size_t>(parameter.value.size()));
    now.scales.resize(static_cast<std::size_t>(w.n()));
    kernels::quantize(w, now.values, now.scales);
  }
  save_stored_int8_parameters(path, parameters, kept, metadata);
}

void load_parameters(const std::filesystem::path& path, ParameterSet& parameters) {
  const SafetensorsFile file(path);
  expect_intact(file);
  expect_full_precision(path, file);
  Names names;
  for (const Parameter& parameter : parameters) names.insert(parameter.name);
  expect_names(path, file, names);
  for (const Parameter& parameter : parameters) {
    const TensorEntry& entry = *file.find(parameter.name);
    expect_tensor_shape(path, entry, parameter.value.shape());
    file.expect_readable(entry);
  }
  for (Parameter& parameter : parameters) {
    if (parameter.value.dtype() != Dtype::kReal) parameter.value = Tensor::uninitialized(parameter.value.shape());
    file.read(*file.find(parameter.name), parameter.value.span());
    parameter.prepacked.reset();
  }
  file.expect_unchanged();
}

std::shared_ptr<const MappedFile> load_prepacked_parameters(const std::filesystem::path& path,
                                                            ParameterSet& parameters) {
  const SafetensorsFile file(path);
  if (file.data().size() <= kMostCheckedAtStart) expect_intact(file);
  const auto stored_as_int8 = [&](const Parameter& parameter) {
    const TensorEntry* entry = file.find(parameter.name);
    return entry != nullptr && is_int8(*entry);
  };
  Names names;
  for (const Parameter& parameter : parameters) {
    names.insert(parameter.name);
    if (stored_as_int8(parameter)) add_beside(file, parameter.name, names);
  }
  expect_names(path, file, names);
  std::vector<StoredInt8> int8;
  for (Parameter& parameter : parameters) {
    const TensorEntry& entry = *file.find(parameter.name);
    expect_tensor_shape(path, entry, parameter.value.shape());
    if (is_int8(entry)) {
      int8.push_back(read_int8(path, file, parameter));
    } else {
      file.expect_readable(entry);
    }
  }
  for (Parameter& parameter : parameters) {
    if (stored_as_int8(parameter)) continue;
    const TensorEntry& entry = *file.find(parameter.name);
    parameter.value = int8.empty()
                          ? file.share(entry)
                          : file.read(entry);  // the few floats of an int8 file are copied, so that it can be closed
  }
  prepack(parameters);
  prepack_int8(int8);
  file.expect_unchanged();
  return file.shared_file();
}

Matched load_matching_parameters(const std::filesystem::path& path, ParameterSet& parameters) {
  const SafetensorsFile file(path);
  expect_intact(file);
  std::vector<const Parameter*> floats;
  std::vector<StoredInt8> int8;
  Names taken;
  Matched result;
  for (Parameter& parameter : parameters) {
    const TensorEntry* entry = file.find(parameter.name);
    if (entry == nullptr || entry->shape != parameter.value.shape()) {
      result.other_parameters.push_back(parameter.name);
      continue;
    }
    taken.insert(parameter.name);
    if (is_int8(*entry) && file.find(scales_of(parameter.name)) != nullptr) {
      int8.push_back(read_int8(path, file, parameter));
      add_beside(file, parameter.name, taken);
    } else {
      file.expect_readable(*entry);
      floats.push_back(&parameter);
    }
  }
  if (taken.empty()) {
    throw ModelFileError(cat(path.string(), ": none of its ", file.entries().size(), " tensors fits one of the ",
                             parameters.count(), " parameters by name and shape"));
  }
  for (const TensorEntry& entry : file.entries()) {
    if (!taken.contains(entry.name)) result.other_tensors.push_back(entry.name);
  }
  for (const Parameter* parameter : floats) file.read(*file.find(parameter->name), parameter->value.span());
  for (const StoredInt8& stored : int8) dequantize(stored);
  result.dequantized = int8.size();
  file.expect_unchanged();
  return result;
}

}  // namespace dhyan
