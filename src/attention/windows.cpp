#include "attention/windows.h"

#include <algorithm>
#include <cmath>

#include "core/table.h"
#include "nn/initializers.h"
#include "ops/activations.h"
#include "ops/arena_copy.h"
#include "ops/hard_attention.h"
#include "ops/linear.h"
#include "ops/position_energies.h"

namespace dhyan {

namespace {

const Parameter* weight(const WindowMaking& making, const char* name, const Shape& shape) {
  return add_weight(making.parameters, making.name + "." + name, shape, {}, making.rng);
}

// D, for local windows.
Index radius_of(const WindowMaking& making) {
  if (making.size.radius >= 1) return making.size.radius;
  throw ConfigError(cat("window: radius is ", making.size.radius, ", expected 1 or more"));
}

// A, for windows that have a hidden layer.
Index hidden_of(const WindowMaking& making) {
  if (making.size.hidden >= 1) return making.size.hidden;
  throw ConfigError(cat("window: width of the hidden layer is ", making.size.hidden, ", expected 1 or more"));
}

// range(place, row, S) for each query: where in its sentence it stands, in which row, and how many keys there are.
template <class F>
AttentionMask each_query_sees(const Ragged& query, const AttentionLayout& layout, const QueryPositions& positions,
                              const F& range) {
  const Segments& queries = layout.queries;
  const auto ranges = arena_span<KeyRange>(query.rows.scope().arena(), static_cast<std::size_t>(queries.rows()));
  for (Index b = 0; b < queries.count(); ++b) {
    for (Index t = 0; t < queries.length(b); ++t) {
      const Index row = queries.begin(b) + t;
      ranges[static_cast<std::size_t>(row)] = range(positions.at(b, t), row, layout.keys.length(b));
    }
  }
  return AttentionMask::windows(ranges);
}

// [luong2015] section 3.1: all keys.
class GlobalWindow final : public Window {
 public:
  explicit GlobalWindow(const WindowMaking&) {}

  MaskAndBias view(const Ragged&, const AttentionLayout&, const QueryPositions&) const override { return {}; }
};

// 2D + 1 keys around a centre; fewer where the sentence ends.
KeyRange around(Index centre, Index D) { return {centre - D, centre + D + 1}; }

// [luong2015] section 3.2, "monotonic": around the query's own place, or the last key if there are fewer.
class LocalMonotonicWindow final : public Window {
 public:
  explicit LocalMonotonicWindow(const WindowMaking& making) : D_(radius_of(making)) {}

  MaskAndBias view(const Ragged& query, const AttentionLayout& layout, const QueryPositions& positions) const override {
    return {each_query_sees(query, layout, positions,
                            [&](Index place, Index, Index S) { return around(std::min(place, S - 1), D_); })};
  }

 private:
  Index D_;
};

// [luong2015] eqs. 9-10, "predictive": around p = S sigmoid(tanh(s W) v), counted from 0, with a Gaussian of σ = D/2.
// Eq. 10 multiplies it onto the weights, which then no longer sum to 1; here its logarithm is added to the energies,
// which multiplies before the softmax divides. p learns through the Gaussian; which keys are in the window, by p
// rounded, has no gradient. All heads share one p.
class LocalPredictiveWindow final : public Window {
 public:
  explicit LocalPredictiveWindow(const WindowMaking& making)
      : D_(radius_of(making)),
        W_(weight(making, "W", {making.size.query, hidden_of(making)})),
        v_(weight(making, "v", {hidden_of(making), 1})) {}

  MaskAndBias view(const Ragged& query, const AttentionLayout& layout, const QueryPositions& positions) const override {
    Scope& scope = query.rows.scope();
    const Var hidden = tanh(linear(query.rows, scope.parameter(*W_)));          // [ΣT,A]
    const Var centre = sigmoid(linear(hidden, scope.parameter(*v_)));           // [ΣT,1]  p / S
    const Var bias = log_gaussians(centre, static_cast<Real>(D_) / 2, layout);  // [Σ N T_b S_b]
    const std::span<const Real> part = centre.value().span();
    return {each_query_sees(query, layout, positions,
                            [&](Index, Index row, Index S) {
                              return around(nearest_key(part[static_cast<std::size_t>(row)], S), D_);
                            }),
            bias};
  }

