#include "importing/foreign_tensors.h"

#include <algorithm>

#include "core/error.h"
#include "interop/safetensors_header.h"

namespace dhyan {

namespace {

template <class T>
std::vector<T> transpose_of(const std::vector<T>& values, Index rows, Index cols) {
  std::vector<T> result(values.size());
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      result[static_cast<std::size_t>(j * rows + i)] = values[static_cast<std::size_t>(i * cols + j)];
    }
  }
  return result;
}

template <class T>
std::vector<T> rows_of(const std::vector<T>& values, Index cols, std::span<const Index> places) {
  const auto width = static_cast<std::size_t>(cols);
  std::vector<T> result(places.size() * width);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] < 0) continue;
    const auto from = values.begin() + places[i] * cols;
    std::copy(from, from + cols, result.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
  return result;
}

}  // namespace

ForeignMatrix zeros(Index rows, Index cols) {
  return {rows, cols, std::vector<float>(static_cast<std::size_t>(rows * cols))};
}

ForeignMatrix ForeignMatrix::transposed() const {
  ForeignMatrix result{cols, rows, transpose_of(values, rows, cols)};
  if (int8.empty()) return result;
  result.int8 = transpose_of(int8, rows, cols);
  result.scales = scales;
  result.activation = activation;
  result.scaled = scaled == Scales::kOfRows ? Scales::kOfColumns : Scales::kOfRows;
  return result;
}

ForeignMatrix ForeignMatrix::row_range(Index begin, Index end) const {
  std::vector<Index> places;
  for (Index i = begin; i < end; ++i) places.push_back(i);
  return gathered(places);
}

ForeignMatrix ForeignMatrix::gathered(std::span<const Index> places) const {
  const Index last = places.empty() ? -1 : std::ranges::max(places);
  if (last >= rows) throw ModelFileError(cat("import: a table has ", rows, " rows, expected more than ", last));
  ForeignMatrix result{std::ssize(places), cols, rows_of(values, cols, places)};
  if (int8.empty()) return result;
  result.int8 = rows_of(int8, cols, places);
  result.scaled = scaled;
  result.activation = activation;
  result.scales = scaled == Scales::kOfRows ? rows_of(scales, 1, places) : scales;
  return result;
}

namespace {

// A table is stored by rows that are outputs, a weight [I,O] transposed: both have a scale for each output.
ForeignMatrix dequantized(const TensorEntry& entry, const ForeignTensors::Quantized& of) {
  const Index first = entry.shape.rows(), last = entry.shape.cols();
  const Index rows = of.transposed ? last : first, cols = of.transposed ? first : last;
  ForeignMatrix stored = zeros(rows, cols);
  for (std::size_t i = 0; i < stored.values.size(); ++i) {
    const auto value = static_cast<std::int8_t>(entry.bytes[i]);
    stored.int8.push_back(value);
    stored.values[i] = static_cast<float>(value) / of.values_per_one;
  }
  stored.scaled = ForeignMatrix::Scales::kOfRows;
  stored.scales.assign(static_cast<std::size_t>(rows), 1 / of.values_per_one);
  stored.activation = of.activation;
  return of.transposed ? stored.transposed() : stored;
}

}  // namespace

ForeignTensors::ForeignTensors(std::string where, std::vector<TensorEntry> entries, Aliases aliases,
                               QuantizedMatrices quantized)
    : where_(std::move(where)),
      entries_(std::move(entries)),
      aliases_(std::move(aliases)),
      quantized_(std::move(quantized)) {
  for (std::size_t i = 0; i < entries_.size(); ++i) places_.emplace(entries_[i].name, i);
}

const TensorEntry* ForeignTensors::find(std::string_view name) const {
  const auto alias = aliases_.find(name);
  const auto found = places_.find(alias == aliases_.end() ? name : std::string_view(alias->second));
  return found == places_.end() ? nullptr : &entries_[found->second];
}

bool ForeignTensors::are_one(std::string_view a, std::string_view b) const {
  const TensorEntry *first = find(a), *second = find(b);
  if (first == nullptr || second == nullptr) return false;
  if (first == second) return true;
  return first->shape == second->shape && first->dtype == second->dtype &&
         std::ranges::equal(first->bytes, second->bytes);
}

void ForeignTensors::fail(std::string_view name, const std::string& what) const {
  throw ModelFileError(cat(where_, ": tensor ", quoted_name(name), ": ", what));
}

const TensorEntry& ForeignTensors::take(std::string_view name) {
  const TensorEntry* entry = find(name);
  if (entry == nullptr) fail(name, "is missing");
  read_.insert(entry);
  return *entry;
}

ForeignMatrix ForeignTensors::matrix(std::string_view name) {
  const TensorEntry& entry = take(name);
  if (const auto found = quantized_.find(entry.name); found != quantized_.end())
    return dequantized(entry, found->second);
  if (entry.dtype->to_real == nullptr) fail(name, cat("dtype is ", entry.dtype->name, ", expected floating point"));
  const Index cols = entry.shape.cols(), rows = entry.shape.rows();
  int long_axes = 0;
  for (int axis = 0; axis + 1 < entry.shape.rank(); ++axis) long_axes += entry.shape[axis] != 1 ? 1 : 0;
  if (long_axes > 1) fail(name, cat("shape is ", entry.shape, ", expected a matrix or a vector"));
  ForeignMatrix result{rows, cols, std::vector<float>(static_cast<std::size_t>(rows * cols))};
  const Tensor numbers = Tensor::uninitialized({rows, cols});
  entry.dtype->to_real(entry.bytes.data(), numbers.data(), numbers.size());
  std::ranges::transform(numbers.span(), result.values.begin(), [](Real x) { return static_cast<float>(x); });
  return result;
}

ForeignMatrix ForeignTensors::vector(std::string_view name, Index length) {
  ForeignMatrix result = matrix(name);
  if (result.rows * result.cols != length) {
    fail(name, cat("has ", result.rows * result.cols, " values, expected ", length));
  }
  return {1, length, std::move(result.values)};
}

std::vector<const TensorEntry*> ForeignTensors::unread() const {
  std::vector<const TensorEntry*> rest;
  for (const TensorEntry& entry : entries_) {
    if (!read_.contains(&entry)) rest.push_back(&entry);
  }
  return rest;
}

}  // namespace dhyan
