#include "ops/reductions.h"

#include "core/error.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/rows/reductions.h"
#include "kernels/rows/segments.h"
#include "ops/expect_real.h"
#include "ops/ragged.h"

namespace dhyan {

namespace {

// y = w sum_i x_i;   dx_i += w dy
Var weighted_sum(const Var& x, double weight) {
  const Tensor y = x.scope().tensor({});  // []
  y.fill(static_cast<Real>(weight * kernels::sum(x.value().span())));
  return record(y, {x}, [x, weight](const Var& result) {
    kernels::add_constant(static_cast<Real>(weight * result.grad().item()), x.grad().span());
  });
}

// y_b = sum_r w_r x_r over the rows r of sentence b;   dx_r += w_r dy_b
Var segment_weighted_sum(const Var& x, const Segments& segments, kernels::RowWeight weight) {
  const Tensor y = Tensor::zeros_in(x.scope().arena(), {segments.count(), x.cols()});  // [B,H]
  kernels::segment_sums_add(x.value().matrix(), segments, weight, y.matrix());
  return record(y, {x}, [x, segments, weight](const Var& result) {
    kernels::spread_rows_add(result.grad().matrix(), segments, weight, x.grad().matrix());
  });
}

}  // namespace

Var sum(const Var& x) {
  expect_real("sum", x);
  return weighted_sum(x, 1);
}

Var mean(const Var& x) {
  expect_real("mean", x);
  const Index n = x.value().size();
  if (n == 0) throw ShapeError(cat("mean: x is ", x.shape(), ", expected at least one element"));
  return weighted_sum(x, 1 / static_cast<double>(n));
}

// y_i = sum_j x_ij;   dx_ij += dy_i
Var row_sums(const Var& x) {
  expect_real("row_sums", x);
  const Tensor y = x.scope().tensor({x.rows()});  // [M]
  kernels::row_sums(x.value().matrix(), y.span());
  return record(y, {x},
                [x](const Var& result) { kernels::add_to_row_elements(result.grad().span(), x.grad().matrix()); });
}

Var segment_sum(const Var& x, const Segments& segments) {
  expect_real("segment_sum", x);
  expect_rows("segment_sum", x, segments);
  return segment_weighted_sum(x, segments, kernels::RowWeight::one);  // [B,H]
}

Var segment_mean(const Var& x, const Segments& segments) {
  expect_real("segment_mean", x);
  expect_rows("segment_mean", x, segments);
  return segment_weighted_sum(x, segments, kernels::RowWeight::mean);  // [B,H]
}

}  // namespace dhyan