 private:
  // p = S part, rounded; the last key if that is NaN.
  static Index nearest_key(Real part, Index S) {
    const double p = static_cast<double>(S) * static_cast<double>(part);
    return p < static_cast<double>(S - 1) ? static_cast<Index>(std::lround(p)) : S - 1;
  }

  Index D_;
  const Parameter *W_, *v_;
};

// [xu2015] section 4.1: the context is one annotation, the likeliest in use; in training one drawn by the weights, or
// the mean of all by the weights, as often. Its gradient is the straight-through estimate of [bengio2013] in place of
// the paper's, which needs the loss to be known as a reward.
class HardWindow final : public Window {
 public:
  explicit HardWindow(const WindowMaking&) {}

  MaskAndBias view(const Ragged&, const AttentionLayout&, const QueryPositions&) const override { return {}; }

  Var choose(const Var& weights, const AttentionLayout& layout) const override {
    return hard_attention(weights, layout);  // [Σ N T_b S_b]
  }
};

// [vaswani2017] section 3.2.3: no key after the query's own place.
class CausalWindow final : public Window {
 public:
  explicit CausalWindow(const WindowMaking&) {}

  MaskAndBias view(const Ragged& query, const AttentionLayout& layout, const QueryPositions& positions) const override {
    return {each_query_sees(query, layout, positions, [](Index place, Index, Index) {
      return KeyRange{0, place + 1};
    })};
  }
};

// All keys but the last, the </s> of a source: for models of other toolkits that were trained without it. It is seen
// where there is nothing else.
class NoEndWindow final : public Window {
 public:
  explicit NoEndWindow(const WindowMaking&) {}

  MaskAndBias view(const Ragged& query, const AttentionLayout& layout, const QueryPositions& positions) const override {
    return {each_query_sees(query, layout, positions, [](Index, Index, Index S) {
      return KeyRange{0, std::max<Index>(S - 1, 1)};
    })};
  }
};

class CausalToo final : public Window {
 public:
  explicit CausalToo(std::unique_ptr<const Window> window) : window_(std::move(window)) {}

  MaskAndBias view(const Ragged& query, const AttentionLayout& layout, const QueryPositions& positions) const override {
    MaskAndBias view = window_->view(query, layout, positions);
    const AttentionMask seen = view.visible;
    view.visible = each_query_sees(query, layout, positions, [&](Index place, Index row, Index S) {
      const KeyRange range = seen.range(row, S);
      return KeyRange{range.begin, std::min(range.end, place + 1)};
    });
    return view;
  }

  Var choose(const Var& weights, const AttentionLayout& layout) const override {
    return window_->choose(weights, layout);
  }

 private:
  std::unique_ptr<const Window> window_;
};

template <class T>
std::unique_ptr<Window> make(const WindowMaking& making) {
  return std::make_unique<T>(making);
}

constexpr WindowEntry kWindows[] = {
    {"global", "every position", "luong2015", true, make<GlobalWindow>},
    {"local-m", "D to each side of the query's own position", "luong2015", true, make<LocalMonotonicWindow>},
    {"local-p", "D to each side of a predicted position, less to its sides", "luong2015", true,
     make<LocalPredictiveWindow>},
    {"hard", "one position, drawn by its weight in training", "xu2015", false, make<HardWindow>},
    {"causal", "no position after the query's own", "vaswani2017", true, make<CausalWindow>},
    {"no-end", "all positions but the last, </s>", "klein2017", true, make<NoEndWindow>},
};

}  // namespace

std::span<const WindowEntry> windows() { return kWindows; }

std::unique_ptr<Window> causal(std::unique_ptr<const Window> window) {
  return std::make_unique<CausalToo>(std::move(window));
}

std::unique_ptr<Window> make_window(std::string_view name, const WindowMaking& making,
                                    std::span<const WindowEntry> table) {
  return entry_named("window", table, name).make(making);
}

}  // namespace dhyan
