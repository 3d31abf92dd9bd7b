#include "attention/scores.h"

#include <cmath>

#include "core/table.h"
#include "nn/initializers.h"
#include "nn/layer_norm.h"
#include "ops/additive_energies.h"
#include "ops/linear.h"
#include "ops/norm.h"
#include "ops/position_energies.h"
#include "ops/rows.h"

namespace dhyan {

namespace {

const Parameter* weight(const ScoreMaking& making, const char* name, const Shape& shape) {
  return add_weight(making.parameters, making.name + "." + name, shape, {}, making.rng);
}

// A vector is initialised like the weights of a layer with as many inputs.
const Parameter* vector(const ScoreMaking& making, const char* name, Index size) {
  const Initializer how{.name = "uniform", .number = 1 / std::sqrt(static_cast<double>(size))};
  return add_parameter(making.parameters, making.name + "." + name, {size}, how, making.rng);
}

// For scores that multiply query and annotation number by number.
void expect_equal_widths(const char* score, const ScoreSize& size) {
  if (size.query == size.key) return;
  throw ConfigError(
      cat("score ", score, ": queries are ", size.query, " wide and annotations ", size.key,
          "; it needs them equally wide: read the source in one direction, or take general, additive or concat"));
}

void expect_shared_by_heads(const char* what, Index width, Index heads) {
  if (heads >= 1 && width >= 1 && width % heads == 0) return;
  throw ConfigError(cat("attention: ", what, " is ", width, ", which ", heads, " heads cannot share equally"));
}

// A, for scores that have a hidden layer.
Index hidden_of(const ScoreMaking& making) {
  expect_shared_by_heads("width of the hidden layer", making.size.hidden, making.size.heads);
  return making.size.hidden;
}

// The scores that multiply query and key.
class ProductScore : public Score {
 public:
  bool reads_bfloat16() const final { return true; }

 protected:
  static EnergyTerms products(std::string_view query_name, const Var& query, std::string_view key_name,
                              const Memory& memory, double scale = 1) {
    return {.kind = EnergyTerms::Kind::kProducts,
            .query_name = query_name,
            .key_name = key_name,
            .query = query,
            .keys = memory.keys,
            .scale = scale};
  }
};

// [luong2015] section 3.1: e = s·h
class DotScore final : public ProductScore {
 public:
  explicit DotScore(const ScoreMaking& making) { expect_equal_widths("dot", making.size); }

  Var operator()(const Var& query, const Memory& memory, const AttentionLayout& layout) const override {
    return energies(query, memory.keys, layout);  // [Σ N T_b S_b]
  }

  EnergyTerms terms(const Var& query, const Memory& memory, Index) const override {
    return products("s", query, "h_j", memory);
  }
};

// [vaswani2017] section 3.2.1: e = s·h / √K, K the width of one head
class ScaledDotScore final : public ProductScore {
 public:
  explicit ScaledDotScore(const ScoreMaking& making) { expect_equal_widths("scaled_dot", making.size); }

  Var operator()(const Var& query, const Memory& memory, const AttentionLayout& layout) const override {
    return energies(query, memory.keys, layout, static_cast<Real>(scale(query, layout.heads)));  // [Σ N T_b S_b]
  }

  EnergyTerms terms(const Var& query, const Memory& memory, Index heads) const override {
    return products("s", query, "h_j", memory, scale(query, heads));
  }

 private:
  static double scale(const Var& query, Index heads) {
    const double K = static_cast<double>(query.cols()) / static_cast<double>(heads);
    return 1 / std::sqrt(K);
  }
};

// [luong2015] section 3.1: e = s·(h W). With heads, each meets its own columns of s with its own columns of h W: it
// sees the whole annotation, by a matrix [K,Q/N] of its own.
class GeneralScore final : public ProductScore {
 public:
  explicit GeneralScore(const ScoreMaking& making) : W_(weight(making, "W", {making.size.key, making.size.query})) {}

  Var keys(const Var& annotations) const override {
    return linear(annotations, annotations.scope().parameter(*W_));  // [ΣS,Q]
  }

