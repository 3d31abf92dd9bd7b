#pragma once

#include <initializer_list>
#include <utility>

#include "models/model.h"

namespace dhyan {

// For tests of models of any kind: random sentences and their losses.

// Random words, </s> at the end of each sentence.
inline Batch random_pairs(std::uint64_t seed, std::span<const ExampleSize> sizes, Index source_words,
                          Index target_words) {
  Rng rng(seed);
  const auto sentence = [&rng](Index length, Index words) {
    std::vector<TokenId> tokens;
    for (Index i = 1; i < length; ++i) {
      tokens.push_back(static_cast<TokenId>(kEnd + 1 + rng.below(static_cast<std::uint64_t>(words - kEnd - 1))));
    }
    tokens.push_back(kEnd);
    return tokens;
  };
  std::vector<std::vector<TokenId>> sentences;
  for (const ExampleSize& size : sizes) {
    sentences.push_back(sentence(size.source, source_words));
    sentences.push_back(sentence(size.target, target_words));
  }
  std::vector<Example> examples;
  for (std::size_t i = 0; i < sizes.size(); ++i) examples.push_back({sentences[2 * i], sentences[2 * i + 1], i});
  return make_batch(examples);
}

template <class Config>
Batch random_pairs(std::uint64_t seed, std::initializer_list<ExampleSize> sizes, const Config& config) {
  return random_pairs(seed, std::span(sizes.begin(), sizes.size()), config.source_vocabulary, config.target_vocabulary);
}

// A batch of one sentence of a batch.
inline Batch sentence_of(const Batch& batch, Index b) {
  const Example example = example_of(batch, b);
  return make_batch({&example, 1}, batch.pictures);
}

// Tolerance between two ways to compute a loss of a few words.
inline constexpr double kClose = sizeof(Real) == 8 ? 1e-9 : 1e-4;

// Without a tape.
inline double nll_of(const Model& model, const Batch& batch) {
  Arena arena;
  Scope scope(arena);
  return model.loss(scope, batch).nll;
}

// Loss and nll of a training step.
inline std::pair<double, double> trained_loss(const Model& model, const Batch& batch, const LossOptions& options = {}) {
  GradientSet gradients(model.parameters());
  Tape tape(model.parameters());
  tape.start(gradients, Rng(5));
  Arena arena;
  Scope scope(arena, tape);
  const BatchLoss loss = model.loss(scope, batch, options);
  return {double{loss.loss.value().item()}, loss.nll};
}

}  // namespace dhyan
