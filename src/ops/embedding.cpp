#include "ops/embedding.h"

#include "core/error.h"
#include "kernels/elementwise.h"
#include "kernels/int8_matrix.h"
#include "kernels/rows.h"
#include "ops/keep.h"

namespace dhyan {

namespace {

void expect_tokens(std::span<const RowId> ids, Index vocabulary) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= 0 && ids[i] < vocabulary) continue;
    throw DataError(cat("embedding: id ", ids[i], " at position ", i, ", expected 0 <= id < ", vocabulary));
  }
}

void look_up(const Var& table, std::span<const RowId> ids, const Matrix& y) {
  const kernels::SettledWeight* settled = table.node().settled;
  const kernels::Int8Matrix* int8 = settled == nullptr ? nullptr : settled->int8();
  if (int8 != nullptr) return int8->columns(ids, y);
  kernels::gather_rows(table.value().matrix(), ids, y);
}

}  // namespace

// y_i = E_{id_i};   dE_{id_i} += dy_i
Var embedding(Scope& scope, const Var& table, std::span<const RowId> ids) {
  expect_rank("embedding", "table", table.shape(), 2);
  expect_tokens(ids, table.rows());
  const Tensor y = scope.tensor({std::ssize(ids), table.cols()});  // [n,H]
  look_up(table, ids, y.matrix());
  return record(y, {table}, [&scope, table, ids = keep(scope.arena(), ids)](const Var& result) {
    if (table.node().sink == nullptr) {
      return kernels::scatter_rows_add(result.grad().matrix(), ids, table.grad().matrix());
    }
    scope.tape()->when_swept(scope.arena(), table, [table, ids, dy = result.keep_grad()] {
      Gradient& gradient = table.sink();
      for (std::size_t i = 0; i < ids.size(); ++i) {
        kernels::add_to(dy.row(static_cast<Index>(i)), gradient.touch_row(ids[i]));
      }
    });
  });
}

}  // namespace dhyan
