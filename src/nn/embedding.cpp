#include "nn/embedding.h"

#include <cmath>

#include "ops/arithmetic.h"
#include "ops/dropout.h"
#include "ops/embedding.h"

namespace dhyan {

Embedding::Embedding(ParameterSet& parameters, const std::string& name, Index V, Index H,
                     const EmbeddingOptions& options)
    : table_(add_table(parameters, name + ".table", {V, H}, options.table, options.rng)),
      scale_(options.scale),
      word_dropout_(options.word_dropout) {}

Var Embedding::operator()(Scope& scope, std::span<const RowId> ids) const {
  const Var rows = word_dropout(embedding(scope, scope.parameter(*table_), ids), word_dropout_);  // [n,H]
  if (scale_ == EmbeddingScale::kNone) return rows;
  return scale(rows, factor());  // [n,H]
}

Real Embedding::factor() const {
  if (scale_ == EmbeddingScale::kNone) return 1;
  return static_cast<Real>(std::sqrt(static_cast<double>(table_->value.cols())));
}

}  // namespace dhyan
