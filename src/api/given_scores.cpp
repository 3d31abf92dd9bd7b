#include "api/given_scores.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "nn/initializers.h"

namespace dhyan::api {

namespace {

using v1::RowsView;
using v1::ScoreFunction;
using v1::ScoreGradients;
using v1::ScoreInput;
using v1::WritableRows;

constexpr Index kWidestWeight = 1 << 24;

RowsView view_of(const ConstMatrix& matrix) { return {matrix.data, matrix.rows, matrix.cols, matrix.stride}; }
WritableRows view_of(const Matrix& matrix) { return {matrix.data, matrix.rows, matrix.cols, matrix.stride}; }

// The rows of one sentence and the columns of one head.
template <class M>
auto part_of(const M& matrix, Index first_row, Index rows, Index head, Index heads) {
  const Index width = matrix.cols / heads;
  M part = matrix;
  part.data = matrix.data == nullptr ? nullptr : matrix.row(first_row) + head * width;
  part.rows = rows;
  part.cols = width;
  return view_of(part);
}

// The gradient of an input, for backward to add to; without data if the input needs none.
Matrix wanted(const Var& input) {
  return input.needs_grad() ? input.grad().matrix() : Matrix{nullptr, 0, input.cols()};
}

class GivenScore final : public Score {
 public:
  GivenScore(const ScoreFunction& score, const ScoreMaking& making) : score_(score) {
    if (!score.weights) return;
    const Index N = making.size.heads;
    const auto weights = score.weights({.query = making.size.query / N, .key = making.size.key / N, .heads = N});
    if (weights.size() > ScoreFunction::kMostWeights) {
      throw ConfigError(cat("score ", score.name, ": has ", weights.size(), " weights, expected at most ",
                            ScoreFunction::kMostWeights));
    }
    for (const v1::ScoreWeight& weight : weights) add(weight, making);
  }

  // de is given;   the function adds ds, dh and the gradients of its weights
  Var operator()(const Var& query, const Memory& memory, const AttentionLayout& layout) const override {
    const Tensor e = query.scope().tensor({layout.count()});  // [Σ N T_b S_b]
    std::array<Var, 2 + ScoreFunction::kMostWeights> inputs{query, memory.keys};
    for (std::size_t i = 0; i < weights_.size(); ++i) inputs[2 + i] = query.scope().parameter(*weights_[i]);
    const std::size_t count = 2 + weights_.size();
    run(inputs, layout, [&](const kernels::LayoutBlock& block, const ScoreInput& input) {
      score_.forward(input, {e.data() + block.offset, block.T, block.S, block.S});
    });
    return record(e, std::span<const Var>(inputs).first(count), [this, inputs, layout](const Var& result) {
      std::array<WritableRows, ScoreFunction::kMostWeights> weights;
      for (std::size_t i = 0; i < weights_.size(); ++i) weights[i] = view_of(wanted(inputs[2 + i]));
      const Matrix queries = wanted(inputs[0]), keys = wanted(inputs[1]);
      run(inputs, layout, [&](const kernels::LayoutBlock& block, const ScoreInput& input) {
        score_.backward(input, {result.grad().data() + block.offset, block.T, block.S, block.S},
                        {.queries = part_of(queries, block.query_begin, block.T, block.head, layout.heads),
                         .keys = part_of(keys, block.key_begin, block.S, block.head, layout.heads),
                         .weights = std::span(weights).first(weights_.size())});
      });
    });
  }

 private:
  void add(const v1::ScoreWeight& weight, const ScoreMaking& making) {
    if (weight.rows < 1 || weight.cols < 1 || weight.rows > kWidestWeight / weight.cols) {
      throw ConfigError(cat("score ", score_.name, ": weight ", weight.name, " is [", weight.rows, ",", weight.cols,
                            "]; expected 1 to ", kWidestWeight, " numbers"));
    }
    Parameter& parameter = making.parameters.add(making.name + "." + weight.name, {weight.rows, weight.cols});
    if (weight.spread > 0) initialise(parameter, {.name = "uniform", .number = weight.spread}, making.rng);
    for (Real& number : parameter.value.span()) number += static_cast<Real>(weight.value);
    weights_.push_back(&parameter);
  }

