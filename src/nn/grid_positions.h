#pragma once

#include "core/grid_shape.h"
#include "nn/positions.h"

namespace dhyan {

struct GridPositionsOptions {
  GridShape grid;
  Index hidden = 0;                 // H, even
  std::string kind = "sinusoidal";  // in the table of position encodings
  Initializer table = {};           // learned
  Rng rng = Rng(0);
};

// Position encodings in two dimensions ([carion2020]): the first half of a cell's columns encodes its row,
// the second half its column. Learned ones have parameters name.rows.table [h,H/2] and name.columns.table [w,H/2].
class GridPositions {
 public:
  GridPositions(ParameterSet& parameters, const std::string& name, const GridPositionsOptions& options);

  Var add_to(const Var& x) const;  // [B*h*w,H] -> [B*h*w,H]

 private:
  Var encodings(Scope& scope) const;  // [h*w,H]

  GridShape grid_;
  Index hidden_;
  Segments all_rows_, all_columns_;
  std::unique_ptr<Positions> rows_, columns_;
};

}  // namespace dhyan
