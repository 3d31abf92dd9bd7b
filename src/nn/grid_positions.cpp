#include "nn/grid_positions.h"

#include "core/error.h"
#include "ops/arena_copy.h"
#include "ops/arithmetic.h"
#include "ops/rows.h"

namespace dhyan {

namespace {

std::unique_ptr<Positions> axis_positions(ParameterSet& parameters, const std::string& name, Index extent,
                                          const GridPositionsOptions& options) {
  if (options.hidden < 2 || options.hidden % 2 != 0) {
    throw ConfigError(
        cat("grid positions: width is ", options.hidden, ", expected an even number: one half for each axis"));
  }
  return make_positions(options.kind, parameters, name,
                        {.hidden = options.hidden / 2, .limit = extent, .table = options.table, .rng = options.rng});
}

Var axis_encodings(Scope& scope, const Positions& positions, const Segments& all, Index width) {
  const Var zeros = scope.constant(Tensor::zeros_in(scope.arena(), {all.rows(), width}));  // [extent,H/2]
  return positions.add_to({zeros, all});                                                   // [extent,H/2]
}

// f(i) for i in [0,n)
template <class F>
std::span<const RowId> row_ids(Scope& scope, Index n, const F& f) {
  const auto ids = arena_span<RowId>(scope.arena(), static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) ids[static_cast<std::size_t>(i)] = static_cast<RowId>(f(i));
  return ids;
}

}  // namespace

GridPositions::GridPositions(ParameterSet& parameters, const std::string& name, const GridPositionsOptions& options)
    : grid_(options.grid),
      hidden_(options.hidden),
      all_rows_(Segments::one(options.grid.height)),
      all_columns_(Segments::one(options.grid.width)),
      rows_(axis_positions(parameters, name + ".rows", options.grid.height, options)),
      columns_(axis_positions(parameters, name + ".columns", options.grid.width, options)) {}

Var GridPositions::encodings(Scope& scope) const {
  const Var of_rows = axis_encodings(scope, *rows_, all_rows_, hidden_ / 2);           // [h,H/2]
  const Var of_columns = axis_encodings(scope, *columns_, all_columns_, hidden_ / 2);  // [w,H/2]
  const auto row_of = row_ids(scope, grid_.cells(), [this](Index cell) { return cell / grid_.width; });
  const auto column_of = row_ids(scope, grid_.cells(), [this](Index cell) { return cell % grid_.width; });
  return concat_cols({gather_rows(of_rows, row_of), gather_rows(of_columns, column_of)});  // [h*w,H]
}

Var GridPositions::add_to(const Var& x) const {
  if (x.shape().rank() != 2 || x.cols() != hidden_ || x.rows() % grid_.cells() != 0) {
    throw ShapeError(cat("grid positions: x is ", x.shape(), ", expected rows of ", grid_.cells(), " cells and ",
                         hidden_, " columns"));
  }
  Scope& scope = x.scope();
  Frame frame(scope);
  const auto cell_of = row_ids(scope, x.rows(), [this](Index row) { return row % grid_.cells(); });
  return frame.keep(add(x, gather_rows(encodings(scope), cell_of)));  // [B*h*w,H]
}

}  // namespace dhyan
