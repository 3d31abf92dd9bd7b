#include "ops/hard_choice.h"

#include "kernels/elementwise.h"
#include "kernels/hard_choice.h"

namespace dhyan {

// [bengio2013], straight through: y one-hot, drawn by p;   dp += dy
Var hard_choice(const Var& weights, const Pairing& pairing) {
  expect_shape("hard_choice", "weights", weights.shape(), {pairing.count()});
  const Tensor y = weights.scope().tensor(weights.shape());  // [Σ N T_b S_b]
  if (Tape* tape = weights.scope().tape()) {
    kernels::choose_at_random(pairing, weights.value().span(), tape->next_noise(), y.span());
  } else {
    kernels::choose_largest(pairing, weights.value().span(), y.span());
  }
  return record(y, {weights},
                [weights](const Var& result) { kernels::add_to(result.grad().span(), weights.grad().span()); });
}

}  // namespace dhyan
