#pragma once

#include "autograd/tape.h"
#include "kernels/attention/attention_layout.h"

namespace dhyan {

using kernels::AttentionKernel;
using kernels::AttentionLayout;
using kernels::AttentionMask;
using kernels::KeyRange;

// Throws ShapeError unless x has as many rows as the segments and columns that `heads` divides.
void expect_layout_rows(const char* op, const char* name, const Var& x, const Segments& segments, Index heads);

// Keys and values may be bfloat16 (ops/cast.h), which has no gradient.

// e = scale q·k for every pair: [ΣT,N*K], [ΣS,N*K] -> [Σ N T_b S_b]
Var energies(const Var& queries, const Var& keys, const AttentionLayout& layout, Real scale = 1);

// Weights over the visible keys of every query and head: [Σ N T_b S_b] -> same
Var segment_softmax(const Var& energy, const AttentionLayout& layout,
                    const AttentionMask& visible = AttentionMask::all());

// c = Σ_j α_j v_j for every query and head: [Σ N T_b S_b], [ΣS,N*K] -> [ΣT,N*K]
Var contexts(const Var& weights, const Var& values, const AttentionLayout& layout);

}  // namespace dhyan
