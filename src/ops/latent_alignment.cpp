#include "ops/latent_alignment.h"

#include <algorithm>
#include <functional>

#include "core/error.h"
#include "kernels/elementwise/elementwise.h"
#include "ops/arena_copy.h"
#include "ops/expect_real.h"

namespace dhyan {

namespace {

using kernels::AttentionLayout;
using kernels::LayoutSentence;

void expect_one_head(const char* op, const AttentionLayout& layout) {
  if (layout.heads != 1) throw ShapeError(cat(op, ": the layout has ", layout.heads, " heads, expected 1"));
}

template <class T>
std::span<T> part(std::span<T> all, Index begin, Index count) {
  return all.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
}

Matrix block(const Tensor& pairs, const LayoutSentence& of) { return {pairs.data() + of.offset, of.T, of.S, of.S}; }

void expect_within(const char* name, std::span<const RowId> ids, Index words, Index size) {
  if (std::ssize(ids) != words)
    throw ShapeError(cat("pair_energies: ", ids.size(), " ", name, " for ", words, " rows"));
  for (const RowId id : ids) {
    if (id < 0 || id >= size) throw ShapeError(cat("pair_energies: ", name, " has ", id, " of a table of ", size));
  }
}

void expect_null_words(const AttentionLayout& layout) {
  kernels::for_each_sentence(layout, [](const LayoutSentence& of) {
    if (of.S == 0) throw ShapeError(cat("latent_alignment: ", of.T, " targets without a key, expected the null word"));
  });
}

}  // namespace

// dtable(keys_j, queries_i) += de_ij
Var pair_energies(const Var& table, const WordPairs& words, const AttentionLayout& layout) {
  expect_real("pair_energies", table);
  expect_rank("pair_energies", "table", table.shape(), 2);
  expect_one_head("pair_energies", layout);
  expect_within("keys", words.keys, layout.keys.rows(), table.rows());
  expect_within("queries", words.queries, layout.queries.rows(), table.cols());
  const Tensor e = table.scope().tensor({layout.count()});  // [Σ T_b S_b]
  kernels::for_each_sentence(layout, [&](const LayoutSentence& of) {
    kernels::pair_lookup(table.value().matrix(), part(words.keys, of.key_begin, of.S),
                         part(words.queries, of.query_begin, of.T), block(e, of));
  });
  return record(e, {table}, [table, words, layout](const Var& result) {
    kernels::for_each_sentence(layout, [&](const LayoutSentence& of) {
      kernels::pair_lookup_backward(block(result.grad(), of), part(words.keys, of.key_begin, of.S),
                                    part(words.queries, of.query_begin, of.T), table.grad().matrix());
    });
  });
}

// L = -Σ log p(y);   de_ij -= dL p(a_i = j | y);   ds_d -= dL d(log p(y))/d(s_d)
LatentAlignment latent_alignment(const Var& energy, const Var& jumps, double null, const AttentionLayout& layout) {
  expect_real("latent_alignment", energy);
  expect_real("latent_alignment", jumps);
  expect_one_head("latent_alignment", layout);
  expect_shape("latent_alignment", "energy", energy.shape(), {layout.count()});
  expect_rank("latent_alignment", "jumps", jumps.shape(), 1);
  if (jumps.value().size() % 2 == 0) {
    throw ShapeError(cat("latent_alignment: jumps is ", jumps.shape(), ", expected an odd number of scores"));
  }
  if (!(null > 0 && null < 1)) throw ConfigError(cat("latent_alignment: null is ", null, ", expected 0 < null < 1"));
  expect_null_words(layout);

  Scope& scope = energy.scope();
  const Tensor posteriors = scope.tensor(energy.shape());                // [Σ T_b S_b]
  const Tensor djumps = Tensor::zeros_in(scope.arena(), jumps.shape());  // [2R+1]
  const std::span<Real> own = arena_span<Real>(scope.arena(), jumps.value().span().size());
  std::size_t most = 0;
  kernels::for_each_sentence(
      layout, [&](const LayoutSentence& of) { most = std::max(most, kernels::alignment_scratch(of.T, of.S)); });
  const std::span<double> scratch = arena_span<double>(scope.arena(), most);
  double log_p = 0;
  kernels::for_each_sentence(layout, [&](const LayoutSentence& of) {
    const bool wanted = scope.recording() && jumps.needs_grad();
    log_p += kernels::align_sentence({.energy = block(energy.value(), of),
                                      .posterior = block(posteriors, of),
                                      .djumps = wanted ? own : std::span<Real>()},
                                     {jumps.value().span(), null}, scratch);
    if (wanted) std::ranges::transform(own, djumps.span(), djumps.data(), std::plus());
  });
  const Tensor loss = scope.tensor({});  // []
  loss.data()[0] = static_cast<Real>(-log_p);
  const Var y = record(loss, {energy, jumps}, [energy, jumps, posteriors, djumps](const Var& result) {
    const Real dloss = result.grad().item();
    if (energy.needs_grad()) kernels::scale_add(posteriors.span(), -dloss, energy.grad().span());
    if (jumps.needs_grad()) kernels::scale_add(djumps.span(), -dloss, jumps.grad().span());
  });
  return {y, posteriors};
}

}  // namespace dhyan
