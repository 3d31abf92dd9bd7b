#pragma once

#include <array>
#include <initializer_list>
#include <span>

#include "autograd/tape.h"
#include "core/segments.h"

namespace dhyan {

// A tensor is its matrix view here: the last axis is the columns, all the others together are the rows.

// Windows: value and gradient share the storage of x.
Var slice_rows(const Var& x, Index begin, Index end);  // [M,H] -> [end-begin,H]
Var reshape(const Var& x, const Shape& shape);         // as many elements as x has

// Copies of columns.
Var slice_cols(const Var& x, Index begin, Index end);  // [..,H] -> [..,end-begin]
Var concat_cols(std::span<const Var> parts);           // [..,H_k] of equally many rows -> [..,sum H_k]
Var concat_cols(std::initializer_list<Var> parts);

// Throws ShapeError unless the columns can be split into `parts` equal parts.
void expect_equal_parts(const Shape& x, std::size_t parts);

// [..,N H] -> N times [..,H]
template <std::size_t N>
std::array<Var, N> split_cols(const Var& x) {
  expect_equal_parts(x.shape(), N);
  const Index width = x.cols() / static_cast<Index>(N);
  std::array<Var, N> parts;
  for (std::size_t k = 0; k < N; ++k) {
    const Index begin = static_cast<Index>(k) * width;
    parts[k] = slice_cols(x, begin, begin + width);  // [..,H]
  }
  return parts;
}

// Copies of rows.
Var concat_rows(std::span<const Var> parts);  // [M_k,H] -> [sum M_k,H]
Var concat_rows(std::initializer_list<Var> parts);
Var gather_rows(const Var& x, std::span<const RowId> ids);               // [M,H] -> [n,H]: y_i = x_{id_i}
Var scatter_rows(const Var& x, std::span<const RowId> ids, Index rows);  // [n,H] -> [rows,H]: y_{id_i} = x_i, else 0

// Between token rows [R,H] and one row per sentence [B,H].
Var first_rows(const Var& x, const Segments& segments);   // [R,H] -> [B,H]; an empty sentence gives zeros
Var last_rows(const Var& x, const Segments& segments);    // [R,H] -> [B,H]; an empty sentence gives zeros
Var repeat_rows(const Var& x, const Segments& segments);  // [B,H] -> [R,H]; for each row that of its sentence

}  // namespace dhyan
