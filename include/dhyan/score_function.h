#pragma once

#include <cstdint>
#include <dhyan/matrix.h>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace dhyan::v1 {

// A score function of your own: how well a query matches a key, e_ij = score(s_i, h_j). Give it to LoadOptions and to
// TrainOptions by the same name, and name it as the training option "score". Every model that attends can use it.

// Row r begins at data + r * stride.
struct RowsView {
  const Real* data = nullptr;
  std::int64_t rows = 0, cols = 0, stride = 0;

  Real operator()(std::int64_t row, std::int64_t col) const { return data[row * stride + col]; }
};
struct WritableRows {
  Real* data = nullptr;
  std::int64_t rows = 0, cols = 0, stride = 0;

  Real& operator()(std::int64_t row, std::int64_t col) const { return data[row * stride + col]; }
};

// Widths that a layer gives to its score.
struct ScoreWidths {
  std::int64_t query = 0, key = 0;  // of one head
  std::int64_t heads = 1;
};

// A weight that is trained. It starts at random in value - spread ... value + spread. All heads have the same
// weights; for weights of each head, take cols = heads and read those of ScoreInput::head.
struct ScoreWeight {
  std::string name;
  std::int64_t rows = 1, cols = 1;
  double value = 0;
  double spread = 0;
};

// One head of one sentence.
struct ScoreInput {
  RowsView queries;                   // [T,Q]  s_i
  RowsView keys;                      // [S,K]  h_j
  std::span<const RowsView> weights;  // in the order of ScoreFunction::weights
  std::int64_t head = 0;              // from 0
};

// Where gradients are added (+=). `data` is null where none is needed.
struct ScoreGradients {
  WritableRows queries;  // [T,Q]
  WritableRows keys;     // [S,K]
  std::span<const WritableRows> weights;
};

// The functions are called from several threads at once, for many sentences; they must not throw.
struct ScoreFunction {
  static constexpr std::size_t kMostWeights = 8;

  std::string name;     // as the option "score" names it; must differ from those of the built-in scores
  std::string formula;  // for people: "-γ |s - h|²"
  std::function<std::vector<ScoreWeight>(const ScoreWidths&)> weights = {};  // empty: none. May throw ConfigError
  // Writes every energy e_ij, [T,S].
  std::function<void(const ScoreInput&, const WritableRows& energies)> forward = {};
  // Adds the gradients, given d(loss)/d(e_ij). Needed by train() alone.
  std::function<void(const ScoreInput&, const RowsView& d_energies, const ScoreGradients&)> backward = {};
};

// Compares backward with finite differences of forward on small random inputs. Empty if they agree; else where they
// disagree most.
DHYAN_EXPORT std::string gradient_mismatch(const ScoreFunction& score, const ScoreWidths& widths = {4, 4, 2});

}  // namespace dhyan::v1
