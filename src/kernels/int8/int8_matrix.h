#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/gemm/packed_weight.h"
#include "kernels/rows/top_k.h"

namespace dhyan::kernels {

struct ColumnRange;
struct Int8Operands;

// An int8 weight as stored: [I,O] with a scale per column or, transposed, [O,I] with a scale per row. A weight is its
// int8 value times the scale of its output.
struct Int8Weight {
  const std::int8_t* values = nullptr;
  Index rows = 0, cols = 0;
  bool transposed = false;
  std::span<const float> scales = {};  // [O]
  float activation = 0;                // multiplier of activations; 0: by the largest of each row

  Index inner() const { return transposed ? cols : rows; }
  Index outputs() const { return transposed ? rows : cols; }
};

inline constexpr Index kMaxInt8Inputs = 65536;  // 65536 * 255 * 128 is the largest sum that fits 32 bits

// Quantizes w to int8, symmetrically with one scale per output; `values` has the layout of w as stored.
void quantize(ConstMatrix w, std::span<std::int8_t> values, std::span<float> scales);

// Quantized activations, one scale per row; reusable for several weights.
struct QuantizedRows {
  const std::uint8_t* values;  // plus 128, in the layout of Int8Operands::x
  const float* scales;         // [M]
  Index rows, inner;
  float activation;  // as passed to quantize_rows()
};

// Quantizes rows of activations into memory of quantized_bytes(x). An activation of 0 is dynamic quantization: the
// largest value of each row becomes 127. Above 0 it is static: values times it, at most 127 ([bogoychev2020]).
Index quantized_bytes(ConstMatrix x);
QuantizedRows quantize_rows(ConstMatrix x, std::uint8_t* memory, float activation = 0);

// Vector-aligned memory for packed panels. Weights that are used together should share one allocation: few fill a huge
// page alone, and a model's small pages exceed the TLB.
std::shared_ptr<std::int32_t[]> panel_memory(Index quads);

// A prepacked int8 weight. Quantizes the rows of x on the fly, dynamically unless the weight says otherwise, and sums
// exactly in 32 bits: the same bytes on any machine, by AMX, VNNI or neither.
class Int8Matrix final : public PackedOperand {
 public:
  explicit Int8Matrix(const Int8Weight& w);
  Int8Matrix(const Int8Weight& w, std::shared_ptr<std::int32_t[]> panels);  // of panel_quads(w)

  static Index panel_quads(const Int8Weight& w);

  Index inner() const { return inner_; }
  Index outputs() const { return outputs_; }
  float activation() const { return activation_; }
  const std::shared_ptr<std::int32_t[]>& panels() const { return panels_; }
  std::span<const float> scales() const { return scales_; }                     // [O] and padding
  std::span<const std::int32_t> compensation() const { return compensation_; }  // [O] and padding

  // The values output by output, in quads, each output's padded to cache lines.
  void unpack(std::int32_t* to) const;  // [O,quads_of(I)]

  void multiply_partition(ConstMatrix x, std::span<const Real> bias, Matrix y,
                          const ColumnPartition& partition) const override;
  void multiply_partition(const QuantizedRows& x, std::span<const Real> bias, Matrix y,
                          const ColumnPartition& partition) const;  // x of I values

  // The same for some columns only, whole panels: y [M,n].
  ColumnRange columns_of_partition(const ColumnPartition& partition) const;
  void multiply_columns(const QuantizedRows& x, std::span<const Real> bias, const ColumnRange& range, Matrix y) const;

  // The k largest of each row among the partition's columns, as top_k_rows gives them: [M,k]. Ignores NaN; if fewer
  // than k values are above -inf, the rest have column -1.
  void top_k_partition(const QuantizedRows& x, std::span<const Real> bias, std::span<Ranked> top,
                       const ColumnPartition& partition) const;

  // These columns, dequantized, as rows.
  void columns(std::span<const RowId> ids, Matrix y) const;  // [n,I]

 private:
  Int8Operands operands(const QuantizedRows& x, std::span<const Real> bias, Index first_column) const;

  Index inner_, outputs_;
  float activation_;
  std::shared_ptr<std::int32_t[]> panels_;
  std::vector<float> scales_;               // [O], padded with zeros to whole panels
  std::vector<std::int32_t> compensation_;  // [O], likewise
};

// y = x W + b on this thread and, if it pays off, on idle intra-op threads.
void multiply_partitioned(const Int8Matrix& w, const QuantizedRows& x, std::span<const Real> bias, Matrix y,
                          IntraOpThreads* intra_op);

}  // namespace dhyan::kernels
