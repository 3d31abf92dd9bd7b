#include "explain/worked_example.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "attention/attend.h"
#include "core/error.h"
#include "core/number_text.h"
#include "ops/matmul.h"
#include "text/display.h"

namespace dhyan {

namespace {

constexpr Index kLabelWidth = 10;  // two spaces and a token
constexpr Index kHalfWidth = 40;   // of the left order; the right order follows

struct Style {
  int decimals;
  Colour colour = Colour::kNo;  // shade each value in [0,1]
};

std::string number_cell(Real x, const Style& style) {
  const std::string text = padded(fixed(x, style.decimals), style.decimals + 4, Align::kRight);
  return style.colour == Colour::kYes ? shaded(text, x) : text;
}

// Pads a line to kHalfWidth. `width` is its visible width: colour escapes have none.
std::string halved(std::string line, Index width) {
  line.append(static_cast<std::size_t>(std::max<Index>(0, kHalfWidth - width)), ' ');
  return line;
}

// Two texts side by side, such as the headings of two matrices.
void print_beside(std::ostream& out, const std::string& left, const std::string& right) {
  out << halved(left, display_width(left)) << right << '\n';
}

std::string matrix_row(const std::string& name, const Tensor& m, Index r, const Style& style) {
  std::string line = padded("  " + name, kLabelWidth);
  for (const Real x : m.row(r)) line += number_cell(x, style);
  return line;
}

void print_matrix(std::ostream& out, const std::vector<std::string>& row_names, const Tensor& m, const Style& style) {
  for (Index r = 0; r < m.rows(); ++r) {
    out << matrix_row(row_names[static_cast<std::size_t>(r)], m, r, style) << '\n';
  }
}

void print_matrices(std::ostream& out, const std::vector<std::string>& row_names, const Tensor& left,
                    const Tensor& right, const Style& style) {
  const Index width = kLabelWidth + left.cols() * (style.decimals + 4);
  for (Index r = 0; r < left.rows(); ++r) {
    const std::string& name = row_names[static_cast<std::size_t>(r)];
    out << halved(matrix_row(name, left, r, style), width) << matrix_row(name, right, r, style) << '\n';
  }
}

void print_columns(std::ostream& out, const std::vector<std::string>& names, const Style& style) {
  std::string line(kLabelWidth, ' ');
  for (const std::string& name : names) line += padded(name, style.decimals + 4, Align::kRight);
  print_beside(out, line, line);
}

// One row of the softmax in numbers that a reader can check with a pocket calculator.
void print_one_softmax(std::ostream& out, const SelfAttended& attended) {
  const std::span<const Real> e = attended.energy.row(0);
  double sum = 0;
  out << "  the first row on the left: ";
  for (std::size_t j = 0; j < e.size(); ++j) {
    out << (j > 0 ? " + " : "") << "exp " << fixed(e[j], 2);
    sum += std::exp(double{e[j]});
  }
  out << " = " << fixed(sum, 4) << ";\n  exp " << fixed(e[0], 2) << " / " << fixed(sum, 4) << " = "
      << fixed(attended.weights.row(0)[0], 4) << "\n\n";
}

// "the" attends most to "the" (0.4231)
std::string most_attended(const SelfAttentionExample& example, const SelfAttended& attended, Index i) {
  const std::span<const Real> row = attended.weights.row(i);
  const auto most = static_cast<std::size_t>(std::ranges::max_element(row) - row.begin());
  return cat("  \"", example.tokens[static_cast<std::size_t>(i)], "\" attends most to \"", example.tokens[most], "\" (",
             fixed(row[most], 4), ")");
}

SelfAttended attended(Var Q, Var K, Var V) {
  const Segments sentence = Segments::one(3);
  ParameterSet no_weights;
  const auto score = make_score("dot", {no_weights, "score", {.query = 3, .key = 3}, Rng(0)});
  const Attended result = attend(*score, {Q, sentence}, {K, V, sentence});
  return {.Q = Q.value().clone(),
          .K = K.value().clone(),
          .V = V.value().clone(),
          .energy = result.energy.value().reshaped({3, 3}).clone(),
          .weights = result.weights.value().reshaped({3, 3}).clone(),
          .context = result.context.value().clone()};
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
  const Var X = scope.constant(example.X);      // [3,3]
  const Var W_q = scope.constant(example.W_q);  // [3,3]
  const Var W_k = scope.constant(example.W_k);  // [3,3]
  const Var W_v = scope.constant(example.W_v);  // [3,3]
  example.left = attended(matmul(W_q, X), matmul(W_k, X), matmul(W_v, X));
  example.right = attended(matmul(X, W_q), matmul(X, W_k), matmul(X, W_v));
  return example;
}

std::string to_text(const SelfAttentionExample& example, Colour colour) {
  const Style one{1}, two{2}, four{4}, heat{4, colour};
  const SelfAttended &left = example.left, &right = example.right;
  std::ostringstream out;
  out << "Self-attention, worked through: 3 tokens, embedding size 3, scores not scaled.\n"
         "On the left: W X, multiplied from the left as in the text the example comes from.\n"
         "On the right: X W, the usual order and that of every model: Q = X W_q, a row a token.\n\n"
         "1. Embeddings X, one row a token\n";
  print_matrix(out, example.tokens, example.X, one);
  out << "\n2. Queries, with W_q = I: what each token asks for\n";
  print_beside(out, "  Q = W_q X", "  Q = X W_q");
  print_matrices(out, example.tokens, left.Q, right.Q, one);
  out << "\n3. Keys, with W_k = diag(1,2,1): what each token answers to\n"
         "   W_k X doubles a row: one token. X W_k doubles a column: one feature of every token.\n";
  print_beside(out, "  K = W_k X", "  K = X W_k");
  print_matrices(out, example.tokens, left.K, right.K, one);
  out << "\n4. Energies E = Q Kᵀ: how well question i and answer j go together\n";
  print_columns(out, example.tokens, two);
  print_matrices(out, example.tokens, left.energy, right.energy, two);
  out << "\n5. Weights α = softmax of each row of E: they are positive and sum to 1\n";
  print_one_softmax(out, left);
  print_columns(out, example.tokens, four);
  print_matrices(out, example.tokens, left.weights, right.weights, heat);
  out << "\n6. Values, with W_v = I: V = W_v X = X W_v = X, the embeddings of step 1\n"
         "\n7. Contexts c_i = Σ_j α_ij v_j: each token, rewritten by what it attends to\n";
  print_beside(out, "  C = α V", "  C = α V");
  print_matrices(out, example.tokens, left.context, right.context, four);
  out << '\n';
  for (Index i = 0; i < left.weights.rows(); ++i) {
    print_beside(out, most_attended(example, left, i), most_attended(example, right, i));
  }
  return std::move(out).str();
}

}  // namespace dhyan