  Var operator()(const Var& query, const Memory& memory, const AttentionLayout& layout) const override {
    return energies(query, memory.keys, layout);  // [Σ N T_b S_b]
  }

  EnergyTerms terms(const Var& query, const Memory& memory, Index) const override {
    return products("s", query, "h_j W", memory);
  }

 private:
  const Parameter* W_;
};

// For scores with a hidden layer.
EnergyTerms tanh_terms(std::string_view query_name, const Var& query, std::string_view key_name, const Memory& memory,
                       const Var& v) {
  return {.kind = EnergyTerms::Kind::kTanh,
          .query_name = query_name,
          .key_name = key_name,
          .query = query,
          .keys = memory.keys,
          .v = v};
}

// [bahdanau2015] A.1.2: e = v·tanh(s W + h U + b). With heads, each has its own A/N columns of the hidden layer. With
// inner norms, as in Marian, e = v·tanh(norm(s W) + norm(h U) + b), each norm with a gain.
class AdditiveScore final : public Score {
 public:
  explicit AdditiveScore(const ScoreMaking& making)
      : W_(weight(making, "W", {making.size.query, hidden_of(making)})),
        U_(weight(making, "U", {making.size.key, hidden_of(making)})),
        b_(&making.parameters.add(making.name + ".b", {hidden_of(making)})),
        v_(vector(making, "v", hidden_of(making))) {
    if (!making.size.inner_norm) return;
    const Initializer one{.name = "constant", .number = 1};
    gain_of_s_ = add_parameter(making.parameters, making.name + ".W.gain", {hidden_of(making)}, one, making.rng);
    gain_of_h_ = add_parameter(making.parameters, making.name + ".U.gain", {hidden_of(making)}, one, making.rng);
  }

  Var keys(const Var& annotations) const override {
    Scope& scope = annotations.scope();
    const Var U = scope.parameter(*U_), b = scope.parameter(*b_);
    if (gain_of_h_ == nullptr) return linear(annotations, U, b);                                    // [ΣS,A]
    return layer_norm(linear(annotations, U), scope.parameter(*gain_of_h_), b, kInnerNormEpsilon);  // [ΣS,A]
  }

  Var operator()(const Var& query, const Memory& memory, const AttentionLayout& layout) const override {
    const Var q = of_query(query);                                                   // [ΣT,A]
    return additive_energies(q, memory.keys, query.scope().parameter(*v_), layout);  // [Σ N T_b S_b]
  }

  EnergyTerms terms(const Var& query, const Memory& memory, Index) const override {
    const bool normed = gain_of_s_ != nullptr;
    return tanh_terms(normed ? "norm(s W)" : "s W", of_query(query), normed ? "norm(h_j U) + b" : "h_j U + b", memory,
                      query.scope().parameter(*v_));
  }

 private:
  Var of_query(const Var& query) const {
    Scope& scope = query.scope();
    const Var q = linear(query, scope.parameter(*W_));  // [ΣT,A]
    if (gain_of_s_ == nullptr) return q;
    const Var none = scope.constant(Tensor::zeros_in(scope.arena(), {q.cols()}));  // [A]
    return layer_norm(q, scope.parameter(*gain_of_s_), none, kInnerNormEpsilon);   // [ΣT,A]
  }

  const Parameter *W_, *U_, *b_, *v_;
  const Parameter *gain_of_s_ = nullptr, *gain_of_h_ = nullptr;  // of inner norms
};

// [luong2015] section 3.1: e = v·tanh([s; h] W), W [Q+K,A], which is additive but for b: the rows of W that meet s and
// those that meet h are multiplied apart, so that the latter are done once per sentence.
class ConcatScore final : public Score {
 public:
  explicit ConcatScore(const ScoreMaking& making)
      : query_(making.size.query),
        W_(add_parameter(making.parameters, making.name + ".W",
                         {making.size.query + making.size.key, hidden_of(making)}, {}, making.rng)),
        v_(vector(making, "v", hidden_of(making))) {}

  Var keys(const Var& annotations) const override {
    const Var W = annotations.scope().parameter(*W_);             // [Q+K,A]
    return linear(annotations, slice_rows(W, query_, W.rows()));  // [ΣS,A]
  }

