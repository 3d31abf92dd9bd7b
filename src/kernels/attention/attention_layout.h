#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "core/segments.h"

namespace dhyan::kernels {

// How products with keys and values are computed.
enum class AttentionKernel {
  kByQueryCount,    // with a GEMM where a sentence has many queries; a GEMM adds in another order
  kBatchInvariant,  // a query has the same bytes whatever other queries its sentence has
};

// Which queries attend to which keys: the queries of sentence b (rows of a [ΣT,N*K] matrix) attend to the keys of
// sentence b (rows of a [ΣS,N*K] matrix), each of N heads in its own K columns. Energies and weights have one value per
// (sentence, head, query, key), in that order without padding: those of one query and head are a ragged row of S_b.
struct AttentionLayout {
  Segments queries;
  Segments keys;
  Index heads = 1;
  AttentionKernel kernel = AttentionKernel::kByQueryCount;

  Index count() const;  // Σ_b N T_b S_b
};

// One sentence: N blocks of T x S values from `offset` on.
struct LayoutSentence {
  Index query_begin, T;  // rows of the queries
  Index key_begin, S;    // rows of the keys
  Index offset;          // of its first value
};

// Calls f(sentence) for each sentence that has queries.
template <class F>
void for_each_sentence(const AttentionLayout& layout, const F& f) {
  Index offset = 0;
  for (Index b = 0; b < layout.queries.count(); ++b) {
    const Index T = layout.queries.length(b), S = layout.keys.length(b);
    if (T > 0) f(LayoutSentence{layout.queries.begin(b), T, layout.keys.begin(b), S, offset});
    offset += layout.heads * T * S;
  }
}

// Calls f(sentence, next sentence); the last is its own next.
template <class F>
void for_each_sentence_and_next(const AttentionLayout& layout, const F& f) {
  std::optional<LayoutSentence> before;
  for_each_sentence(layout, [&](const LayoutSentence& of) {
    if (before) f(*before, of);
    before = of;
  });
  if (before) f(*before, *before);
}

// One head of one sentence: T x S values from `offset` on.
struct LayoutBlock {
  Index head;
  Index query_begin, T;
  Index key_begin, S;
  Index offset;
};

template <class F>
void for_each_block(const AttentionLayout& layout, const F& f) {
  for_each_sentence(layout, [&](const LayoutSentence& of) {
    for (Index head = 0; head < layout.heads; ++head) {
      f(LayoutBlock{head, of.query_begin, of.T, of.key_begin, of.S, of.offset + head * of.T * of.S});
    }
  });
}

// The keys a query may attend to, counted from the first key of its sentence: [begin, end).
struct KeyRange {
  Index begin = 0;
  Index end = 0;
};

// The keys each query may attend to.
class AttentionMask {
 public:
  static AttentionMask all() { return AttentionMask(false, {}); }

  // One range for each row of the queries, which must outlive the tape. Ranges are clamped to the sentence.
  static AttentionMask windows(std::span<const KeyRange> ranges) { return AttentionMask(true, ranges); }

  // The range of the query in this row, in a sentence of S keys. Requires check().
  KeyRange range(Index row, Index S) const {
    if (!limited_) return {0, S};
    const KeyRange& window = ranges_[static_cast<std::size_t>(row)];
    const Index begin = std::clamp<Index>(window.begin, 0, S);
    return {begin, std::clamp(window.end, begin, S)};
  }

  // Throws ShapeError unless there is a window for every query.
  void check(const AttentionLayout& layout) const;

 private:
  AttentionMask(bool limited, std::span<const KeyRange> ranges) : limited_(limited), ranges_(ranges) {}

  bool limited_;
  std::span<const KeyRange> ranges_;
};

}  // namespace dhyan::kernels
