#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interop/safetensors.h"

namespace dhyan {

// A weight of another toolkit as a matrix; a vector is one row. A quantized one also keeps its int8 values, which are
// floats times the scale of their row or column.
struct ForeignMatrix {
  enum class Scales { kNone, kOfRows, kOfColumns };

  Index rows = 0, cols = 0;
  std::vector<float> values;           // [rows,cols]
  std::vector<std::int8_t> int8 = {};  // the same, quantized; or none
  std::vector<float> scales = {};
  Scales scaled = Scales::kNone;
  float activation = 0;  // multiplier of what it is multiplied with, where the file has one

  ForeignMatrix transposed() const;
  ForeignMatrix row_range(Index begin, Index end) const;

  // Rows by their places; a negative one gives zeros. ModelFileError if there is no such row.
  ForeignMatrix gathered(std::span<const Index> places) const;
};

ForeignMatrix zeros(Index rows, Index cols);

// The tensors of a file by name, and which of them were read: a tensor that is not read would be lost.
class ForeignTensors {
 public:
  using Aliases = std::map<std::string, std::string, std::less<>>;

  // Matrices of int8 values that are the weights times one number.
  struct Quantized {
    float values_per_one = 1;
    bool transposed = false;  // [I,O] is stored as [O,I]
    float activation = 0;     // as in ForeignMatrix
  };
  using QuantizedMatrices = std::map<std::string, Quantized, std::less<>>;

  ForeignTensors(std::string where, std::vector<TensorEntry> entries, Aliases aliases = {},
                 QuantizedMatrices quantized = {});

  const std::string& where() const { return where_; }
  bool has(std::string_view name) const { return find(name) != nullptr; }
  bool are_one(std::string_view a, std::string_view b) const;  // the same tensor by two names, or equal bytes

  // ModelFileError if it is missing; marks it as read.
  const TensorEntry& take(std::string_view name);

  // In floating point, of rank 0 to 2; other extents of 1 are dropped.
  ForeignMatrix matrix(std::string_view name);
  ForeignMatrix vector(std::string_view name, Index length);  // [1,length]

  std::vector<const TensorEntry*> unread() const;
  [[noreturn]] void fail(std::string_view name, const std::string& what) const;

 private:
  const TensorEntry* find(std::string_view name) const;

  std::string where_;
  std::vector<TensorEntry> entries_;
  Aliases aliases_;
  QuantizedMatrices quantized_;
  std::map<std::string, std::size_t, std::less<>> places_;
  std::set<const TensorEntry*> read_;
};

}  // namespace dhyan