  // Calls f for each head of each sentence.
  template <class Inputs, class F>
  void run(const Inputs& inputs, const AttentionLayout& layout, const F& f) const {
    std::array<RowsView, ScoreFunction::kMostWeights> weights;
    for (std::size_t i = 0; i < weights_.size(); ++i) weights[i] = view_of(ConstMatrix(inputs[2 + i].value().matrix()));
    const ConstMatrix queries = inputs[0].value().matrix(), keys = inputs[1].value().matrix();
    kernels::for_each_block(layout, [&](const kernels::LayoutBlock& block) {
      f(block, ScoreInput{.queries = part_of(queries, block.query_begin, block.T, block.head, layout.heads),
                          .keys = part_of(keys, block.key_begin, block.S, block.head, layout.heads),
                          .weights = std::span(weights).first(weights_.size()),
                          .head = block.head});
    });
  }

  const ScoreFunction& score_;
  std::vector<const Parameter*> weights_;
};

}  // namespace

GivenScores::GivenScores(const std::vector<v1::ScoreFunction>& given) {
  if (given.empty()) return;
  entries_.assign(scores().begin(), scores().end());
  for (const ScoreFunction& score : given) {
    if (score.name.empty() || !score.forward) {
      throw UsageError(cat("score '", score.name, "': a score function needs a name and forward"));
    }
    if (std::ranges::find(entries_, score.name, &ScoreEntry::name) != entries_.end()) {
      throw UsageError(cat("score '", score.name, "': there is one of this name already; expected another name"));
    }
    const ScoreFunction& kept = *given_.emplace_back(std::make_unique<const ScoreFunction>(score));
    entries_.push_back({kept.name, kept.formula, "", [&kept](const ScoreMaking& making) -> std::unique_ptr<Score> {
                          return std::make_unique<GivenScore>(kept, making);
                        }});
  }
}

AttentionTables GivenScores::tables() const {
  return given_.empty() ? AttentionTables() : AttentionTables{.scores = entries_};
}

}  // namespace dhyan::api

namespace dhyan::v1 {

std::string gradient_mismatch(const ScoreFunction& score, const ScoreWidths& widths) {
  if (widths.query < 1 || widths.key < 1 || widths.heads < 1) {
    throw UsageError(cat("gradient_mismatch: widths are ", widths.query, ", ", widths.key, " and ", widths.heads,
                         " heads; expected 1 or more of each"));
  }
  if (!score.backward) throw UsageError(cat("score '", score.name, "': gradient_mismatch needs backward"));
  const api::GivenScores given({score});
  const Segments queries = Segments::from_lengths({2, 1}), keys = Segments::from_lengths({3, 2});
  const Index Q = widths.query * widths.heads, K = widths.key * widths.heads;
  ParameterSet weights;
  const std::unique_ptr<Score> made =
      make_score(score.name, {weights, "score", {.query = Q, .key = K, .hidden = Q, .heads = widths.heads}, Rng(5)},
                 given.tables().scores);
  Rng rng(7);
  std::vector<Tensor> inputs;  // the weights first: the checker numbers its inputs as a ParameterSet its parameters
  for (const Parameter& weight : weights) inputs.push_back(weight.value);
  inputs.push_back(random_tensor(rng, {queries.rows(), Q}));
  inputs.push_back(random_tensor(rng, {keys.rows(), K}));
  const auto compute = [&](Scope&, const std::vector<Var>& in) {
    const Var query = in[in.size() - 2], key = in.back();
    return (*made)(query, {key, key, keys}, {queries, keys, widths.heads});  // [Σ N T_b S_b]
  };
  return jacobian_mismatch(compute, inputs);
}

}  // namespace dhyan::v1
