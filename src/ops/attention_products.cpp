#include "ops/attention_products.h"

#include "core/error.h"
#include "kernels/attention/attention_products.h"
#include "kernels/attention/segment_softmax.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/gemm/gemm.h"
#include "ops/expect_real.h"

namespace dhyan {

namespace {

using kernels::for_each_block;
using kernels::gemm;
using kernels::LayoutBlock;

// A value that a KV cache may hold.
void expect_real_or_bfloat16(const char* op, const Var& x) {
  if (x.value().dtype() != Dtype::kBfloat16) expect_real(op, x);
}

// One head's columns of one sentence's rows.
Matrix query_block(const Tensor& x, const AttentionLayout& layout, const LayoutBlock& block) {
  const Index K = x.cols() / layout.heads;
  return {x.data() + block.query_begin * x.cols() + block.head * K, block.T, K, x.cols()};  // [T,K]
}
Matrix key_block(const Tensor& x, const AttentionLayout& layout, const LayoutBlock& block) {
  const Index K = x.cols() / layout.heads;
  return {x.data() + block.key_begin * x.cols() + block.head * K, block.S, K, x.cols()};  // [S,K]
}
Matrix pair_block(const Tensor& x, const LayoutBlock& block) {
  return {x.data() + block.offset, block.T, block.S, block.S};  // [T,S]
}

// The functions below add to a gradient; if it is still empty, the kernels of the forward pass overwrite it.

// dE += A Bᵀ, of queries a and keys b
void add_energies(const AttentionLayout& layout, const Tensor& a, const Tensor& b, const Var& energy) {
  const GradTarget de = energy.grad_target();
  if (de.beta == 0) return kernels::attention_energies(layout, a.matrix(), b.matrix(), 1, de.tensor.span());
  for_each_block(layout, [&](const LayoutBlock& block) {
    gemm(query_block(a, layout, block), key_block(b, layout, block).t(), pair_block(de.tensor, block), {.beta = 1});
  });
}

// dQ += P B, of pairs p and keys b
void add_contexts(const AttentionLayout& layout, const Tensor& p, const Tensor& b, const Var& queries) {
  const GradTarget dq = queries.grad_target();
  if (dq.beta == 0) return kernels::attention_contexts(layout, p.span(), b.matrix(), dq.tensor.matrix());
  for_each_block(layout, [&](const LayoutBlock& block) {
    gemm(pair_block(p, block), key_block(b, layout, block), query_block(dq.tensor, layout, block), {.beta = 1});
  });
}

// dK += Pᵀ A, of pairs p and queries a. Keys of sentences without queries have no block.
void add_transposed_contexts(const AttentionLayout& layout, const Tensor& p, const Tensor& a, const Var& keys) {
  const Tensor& dk = keys.grad();  // [ΣS,N*K]
  for_each_block(layout, [&](const LayoutBlock& block) {
    gemm(pair_block(p, block).t(), query_block(a, layout, block), key_block(dk, layout, block), {.beta = 1});
  });
}

}  // namespace

void expect_layout_rows(const char* op, const char* name, const Var& x, const Segments& segments, Index heads) {
  expect_rank(op, name, x.shape(), 2);
  if (x.rows() != segments.rows()) {
    throw ShapeError(cat(op, ": ", name, " is ", x.shape(), ", expected ", segments.rows(), " rows"));
  }
  if (heads < 1 || x.cols() % heads != 0) {
    throw ShapeError(cat(op, ": ", name, " is ", x.shape(), "; its columns cannot be shared by ", heads, " heads"));
  }
}

// E = s Q Kᵀ;   dQ += s dE K,   dK += s dEᵀ Q
Var energies(const Var& queries, const Var& keys, const AttentionLayout& layout, Real scale) {
  expect_real("energies", queries);
  expect_real_or_bfloat16("energies", keys);
  expect_layout_rows("energies", "queries", queries, layout.queries, layout.heads);
  expect_layout_rows("energies", "keys", keys, layout.keys, layout.heads);
  if (queries.cols() != keys.cols()) {
    throw ShapeError(cat("energies: queries are ", queries.shape(), ", keys are ", keys.shape(), "; widths differ"));
  }
  const Tensor e = queries.scope().tensor({layout.count()});  // [Σ N T_b S_b]
  if (keys.value().dtype() == Dtype::kBfloat16) {
    kernels::attention_energies(layout, queries.value().matrix(), kernels::bfloat16_matrix(keys.value()), scale,
                                e.span());
  } else {
    kernels::attention_energies(layout, queries.value().matrix(), keys.value().matrix(), scale, e.span());
  }
  return record(e, {queries, keys}, [queries, keys, layout, scale](const Var& result) {
    const Tensor& de = result.grad();  // [Σ N T_b S_b]
    kernels::scale(de.span(), scale, de.span());
    if (queries.needs_grad()) add_contexts(layout, de, keys.value(), queries);
    if (keys.needs_grad()) add_transposed_contexts(layout, de, queries.value(), keys);
  });
}

// p_j = exp(e_j) / Σ_k exp(e_k);   de_j += p_j (dp_j - Σ_k p_k dp_k)
Var segment_softmax(const Var& energy, const AttentionLayout& layout, const AttentionMask& visible) {
  expect_real("segment_softmax", energy);
  expect_shape("segment_softmax", "energy", energy.shape(), {layout.count()});
  const Tensor p = energy.scope().tensor(energy.shape());  // [Σ N T_b S_b]
  kernels::segment_softmax(layout, visible, energy.value().span(), p.span());
  return record(p, {energy}, [energy, layout](const Var& result) {
    kernels::segment_softmax_backward(layout, result.value().span(), result.grad().span(), energy.grad().span());
  });
}

// C = P V;   dP += dC Vᵀ,   dV += Pᵀ dC
Var contexts(const Var& weights, const Var& values, const AttentionLayout& layout) {
  expect_real("contexts", weights);
  expect_real_or_bfloat16("contexts", values);
  expect_shape("contexts", "weights", weights.shape(), {layout.count()});
  expect_layout_rows("contexts", "values", values, layout.keys, layout.heads);
  const Tensor c = values.scope().tensor({layout.queries.rows(), values.cols()});  // [ΣT,N*K]
  if (values.value().dtype() == Dtype::kBfloat16) {
    kernels::attention_contexts(layout, weights.value().span(), kernels::bfloat16_matrix(values.value()), c.matrix());
  } else {
    kernels::attention_contexts(layout, weights.value().span(), values.value().matrix(), c.matrix());
  }
  return record(c, {weights, values}, [weights, values, layout](const Var& result) {
    if (weights.needs_grad()) add_energies(layout, result.grad(), values.value(), weights);
    if (values.needs_grad()) add_transposed_contexts(layout, weights.value(), result.grad(), values);
  });
}

}  // namespace dhyan
