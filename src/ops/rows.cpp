#include "ops/rows.h"

#include <algorithm>

#include "core/error.h"
#include "kernels/rows/rows.h"
#include "kernels/rows/segments.h"
#include "ops/arena_copy.h"
#include "ops/expect_real.h"
#include "ops/ragged.h"

namespace dhyan {

namespace {

Matrix columns(const Tensor& x, Index begin, Index width) { return {x.data() + begin, x.rows(), width, x.cols()}; }

void expect_range(const char* op, const Var& x, Index begin, Index end, Index limit) {
  if (begin >= 0 && begin <= end && end <= limit) return;
  throw ShapeError(cat(op, ": ", begin, "..", end, " of x ", x.shape(), ", expected a range within 0..", limit));
}

void expect_ids(const char* op, std::span<const RowId> ids, Index rows) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= 0 && ids[i] < rows) continue;
    throw ShapeError(cat(op, ": id ", ids[i], " at position ", i, ", expected 0 <= id < ", rows));
  }
}

void expect_distinct(const char* op, Arena& arena, std::span<const RowId> ids, Index rows) {
  const std::span<bool> seen = arena_span<bool>(arena, static_cast<std::size_t>(rows));
  std::ranges::fill(seen, false);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    bool& taken = seen[static_cast<std::size_t>(ids[i])];
    if (taken) throw ShapeError(cat(op, ": id ", ids[i], " at position ", i, " came before, expected distinct ids"));
    taken = true;
  }
}

void expect_parts(const char* op, std::span<const Var> parts) {
  if (parts.empty()) throw ShapeError(cat(op, ": 0 parts, expected at least 1"));
  for (const Var& part : parts) expect_real(op, part);
}

// y_i = x_{id_i}, zero for a negative id;   dx_{id_i} += dy_i. The arena owns the ids.
Var gather(const Var& x, std::span<const RowId> ids) {
  const Tensor y = x.scope().tensor({std::ssize(ids), x.cols()});  // [n,H]
  kernels::gather_rows(x.value().matrix(), ids, y.matrix());
  return record(y, {x}, [x, ids](const Var& result) {
    kernels::scatter_rows_add(result.grad().matrix(), ids, x.grad().matrix());
  });
}

// y_b = x_{row(b)}, zero for an empty sentence
template <class Row>
Var one_per_sentence(const char* op, const Var& x, const Segments& segments, const Row& row) {
  expect_real(op, x);
  expect_rows(op, x, segments);
  const std::span<RowId> ids = arena_span<RowId>(x.scope().arena(), static_cast<std::size_t>(segments.count()));
  for (Index b = 0; b < segments.count(); ++b) {
    ids[static_cast<std::size_t>(b)] = segments.length(b) == 0 ? -1 : static_cast<RowId>(row(b));
  }
  return gather(x, ids);  // [B,H]
}

}  // namespace

Var slice_rows(const Var& x, Index begin, Index end) {
  expect_real("slice_rows", x);
  expect_range("slice_rows", x, begin, end, x.rows());
  return alias(x, x.value().row_range(begin, end));  // [end-begin,H]
}

Var reshape(const Var& x, const Shape& shape) {
  expect_real("reshape", x);
  if (shape.size() != x.value().size()) {
    throw ShapeError(
        cat("reshape: x is ", x.shape(), " of ", x.value().size(), " elements, ", shape, " has ", shape.size()));
  }
  return alias(x, x.value().reshaped(shape));  // shape
}

// y_ij = x_{i, begin + j};   dx_{i, begin + j} += dy_ij
Var slice_cols(const Var& x, Index begin, Index end) {
  expect_real("slice_cols", x);
  expect_range("slice_cols", x, begin, end, x.cols());
  const Tensor y = x.scope().tensor(x.shape().with_cols(end - begin));  // [..,end-begin]
  kernels::copy_rows(columns(x.value(), begin, end - begin), y.matrix());
  return record(y, {x}, [x, begin](const Var& result) {
    kernels::add_rows(result.grad().matrix(), columns(x.grad(), begin, result.cols()));
  });
}

