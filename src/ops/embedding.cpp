#include "ops/embedding.h"

#include "core/error.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/rows/rows.h"
#include "ops/arena_copy.h"
#include "ops/expect_real.h"
#include "ops/prepack.h"

namespace dhyan {

namespace {

void expect_tokens(std::span<const RowId> ids, Index vocabulary) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= 0 && ids[i] < vocabulary) continue;
    throw DataError(cat("embedding: id ", ids[i], " at position ", i, ", expected 0 <= id < ", vocabulary));
  }
}

void look_up(const Var& table, std::span<const RowId> ids, const Matrix& y) {
  if (const kernels::Int8Matrix* int8 = prepacked_int8(table)) return int8->columns(ids, y);
  kernels::gather_rows(table.value().matrix(), ids, y);
}

}  // namespace

Var placed_embedding(Scope& scope, const LookUp& words, Real factor, const LookUp& places) {
  if (scope.recording()) throw UsageError("placed_embedding: has no backward, but the scope has a tape");
  expect_weight("placed_embedding", words.table);
  expect_real("placed_embedding", places.table);
  expect_rank("placed_embedding", "words", words.table.shape(), 2);
  expect_shape("placed_embedding", "places", places.table.shape(), {places.table.rows(), words.table.cols()});
  if (words.ids.size() != places.ids.size()) {
    throw ShapeError(cat("placed_embedding: ", places.ids.size(), " places for ", words.ids.size(), " words"));
  }
  expect_tokens(words.ids, words.table.rows());
  expect_tokens(places.ids, places.table.rows());
  const Tensor y = scope.tensor({std::ssize(words.ids), words.table.cols()});  // [n,H]
  look_up(words.table, words.ids, y.matrix());
  kernels::add_gathered_to_scaled(y.matrix(), factor, places.table.value().matrix(), places.ids, y.matrix());
  const Var inputs[] = {words.table, places.table};
  return make_result(y, inputs);
}

// y_i = E_{id_i};   dE_{id_i} += dy_i
Var embedding(Scope& scope, const Var& table, std::span<const RowId> ids) {
  expect_weight("embedding", table);
  expect_rank("embedding", "table", table.shape(), 2);
  expect_tokens(ids, table.rows());
  const Tensor y = scope.tensor({std::ssize(ids), table.cols()});  // [n,H]
  look_up(table, ids, y.matrix());
  return record(y, {table}, [&scope, table, ids = copy_to_arena(scope.arena(), ids)](const Var& result) {
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
