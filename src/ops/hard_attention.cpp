#include "ops/hard_attention.h"

#include "kernels/attention/hard_attention.h"
#include "kernels/elementwise/elementwise.h"
#include "ops/expect_real.h"

namespace dhyan {

namespace {

// [xu2015] section 4.1: with probability 0.5, the locations of a picture are their expected value, alpha. With draws
// alone the decoder learns from one position only, and reads the picture less well.
constexpr double kKept = 0.5;

}  // namespace

// [bengio2013], straight through: y one-hot, drawn by p, or p itself;   dp += dy
Var hard_attention(const Var& weights, const AttentionLayout& layout) {
  expect_real("hard_attention", weights);
  expect_shape("hard_attention", "weights", weights.shape(), {layout.count()});
  const Tensor y = weights.scope().tensor(weights.shape());  // [Σ N T_b S_b]
  if (Tape* tape = weights.scope().tape()) {
    kernels::choose_at_random(layout, weights.value().span(), kKept, tape->next_noise(), y.span());
  } else {
    kernels::choose_largest(layout, weights.value().span(), y.span());
  }
  return record(y, {weights},
                [weights](const Var& result) { kernels::add_to(result.grad().span(), weights.grad().span()); });
}

}  // namespace dhyan
