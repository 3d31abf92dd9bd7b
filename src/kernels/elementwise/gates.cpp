#include "kernels/elementwise/gates.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/gates.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

// Derivatives as functions of the function's value.
HWY_INLINE V tanh_slope(V y) { return hn::NegMulAdd(y, y, all(1)); }
HWY_INLINE V sigmoid_slope(V y) { return hn::NegMulAdd(y, y, y); }

// One row of gradients; null pointers are skipped.
struct GradientRow {
  Real* from_x;
  Real* from_h;
  Real* state;

  GradientRow(const GateGradients& into, Index r)
      : from_x(into.from_x.row(r)), from_h(into.from_h.row(r)), state(into.state.row(r)) {}

  // The sum that enters a gate is from_x + from_h: both get its gradient.
  template <class Part>
  HWY_INLINE void add_to_both(Part part, V v, Index column) const {
    if (from_x != nullptr) part.add(v, from_x + column);
    if (from_h != nullptr) part.add(v, from_h + column);
  }
};

void rnn_gates(ConstMatrix from_x, ConstMatrix from_h, Matrix h) {
  for (Index r = 0; r < h.rows; ++r) {
    transform(
        h.cols, h.row(r), [](V x, V u) { return tanh_of(hn::Add(x, u)); }, from_x.row(r), from_h.row(r));
  }
}

void rnn_gates_backward(ConstMatrix h, ConstMatrix dh, const GateGradients& into) {
  for (Index r = 0; r < h.rows; ++r) {
    const GradientRow to(into, r);
    each_vector(h.cols, [&](Index j, auto part) {
      to.add_to_both(part, hn::Mul(part.load(dh.row(r) + j), tanh_slope(part.load(h.row(r) + j))), j);
    });
  }
}

void gru_gates(const GateInputs& in, Matrix h, Matrix kept) {
  const Index H = h.cols;
  for (Index row = 0; row < h.rows; ++row) {
    const Real *x = in.from_x.row(row), *u = in.from_h.row(row), *before = in.state.row(row);
    Real *after = h.row(row), *keep = kept.row(row);
    each_vector(H, [&](Index j, auto part) {
      const V r = sigmoid_of(hn::Add(part.load(x + j), part.load(u + j)));
      const V z = sigmoid_of(hn::Add(part.load(x + H + j), part.load(u + H + j)));
      const V n = tanh_of(hn::MulAdd(r, part.load(u + 2 * H + j), part.load(x + 2 * H + j)));
      part.store(hn::MulAdd(z, hn::Sub(part.load(before + j), n), n), after + j);
      if (keep == nullptr) return;
      part.store(r, keep + j);
      part.store(z, keep + H + j);
      part.store(n, keep + 2 * H + j);
    });
  }
}

void gru_gates_backward(const GateInputs& in, ConstMatrix kept, ConstMatrix dh, const GateGradients& into) {
  const Index H = dh.cols;
  for (Index row = 0; row < dh.rows; ++row) {
    const Real *u = in.from_h.row(row), *before = in.state.row(row), *keep = kept.row(row), *given = dh.row(row);
    const GradientRow to(into, row);
    each_vector(H, [&](Index j, auto part) {
      const V r = part.load(keep + j), z = part.load(keep + H + j), n = part.load(keep + 2 * H + j);
      const V d = part.load(given + j);
      const V dz = hn::Mul(d, hn::Sub(part.load(before + j), n));
      const V dn_sum = hn::Mul(hn::NegMulAdd(d, z, d), tanh_slope(n));  // at x_n + r h_n
      const V dr = hn::Mul(dn_sum, part.load(u + 2 * H + j));
      to.add_to_both(part, hn::Mul(dr, sigmoid_slope(r)), j);
      to.add_to_both(part, hn::Mul(dz, sigmoid_slope(z)), H + j);
      if (to.from_x != nullptr) part.add(dn_sum, to.from_x + 2 * H + j);
      if (to.from_h != nullptr) part.add(hn::Mul(dn_sum, r), to.from_h + 2 * H + j);
      if (to.state != nullptr) part.add(hn::Mul(d, z), to.state + j);
    });
  }
}

void lstm_state(const GateInputs& in, Matrix c, Matrix kept) {
  const Index H = c.cols;
  for (Index row = 0; row < c.rows; ++row) {
    const Real *x = in.from_x.row(row), *u = in.from_h.row(row), *before = in.state.row(row);
    Real *after = c.row(row), *keep = kept.row(row);
    each_vector(H, [&](Index j, auto part) {
      const V i = sigmoid_of(hn::Add(part.load(x + j), part.load(u + j)));
      const V f = sigmoid_of(hn::Add(part.load(x + H + j), part.load(u + H + j)));
      const V g = tanh_of(hn::Add(part.load(x + 2 * H + j), part.load(u + 2 * H + j)));
      part.store(hn::MulAdd(f, part.load(before + j), hn::Mul(i, g)), after + j);
      if (keep == nullptr) return;
      part.store(i, keep + j);
      part.store(f, keep + H + j);
      part.store(g, keep + 2 * H + j);
    });
  }
}

