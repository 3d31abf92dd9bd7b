#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>

#include "autograd/tape.h"
#include "core/error.h"
#include "decoding/search.h"

namespace dhyan {

// For tests: a model with random logits for each sentence and prefix. The logits depend on nothing else, so that tests
// can find the best translations by exhaustive search.
class FakeDecoding final : public Decoding {
 public:
  static constexpr Index kVocabulary = 7, kHeads = 2, kContext = 3;
  using Prefix = std::vector<TokenId>;

  struct Sentence {
    std::uint64_t seed = 1;
    Index source_length = 2;
  };

  explicit FakeDecoding(std::vector<Sentence> sentences, Index layers = 0)
      : sentences_(std::move(sentences)), layers_(layers) {}

  // Stores in `most`, which must outlive this, the largest number of hypotheses in a step.
  void note_most_rows(std::atomic<Index>& most) { most_rows_ = &most; }

  // If a step asks for the best words only, the model returns no logits.
  void leave_out_logits() { leaves_out_logits_ = true; }

  // z [V] after a prefix.
  static std::vector<Real> logits(const Sentence& sentence, const Prefix& prefix) {
    return drawn(sentence, prefix, 0, kVocabulary);
  }

  static double log_probability(const Sentence& sentence, const Prefix& prefix, TokenId token);

  // e [S] and c [K] of a layer and head after a prefix.
  static std::vector<Real> energy(const Sentence& sentence, const Prefix& prefix, Index layer, Index head) {
    return drawn(sentence, prefix, static_cast<std::uint64_t>(1 + 4 * layer + 2 * head), sentence.source_length);
  }
  static std::vector<Real> context(const Sentence& sentence, const Prefix& prefix, Index layer, Index head) {
    return drawn(sentence, prefix, static_cast<std::uint64_t>(2 + 4 * layer + 2 * head), kContext);
  }

  Index sentences() const override { return static_cast<Index>(sentences_.size()); }
  Index steps() const { return steps_; }
  Index rows() const { return rows_; }  // of all steps

  DecoderStep step(const Continuation& continuation) override {
    ++steps_;
    follow(continuation);
    arena_.reset();
    const Index A = continuation.hypotheses.rows();
    rows_ += A;
    if (most_rows_ != nullptr) {
      for (Index most = *most_rows_; most < A && !most_rows_->compare_exchange_weak(most, A);) {
      }
    }
    DecoderStep result;
    result.logits = scope_.constant(scope_.tensor({A, kVocabulary}));
    for (Index row = 0; row < A; ++row) {
      std::ranges::copy(logits(sentence_of(row), prefix_of(row)), result.logits.value().row(row).begin());
    }
    if (leaves_out_logits_ && continuation.best > 0) {
      const Tensor logits = std::exchange(result.logits, {}).value();  // [A,V]
      result.best.resize(static_cast<std::size_t>(A * continuation.best));
      result.log_sums.resize(static_cast<std::size_t>(A));
      if (continuation.words.empty()) {
        kernels::log_sum_and_top_k_rows(logits.matrix(), result.log_sums, continuation.best, result.best);
      } else {
        rank_listed(continuation, logits, result);
      }
    }
    for (Index layer = 0; layer < layers_; ++layer) result.attention.push_back(attention(continuation, layer));
    return result;
  }

 private:
  struct State {
    std::size_t sentence = 0;
    Prefix prefix;
  };

  static std::vector<Real> drawn(const Sentence& sentence, const Prefix& prefix, std::uint64_t what, Index count) {
    Rng rng = Rng(sentence.seed).split(what);
    for (const TokenId token : prefix) rng = rng.split(static_cast<std::uint64_t>(token));
    std::vector<Real> numbers(static_cast<std::size_t>(count));
    for (Real& number : numbers) number = static_cast<Real>(rng.uniform(-2, 2));
    return numbers;
  }

  // The best of the listed words, and log Σ exp over these.
  static void rank_listed(const Continuation& continuation, const Tensor& logits, DecoderStep& result) {
    std::ranges::fill(result.best, kernels::kNoWord);
    for (Index b = 0; b < continuation.hypotheses.count(); ++b) {
      const std::span<const TokenId> words = continuation.words[static_cast<std::size_t>(b)];
      for (Index row = continuation.hypotheses.begin(b); row < continuation.hypotheses.end(b); ++row) {
        std::vector<Real> listed;
        for (const TokenId word : words) listed.push_back(logits.row(row)[static_cast<std::size_t>(word)]);
        const Index n = std::ssize(listed), k = std::min(n, continuation.best);
        const auto best = std::span(result.best).subspan(static_cast<std::size_t>(row * continuation.best));
        kernels::log_sum_and_top_k_rows({listed.data(), 1, n, n},
                                        std::span(result.log_sums).subspan(static_cast<std::size_t>(row), 1), k, best);
        for (Index i = 0; i < k; ++i) {
          RowId& column = best[static_cast<std::size_t>(i)].column;
          column = words[static_cast<std::size_t>(column)];
        }
      }
    }
  }

