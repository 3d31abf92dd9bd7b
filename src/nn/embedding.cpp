#include "nn/embedding.h"

#include <cmath>

#include "ops/arithmetic.h"
#include "ops/embedding.h"

namespace dhyan {

Embedding::Embedding(ParameterSet& parameters, const std::string& name, Index V, Index H,
                     const EmbeddingOptions& options)
    : table_(add_parameter(parameters, name + ".table", {V, H}, options.table, options.rng)), scale_(options.scale) {}

Var Embedding::operator()(Scope& scope, std::span<const RowId> ids) const {
  const Var rows = embedding(scope, scope.parameter(*table_), ids);  // [n,H]
  if (scale_ == EmbeddingScale::kNone) return rows;
  return scale(rows, static_cast<Real>(std::sqrt(static_cast<double>(rows.cols()))));  // [n,H]
}

}  // namespace dhyan
