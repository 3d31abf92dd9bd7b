#include "ops/listed_outputs.h"

#include <algorithm>

#include "core/error.h"
#include "kernels/gemm/unpacked_gemm.h"
#include "ops/prepack.h"
#include "ops/row_product.h"

namespace dhyan {

namespace {

using kernels::ListedColumns;

std::vector<ListedColumns> checked(const Var& x, const OutputLayer& layer, const ListedWords& lists) {
  const Index V = layer.weight.shape()[0];
  if (lists.rows.count() != std::ssize(lists.words) || lists.rows.rows() != x.rows()) {
    throw ShapeError(cat("listed_outputs: x has ", x.rows(), " rows, ", lists.words.size(), " lists are of ",
                         lists.rows.count(), " sentences with ", lists.rows.rows(), " rows"));
  }
  std::vector<ListedColumns> columns;
  for (Index b = 0; b < lists.rows.count(); ++b) {
    if (lists.rows.length(b) == 0) continue;
    const std::span<const RowId> words = lists.words[static_cast<std::size_t>(b)];
    if (words.empty()) throw DataError(cat("listed_outputs: sentence ", b, " has no words"));
    if (words.front() < 0 || words.back() >= V) {
      throw DataError(
          cat("listed_outputs: words from ", words.front(), " to ", words.back(), " of a vocabulary of ", V));
    }
    columns.push_back({lists.rows.begin(b), lists.rows.end(b), words});
  }
  return columns;
}

std::span<const Real> bias_of(const OutputLayer& layer) {
  return layer.bias ? layer.bias.value().span() : std::span<Real>();  // [V]
}

// Z = X Wᵀ + b for the words of a list.
void make_listed_logits(ConstMatrix x, const OutputLayer& layer, std::span<const RowId> words, Matrix z) {
  const Prepacked* form = prepacked(layer.weight);
  if (form != nullptr && form->int8 != nullptr) return form->int8_rows().multiply(x, bias_of(layer), words, z);
  kernels::multiply_some_outputs(x, layer.weight.value().matrix().t(), bias_of(layer), words, z,
                                 layer.weight.scope().precision());
}

// Finds the best of a float weight without their logits; false if it cannot.
bool find_best(const Var& x, const OutputLayer& layer, std::span<const ListedColumns> lists, Index k,
               std::span<kernels::Ranked> best) {
  const Prepacked* form = prepacked(layer.weight);
  if (form == nullptr || form->int8 != nullptr) return false;
  if (std::ranges::any_of(lists, [&](const ListedColumns& list) { return std::ssize(list.columns) < k; })) return false;
  return form->panels.top_k_listed(x.value().matrix(), layer.weight.value().matrix().t(), bias_of(layer), lists, best,
                                   x.scope().precision());
}

// The k best of the logits of a list, and log Σ exp unless `log_sums` is empty.
void rank_listed(const Matrix& z, std::span<const RowId> words, Index k, std::span<double> log_sums,
                 std::span<kernels::Ranked> best) {
  const Index n = std::min(k, z.cols);
  for (Index r = 0; r < z.rows; ++r) {
    const Matrix row{z.row(r), 1, z.cols, z.cols};
    const std::span<kernels::Ranked> of_row =
        best.subspan(static_cast<std::size_t>(r * k), static_cast<std::size_t>(n));
    if (log_sums.empty()) {
      kernels::top_k_rows(row, n, of_row);
    } else {
      kernels::log_sum_and_top_k_rows(row, log_sums.subspan(static_cast<std::size_t>(r), 1), n, of_row);
    }
    for (kernels::Ranked& one : of_row) one.column = words[static_cast<std::size_t>(one.column)];
  }
}

}  // namespace

RankedOutputs listed_outputs(const Var& x, const OutputLayer& layer, const ListedWords& lists, Index k, LogSums sums) {
  check_output("listed_outputs", x, layer);
  const std::vector<ListedColumns> columns = checked(x, layer, lists);
  RankedOutputs outputs{std::vector(static_cast<std::size_t>(x.rows() * k), kernels::kNoWord), {}};
  if (sums == LogSums::kNo && find_best(x, layer, columns, k, outputs.best)) return outputs;
  if (sums == LogSums::kYes) outputs.log_sums.resize(static_cast<std::size_t>(x.rows()));
  Index largest = 0;
  for (const auto& [begin, end, words] : columns) largest = std::max<Index>(largest, (end - begin) * std::ssize(words));
  Real* memory = x.scope().tensor({largest}).data();
  const ConstMatrix rows = x.value().matrix();  // [.,H]
  for (const auto& [begin, end, words] : columns) {
    const Index m = end - begin, n = std::ssize(words);
    const Matrix z{memory, m, n, n};  // [m,n]
    make_listed_logits({rows.row(begin), m, rows.cols, rows.stride}, layer, words, z);
    const auto first = static_cast<std::size_t>(begin);
    const auto best = std::span(outputs.best).subspan(first * static_cast<std::size_t>(k));
    rank_listed(z, words, k,
                outputs.log_sums.empty() ? std::span<double>() : std::span(outputs.log_sums).subspan(first), best);
  }
  return outputs;
}

}  // namespace dhyan
