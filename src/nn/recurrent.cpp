#include "nn/recurrent.h"

#include "core/error.h"
#include "core/table.h"
#include "ops/arena_copy.h"
#include "ops/rows.h"

namespace dhyan {

namespace {

// The last state of each sentence, in sorted order: the longest sentences end last. history[0] is the initial state,
// history[t + 1] the one after step t.
Var last_of_each(const RecurrentPlan& plan, std::span<const State> history, Var State::*part) {
  if (!(history.front().*part)) return {};
  Arena& arena = history.front().h.scope().arena();
  const std::span<Var> ended = arena_span<Var>(arena, history.size());
  for (std::size_t i = 0; i < history.size(); ++i) {
    const Var& rows = history[history.size() - 1 - i].*part;
    ended[i] = slice_rows(rows, plan.active(plan.steps() - static_cast<Index>(i)), rows.rows());
  }
  return concat_rows(ended);  // [B,H]
}

// h of all steps, below each other. The empty window gives the width where there is no step at all.
Var all_states(std::span<const State> history) {
  const std::span<Var> parts = arena_span<Var>(history.front().h.scope().arena(), history.size());
  parts[0] = slice_rows(history.front().h, 0, 0);  // [0,H]
  for (std::size_t i = 1; i < history.size(); ++i) parts[i] = history[i].h;
  return concat_rows(parts);  // [ΣS,H]
}

struct CellOutput {
  Var h;        // [ΣS,H]
  State final;  // [B,H]
};

// One cell over all sentences in one direction: h_t = f(x_t, h_{t-1}).
CellOutput run_cell(const CellStack& cell, const Var& x, const RecurrentPlan& plan, Direction direction,
                    const State& initial) {
  Arena& arena = x.scope().arena();
  const std::span<State> history = arena_span<State>(arena, static_cast<std::size_t>(plan.steps()) + 1);
  const Var from_x = cell.project(gather_rows(x, plan.to_time(direction)));                         // [ΣS,G H]
  history[0] = map(initial, [&](const Var& rows) { return gather_rows(rows, plan.sentences()); });  // [B,H]
  for (Index t = 0; t < plan.steps(); ++t) {
    const auto now = static_cast<std::size_t>(t);
    const Var from_x_t = slice_rows(from_x, plan.begin(t), plan.begin(t + 1));            // [n,G H]
    history[now + 1] = cell.step(from_x_t, first_rows_of(history[now], plan.active(t)));  // [n,H]
  }
  const State last{last_of_each(plan, history, &State::h), last_of_each(plan, history, &State::c)};  // [B,H]
  return {gather_rows(all_states(history), plan.from_time(direction)),                               // [ΣS,H]
          map(last, [&](const Var& rows) { return gather_rows(rows, plan.ranks()); })};              // [B,H]
}

void expect_plan(const RecurrentPlan& plan, const Segments& x) {
  if (plan.segments() == x) return;
  throw ShapeError(cat("recurrent: the plan is of ", plan.segments().count(), " sentences and ", plan.segments().rows(),
                       " rows, x of ", x.count(), " and ", x.rows(), "; expected the same lengths"));
}

void expect_initial(std::span<const State> initial, std::size_t count, const CellEntry& kind, const Shape& shape) {
  if (initial.empty()) return;
  if (initial.size() != count) {
    throw ShapeError(cat("recurrent: ", initial.size(), " initial states, expected ", count, ": one for each cell"));
  }
  for (const State& state : initial) {
    expect_shape("recurrent", "initial h", state.h.shape(), shape);
    if (static_cast<bool>(state.c) != kind.has_memory) {
      throw ShapeError(
          cat("recurrent: an initial state ", state.c ? "has" : "lacks", " a memory c; the cells are ", kind.name));
    }
    if (state.c) expect_shape("recurrent", "initial c", state.c.shape(), shape);
  }
}

std::string cell_name(const std::string& name, Index layer, Index direction) {
  return cat(name, ".", layer, direction == 0 ? ".forward" : ".backward");
}

}  // namespace

Recurrent::Recurrent(ParameterSet& parameters, const std::string& name, const CellSize& size,
                     const RecurrentOptions& options)
    : kind_(&entry_named("cell", cells(), options.cell)),
      directions_(options.directions == Directions::kBoth ? 2 : 1),
      stacks_(options.stacks),
      between_layers_(options.between_layers) {
  if (options.layers < 1) throw ConfigError(cat("recurrent: layers is ", options.layers, ", expected 1 or more"));
  for (Index layer = 0; layer < options.layers; ++layer) {
    const Index read = stacks_ == Stacks::kJoint ? directions_ : 1;
    const CellSize own{layer == 0 ? size.in : read * size.hidden, size.hidden};
    for (Index direction = 0; direction < directions_; ++direction) {
      cells_.emplace_back(options.cell, parameters, cell_name(name, layer, direction), own, options.transitions,
                          options.weights);
    }
    ends_.emplace_back(parameters, cat(name, ".", layer), out(), options.end);
  }
}

// The columns of a layer's input that one of its cells reads.
Var Recurrent::read_by(std::size_t cell, const Var& rows) const {
  const auto i = static_cast<Index>(cell);
  if (stacks_ == Stacks::kJoint || i < directions_) return rows;  // [ΣS,E] or [ΣS,D H]
  const Index H = cells_.front().hidden(), direction = i % directions_;
  return slice_cols(rows, direction * H, (direction + 1) * H);  // [ΣS,H]
}

Recurred Recurrent::operator()(const Ragged& x, const RecurrentPlan& plan, std::span<const State> initial) const {
  expect_rows("recurrent", x.rows, x.segments);
  expect_plan(plan, x.segments);
  const Index B = x.segments.count();
  expect_initial(initial, cells_.size(), *kind_, {B, cells_.front().hidden()});
  Scope& scope = x.rows.scope();
  const std::span<State> finals = arena_span<State>(scope.arena(), cells_.size());
  Var rows = x.rows;  // [ΣS,E]
  for (std::size_t i = 0; i < cells_.size(); i += static_cast<std::size_t>(directions_)) {
    if (i > 0) rows = between_layers_(Ragged{rows, x.segments});  // [ΣS,D H]
    const auto run = [&](std::size_t cell, Direction direction) {
      const State start = initial.empty() ? cells_[cell].zeros(scope, B) : initial[cell];  // [B,H]
      const CellOutput output = run_cell(cells_[cell], read_by(cell, rows), plan, direction, start);
      finals[cell] = output.final;  // [B,H]
      return output.h;              // [ΣS,H]
    };
    const Var forward = run(i, Direction::kForward);                                                      // [ΣS,H]
    const Var h = directions_ == 1 ? forward : concat_cols({forward, run(i + 1, Direction::kBackward)});  // [ΣS,D H]
    const bool first_of_stacks = i == 0 && stacks_ == Stacks::kSeparate;  // what it reads is of no direction
    rows = ends_[i / static_cast<std::size_t>(directions_)](first_of_stacks ? Var() : rows, h);  // [ΣS,D H]
  }
  return {rows, finals};
}

}  // namespace dhyan
