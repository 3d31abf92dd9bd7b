#include "explain/worked_example.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "attention/attend.h"
#include "ops/matmul.h"

namespace dhyan {

namespace {

constexpr int kLabelWidth = 8;

struct Style {
  int decimals;
  Colour colour = Colour::kNo;  // shade each number by its size in [0,1]
};

void print_matrix(std::ostream& out, const std::vector<std::string>& row_names, const Tensor& m, const Style& style) {
  for (Index r = 0; r < m.rows(); ++r) {
    out << "  " << std::left << std::setw(kLabelWidth) << row_names[static_cast<std::size_t>(r)] << std::right;
    for (const Real x : m.row(r)) {
      std::ostringstream number;
      number << std::setw(style.decimals + 4) << std::fixed << std::setprecision(style.decimals) << x;
      out << (style.colour == Colour::kYes ? shaded(number.str(), x) : number.str());
    }
    out << '\n';
  }
}

void print_columns(std::ostream& out, const std::vector<std::string>& names, const Style& style) {
  out << "  " << std::string(kLabelWidth, ' ');
  for (const std::string& name : names) out << std::setw(style.decimals + 4) << name;
  out << '\n';
}

// One row of the softmax in numbers: what a reader can redo with a pocket calculator.
void print_one_softmax(std::ostream& out, const SelfAttentionExample& example) {
  const std::span<const Real> e = example.energy.row(0);
  double sum = 0;
  out << "  the first row: ";
  for (std::size_t j = 0; j < e.size(); ++j) {
    out << (j > 0 ? " + " : "") << "exp " << std::setprecision(2) << e[j];
    sum += std::exp(double{e[j]});
  }
  out << " = " << std::setprecision(4) << sum << ";  exp " << std::setprecision(2) << e[0] << " / "
      << std::setprecision(4) << sum << " = " << example.weights.row(0)[0] << "\n\n";
}

}  // namespace

SelfAttentionExample self_attention_example() {
  SelfAttentionExample example;
  example.tokens = {"the", "next", "is"};
  example.X = Tensor::of({3, 3}, {.9, .1, .1, .1, .9, .1, .5, .5, .1});
  example.W_q = Tensor::of({3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  example.W_k = Tensor::of({3, 3}, {1, 0, 0, 0, 2, 0, 0, 0, 1});
  example.W_v = example.W_q.clone();

  Arena arena;
  Scope scope(arena);
  const Var X = scope.constant(example.X);               // [3,3]
  const Var Q = matmul(scope.constant(example.W_q), X);  // [3,3]
  const Var K = matmul(scope.constant(example.W_k), X);  // [3,3]
  const Var V = matmul(scope.constant(example.W_v), X);  // [3,3]
  const Segments sentence = Segments::one(3);
  ParameterSet no_weights;
  const auto score = make_score("dot", {no_weights, "score", {.query = 3, .key = 3}, Rng(0)});
  const Attended attended = attend(*score, {Q, sentence}, {K, V, sentence});

  example.Q = Q.value().clone();
  example.K = K.value().clone();
  example.V = V.value().clone();
  example.energy = attended.energy.value().reshaped({3, 3}).clone();
  example.weights = attended.weights.value().reshaped({3, 3}).clone();
  example.context = attended.context.value().clone();
  return example;
}

std::string to_text(const SelfAttentionExample& example, Colour colour) {
  const Style one{1}, two{2}, four{4}, heat{4, colour};
  std::ostringstream out;
  out << std::fixed;
  out << "Self-attention, worked through: 3 tokens, embedding size 3, scores not scaled.\n"
         "Weights multiply the matrix of embeddings from the left.\n\n"
         "1. Embeddings X, one row a token\n";
  print_matrix(out, example.tokens, example.X, one);
  out << "\n2. Queries Q = W_q X, with W_q = I: what each token asks for\n";
  print_matrix(out, example.tokens, example.Q, one);
  out << "\n3. Keys K = W_k X, with W_k = diag(1,2,1): what each token answers to\n";
  print_matrix(out, example.tokens, example.K, one);
  out << "\n4. Energies E = Q Kᵀ: how well question i and answer j go together\n";
  print_columns(out, example.tokens, two);
  print_matrix(out, example.tokens, example.energy, two);
  out << "\n5. Weights α = softmax of each row of E: they are positive and sum to 1\n";
  print_one_softmax(out, example);
  print_columns(out, example.tokens, four);
  print_matrix(out, example.tokens, example.weights, heat);
  out << "\n6. Contexts c_i = Σ_j α_ij v_j, with V = W_v X and W_v = I: each token, rewritten by what it attends to\n";
  print_matrix(out, example.tokens, example.context, four);
  out << '\n';
  for (Index i = 0; i < example.weights.rows(); ++i) {
    const std::span<const Real> row = example.weights.row(i);
    const auto most = static_cast<std::size_t>(std::ranges::max_element(row) - row.begin());
    out << "  \"" << example.tokens[static_cast<std::size_t>(i)] << "\" attends most to \"" << example.tokens[most]
        << "\" (" << std::setprecision(4) << row[most] << ")\n";
  }
  return std::move(out).str();
}

}  // namespace dhyan