void lstm_state_backward(const GateInputs& in, ConstMatrix kept, ConstMatrix dc, const GateGradients& into) {
  const Index H = dc.cols;
  for (Index row = 0; row < dc.rows; ++row) {
    const Real *before = in.state.row(row), *keep = kept.row(row), *given = dc.row(row);
    const GradientRow to(into, row);
    each_vector(H, [&](Index j, auto part) {
      const V i = part.load(keep + j), f = part.load(keep + H + j), g = part.load(keep + 2 * H + j);
      const V d = part.load(given + j);
      to.add_to_both(part, hn::Mul(hn::Mul(d, g), sigmoid_slope(i)), j);
      to.add_to_both(part, hn::Mul(hn::Mul(d, part.load(before + j)), sigmoid_slope(f)), H + j);
      to.add_to_both(part, hn::Mul(hn::Mul(d, i), tanh_slope(g)), 2 * H + j);
      if (to.state != nullptr) part.add(hn::Mul(d, f), to.state + j);
    });
  }
}

void lstm_output(const GateInputs& in, Matrix h, Matrix kept) {
  const Index H = h.cols;
  for (Index row = 0; row < h.rows; ++row) {
    const Real *x = in.from_x.row(row) + 3 * H, *u = in.from_h.row(row) + 3 * H, *c = in.state.row(row);
    Real *to = h.row(row), *keep = kept.row(row);
    each_vector(H, [&](Index j, auto part) {
      const V o = sigmoid_of(hn::Add(part.load(x + j), part.load(u + j)));
      const V squashed = tanh_of(part.load(c + j));
      part.store(hn::Mul(o, squashed), to + j);
      if (keep == nullptr) return;
      part.store(o, keep + j);
      part.store(squashed, keep + H + j);
    });
  }
}

void lstm_output_backward(ConstMatrix kept, ConstMatrix dh, const GateGradients& into) {
  const Index H = dh.cols;
  for (Index row = 0; row < dh.rows; ++row) {
    const Real *keep = kept.row(row), *given = dh.row(row);
    const GradientRow to(into, row);
    each_vector(H, [&](Index j, auto part) {
      const V o = part.load(keep + j), squashed = part.load(keep + H + j), d = part.load(given + j);
      to.add_to_both(part, hn::Mul(hn::Mul(d, squashed), sigmoid_slope(o)), 3 * H + j);
      if (to.state != nullptr) part.add(hn::Mul(hn::Mul(d, o), tanh_slope(squashed)), to.state + j);
    });
  }
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(rnn_gates);
HWY_EXPORT(rnn_gates_backward);
HWY_EXPORT(gru_gates);
HWY_EXPORT(gru_gates_backward);
HWY_EXPORT(lstm_state);
HWY_EXPORT(lstm_state_backward);
HWY_EXPORT(lstm_output);
HWY_EXPORT(lstm_output_backward);

void rnn_gates(ConstMatrix from_x, ConstMatrix from_h, Matrix h) { HWY_DYNAMIC_DISPATCH(rnn_gates)(from_x, from_h, h); }

void rnn_gates_backward(ConstMatrix h, ConstMatrix dh, const GateGradients& into) {
  HWY_DYNAMIC_DISPATCH(rnn_gates_backward)(h, dh, into);
}

void gru_gates(const GateInputs& in, Matrix h, Matrix kept) { HWY_DYNAMIC_DISPATCH(gru_gates)(in, h, kept); }

void gru_gates_backward(const GateInputs& in, ConstMatrix kept, ConstMatrix dh, const GateGradients& into) {
  HWY_DYNAMIC_DISPATCH(gru_gates_backward)(in, kept, dh, into);
}

void lstm_state(const GateInputs& in, Matrix c, Matrix kept) { HWY_DYNAMIC_DISPATCH(lstm_state)(in, c, kept); }

void lstm_state_backward(const GateInputs& in, ConstMatrix kept, ConstMatrix dc, const GateGradients& into) {
  HWY_DYNAMIC_DISPATCH(lstm_state_backward)(in, kept, dc, into);
}

void lstm_output(const GateInputs& in, Matrix h, Matrix kept) { HWY_DYNAMIC_DISPATCH(lstm_output)(in, h, kept); }

void lstm_output_backward(ConstMatrix kept, ConstMatrix dh, const GateGradients& into) {
  HWY_DYNAMIC_DISPATCH(lstm_output_backward)(kept, dh, into);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
