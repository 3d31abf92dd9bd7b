#pragma once

#include "attention/attention.h"
#include "nn/linear.h"

namespace dhyan {

struct MultiHeadAttended {
  Var output;         // [ΣT,H]    c W_o
  Attended attended;  // c before W_o, α and e, if they are kept
};

// [vaswani2017] section 3.2.2: q = x W_q, k = h W_k and v = h W_v, of which each head has its own columns; attend();
// and the contexts of all heads through W_o. Self-attention where x and h are the same, cross-attention where they are
// not. Parameters name.query, name.key, name.value, name.output, each with weight and bias, and those of score and
// window.
class MultiHeadAttention {
 public:
  MultiHeadAttention(ParameterSet& parameters, const std::string& name, Index width, const AttentionConfig& config,
                     const Rng& rng);

  // Keys and values; row by row, so that a row can be added later.
  Memory prepare(const Ragged& annotations) const;  // [ΣS,H]

  // The dtype in which a search, which reads it at every step, keeps it: bfloat16 if int8 weights made it and the score
  // reads bfloat16.
  Dtype kv_cache_dtype() const;

  MultiHeadAttended operator()(const Ragged& x, const Memory& memory, const QueryPositions& positions = {},
                               KeepAttention keep = KeepAttention::kYes, const LayerEdits& edits = {}) const;

 private:
  Linear query_, key_, value_, output_;
  Attention attention_;
};

// The same keys and values in this dtype.
Memory cast(const Memory& memory, Dtype dtype);

}  // namespace dhyan
