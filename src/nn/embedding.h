#pragma once

#include <span>

#include "autograd/tape.h"
#include "nn/initializers.h"

namespace dhyan {

enum class EmbeddingScale { kNone, kRootOfWidth };  // √H as in [vaswani2017] section 3.4

struct EmbeddingOptions {
  EmbeddingScale scale = EmbeddingScale::kNone;
  double word_dropout = 0;  // probability of dropping the row of a word, in training
  Initializer table = {};
  Rng rng = Rng(0);
};

// A row of H values for each of V words: parameter name.table [V,H].
class Embedding {
 public:
  Embedding(ParameterSet& parameters, const std::string& name, Index V, Index H, const EmbeddingOptions& options = {});

  // Throws DataError for an id outside [0,V).
  Var operator()(Scope& scope, std::span<const RowId> ids) const;  // [n,H]

  Real factor() const;  // that rows are multiplied by

  // The weight of an OutputLayer that is to be tied to it ([press2017]).
  const Parameter& table() const { return *table_; }

 private:
  const Parameter* table_;
  EmbeddingScale scale_;
  double word_dropout_;
};

}  // namespace dhyan