  Var operator()(const Var& query, const Memory& memory, const AttentionLayout& layout) const override {
    const Var q = of_query(query);                                                   // [ΣT,A]
    return additive_energies(q, memory.keys, query.scope().parameter(*v_), layout);  // [Σ N T_b S_b]
  }

  EnergyTerms terms(const Var& query, const Memory& memory, Index) const override {
    return tanh_terms("s W_s", of_query(query), "h_j W_h", memory, query.scope().parameter(*v_));
  }

 private:
  Var of_query(const Var& query) const {
    return linear(query, slice_rows(query.scope().parameter(*W_), 0, query_));  // [ΣT,A]
  }

  Index query_;
  const Parameter *W_, *v_;
};

// [luong2015] eq. 8: e_j = (s W)_j, from where a source position is and not from what it says. Of a short sentence the
// first numbers are used; of one longer than L, positions from L on are not seen (e = -inf). A head has its own L.
class LocationScore final : public Score {
 public:
  explicit LocationScore(const ScoreMaking& making)
      : W_(weight(making, "W", {making.size.query, making.size.heads * making.size.longest})) {}

  Var operator()(const Var& query, const Memory&, const AttentionLayout& layout) const override {
    const Var by_position = linear(query, query.scope().parameter(*W_));  // [ΣT,N*L]
    return position_energies(by_position, layout);                        // [Σ N T_b S_b]
  }

 private:
  const Parameter* W_;
};

// [graves2014] eqs. 5-6: e = β cos(s, h), a β for each head. A cosine is at most 1, so without β no weight could be
// more than e² times another: never sharp among many. β begins at √K, where e spreads as in scaled_dot.
class CosineScore final : public ProductScore {
 public:
  explicit CosineScore(const ScoreMaking& making) : heads_(making.size.heads) {
    expect_equal_widths("cosine", making.size);
    const double K = static_cast<double>(making.size.key) / static_cast<double>(heads_);
    beta_ = add_parameter(making.parameters, making.name + ".beta", {heads_},
                          {.name = "constant", .number = std::sqrt(K)}, making.rng);
  }

  Var keys(const Var& annotations) const override {
    const Tensor ones = annotations.scope().tensor({heads_});  // [N]
    ones.fill(1);
    return unit_norm(annotations, annotations.scope().constant(ones));  // [ΣS,K]
  }

  Var operator()(const Var& query, const Memory& memory, const AttentionLayout& layout) const override {
    return energies(of_query(query), memory.keys, layout);  // [Σ N T_b S_b]
  }

  EnergyTerms terms(const Var& query, const Memory& memory, Index) const override {
    return products("β s / |s|", of_query(query), "h_j / |h_j|", memory);
  }

 private:
  Var of_query(const Var& query) const { return unit_norm(query, query.scope().parameter(*beta_)); }  // [ΣT,Q]

  Index heads_;
  const Parameter* beta_;
};

template <class T>
std::unique_ptr<Score> make(const ScoreMaking& making) {
  return std::make_unique<T>(making);
}

}  // namespace

std::span<const ScoreEntry> scores() {
  static const ScoreEntry table[] = {
      {"dot", "s·h", "luong2015", make<DotScore>},
      {"scaled_dot", "s·h / √K", "vaswani2017", make<ScaledDotScore>},
      {"general", "s·(h W)", "luong2015", make<GeneralScore>},
      {"additive", "v·tanh(s W + h U + b)", "bahdanau2015", make<AdditiveScore>},
      {"concat", "v·tanh([s; h] W)", "luong2015", make<ConcatScore>},
      {"location", "(s W)_j", "luong2015", make<LocationScore>},
      {"cosine", "β s·h / (|s| |h|)", "graves2014", make<CosineScore>},
  };
  return table;
}

std::unique_ptr<Score> make_score(std::string_view name, const ScoreMaking& making, std::span<const ScoreEntry> table) {
  const ScoreEntry& entry = entry_named("score", table, name);
  expect_shared_by_heads("width of the queries", making.size.query, making.size.heads);
  expect_shared_by_heads("width of the annotations", making.size.key, making.size.heads);
  return entry.make(making);
}

}  // namespace dhyan
