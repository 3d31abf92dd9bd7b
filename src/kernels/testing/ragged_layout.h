#pragma once

#include "kernels/attention/attention_layout.h"

namespace dhyan::kernels {

// For tests: six queries and six keys; one sentence has no keys, another no queries.
inline AttentionLayout ragged_layout(Index heads) {
  return {Segments::from_lengths({2, 1, 0, 3}), Segments::from_lengths({3, 0, 2, 1}), heads};
}

}  // namespace dhyan::kernels
