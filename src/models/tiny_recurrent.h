#pragma once

#include <numeric>

#include "models/recurrent_model.h"
#include "nn/module_jacobian.h"

namespace dhyan {

// For tests: a recurrent model of a handful of weights, and sentences for it.
inline RecurrentConfig tiny_recurrent() {
  return {.source_vocabulary = 7,
          .target_vocabulary = 6,
          .embedding = 3,
          .hidden = 2,
          .attention = {.hidden = 3, .radius = 1, .longest = 6},
          .output_hidden = 3};
}

inline std::unique_ptr<TranslationModel> random_model(const RecurrentConfig& config, std::uint64_t seed = 1) {
  auto model = make_recurrent_model(config, Rng(0));
  randomise(model->parameters(), seed);
  return model;
}

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

inline Batch random_pairs(std::uint64_t seed, std::initializer_list<ExampleSize> sizes, const RecurrentConfig& config) {
  return random_pairs(seed, std::span(sizes.begin(), sizes.size()), config.source_vocabulary, config.target_vocabulary);
}

// Of two ways to a loss of a few words.
inline constexpr double kClose = sizeof(Real) == 8 ? 1e-9 : 1e-4;

// Without a tape.
inline double nll_of(const TranslationModel& model, const Batch& batch) {
  Arena arena;
  Scope scope(arena);
  return model.loss(scope, batch).nll;
}

}  // namespace dhyan