// y = [x_1, x_2, ..] side by side;   dx_k += its columns of dy
Var concat_cols(std::span<const Var> parts) {
  expect_parts("concat_cols", parts);
  const Var& first = parts.front();
  Index width = 0;
  for (const Var& part : parts) {
    if (part.rows() != first.rows()) {
      throw ShapeError(cat("concat_cols: rows differ: a part is ", part.shape(), ", the first is ", first.shape()));
    }
    width += part.cols();
  }
  const Tensor y = first.scope().tensor(first.shape().with_cols(width));  // [..,sum H_k]
  Index begin = 0;
  for (const Var& part : parts) {
    kernels::copy_rows(part.value().matrix(), columns(y, begin, part.cols()));
    begin += part.cols();
  }
  return record(y, parts, [kept = copy_to_arena(first.scope().arena(), parts)](const Var& result) {
    Index from = 0;
    for (const Var& part : kept) {
      if (part.needs_grad()) kernels::add_rows(columns(result.grad(), from, part.cols()), part.grad().matrix());
      from += part.cols();
    }
  });
}

Var concat_cols(std::initializer_list<Var> parts) { return concat_cols(std::span(parts.begin(), parts.size())); }

void expect_equal_parts(const Shape& x, std::size_t parts) {
  if (parts > 0 && x.cols() % static_cast<Index>(parts) == 0) return;
  throw ShapeError(cat("split_cols: x is ", x, ", expected columns in ", parts, " equal parts"));
}

// y = [x_1; x_2; ..] below each other;   dx_k += its rows of dy
Var concat_rows(std::span<const Var> parts) {
  expect_parts("concat_rows", parts);
  const Var& first = parts.front();
  Index rows = 0;
  for (const Var& part : parts) {
    if (part.cols() != first.cols()) {
      throw ShapeError(cat("concat_rows: columns differ: a part is ", part.shape(), ", the first is ", first.shape()));
    }
    rows += part.rows();
  }
  const Tensor y = first.scope().tensor({rows, first.cols()});  // [sum M_k,H]
  Index begin = 0;
  for (const Var& part : parts) {
    kernels::copy_rows(part.value().matrix(), y.row_range(begin, begin + part.rows()).matrix());
    begin += part.rows();
  }
  return record(y, parts, [kept = copy_to_arena(first.scope().arena(), parts)](const Var& result) {
    Index from = 0;
    for (const Var& part : kept) {
      const Tensor dy = result.grad().row_range(from, from + part.rows());  // [M_k,H]
      if (part.needs_grad()) kernels::add_rows(dy.matrix(), part.grad().matrix());
      from += part.rows();
    }
  });
}

Var concat_rows(std::initializer_list<Var> parts) { return concat_rows(std::span(parts.begin(), parts.size())); }

Var gather_rows(const Var& x, std::span<const RowId> ids) {
  expect_real("gather_rows", x);
  expect_ids("gather_rows", ids, x.rows());
  return gather(x, copy_to_arena(x.scope().arena(), ids));  // [n,H]
}

// y_{id_i} = x_i, other rows zero;   dx_i += dy_{id_i}
Var scatter_rows(const Var& x, std::span<const RowId> ids, Index rows) {
  expect_real("scatter_rows", x);
  if (x.rows() != std::ssize(ids)) {
    throw ShapeError(cat("scatter_rows: x is ", x.shape(), ", expected ", ids.size(), " rows, one for each id"));
  }
  expect_ids("scatter_rows", ids, rows);
  const Tensor y = Tensor::zeros_in(x.scope().arena(), {rows, x.cols()});  // [rows,H]
  expect_distinct("scatter_rows", x.scope().arena(), ids, rows);
  kernels::scatter_rows_add(x.value().matrix(), ids, y.matrix());
  return record(y, {x}, [x, ids = copy_to_arena(x.scope().arena(), ids)](const Var& result) {
    kernels::gather_rows_add(result.grad().matrix(), ids, x.grad().matrix());
  });
}

Var first_rows(const Var& x, const Segments& segments) {
  return one_per_sentence("first_rows", x, segments, [&](Index b) { return segments.begin(b); });  // [B,H]
}

Var last_rows(const Var& x, const Segments& segments) {
  return one_per_sentence("last_rows", x, segments, [&](Index b) { return segments.end(b) - 1; });  // [B,H]
}

// y_r = x_b for the rows r of sentence b;   dx_b += sum_r dy_r
Var repeat_rows(const Var& x, const Segments& segments) {
  expect_real("repeat_rows", x);
  expect_sentences("repeat_rows", x, segments);
  const Tensor y = x.scope().tensor({segments.rows(), x.cols()});  // [R,H]
  kernels::spread_rows(x.value().matrix(), segments, y.matrix());
  return record(y, {x}, [x, segments](const Var& result) {
    kernels::segment_sums_add(result.grad().matrix(), segments, kernels::RowWeight::one, x.grad().matrix());
  });
}

}  // namespace dhyan
