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

// A weight of 8-bit values, as stored: [I,O] with a scale for each column or, read transposed, [O,I] with one for each
// row. A number stands for itself times the scale of its output.
struct Int8Weight {
  const std::int8_t* values = nullptr;
  Index rows = 0, cols = 0;
  bool transposed = false;
  std::span<const float> scales = {};  // [O]

  Index inner() const { return transposed ? cols : rows; }
  Index outputs() const { return transposed ? rows : cols; }
};

inline constexpr Index kMostInt8Inputs = 65536;  // of an output: 255 * 128 times as many is the most 32 bits sum up to

// The largest number of an output becomes 127. `values` gets those of w as stored, `scales` one for each output.
void quantize(ConstMatrix w, std::span<std::int8_t> values, std::span<float> scales);

// Rows of 8-bit values, each in steps of its own; they serve products with several weights.
struct QuantizedRows {
  const std::uint8_t* values;  // shifted by 128, in the order of the product's tiles
  const float* scales;         // [M]
  Index rows, inner;
};

// Rounded to 255 steps each, in memory of so many bytes.
Index quantized_bytes(ConstMatrix x);
QuantizedRows quantize_rows(ConstMatrix x, std::uint8_t* memory);

// Memory for the panels of weights, aligned for vectors. Those that are used together had better lie side by side: few
// fill a huge page alone, and of small ones a model has more than the processor knows the addresses of.
std::shared_ptr<std::int32_t[]> panel_memory(Index quads);

// Products of 8-bit values, summed exactly in 32 bits: rows of x are rounded as they come. The same
// bytes on any machine, with instructions for it (VNNI) or without.
class Int8Matrix final : public PackedOperand {
 public:
  explicit Int8Matrix(const Int8Weight& w);
  Int8Matrix(const Int8Weight& w, std::shared_ptr<std::int32_t[]> panels);  // into memory of panel_quads(w)

  static Index panel_quads(const Int8Weight& w);

  Index outputs() const { return outputs_; }
  const std::shared_ptr<std::int32_t[]>& panels() const { return panels_; }

  void multiply_partition(ConstMatrix x, std::span<const Real> bias, Matrix y,
                          const ColumnPartition& partition) const override;
  void multiply_partition(const QuantizedRows& x, std::span<const Real> bias, Matrix y,
                          const ColumnPartition& partition) const;  // of I values

  // The same of some columns alone, whole panels as a partition has them: y [M,n].
  ColumnRange columns_of_partition(const ColumnPartition& partition) const;
  void multiply_columns(const QuantizedRows& x, std::span<const Real> bias, const ColumnRange& some, Matrix y) const;

  // Of the partition's columns alone, the k largest of each row, as top_k_rows gives them: [M,k]. What is no number is
  // passed over; where fewer than k are above -inf, -1 stands for a column. Nothing else is written.
  void top_k_partition(const QuantizedRows& x, std::span<const Real> bias, std::span<Ranked> best,
                       const ColumnPartition& partition) const;

  // What the 8 bits of these columns stand for, as rows.
  void columns(std::span<const RowId> ids, Matrix y) const;  // [n,I]

 private:
  Int8Operands operands(const QuantizedRows& x, std::span<const Real> bias, Index first_column) const;

  Index inner_, outputs_;
  std::shared_ptr<std::int32_t[]> panels_;
  std::vector<float> scales_;         // [O], and zeros up to whole panels
  std::vector<std::int32_t> starts_;  // [O] of sums, likewise
};

// y = x W + b on this thread and on intra_op, if there are any and it is worth their while.
void multiply_partitioned(const Int8Matrix& w, const QuantizedRows& x, std::span<const Real> bias, Matrix y,
                          IntraOpThreads* intra_op);

}  // namespace dhyan::kernels