  // Reorders the prefixes as the continuation says, and checks the continuation.
  void follow(const Continuation& continuation) {
    std::vector<State> next;
    for (Index b = 0; b < sentences(); ++b) {
      for (Index row = continuation.hypotheses.begin(b); row < continuation.hypotheses.end(b); ++row) {
        const auto from = static_cast<std::size_t>(continuation.rows[static_cast<std::size_t>(row)]);
        const TokenId token = continuation.tokens[static_cast<std::size_t>(row)];
        State state = steps_ == 1 ? State{from, {}} : states_.at(from);
        if (state.sentence != static_cast<std::size_t>(b)) throw UsageError("a row of another sentence");
        if ((steps_ == 1) != (token == kBegin))
          throw UsageError("<s> must be the token of the first step and of no other");
        if (steps_ > 1) state.prefix.push_back(token);
        next.push_back(std::move(state));
      }
    }
    states_ = std::move(next);
  }

  const Sentence& sentence_of(Index row) const { return sentences_[states_[static_cast<std::size_t>(row)].sentence]; }
  const Prefix& prefix_of(Index row) const { return states_[static_cast<std::size_t>(row)].prefix; }

  // Weights are twice the energies. Tests only check that search records them at the right place.
  AttentionStep attention(const Continuation& continuation, Index layer) {
    std::vector<Index> lengths;
    for (const Sentence& sentence : sentences_) lengths.push_back(sentence.source_length);
    AttentionStep result{.layer = layer};
    result.layout = {continuation.hypotheses, Segments::from_lengths(lengths), kHeads};
    const Tensor energies = scope_.tensor({result.layout.count()}), weights = scope_.tensor({result.layout.count()});
    const Tensor contexts = scope_.tensor({continuation.hypotheses.rows(), kHeads * kContext});
    kernels::for_each_block(result.layout, [&](const kernels::LayoutBlock& block) {
      for (Index t = 0; t < block.T; ++t) {
        const Index row = block.query_begin + t;
        const std::vector<Real> e = energy(sentence_of(row), prefix_of(row), layer, block.head);
        for (Index j = 0; j < block.S; ++j) {
          energies.data()[block.offset + t * block.S + j] = e[static_cast<std::size_t>(j)];
          weights.data()[block.offset + t * block.S + j] = 2 * e[static_cast<std::size_t>(j)];
        }
        const std::vector<Real> c = context(sentence_of(row), prefix_of(row), layer, block.head);
        std::ranges::copy(c, contexts.row(row).begin() + block.head * kContext);
      }
    });
    result.energy = scope_.constant(energies);
    result.weights = scope_.constant(weights);
    result.context = scope_.constant(contexts);
    return result;
  }

  std::vector<Sentence> sentences_;
  Index layers_;
  Arena arena_;
  Scope scope_{arena_};
  std::vector<State> states_;
  Index steps_ = 0, rows_ = 0;
  std::atomic<Index>* most_rows_ = nullptr;
  bool leaves_out_logits_ = false;
};

inline double FakeDecoding::log_probability(const Sentence& sentence, const Prefix& prefix, TokenId token) {
  const std::vector<Real> z = logits(sentence, prefix);
  double sum = 0;
  for (const Real number : z) sum += std::exp(double{number});
  return z[static_cast<std::size_t>(token)] - std::log(sum);
}

// For tests: a model with the same logits at every step.
class ConstantDecoding final : public Decoding {
 public:
  explicit ConstantDecoding(std::vector<Real> logits, Index sentences = 1)
      : logits_(std::move(logits)), sentences_(sentences) {}

  Index sentences() const override { return sentences_; }
  DecoderStep step(const Continuation& continuation) override {
    const Tensor logits = scope_.tensor({continuation.hypotheses.rows(), std::ssize(logits_)});
    for (Index row = 0; row < logits.rows(); ++row) std::ranges::copy(logits_, logits.row(row).begin());
    return {.logits = scope_.constant(logits), .attention = {}};
  }

 private:
  std::vector<Real> logits_;
  Index sentences_;
  Arena arena_;
  Scope scope_{arena_};
};

}  // namespace dhyan
